import Model

/// The lines of the log that tell most of each test that ended badly or is flaky: its first failure, or where it started if
/// it died or ended its process, which left no more; of a test that the process ended before, where its class started.
struct TestLogLines: Sendable {
  /// By name in the log.
  private var links: [String: String] = [:]

  init(_ tests: [TestResult], in books: [LogBook]) {
    let told = tests.filter { $0.endsBadly || $0.isFlaky }
    guard !told.isEmpty, let book = books.first(where: { $0.step == .testing }) else { return }
    // The log does not say which of several tests with one name it means.
    let all = Dictionary(grouping: tests, by: Self.name(of:)).mapValues(\.count)
    let named = Dictionary(told.map { (Self.name(of: $0), $0) }) { first, _ in first }.filter { all[$0.key] == 1 }
    let hasDead = named.values.contains(where: \.hasDied)
    for (index, page) in book.pages.enumerated() {
      for line in page where !line.isContinued && line.announcement != .mapping {
        let isFailure = line.kind == .error && line.isHead
        guard isFailure || hasDead else { continue }
        let text = String(decoding: line.bytes, as: UTF8.self)
        guard let name = isFailure ? Self.failed(text) : Self.started(text), let test = named[name],
          test.hasDied != isFailure,
          // Of the first attempt the last process is the one that the test ended.
          links[name] == nil || test.hasDied && line.announcement == nil
        else { continue }
        links[name] = "\(ReportPaths.log(book.step, page: index + 1))#L\(line.number)"
      }
      for finding in hasDead ? LogRemarks(book, page, of: tests).findings : [] {
        guard finding.kind.decides, let test = told.first(where: { $0.id == finding.test && $0.hasDied })
        else { continue }
        links[Self.name(of: test)] = "\(ReportPaths.log(book.step, page: index + 1))#L\(finding.number)"
      }
    }
  }

  /// Returns the address of the line, relative to the top of the report; nil if there is none.
  func link(of test: TestResult) -> String? { links[Self.name(of: test)] }

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
  /// Whether an attempt that tells of it did not come to its end.
  fileprivate var hasDied: Bool { hang != nil || crash != nil || quit != nil }
}
