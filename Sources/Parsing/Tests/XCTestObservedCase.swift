import Model

/// A test as reported by the observer in its process.
struct XCTestObservedCase: Sendable {
  /// The observer's name for a test.
  struct Name: Hashable, Sendable, CustomStringConvertible {
    /// Its class with the module, `Module.Class`.
    var qualifiedClass: String
    /// The name on the console, `Class.method`.
    var consoleName: String
    /// Nil if the name is not that of a test.
    var id: TestID?

    init?(_ fields: inout ObserverFields) {
      guard let qualified = fields.text(), let short = fields.text(), let name = fields.text() else { return nil }
      qualifiedClass = qualified
      consoleName = name
      let method =
        name.dropping("\(short).") ?? name.firstIndex(of: ".").map { name[name.index(after: $0)...] } ?? name[...]
      id = TestID("\(qualified)/\(method)")
    }

    var description: String { id?.description ?? "\(qualifiedClass)/\(consoleName)" }
  }

  let name: Name
  var hasEnded = false
  var isSkipped = false
  /// The number of failures that XCTest counted.
  var failureCount = 0
  /// The duration in seconds.
  var duration = 0.0
  var failures = KeptFailures()

  init(name: Name) {
    self.name = name
  }

  var state: TestState {
    if !hasEnded { return .notRun }
    if failureCount > 0 || !failures.isEmpty { return .failed }
    return isSkipped ? .skipped : .passed
  }

  /// The contradiction if XCTest counted a different number of failures than it reported.
  var contradiction: String? {
    guard failureCount != failures.count else { return nil }
    return "XCTest counted \(failureCount) failures of \(name), but \(failures.count) were reported."
  }

  /// Returns the result, with the output of the test; nil if the name is not that of a test.
  func result(_ printed: XCTestPrinted.Case?) -> TestResult? {
    guard let id = name.id else { return nil }
    var result = TestResult(
      id: id, library: .xctest, state: state, duration: duration.isDuration ? max(duration, 0) : 0,
      failures: failures.all, skipReason: state == .skipped ? printed?.skipReason : nil,
      transcript: printed?.transcript ?? [])
    result.leftOut = LeftOutCounts(failures: failures.leftOut)
    result.measurements = printed?.measurements ?? []
    return result
  }
}

/// The console output of an XCTest process, in addition to an observer's report.
struct XCTestPrinted: Sendable {
  /// The output during one test.
  struct Case: Sendable {
    var skipReason: String?
    var measurements: [TestMeasurement]
    var transcript: [TranscriptLine]
  }

  /// The output by `Class.method`; if several modules have a test with that name, in reverse order of the run.
  private var cases: [String: [Case]] = [:]
  /// The output outside every test.
  var loose: [TranscriptLine]
  /// Sentences about printed lines that imitate XCTest's own.
  var imitations: [String]
  /// The totals of all tests; nil if none were printed.
  var totals: XCTestFrame.Totals?

  init(
    cases: [(name: String, text: Case)], loose: [TranscriptLine], imitations: [String], totals: XCTestFrame.Totals?
  ) {
    for entry in cases.reversed() { self.cases[entry.name, default: []].append(entry.text) }
    self.loose = loose
    self.imitations = imitations
    self.totals = totals
  }

  /// Removes and returns the first remaining output with this name.
  mutating func next(_ name: String) -> Case? { cases[name]?.popLast() }
}
