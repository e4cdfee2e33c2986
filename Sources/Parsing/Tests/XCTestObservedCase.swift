import Model

/// One test as the observer in its process reports it.
struct XCTestObservedCase: Sendable {
  /// What the observer calls a test.
  struct Name: Hashable, Sendable, CustomStringConvertible {
    /// Its class with the module, `Module.Class`.
    var qualifiedClass: String
    /// `Class.method`, as the console prints it.
    var consoleName: String
    /// Nil when the name is no test's.
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
  /// How many failures XCTest counted.
  var failureCount = 0
  /// Seconds.
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

  /// What is wrong when XCTest counted other failures than it reported.
  var contradiction: String? {
    guard failureCount != failures.count else { return nil }
    return "XCTest counted \(failureCount) failures of \(name), but \(failures.count) were reported."
  }

  /// The result, with what was printed meanwhile; nil when the name is no test's.
  func result(_ printed: XCTestPrinted.Case?) -> TestResult? {
    guard let id = name.id else { return nil }
    var result = TestResult(
      id: id, library: .xctest, state: state, duration: duration.isFinite ? max(duration, 0) : 0,
      failures: failures.all, skipReason: state == .skipped ? printed?.skipReason : nil,
      transcript: printed?.transcript ?? [])
    result.leftOut = LeftOutCounts(failures: failures.leftOut)
    return result
  }
}

/// What the console of an XCTest process adds to what an observer in it reports.
struct XCTestPrinted: Sendable {
  /// What was printed while one test ran.
  struct Case: Sendable {
    var skipReason: String?
    var transcript: [TranscriptLine]
  }

  /// By `Class.method`; where several modules have a test of that name, in the order of the run.
  private var cases: [String: [Case]] = [:]
  /// What was printed outside every test.
  var loose: [TranscriptLine]
  /// Sentences about printed lines that pass themselves off as XCTest's.
  var imitations: [String]
  /// The totals of all tests; nil where none were printed.
  var totals: XCTestFrame.Totals?

  init(
    cases: [(name: String, text: Case)], loose: [TranscriptLine], imitations: [String], totals: XCTestFrame.Totals?
  ) {
    for entry in cases.reversed() { self.cases[entry.name, default: []].append(entry.text) }
    self.loose = loose
    self.imitations = imitations
    self.totals = totals
  }

  /// Takes out the first of that name.
  mutating func next(_ name: String) -> Case? { cases[name]?.popLast() }
}
