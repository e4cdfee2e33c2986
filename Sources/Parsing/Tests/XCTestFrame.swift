import Model

/// The suites around the tests of an XCTest run, as proof that the run reached its end.
struct XCTestFrame: Sendable {
  /// The totals that XCTest prints for a suite.
  struct Totals: Hashable, Sendable {
    var tests: Int
    var failures: Int
  }

  private var root: String?
  private var lastEnded: String?
  /// The totals of the outermost suite, once printed.
  private(set) var total: Totals?

  /// Whether a suite has just ended, so that its totals come next.
  var expectsTotals: Bool { lastEnded != nil }

  mutating func start(_ name: String) {
    if root == nil { root = name }
    lastEnded = nil
  }

  mutating func end(_ name: String) {
    lastEnded = name
  }

  mutating func total(tests: Int, failures: Int) {
    if lastEnded == root { total = Totals(tests: tests, failures: failures) }
    lastEnded = nil
  }

  /// Records that a test starts; totals seen before cannot have been the final ones.
  mutating func runCase(anomalies: inout Anomalies) {
    lastEnded = nil
    guard total != nil else { return }
    total = nil
    anomalies.note("A test started after XCTest's final totals had been printed.")
  }

  /// Returns the two counts in words, such as `1 test and 0 failures`.
  static func words(tests: some BinaryInteger, failures: some BinaryInteger) -> String {
    let (tests, failures) = (Int(clamping: tests), Int(clamping: failures))
    return "\(CountText.counted(tests, "test")) and \(CountText.counted(failures, "failure"))"
  }

  /// Whether the totals of the outermost suite were seen and agree with the given counts.
  func isComplete(tests: Int, failures: Int, anomalies: inout Anomalies) -> Bool {
    guard let total else { return false }
    guard total.tests == tests, total.failures == failures else {
      anomalies.note(
        """
        XCTest's final totals say \(Self.words(tests: total.tests, failures: total.failures)), \
        but \(Self.words(tests: tests, failures: failures)) were seen.
        """)
      return false
    }
    return true
  }
}
