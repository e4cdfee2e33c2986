import Model

/// The lines of the log that tell most of each test that ended badly or is flaky: its first failure, or where it started if
/// it died or ended its process, which left no more, or only a sanitizer found something; of a test that the process ended
/// before, where its class started.
struct TestLogLines: Sendable {
  private struct Place {
    /// From 1.
    var page: Int
    var line: Int
  }

  /// How the process ended before any test of a class began.
  private struct EarlyEnd {
    /// In how many runs.
    var runs = 0
    /// What it printed last.
    var lastLine: (text: String, place: Place)?
  }

  /// By name in the log.
  private var places: [String: Place] = [:]
  /// By the first test of the class.
  private var earlyEnds: [TestID: EarlyEnd] = [:]

  init(_ tests: [TestResult], in books: [LogBook]) {
    let told = tests.filter { $0.endsBadly || $0.isFlaky }
    guard !told.isEmpty, let book = books.first(where: { $0.step == .testing }) else { return }
    // The log does not say which of several tests with one name it means.
    let all = Dictionary(grouping: tests, by: Self.name(of:)).mapValues(\.count)
    let named = Dictionary(told.map { (Self.name(of: $0), $0) }) { first, _ in first }.filter { all[$0.key] == 1 }
    let haveStart = named.values.contains(where: \.isToldAtStart)
    for (index, page) in book.pages.enumerated() {
      for line in page where !line.isContinued && line.announcement != .mapping {
        let isFailure = line.kind == .error && line.isHead
        guard isFailure || haveStart else { continue }
        let text = String(decoding: line.bytes, as: UTF8.self)
        guard let name = isFailure ? Self.failed(text) : Self.started(text), let test = named[name],
          test.isToldAtStart != isFailure,
          // Of the first attempt the last process is the one that the test ended.
          places[name] == nil || test.isToldAtStart && line.announcement == nil
        else { continue }
        places[name] = Place(page: index + 1, line: line.number)
      }
      for finding in haveStart ? LogRemarks(book, page, of: tests).findings : [] {
        guard finding.kind.decides, let test = told.first(where: { $0.id == finding.test && $0.isToldAtStart })
        else { continue }
        places[Self.name(of: test)] = Place(page: index + 1, line: finding.number)
        if finding.kind == .unbegun { add(finding, before: test.id, page: index + 1) }
      }
    }
  }

  private mutating func add(_ finding: LogFinding, before test: TestID, page: Int) {
    earlyEnds[test, default: EarlyEnd()].runs += max(1, finding.runs.count)
    earlyEnds[test]?.lastLine = finding.lastLine.map { ($0.text, Place(page: page, line: $0.number)) }
  }

  /// Returns in how many runs the process ended before a test began, such as ` in both runs`; nil for one.
  func repetition(before test: TestResult) -> String? {
    earlyEnds[test.id].flatMap { end in
      end.runs == 2 ? " in both runs" : end.runs > 2 ? " in \(end.runs) of \(end.runs) runs" : nil
    }
  }

  /// Returns what the process printed last before it ended and a test could begin, and the address of that line,
  /// relative to the top of the report; nil for nothing.
  func lastLine(before test: TestResult) -> (text: String, link: String)? {
    earlyEnds[test.id]?.lastLine.map { ($0.text, Self.address(of: $0.place)) }
  }

  /// Returns the address of the line, relative to the top of the report; nil if there is none.
  func link(of test: TestResult) -> String? { places[Self.name(of: test)].map(Self.address) }

  /// Returns the address of the first of the lines of some tests; nil if there is none.
  func first(of tests: [TestResult]) -> String? {
    tests.compactMap { places[Self.name(of: $0)] }.min { $0.line < $1.line }.map(Self.address)
  }

  private static func address(of place: Place) -> String {
    "\(ReportPaths.log(.testing, page: place.page))#L\(place.line)"
  }

  private static func name(of test: TestResult) -> String {
    switch test.library {
    case .xctest: "\(test.id.suite).\(test.id.name)"
    case .swiftTesting: test.displayName.map { "\"\($0)\"" } ?? test.id.name
    }
  }

  /// Returns the test that a line says has started: `Test Case 'Suite.test' started at …`, `◇ Test name() started.`
  private static func started(_ line: String) -> String? {
    if line.hasPrefix("Test Case '") {
      let rest = line.dropFirst("Test Case '".count)
      return rest.firstRange(of: "' started").map { String(rest[..<$0.lowerBound]) }
    }
    guard line.hasSuffix(" started."), let mark = line.firstRange(of: "Test ") else { return nil }
    return String(line[mark.upperBound...].dropLast(" started.".count))
  }

  /// Returns the test that a line says has failed: `A.swift:5: error: Suite.test : …`, `✘ Test name() recorded an issue …`.
  private static func failed(_ line: String) -> String? {
    let marks = [("Test ", " recorded an issue"), (" error: ", " : ")]
    return marks.lazy.compactMap { start, end -> String? in
      guard let before = line.firstRange(of: start) else { return nil }
      let rest = line[before.upperBound...]
      return rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) }
    }.first
  }
}

extension TestResult {
  /// Whether no line tells of its failure: an attempt did not come to its end, or only a sanitizer found something.
  fileprivate var isToldAtStart: Bool { hang != nil || crash != nil || quit != nil || isRedBySanitizerAlone }
}
