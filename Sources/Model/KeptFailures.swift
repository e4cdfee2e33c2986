/// The remaining room for the messages of one process.
package struct TextRoom: Hashable, Sendable {
  private let bounds: Bounds
  private var bytes: Int

  package init(_ bounds: Bounds = .standard) {
    self.bounds = bounds
    bytes = bounds.messages
  }

  /// Returns the part of a message that is kept, and uses up its room.
  package mutating func keep(_ message: String) -> String {
    let kept = message.cut(to: bytes > 0 ? bounds.message : bounds.shortMessage)
    bytes -= kept.utf8.count
    return kept
  }

  /// Takes room for the given number of bytes, and returns whether there was enough.
  package mutating func take(_ count: Int) -> Bool {
    guard count <= bytes else { return false }
    bytes -= count
    return true
  }
}

/// The remaining room for the failures of one process.
package struct FailureRoom: Hashable, Sendable {
  private let bounds: Bounds
  private var failures: Int
  private var texts: TextRoom

  package init(_ bounds: Bounds = .standard) {
    self.bounds = bounds
    failures = bounds.failures
    texts = TextRoom(bounds)
  }

  /// Takes room for one more failure if there is any, given the number already kept; the first is always kept.
  fileprivate mutating func takes(beside count: Int) -> Bool {
    guard count == 0 || count < bounds.failuresPerTest && failures > 0 else { return false }
    failures -= 1
    return true
  }

  /// Returns the part of a message that is kept, and uses up its room.
  package mutating func keep(_ message: String) -> String { texts.keep(message) }
}

/// The failures of a test that are kept, in their order, and the number that are not.
package struct KeptFailures: Hashable, Sendable {
  package private(set) var all: [TestFailure] = []
  package private(set) var leftOut = 0

  package init() {}

  /// The number of all failures.
  package var count: Int { all.count + leftOut }
  package var isEmpty: Bool { all.isEmpty }

  /// Adds a failure, or counts it as left out if there is no room. For a failure that another list keeps, too, pass a
  /// copy of the room.
  package mutating func add(_ failure: TestFailure, within room: inout FailureRoom) {
    if room.takes(beside: all.count) { all.append(failure) } else { leftOut += 1 }
  }
}

/// How much of a test's output is not kept.
package struct LeftOutCounts: Hashable, Sendable, Codable {
  /// Each is absent if all are kept.
  package var failures: Int?
  package var knownIssues: Int?
  package var warnings: Int?
  package var cases: Int?

  /// Nil if everything is kept.
  package init?(failures: Int = 0, knownIssues: Int = 0, warnings: Int = 0, cases: Int = 0) {
    guard failures + knownIssues + warnings + cases > 0 else { return nil }
    self.failures = failures > 0 ? failures : nil
    self.knownIssues = knownIssues > 0 ? knownIssues : nil
    self.warnings = warnings > 0 ? warnings : nil
    self.cases = cases > 0 ? cases : nil
  }
}
