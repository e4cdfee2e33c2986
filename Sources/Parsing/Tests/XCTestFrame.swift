/// The suites around the tests of an XCTest run, as far as they prove that the run came to its end.
struct XCTestFrame: Sendable {
  private var root: String?
  private var lastEnded: String?
  private var total: (tests: Int, failures: Int)?

  /// Whether a suite has just ended, so that its totals come next.
  var expectsTotals: Bool { lastEnded != nil }

  /// Whether the totals of the outermost suite were printed.
  var hasTotals: Bool { total != nil }

  mutating func start(_ name: String) {
    if root == nil { root = name }
    lastEnded = nil
  }

  mutating func end(_ name: String) {
    lastEnded = name
  }

  mutating func total(tests: Int, failures: Int) {
    if lastEnded == root { total = (tests, failures) }
    lastEnded = nil
  }

  /// Takes note that a test starts; totals seen before cannot have been the final ones.
  mutating func runCase(anomalies: inout Anomalies) {
    lastEnded = nil
    guard total != nil else { return }
    total = nil
    anomalies.note("A test started after XCTest's final totals had been printed.")
  }

  /// Whether the totals of the outermost suite were seen and agree with what was counted.
  func isComplete(tests: Int, failures: Int, anomalies: inout Anomalies) -> Bool {
    guard let total else { return false }
    guard total.tests == tests, total.failures == failures else {
      anomalies.note(
        """
        XCTest's final totals say \(total.tests) tests and \(total.failures) failures, \
        but \(tests) tests and \(failures) failures were seen.
        """)
      return false
    }
    return true
  }
}
