import Model
import Testing

@testable import Rendering

@Suite("The page of a test that hung")
struct HangPageTests {
  private static let file = "Tests/GreeterTests/WaitTests.swift"

  /// The page of a test that is declared on the second line, and that no thread was in.
  private func page(_ body: String, log: String = "") throws -> String {
    var report = GreeterSample.red
    let index = try #require(report.integration.tests.results.firstIndex { $0.hang != nil })
    report.integration.tests.results[index].hang = HangReport(rule: "longer than 8 s", kind: .suspended)
    report.integration.tests.results[index].location = Model.SourceLocation(file: Self.file, line: 2)
    report.integration.tests.results[index].failures = []
    report.sources[Self.file] = Array("import Testing\n@Test(.tags(.slow)) func waits() async {\n\(body)}\n".utf8)
    if !log.isEmpty { report.logs = [Report.Log(step: .testing, bytes: Array(log.utf8))] }
    let name = report.integration.tests.results[index].id
    let site = try PageSite(report)
    return site.text(ReportPaths(tests: [name]).page(of: name))
  }

  private func hotLines(_ page: String) -> [Substring] {
    page.split(separator: "\n").filter { $0.hasPrefix(#"<tr class="hot">"#) }
      .compactMap { $0.split(separator: ">").dropFirst(2).first?.prefix { $0 != "<" } }
  }

  @Test("Its only await is where it waits")
  func only() throws {
    let page = try page("  let a = 1\n  await bell.ring()  // await\n}\nfunc other() async {\n  await a()\n")
    #expect(page.contains(#"<h2 id="h-waits">Where it waits</h2>"#))
    #expect(hotLines(page) == ["4"])
    #expect(!page.contains("h-declaration"))
  }

  @Test("Of several awaits it may wait at each, and without one nothing is said of where it waits")
  func several() throws {
    let page = try page("  await bell.ring()\n  let a = 1\n  async let b = await a\n")
    #expect(page.contains(">Where it may wait</h2>"))
    #expect(hotLines(page) == ["3", "5"])
    #expect(try !self.page("  let a = 1\n").contains("h-waits"))
  }

  @Test("One sentence says what the test waits for, where and in which function, and for how long it was waited for")
  func headline() throws {
    let name = try #require(GreeterSample.red.integration.tests.results.first { $0.hang != nil }).id
    let text = try PageSite.sample("red").text(ReportPaths(tests: [name]).page(of: name))
    let leads = text.split(separator: #"<p class="lead">"#).dropFirst()
    let lead = try #require(leads.first?.split(separator: "</p>").first)
    #expect(lead.hasPrefix("<b>Waiting for a lock or a queue that is taken</b> at "))
    #expect(
      lead.hasSuffix(
        #"</a> in <code>Doorbell.untilAnswered()</code> <span class="whole">· no output for 30 s</span>"#))
    #expect(text.contains("<span>stopped after "))
  }

  @Test("What several tests wait for in one line is told of the first of them")
  func alike() throws {
    var report = GreeterSample.red
    var test = try #require(report.integration.tests.results.first { $0.hang != nil })
    test.id = TestID(module: "GreeterTests", suite: "WaitTests", name: "waits()")
    report.integration.tests.results.append(test)
    let index = try PageSite(report).text("index.html")
    #expect(index.ranges(of: "· Waiting for a lock or a queue that is taken</span>").count == 1)
    #expect(index.ranges(of: "· Same place</span>").count == 1)
    #expect(index.contains(#">waits()</a> <span class="faint">WaitTests</span>"#))
    #expect([test, test].waitingAlike.isEmpty)
  }

  @Test(
    "What the test waits in is named as its source has it",
    arguments: [
      ("static Thread.sleep(forTimeInterval:)", "Sleeping: Thread.sleep(forTimeInterval:)"),
      ("__nanosleep@GLIBC_2.2.5", "Sleeping: nanosleep"), ("partial apply for closure #1 in sleep()", "Sleeping"),
    ])
  func call(function: String, words: String) {
    let own = StackFrame(number: 1, function: "t()", location: Model.SourceLocation(file: Self.file, line: 2))
    let thread = ThreadStack(frames: [StackFrame(number: 0, function: function), own])
    let hang = HangReport(rule: "longer than 4 s", kind: .sleep, threads: [thread])
    #expect(hang.explanation(of: Self.test(printed: [])) == words)
  }

  @Test("One that printed meanwhile does more than sleep, unless it was too long without output")
  func printing() {
    var hang = HangReport(rule: "longer than 5 s", kind: .sleep)
    #expect(hang.reason(of: Self.test(printed: ["counted 3 of 3 jars"])) == "Still running")
    hang.isSilent = true
    #expect(hang.reason(of: Self.test(printed: ["waiting"])) == "Sleeping")
  }

  @Test(
    "Whether what it waits for would have come, nobody knows", arguments: [HangReport.Kind.signal, .input, .events])
  func unknown(kind: HangReport.Kind) throws {
    let words = try #require(HangReport(rule: "no output for 3 s", kind: kind).reason(of: Self.test(printed: [])))
    #expect(words.hasPrefix("Waiting for "))
    #expect(!words.contains("never"))
  }

  private static func test(printed lines: [String]) -> TestResult {
    TestResult(
      id: TestID(module: "GreeterTests", suite: "WaitTests", name: "waits()"), library: .swiftTesting, state: .timedOut,
      transcript: lines.map { TranscriptLine(text: $0) })
  }

  @Test("Calls of many libraries name three of them")
  func libraries() throws {
    let frames = ["a", "b", "c", "d"].enumerated().map { StackFrame(number: $0, function: "f()", image: $1) }
    let context = ReportContext(GreeterSample.red, library: try PageSite.templates(), time: .utc)
    let rows = "\(StackRows(thread: ThreadStack(frames: frames), report: context).records)"
    #expect(rows.contains("4 calls of a, b, c and others"))
  }

  @Test("It leads to the line of the log at which the test first hung, though it ran again and once more to be mapped")
  func log() throws {
    let lines = ["◇ Test answeredBeforeWaiting() started.", "◇ Test other() started."]
    let attempt = [RunAnnouncement.attempt(2, of: 2, test: "x").line, "$ a.xctest", lines[0]]
    let mapping = [RunAnnouncement.mapping.line, "$ a.xctest", lines[0], ""]
    let text = (lines + attempt + mapping).joined(separator: "\n")
    #expect(try page("", log: text).contains(#"<a href="../log/testing.html#L1">log</a>"#))
    #expect(try !page("", log: lines[1]).contains(">log</a>"))
  }
}
