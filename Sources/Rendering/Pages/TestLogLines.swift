import Model

/// The lines of the log at which tests that died, and left no more in it, started for the last time.
struct TestStarts: Sendable {
  /// By name in the log.
  private var links: [String: String] = [:]

  init(_ tests: [TestResult], in books: [LogBook]) {
    let died = tests.filter { $0.hang != nil || $0.crash != nil }
    guard !died.isEmpty, let book = books.first(where: { $0.step == .testing }) else { return }
    // The log does not say which of several tests with one name it means.
    let all = Dictionary(grouping: tests, by: Self.name(of:))
    let names = Set(died.map(Self.name(of:)).filter { all[$0]?.count == 1 })
    for (index, page) in book.pages.enumerated() {
      for line in page where !line.isContinued && line.announcement != .mapping {
        guard let name = Self.started(String(decoding: line.bytes, as: UTF8.self)), names.contains(name) else {
          continue
        }
        links[name] = "\(ReportPaths.log(book.step, page: index + 1))#L\(line.number)"
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
}
