import Model

/// The division of the page of all tests, so that no part is too long to open quickly; red tests stay first, and a suite
/// stays whole unless it is too long itself.
struct TestPaging: Sendable {
  /// The maximum bytes of rows on a page: about 1000 tests that passed, which a browser shows at once.
  static let longestPage = 900_000

  /// The tests of each page, in tree order; at least one page.
  let pages: [[TestResult]]
  private let numbers: [TestID: Int]
  /// The page on which each target begins.
  private let targets: [String: Int]

  init(_ tree: TestTree) {
    var pages: [[TestResult]] = [[]]
    var numbers: [TestID: Int] = [:]
    var targets: [String: Int] = [:]
    var size = 0
    func makeRoom(for weight: Int) {
      guard size + weight > Self.longestPage, size > 0 else { return }
      pages.append([])
      size = 0
    }
    for suite in tree.targets.flatMap(\.suites) {
      let head = 450 + suite.title.utf8.count + suite.path.utf8.count
      makeRoom(for: suite.tests.reduce(head) { $0 + Self.weight(of: $1) })
      size += head
      for test in suite.tests {
        let weight = Self.weight(of: test)
        makeRoom(for: weight)
        size += weight
        pages[pages.count - 1].append(test)
        numbers[test.id] = pages.count
        targets[test.id.module] = targets[test.id.module] ?? pages.count
      }
    }
    self.pages = pages
    self.numbers = numbers
    self.targets = targets
  }

  /// Returns the page with a number, from 1, relative to the top of the report.
  static func path(_ number: Int) -> String { number == 1 ? "tests.html" : "tests-\(number).html" }

  /// Returns the page with the row of a test.
  func path(of test: TestID) -> String { Self.path(numbers[test] ?? 1) }

  /// Returns the page on which the rows of a target begin.
  func path(ofTarget name: String) -> String { Self.path(targets[name] ?? 1) }

  /// Returns the approximate bytes of a test's rows.
  private static func weight(of test: TestResult) -> Int {
    var texts = (test.displayName?.utf8.count ?? 0) + test.id.description.utf8.count * 2
    texts += test.tags.reduce(0) { $0 + $1.utf8.count + 30 }
    if TranscriptSection(test.transcript).isShort {
      texts += test.transcript.reduce(0) { $0 + $1.text.utf8.count + 60 }
    }
    texts += (test.arguments ?? []).reduce(0) { $0 + $1.display.utf8.count + ($1.isPlain ? 80 : 900) }
    texts += test.knownIssues.count * 200 + min(test.failures.count, 1) * 600
    // A place has its file in its address and its name.
    return 600 + texts * 2 + (test.location?.file.utf8.count ?? 0) * 2
  }
}
