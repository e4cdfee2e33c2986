import Model

/// Finds the module of a test that the console names only `Class.method`.
///
/// XCTest runs tests in the order in which it lists them, so where two modules have a class of the same name, the
/// place in that order tells them apart; without it nothing does.
struct XCTestNames: Sendable {
  /// What a name stands for at a given moment of the run.
  enum Resolution {
    /// A test that was asked for and had not started.
    case test(TestID)
    /// One of several tests; which one cannot be told.
    case ambiguous([TestID])
    /// A test that had started before.
    case again
    /// A test that was not asked for.
    case unlisted
  }

  private let positions: [String: [(position: Int, id: TestID)]]
  private var started: Set<Int> = []
  /// The position that comes next as long as the run keeps to the order.
  private var next: Int? = 0

  init(asked: [TestID]) {
    var positions: [String: [(position: Int, id: TestID)]] = [:]
    for (position, id) in asked.enumerated() {
      positions[Self.consoleName(of: id), default: []].append((position, id))
    }
    self.positions = positions
  }

  /// `Class.method`; XCTest's classes are never nested, because their discovery on Linux finds only outer ones.
  static func consoleName(of id: TestID) -> String {
    "\(id.suite).\(id.name)"
  }

  func isAsked(_ name: String) -> Bool { positions[name] != nil }

  /// Takes note that a test of this name starts now.
  mutating func start(_ name: String) -> Resolution {
    guard let all = positions[name] else { return .unlisted }
    let left = all.filter { !started.contains($0.position) }
    guard let first = left.first else { return .again }
    let isExpected = next == first.position
    next = isExpected || all.count == 1 ? first.position + 1 : nil
    started.insert(first.position)
    return all.count == 1 || isExpected ? .test(first.id) : .ambiguous(all.map(\.id))
  }
}
