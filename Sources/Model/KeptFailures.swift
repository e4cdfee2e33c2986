/// What is left of the room for the messages of one process.
package struct TextRoom: Hashable, Sendable {
  private let bounds: Bounds
  private var bytes: Int

  package init(_ bounds: Bounds = .standard) {
    self.bounds = bounds
    bytes = bounds.messages
  }

  /// A message as it is kept.
  package mutating func keep(_ message: String) -> String {
    let kept = message.cut(to: bytes > 0 ? bounds.message : bounds.shortMessage)
    bytes -= kept.utf8.count
    return kept
  }

  /// Whether there is room for so many bytes, which are taken.
  package mutating func take(_ count: Int) -> Bool {
    guard count <= bytes else { return false }
    bytes -= count
    return true
  }
}

/// What is left of the room for the failures of one process.
package struct FailureRoom: Hashable, Sendable {
  private let bounds: Bounds
  private var failures: Int
  private var texts: TextRoom

  package init(_ bounds: Bounds = .standard) {
    self.bounds = bounds
    failures = bounds.failures
    texts = TextRoom(bounds)
  }

  /// Whether one more is kept where there are so many already; the first always is.
  fileprivate mutating func takes(beside count: Int) -> Bool {
    guard count == 0 || count < bounds.failuresPerTest && failures > 0 else { return false }
    failures -= 1
    return true
  }

  /// A message as it is kept.
  package mutating func keep(_ message: String) -> String { texts.keep(message) }
}

/// The failures of a test that are kept, in their order, and how many are not.
package struct KeptFailures: Hashable, Sendable {
  package private(set) var all: [TestFailure] = []
  package private(set) var leftOut = 0

  package init() {}

  /// How many there were.
  package var count: Int { all.count + leftOut }
  package var isEmpty: Bool { all.isEmpty }

  /// Adds a failure that has its room already, where another list keeps it too.
  package mutating func add(_ failure: TestFailure, within room: inout FailureRoom) {
    if room.takes(beside: all.count) { all.append(failure) } else { leftOut += 1 }
  }
}

/// How much of what a test reported is not kept.
package struct LeftOutCounts: Hashable, Sendable, Codable {
  /// Absent, each, where all is kept.
  package var failures: Int?
  package var knownIssues: Int?
  package var warnings: Int?
  package var cases: Int?

  /// Nil where all is kept.
  package init?(failures: Int = 0, knownIssues: Int = 0, warnings: Int = 0, cases: Int = 0) {
    guard failures + knownIssues + warnings + cases > 0 else { return nil }
    self.failures = failures > 0 ? failures : nil
    self.knownIssues = knownIssues > 0 ? knownIssues : nil
    self.warnings = warnings > 0 ? warnings : nil
    self.cases = cases > 0 ? cases : nil
  }
}
