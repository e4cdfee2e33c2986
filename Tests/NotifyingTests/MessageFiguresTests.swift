import Foundation
import Rendering
import Testing

@testable import Model

@Suite("The figures of mails")
struct MessageFiguresTests {
  private let renderer: MessageRenderer

  init() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../templates")
    renderer = MessageRenderer(templates: try TemplateLibrary(folder: folder.standardizedFileURL.path), time: .utc)
  }

  private func text(
    _ report: Trigger.Mail.Report, of integration: Integration, to readers: [String]? = nil
  ) throws -> String {
    let page = "/site/Greeter/42/index.html"
    let notice =
      if let readers {
        try renderer.text(report, of: integration, to: readers, page: page)
      } else {
        try renderer.text(report, of: integration, page: page)
      }
    return String(decoding: notice.text, as: UTF8.self)
  }

  @Test("Findings in the same line are told apart by their columns")
  func columns() throws {
    var integration = MessageSample.red
    integration.issues[0].location?.column = 7
    #expect(try text(.newIssues, of: integration).contains("\n[WARNING] Sources/Greeter/Door.swift:23:7\n"))
    integration = MessageSample.green
    integration.issues[1].location?.column = 7
    #expect(try text(.allResolved, of: integration).contains("\n    [WARNING] Door.swift:23:7: never used\n"))
  }

  /// An integration of the sample's commit whose only finding is a failed gate.
  private var gated: Integration {
    var integration = MessageSample.integration(.testFailures)
    integration.onlyGatesFailed = true
    var gate = GateResult(rule: "patch=80", state: .failed, sentence: "8 of 9 changed lines never ran.")
    gate.share = Tally(total: 9, covered: 1)
    gate.lines = (19...26).map { SourceLocation(file: "Sources/Greeter/PartOfDay.swift", line: $0) }
    integration.gates = [gate]
    integration.reasons = [.gateFailed(gate)]
    var issue = Model.Issue(id: "g-1", kind: .gate, message: gate.message, location: gate.lines?.first)
    issue.subject = .gate("patch=80")
    issue.suspects = [
      Suspect(
        name: "Mira & Co", email: "mira@example.org", confidence: .high, reason: "2dbc891 changed PartOfDay.swift:19.",
        commit: MessageSample.commit.id, deed: "changed PartOfDay.swift:19")
    ]
    integration.issues = [issue]
    return integration
  }

  @Test("A failed gate is told once, with its share and the lines that never ran")
  func gate() throws {
    for report in [Trigger.Mail.Report.integration, .newIssues] {
      let words = try text(report, of: gated)
      #expect(
        words.contains("\n[GATE] 80% patch: 8 of 9 changed lines never ran: PartOfDay.swift:19–26\n    Probably Mira")
      )
      #expect(words.components(separatedBy: "never ran").count == 2 && !words.contains("[UNCOVERED]"), "\(words)")
      #expect(words.components(separatedBy: "PartOfDay.swift:19–26").count == 2)
    }
    let own = try text(.newIssues, of: gated, to: ["mira@example.org"])
    #expect(own.hasPrefix("Greeter 42: 1 failed gate, probably from your commit 2dbc891\n"))
    #expect(!own.contains("Greeter 42 as a whole"))
  }

  @Test("Tests that ended their process are counted; what did not happen is not")
  func counts() throws {
    var integration = MessageSample.integration(.incomplete)
    #expect(try text(.integration, of: integration).contains("\n1 test, 0 red\n"))
    var quit = TestResult(id: MessageSample.noon, library: .xctest)
    quit.quit = ProcessQuit(call: "exit(0)")
    let skipped = TestResult(id: MessageSample.language, library: .swiftTesting, state: .skipped)
    integration.tests = TestReport(results: integration.tests.results + [quit, skipped])
    #expect(try text(.integration, of: integration).contains("\n3 tests, 0 red, 1 ended the process, 1 skipped\n"))
  }

  /// An integration in which a test ended the process before another one ran.
  private var quitting: Integration {
    var integration = MessageSample.integration(.incomplete)
    var quit = TestResult(id: MessageSample.noon, library: .xctest)
    quit.quit = ProcessQuit(call: "exit(0)")
    integration.tests = TestReport(results: [quit, TestResult(id: MessageSample.language, library: .swiftTesting)])
    integration.issues = [
      Model.Issue(id: "q-1", kind: .quit, message: "Ended the process: exit(0)", test: MessageSample.noon)
    ]
    return integration
  }

  @Test("A mail about an incomplete integration says so first, with what quit, and has the command of its page")
  func incomplete() throws {
    let notice = try renderer.text(.newIssues, of: quitting, page: "/site/Greeter/42/index.html")
    let name = MessageSample.noon.name
    #expect(notice.subject == "[Greeter 42] Incomplete (1 test not run): \(name) called exit(0)")
    let text = String(decoding: notice.text, as: UTF8.self)
    #expect(text.hasPrefix("Greeter 42: incomplete (1 test not run), \(name) called exit(0)\n"))
    // SwiftPM's ends green.
    #expect(text.contains(/\nRun it again:\n    martlet run .* --filter '\^GreeterTests\\.GreetingTests\//))
    let own = try self.text(.newIssues, of: quitting, to: ["mira@example.org"])
    #expect(own.hasPrefix("Greeter 42: incomplete (1 test not run), \(name) called exit(0) since your"))
    #expect(own.components(separatedBy: "martlet run").count == 2 && !own.contains("swift test"))
    var again = quitting
    again.tests.results.removeAll { $0.quit == nil }
    again.issues[0].life = IssueLife(firstSeen: 3, streak: 2, streakStart: 42, cameBackFrom: 5)
    let heading = try self.text(.newIssues, of: again).split(separator: "\n").first
    #expect(heading == "Greeter 42: incomplete, \(name) called exit(0) again")
    // Of several only their number is told.
    again.issues.append(again.issues[0])
    #expect(try self.text(.newIssues, of: again).hasPrefix("Greeter 42: incomplete, 2 processes quit again\n"))
  }

  @Test("Who probably made a test quit reads their commit once in the heading and once with its message")
  func suspectedQuit() throws {
    var integration = quitting
    integration.issues[0].suspects = MessageSample.suspicious.issues.first { $0.id == "1" }?.suspects ?? []
    let readers = ["mira@example.org"]
    let notice = try renderer.text(.newIssues, of: integration, to: readers, page: "/site/Greeter/42/index.html")
    let name = MessageSample.noon.name
    #expect(notice.subject == "[Greeter 42] Incomplete (1 test not run), probably yours: \(name) called exit(0)")
    let text = String(decoding: notice.text, as: UTF8.self)
    #expect(text.contains("\n\nBranch main, 20 Nov 2026, 09:22 UTC.\nYour commit 2dbc891 \"Add quiet hours"))
    // The command has it, too.
    #expect(text.components(separatedBy: "2dbc891").count == 4, "\(text)")
    #expect(text.contains("\n    It changed PartOfDay.swift:8.\n    Possibly Jon: 5fe1586 is near.\n"), "\(text)")
  }

  @Test("A suspect reads at most four changed lines, those beside the one that speaks for them", arguments: [8, 9])
  func changedLines(of line: Int) throws {
    var integration = MessageSample.suspicious
    let index = try #require(integration.issues.firstIndex { $0.id == "1" })
    let place = SourceLocation(file: "PartOfDay.swift", line: line)
    integration.issues[index].suspects[0].place = place
    let issue = integration.issues[index]
    var record = IssueRecord(
      id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test,
      streaks: [.init(opened: 42, lastSeen: 42)])
    record.suspectedHunk = SourceHunk(
      file: place.file,
      lines: [
        .init(number: 7, text: "  var part: Part {"), .init(number: 8, text: "    if hour < 12 {", change: .removed),
        .init(number: 8, text: "    if hour <= 12 {", change: .added),
        .init(number: 9, text: "      return .morning", change: .added),
        .init(number: 10, text: "    }", change: .added),
        .init(number: 11, text: "    log(\"<b>\")", change: .added), .init(number: 12, text: "  }"),
      ])
    integration.issueRecords = [record]
    let readers = ["mira@example.org"]
    let notice = try renderer.text(.newIssues, of: integration, to: readers, page: "/site/Greeter/42/index.html")
    let added = ["      + if hour <= 12 {\n", "      +   return .morning\n", "      + }\n", "      + log(\"<b>\")\n"]
    let lines = line == 8 ? ["      − if hour < 12 {\n"] + added.prefix(3) : added
    let words =
      "    Probably yours: it changed PartOfDay.swift:8.\n\(lines.joined())    Possibly Jon: 5fe1586 is near.\n"
    #expect(String(decoding: notice.text, as: UTF8.self).contains(words), "\(notice.text)")
    let html = String(decoding: notice.html, as: UTF8.self)
    #expect(html.contains("pre-wrap\">\(line == 8 ? "− if hour &lt; 12 {" : "+ if hour &lt;= 12 {")<br>"))
    #expect(html.contains("log(&quot;&lt;b&gt;&quot;)") == (line == 9))
    // The others have a page.
    #expect(try !text(.newIssues, of: integration).contains("return .morning"))
  }

  @Test("Of an expectation that compares, what holds instead comes first, then what the source says")
  func values() throws {
    var integration = MessageSample.red
    let index = try #require(integration.tests.results.firstIndex { $0.id == MessageSample.noon })
    func told(_ message: String) throws -> String {
      integration.tests.results[index].failures = [TestFailure(location: nil, message: message)]
      return try text(.newIssues, of: integration)
    }
    let words = try told(
      "Expectation failed: (Mass(grams: grams).spoken → \"1000 g\") == (words → \"1.0 kg\")\nAs sold")
    #expect(
      words.contains("\n      \"1000 g\" ≠ \"1.0 kg\"\n      Mass(grams: grams).spoken == words\n      As sold\n"),
      "\(words)")
    #expect(try told("Expectation failed: 1 == 2").contains("\n      1 ≠ 2\n    Probably"))
    #expect(try told("Expectation failed: isReady").contains("\n      Expectation failed: isReady\n"))
  }

  @Test("That a commit lacks the package is told once, with what may mend it")
  func withoutPackage() throws {
    var integration = MessageSample.integration(.checkoutError)
    integration.reasons = [.packageMissing("Package.swift in the root"), .hint("Correct it.")]
    let mail = try text(.newIssues, of: integration)
    #expect(mail.contains("Greeter 42: Checkout error: no Package.swift in the root\n"))
    #expect(mail.contains("Correct it.") && !mail.contains("There is no Package.swift"))
  }

  @Test("Where nothing is red there is no command, and of older red tests it is theirs")
  func commands() throws {
    #expect(try !text(.allResolved, of: MessageSample.green).contains("Run it again"))
    #expect(try text(.integration, of: MessageSample.integration(.checkoutError)).contains("    martlet run /git/"))
    var old = MessageSample.red
    for index in old.issues.indices { old.issues[index].status = .unresolved }
    #expect(try text(.integration, of: old).contains("Run it again:\n    swift test --filter '^GreeterTests"))
  }

  @Test("Of a parameterised test it says which cases are red, a few of many")
  func cases() throws {
    var integration = MessageSample.red
    let index = try #require(integration.tests.results.firstIndex { $0.id == MessageSample.noon })
    integration.tests.results[index].arguments = (1...6).map {
      TestArgument(display: "\($0), \"\($0) g\"", state: $0 == 2 ? .failed : .passed)
    }
    #expect(try text(.newIssues, of: integration).contains("\n    1 of 6 cases red: 2, \"2 g\"\n"))
    for number in 0..<5 { integration.tests.results[index].arguments?[number].state = .failed }
    let many = "5 of 6 cases red: 1, \"1 g\"; 2, \"2 g\"; 3, \"3 g\"; 2 more\n"
    #expect(try text(.newIssues, of: integration).contains(many))
  }

  @Test("Of several destinations each has its tests counted, and an issue tells the test that has it")
  func destinations() throws {
    func destination(_ name: String, _ outcome: Outcome) -> DestinationResult {
      var destination = Destination()
      destination.name = name
      return DestinationResult(destination, leads: name == "debug", outcome: outcome)
    }
    var integration = MessageSample.integration(.testFailures)
    let (noon, language) = (MessageSample.noon, MessageSample.language)
    let place = SourceLocation(file: "A.swift", line: 2)
    var cell = integration
    cell.destination = destination("release", .testFailures)
    cell.tests = TestReport(results: [
      TestResult(
        id: noon, library: .xctest, state: .failed, failures: [TestFailure(location: place, message: "It is late")]),
      TestResult(id: language, library: .swiftTesting, state: .failed),
    ])
    integration.destination = destination("debug", .succeeded)
    integration.tests = TestReport(results: [TestResult(id: noon, library: .xctest, state: .passed)])
    integration.cells = [cell]
    integration.issues = [Model.Issue(id: "1", kind: .testFailure, message: "m", test: noon)]
    let words = try text(.integration, of: integration)
    #expect(words.contains("\ndebug: 1 test, 0 red; release: 2 tests, 2 red\n"), "\(words)")
    #expect(words.contains("At A.swift:2\n      It is late\n"), "\(words)")
  }

  @Test("An issue whose quarantine has ended is told as one that counts again, and is not also an older one")
  func countingAgain() throws {
    var integration = MessageSample.red
    integration.issues = [
      Model.Issue(id: "1", kind: .testFailure, status: .unresolved, message: "m", test: MessageSample.noon)
    ]
    integration.issues[0].endedSilence = Silence(
      QuarantinedTest(test: MessageSample.noon, reason: "needs a clock", lastDay: "2026-11-18"), until: .distantPast,
      since: .distantPast, number: 41)
    var before = integration.issues[0]
    before.status = .silenced
    integration.baseline?.issues = [before]
    let words = try text(.newIssues, of: integration)
    #expect(words.hasPrefix("Greeter 42: 1 test failure counts again\n"), "\(words)")
    #expect(words.contains("; its quarantine ended on 18 Nov 2026: “needs a clock”.\n"), "\(words)")
    #expect(!words.contains("older issue"))
  }

  @Test("An old issue with a new reason is told as that, and is not also an older one")
  func newReason() throws {
    var integration = MessageSample.red
    integration.issues = [
      Model.Issue(id: "1", kind: .testFailure, status: .unresolved, message: "m", test: MessageSample.noon)
    ]
    integration.issues[0].life = IssueLife(firstSeen: 40, streakStart: 40, streakAge: 2)
    integration.issues[0].life?.reasonSince = integration.number
    let words = try text(.newIssues, of: integration)
    #expect(words.hasPrefix("Greeter 42: 1 test failure for a new reason\n"), "\(words)")
    #expect(words.contains("Since 40; for a new reason since 42."), "\(words)")
    #expect(!words.contains("older issue"))
  }

  @Test("Who gets one mail reads what the whole came to, unless the headline says it")
  func whole() throws {
    var integration = MessageSample.suspicious
    let mira = try text(.newIssues, of: integration, to: ["mira@example.org"])
    #expect(mira.contains("\nGreeter 42 as a whole: 2 red tests.\n"), "\(mira)")
    for index in integration.tests.results.indices where integration.tests.results[index].state == .crashed {
      integration.tests.results[index].state = .passed
      integration.tests.results[index].isFlaky = true
    }
    #expect(
      try text(.newIssues, of: integration, to: ["mira@example.org"])
        .contains("\nGreeter 42 as a whole: 1 red test, 1 flaky.\n"))
    integration.issues.removeAll { $0.id != "1" }
    integration.tests = TestReport(results: integration.tests.results.filter { !$0.isFlaky })
    #expect(try !text(.newIssues, of: integration, to: ["mira@example.org"]).contains("Greeter 42 as a whole"))
  }

  @Test("The first integration, in which all is new, tells its uncovered lines once")
  func first() throws {
    var integration = MessageSample.red
    #expect(try text(.integration, of: integration).contains("\n[UNCOVERED] 3 of 6 changed lines never ran: "))
    let file = PatchCoverage.File(path: "A.swift", ran: [1], partlyRan: [], neverRan: [2])
    integration.changes?.patch = .known(PatchCoverage(origin: .nothing, files: [file]))
    #expect(try !text(.integration, of: integration).contains("[UNCOVERED]"))
  }
}
