import Testing

@testable import Model
@testable import Rendering

@Suite("Pages of a test in which two threads race")
struct RacePageTests {
  private let file = "Sources/Greeter/Phrases/Language.swift"

  /// A race that begins with an access at line 4, and whose other one is at line 10.
  private var race: SanitizerReport {
    func stack(_ name: String, line: Int) -> ThreadStack {
      let place = Model.SourceLocation(file: file, line: line, column: 3)
      return ThreadStack(name: name, frames: [StackFrame(number: 0, function: "greet()", location: place)])
    }
    return SanitizerReport(
      sanitizer: "ThreadSanitizer", problem: "data race",
      stacks: [stack("Write of size 8", line: 4), stack("Previous read of size 8", line: 10)], headline: "",
      isFatal: false)
  }

  private func page(changed line: Int?, commits: Int = 1, path: String = "index.html") throws -> String {
    var report = GreeterSample.green
    let id = TestID(module: "GreeterTests", suite: "RaceTests", name: "races()")
    var test = TestResult(id: id, library: .swiftTesting, state: .failed, duration: 0.1)
    test.sanitizerReports = [race]
    test.failures = [TestFailure(location: race.location, message: race.story)]
    report.integration.tests = TestReport(
      results: GreeterTests.passing + [test], runs: report.integration.tests.runs)
    report.integration.outcome = .testFailures
    var issue = Model.Issue(id: "m-1", kind: .sanitizer, message: race.message, location: race.location, test: id)
    issue.suspects = [
      Suspect(
        name: "Ada", email: "", confidence: .high, reason: "it changed a line.", commit: report.integration.commit.id,
        place: line.map { Model.SourceLocation(file: file, line: $0) })
    ]
    report.integration.issues = [issue]
    let number = report.integration.number
    report.integration.issueRecords = [
      IssueRecord(
        id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: id, age: 0,
        streaks: [.init(opened: number, lastSeen: number)])
    ]
    report.logs = [Report.Log(step: .testing, bytes: Array("\n◇ Test races() started.\n".utf8), folder: "")]
    let date = report.integration.queuedAt
    let others = (1..<commits).map { index in
      Commit(id: CommitID(rawValue: "9f1c2ab\(index)"), summary: "Tidy up", author: "Ada", date: date)
    }
    report.integration.commits = [report.integration.commit] + others
    return try PageSite(report).text(path)
  }

  @Test("The page of its issue says in the heading that it has a race, and leads to where it started in the log")
  func issue() throws {
    let page = try page(changed: nil, path: "issues/m-1.html")
    #expect(page.contains("races() has a data race</h1>"))
    #expect(page.contains(##"<a href="../log/testing.html#L2">log</a>"##))
  }

  @Test("The pages of its issue and of its test have the report with links to both accesses")
  func report() throws {
    let id = TestID(module: "GreeterTests", suite: "RaceTests", name: "races()")
    for path in ["issues/m-1.html", ReportPaths(tests: GreeterTests.passing.map(\.id) + [id]).page(of: id)] {
      let page = try page(changed: nil, path: path)
      let words = page.replacing(/<[^>]*>/, with: "")
      #expect(
        words.contains(
          "Write of size 8\n  greet() at \(file):4:3\nPrevious read of size 8\n  greet() at \(file):10:3\n"))
      #expect(page.matches(of: /greet\(\) at <a href="\.\.\/[^"]*#L(4|10)">/).count == 2)
      #expect(!words.contains("ThreadSanitizer: data race"), "The heading tells it.")
    }
  }

  @Test("Of its two accesses, the row has the one whose line was changed, and names the other one")
  func changed() throws {
    let page = try page(changed: 10)
    #expect(page.contains("Failed: ThreadSanitizer: data race with Language.swift:4</span>"))
    #expect(page.contains(">Language.swift:10</a>") && page.contains("changed this line"))
    #expect(page.replacing(/<[^>]*>/, with: "").contains("New test races() has a data race\n"))
    #expect(page.contains("m-1") && !page.contains("New issues"), "Its row tells the issue.")
  }

  @Test("The raw report that its test printed is folded away")
  func transcript() {
    var test = TestResult(id: TestID(module: "M", suite: "", name: "races()"), library: .swiftTesting, state: .failed)
    test.transcript = (0..<40).map { TranscriptLine(text: "#\($0) frame") }
    func folds(_ test: TestResult) -> Bool {
      guard case .record(let record) = TranscriptSection(test.transcript).record(of: test) else { return false }
      return record["isFolded"] == .flag(true)
    }
    #expect(!folds(test))
    test.sanitizerReports = [race]
    test.failures = [TestFailure(location: race.location, message: race.story)]
    #expect(folds(test))
  }

  @Test("Of an access whose line is unknown, it is said that another thread made it")
  func unknown() {
    var race = self.race
    race.stacks[0].frames = [StackFrame(number: 0, function: "greet()", file: file)] + race.stacks[1].frames
    #expect(race.location?.line == 10)
    #expect(race.line(beside: race.location) == "ThreadSanitizer: data race with another thread")
  }

  @Test("Of several commits, the row names the one that changed its line")
  func severalCommits() throws {
    let page = try page(changed: 10, commits: 2)
    let words = page.replacing(/<[^>]*>/, with: "")
    #expect(words.contains("changed this line in \(GreeterSample.green.integration.commit.id.short)"))
  }

  @Test("Where neither was changed, the row has the one that the report begins with", arguments: [nil, 7])
  func unchanged(line: Int?) throws {
    let page = try page(changed: line)
    #expect(page.contains("Failed: ThreadSanitizer: data race with Language.swift:10</span>"))
    #expect(page.contains(">Language.swift:4</a>") && !page.contains("changed this line"))
  }
}
