import Foundation
@testable import Model
import Rendering
import Testing

@Suite("The words of mails and webhooks")
struct MessageTextTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
  private let renderer: MessageRenderer

  init() throws {
    let folder = Self.root.appending(path: "../../templates").standardizedFileURL.path
    renderer = MessageRenderer(templates: try TemplateLibrary(folder: folder), time: .utc)
  }

  /// Compares with a text that a person has looked at and accepted; `MARTLET_ACCEPT=1` writes it as it is now, and fails.
  static func expectGolden(_ bytes: [UInt8], _ name: String) throws {
    let file = root.appending(path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["MARTLET_ACCEPT"] == "1" {
      try Data(bytes).write(to: file)
      Testing.Issue.record("\(name) was written. Look at the difference, then run without MARTLET_ACCEPT.")
    }
    let golden = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(String(decoding: bytes, as: UTF8.self) == golden, "\(name) is not what was accepted")
  }

  private static let page = "/var/lib/martlet/site/Greeter/42/index.html"

  private static let kinds: [(Trigger.Mail.Report, Integration, String, String)] = [
    (
      .newIssues, MessageSample.red, "new-issues",
      "[Greeter 42] 1 new test failure, 1 new crash and 1 new warning: test_greeting_atNoon_isAfternoon and 2 more"
    ),
    (
      .newIssues, MessageSample.integration(.checkoutError), "no-checkout",
      "[Greeter 42] The commit could not be integrated"
    ),
    (
      .integration, MessageSample.red, "integration-red",
      "[Greeter 42] unknownLanguageHasNone() crashed and test_greeting_atNoon_isAfternoon failed"
    ),
    (.integration, MessageSample.integration(.succeeded), "integration-green", "[Greeter 42] 1 test passed"),
    (.allResolved, MessageSample.green, "all-resolved", "[Greeter 42] All issues on the branch are resolved"),
  ]

  @Test("A tag is told where the branch would be, in mails and in chats")
  func tag() throws {
    var integration = MessageSample.red
    (integration.branch, integration.tag) = (nil, "1.2.0")
    let notice = try renderer.text(.integration, of: integration, page: Self.page)
    for text in [notice.text, notice.html] {
      #expect(String(decoding: text, as: UTF8.self).contains("Tag 1.2.0, "))
      #expect(!String(decoding: text, as: UTF8.self).contains("Branch"))
    }
    for shape in ["slack", "discord", "matrix"] {
      let body = String(decoding: try renderer.body(shape, of: integration, page: Self.page), as: UTF8.self)
      #expect(body.contains("1.2.0, ") || body.contains("1\\\\.2\\\\.0, "), "\(body)")
    }
  }

  @Test("Each kind of mail says what it is to say, in text and in HTML", arguments: kinds)
  func words(report: Trigger.Mail.Report, integration: Integration, name: String, subject: String) throws {
    var integration = integration
    if integration.outcome == .checkoutError { integration.reasons = [.stopped("The repository is gone.")] }
    let notice = try renderer.text(report, of: integration, page: Self.page)
    #expect(notice.subject == subject)
    try Self.expectGolden(notice.text, "\(name).txt")
    try Self.expectGolden(notice.html, "\(name).html")
    let html = String(decoding: notice.html, as: UTF8.self)
    for forbidden in ["<img", "http://", "https://", "<script", "<b>", "url("] { #expect(!html.contains(forbidden)) }
    for part in [notice.text, notice.html] { #expect(!part.contains(0x1B)) }
  }

  @Test("What is red for longer is named, too; what an earlier integration left open and this one did not check is not")
  func stillRed() throws {
    var integration = MessageSample.red
    for index in integration.issues.indices { integration.issues[index].status = .unresolved }
    var unseen = Model.Issue(id: "7", kind: .timeOut, status: .unresolved, message: "It took too long.")
    unseen.isCarriedOver = true
    integration.issues.append(unseen)
    let text = String(decoding: try renderer.text(.integration, of: integration, page: Self.page).text, as: UTF8.self)
    #expect(
      text.contains(
        """
         open, 1 was not checked.
            [FAILED] test_greeting_atNoon_isAfternoon (Tests/GreeterTests/GreetingTests.swift:20)
            [CRASHED] unknownLanguageHasNone() (Sources/Greeter/Language.swift:14)

        """), "\(text)")
  }

  private static let mira = ["Mira@home.example", "MIRA@example.org"]

  @Test(
    "A suspect reads of their own commit first, and why it is thought theirs",
    arguments: [(Trigger.Mail.Report.newIssues, "personal"), (.integration, "personal-whole")])
  func personal(report: Trigger.Mail.Report, name: String) throws {
    let notice = try renderer.text(report, of: MessageSample.suspicious, to: Self.mira, page: Self.page)
    #expect(
      notice.subject
        == "[Greeter 42] 1 new test failure and 1 new warning, 1 of them probably yours: test_greeting_atNoon_isAfternoon and 1 more"
    )
    try Self.expectGolden(notice.text, "\(name).txt")
    try Self.expectGolden(notice.html, "\(name).html")
    let html = String(decoding: notice.html, as: UTF8.self)
    for forbidden in ["<img", "http://", "https://", "<script", "<b>", "url("] { #expect(!html.contains(forbidden)) }
  }

  @Test("One issue of one commit is told with the command that repeats its test, and with its id to silence it")
  func personalAlone() throws {
    let notice = try renderer.text(
      .newIssues, of: MessageSample.suspicious, to: ["jon@example.org"], page: Self.page)
    #expect(notice.subject == "[Greeter 42] 1 new crash, possibly yours: unknownLanguageHasNone()")
    let text = String(decoding: notice.text, as: UTF8.self)
    #expect(text.hasPrefix("Greeter 42: 1 new crash, possibly from your commit 5fe1586\n"))
    #expect(text.contains("\nYour commit 5fe1586 \"Name the languages\"\n"))
    #expect(text.contains("\n    It changed Sources/Greeter/Language.swift.\n"))
    #expect(text.contains("Run it again:\n    swift test --filter '^GreeterTests\\.unknownLang"))
    #expect(text.contains("To stop: martlet silence 2 --reason TEXT, or remove 'suspects' from the mail trigger in "))
    let also = "[FAILED] test_greeting_atNoon_isAfternoon: XCTAssertEqual failed: (\"Good morning, Ada\")"
    let whose = "(probably Mira & Co's; possibly yours: 5fe1586 is near.)"
    #expect(text.contains("Also new in 42:\n    \(also) \(whose)\n    [WARNING] Door.swift:23: initialization of"))
  }

  @Test("Where nothing speaks for anybody, the only author reads that all commits are theirs")
  func personalAuthor() throws {
    var integration = MessageSample.integration(.triggerError)
    integration.commits = [MessageSample.commit, MessageSample.older]
    integration.commits[1].email = MessageSample.commit.email
    integration.issues = [Model.Issue(id: "9", kind: .triggerError, message: "The before-trigger 1 failed.")]
    let notice = try renderer.text(.newIssues, of: integration, to: ["mira@example.org"], page: Self.page)
    let text = String(decoding: notice.text, as: UTF8.self)
    #expect(text.hasPrefix("Greeter 42: 1 new trigger error since your commits\n"))
    #expect(text.contains("\nYour commit 2dbc891 \"Add quiet hours <b>now</b>\"\nYour commit 5fe1586 \"Name"))
    #expect(text.contains("\n    All 2 commits are yours.\n"))
    #expect(text.contains("\n\n[TRIGGER ERROR] The before-trigger 1 failed.\n"))
    #expect(!String(decoding: notice.html, as: UTF8.self).contains("class=\"code\""))
    #expect(notice.subject == "[Greeter 42] 1 new trigger error since your commits: The before-trigger 1 failed.")
    let general = try renderer.text(.newIssues, of: integration, page: Self.page)
    #expect(String(decoding: general.text, as: UTF8.self).hasSuffix("remove the mail trigger from Greeter.yml.\n"))
    // A trigger that fails cannot be silenced.
    #expect(text.hasSuffix("\nTo stop: remove 'suspects' from the mail trigger in Greeter.yml.\n"))
    #expect(!text.contains("Also new"))
  }

  @Test(
    "A mail has the colour that the page has",
    arguments: [
      (Outcome.succeeded, "green"), (.warnings, "amber"), (.analyzerWarnings, "amber"), (.incomplete, "amber"),
      (.testFailures, "red"), (.buildErrors, "red"), (.triggerError, "red"), (.checkoutError, "red"),
      (.internalError, "red"), (.canceled, ""),
    ])
  func colours(outcome: Outcome, colour: String) throws {
    var integration = MessageSample.integration(outcome)
    integration.issues = [Model.Issue(id: "1", kind: .warning, message: "never used")]
    for report in [Trigger.Mail.Report.newIssues, .integration] {
      let notice = try renderer.text(report, of: integration, page: Self.page)
      #expect(String(decoding: notice.html, as: UTF8.self).contains(#"<h1 class="\#(colour)""#), "\(report)")
    }
  }

  @Test("An integration before is called what its page calls it, and what came back is not new")
  func truth() throws {
    var integration = MessageSample.red
    integration.baseline?.outcome = .warnings
    for index in integration.issues.indices where integration.issues[index].id != "3" {
      integration.issues[index].life = IssueLife(firstSeen: 1, streak: 2, streakStart: 42, cameBackFrom: 7)
    }
    let notice = try renderer.text(.newIssues, of: integration, page: Self.page)
    let text = String(decoding: notice.text, as: UTF8.self)
    #expect(text.contains("Compared with Greeter 41, which had warnings."))
    #expect(
      notice.subject.hasPrefix("[Greeter 42] 1 new warning, 1 recurring test failure and 1 recurring crash: "))
  }

  @Test("A report on a period tells what came, what went, and what deserves a look", arguments: [true, false])
  func period(isFull: Bool) throws {
    let start = Date(timeIntervalSince1970: 1_794_560_400)
    var digest = PeriodDigest(bot: "Greeter", report: .weekly, start: start, end: start + 7 * 86_400)
    digest.integrations = 12
    (digest.green, digest.red, digest.commits) = (9, 2, 15)
    (digest.newest, digest.outcome, digest.branch) = (42, .warnings, "main")
    digest.tests = 120
    if isFull {
      let noon = MessageSample.noon
      digest.opened = [PeriodDigest.Finding(kind: .testFailure, title: noon.description, number: 40, branch: "main")]
      digest.closed = [
        PeriodDigest.Finding(
          kind: .warning, title: "Door.swift:23: 'a' was <never> used", number: 41, branch: "release/1")
      ]
      digest.passing = [
        PeriodDigest.Finding(kind: .error, title: "Door.swift:2: no 'x'", number: 38, branch: nil, gone: 39)
      ]
      (digest.open, digest.canceled) = (1, 1)
      digest.linesBefore = LineTally(total: 390, covered: 350, partial: 4)
      digest.lines = LineTally(total: 400, covered: 372, partial: 3)
      (digest.linesNumber, digest.testsNumber) = (41, 42)
      digest.testsAdded = (1...23).map { TestID(module: "GreeterTests", suite: "Many", name: "test\($0)()") }
      digest.testsRemoved = [noon]
      digest.slowest = [PeriodDigest.NotedTest(id: noon, value: 1.25)]
      digest.flakiest = [PeriodDigest.NotedTest(id: MessageSample.language, value: 3)]
    }
    let notice = try renderer.text(of: digest, page: "/var/lib/martlet/site/Greeter/index.html")
    let counts = isFull ? "1 issue opened, 1 closed, 1 came and went" : "0 issues opened, 0 closed"
    #expect(notice.subject == "[Greeter] Weekly report: 12 integrations, \(counts)")
    try Self.expectGolden(notice.text, "weekly-\(isFull ? "full" : "quiet").txt")
    try Self.expectGolden(notice.html, "weekly-\(isFull ? "full" : "quiet").html")
  }

  @Test("A day says that it is one, and says why it is not known which lines ran, or that some may have more")
  func day() throws {
    let start = Date(timeIntervalSince1970: 1_794_560_400)
    var digest = PeriodDigest(bot: "Greeter", report: .daily, start: start, end: start + 86_400)
    (digest.integrations, digest.red, digest.commits, digest.newest, digest.outcome) = (1, 1, 1, 7, .buildErrors)
    digest.noCoverage = "The build failed."
    let page = "https://ci.example.org/Greeter/index.html"
    let notice = try renderer.text(of: digest, page: page)
    #expect(notice.subject == "[Greeter] Daily report: 1 integration, 0 issues opened, 0 closed")
    try Self.expectGolden(notice.text, "daily.txt")
    try Self.expectGolden(notice.html, "daily.html")
    (digest.outcome, digest.isFailedGate) = (.testFailures, true)
    let gate = String(decoding: try renderer.text(of: digest, page: page).text, as: UTF8.self)
    #expect(gate.contains("\nThe newest is 7: gate failed.\n"))
    digest.lines = LineTally(total: 10, covered: 8, partial: 0)
    digest.linesAreComplete = false
    let text = String(decoding: try renderer.text(of: digest, page: page).text, as: UTF8.self)
    #expect(text.contains("\nCoverage is incomplete: 2 of 10 lines never ran.\n"))
  }

  @Test("An integration before it on another branch is not called the one before")
  func otherBranch() throws {
    var integration = MessageSample.red
    integration.branch = "feature/door"
    let notice = try renderer.text(.integration, of: integration, page: Self.page)
    let text = String(decoding: notice.text, as: UTF8.self)
    #expect(text.contains(" Compared with Greeter 41 on main, which was green.\n"), "\(text)")
  }

  @Test("A report on a period names the branches that are red beside the one it tells of")
  func redBeside() throws {
    let start = Date(timeIntervalSince1970: 1_794_560_400)
    var digest = PeriodDigest(bot: "Greeter", report: .daily, start: start, end: start + 86_400)
    (digest.integrations, digest.newest, digest.outcome, digest.branch) = (3, 42, .succeeded, "main")
    digest.redBeside = [RedBranch(name: "feature/door", since: 40), RedBranch(name: "old", since: nil)]
    let notice = try renderer.text(of: digest, page: Self.page)
    let text = String(decoding: notice.text, as: UTF8.self)
    #expect(
      text.contains("\nThe newest on main is 42: succeeded. Red on feature/door since 40 and old.\n"), "\(text)")
  }

  @Test("Older issues that an integration did not come to are told apart")
  func carriedOver() throws {
    var integration = MessageSample.red
    let index = try #require(integration.issues.firstIndex { $0.status == .unresolved })
    integration.issues[index].isCarriedOver = true
    func text() throws -> String {
      String(decoding: try renderer.text(.newIssues, of: integration, page: Self.page).text, as: UTF8.self)
    }
    #expect(try text().contains("\n1 older issue was not checked.\n"))
    integration.issues.append(Model.Issue(id: "8", kind: .crash, status: .unresolved, message: "no"))
    #expect(try text().contains("\n1 older issue is open, 1 was not checked.\n"))
  }

  @Test("Older issues that are open are named if they are red, and counted by kind otherwise")
  func olderIssues() throws {
    var integration = MessageSample.red
    integration.issues = (1...3).map { number in
      Model.Issue(
        id: "\(number)", kind: number == 1 ? .crash : .analyzerWarning, status: .unresolved, message: "no")
    }
    func text() throws -> String {
      String(decoding: try renderer.text(.integration, of: integration, page: Self.page).text, as: UTF8.self)
    }
    let words = try text()
    #expect(words.contains("\n3 older issues are open.\n    [CRASHED] no\n    and 2 analyzer warnings\n"), "\(words)")
    integration.issues.removeFirst()
    #expect(try text().contains("\n2 older issues are open.\n    2 analyzer warnings\n"))
  }

  @Test("A warning about a test that has failed as well says what it warns of, not what the test failed on")
  func warningOfRedTest() throws {
    var integration = MessageSample.red
    let index = try #require(integration.issues.firstIndex { $0.id == "1" })
    integration.issues[index].kind = .warning
    integration.issues[index].message = "The result depends on the other tests."
    integration.issues[index].location = SourceLocation(file: "Tests/Order.swift", line: 7)
    let text = String(decoding: try renderer.text(.newIssues, of: integration, page: Self.page).text, as: UTF8.self)
    let failure = try #require(
      integration.tests.results.first { $0.id == integration.issues[index].test }?.failures.first)
    #expect(text.contains("The result depends on the other tests.") && text.contains("Tests/Order.swift:7"), "\(text)")
    #expect(!text.contains(failure.message.prefix { $0 != "\n" }), "\(text)")
  }

  @Test("An issue that came back says so, and a suspect's commit is named once")
  func cameBack() throws {
    var integration = MessageSample.red
    let index = try #require(integration.issues.firstIndex { $0.id == "1" })
    integration.issues[index].age = 3
    integration.issues[index].life = IssueLife(firstSeen: 3, streak: 2, streakStart: 42, cameBackFrom: 5)
    integration.issues[index].suspects[0].reason = "\(integration.commit.id.short) changed the line."
    let notice = try renderer.text(.newIssues, of: integration, page: Self.page)
    let text = String(decoding: notice.text, as: UTF8.self)
    #expect(text.contains("Came back in 42; before in 3–5."))
    #expect(text.contains("Probably Mira & Co: \(integration.commit.id.short) changed the line."))
  }

  @Test("What comes from the code under test breaks no line of a subject")
  func subject() throws {
    var integration = MessageSample.red
    integration.tests.results[0].displayName = "a\r\nBcc: eve@example.org\u{85}\u{2028}\u{202E}"
    let subject = try renderer.text(.newIssues, of: integration, page: Self.page).subject
    #expect(subject.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    integration.tests.results[0].displayName = String(repeating: "long ", count: 1000)
    #expect(try renderer.text(.newIssues, of: integration, page: Self.page).subject.count <= 200)
  }

  @Test("Each shape of a webhook is JSON, whatever the names of tests hold", arguments: ["slack", "discord", "matrix"])
  func webhooks(template: String) throws {
    var integration = MessageSample.red
    integration.tests.results[0].displayName = "\"quotes\" \\ <!channel> & @everyone \u{1}\n\u{2028}"
    for integration in [integration, MessageSample.integration(.succeeded), MessageSample.green] {
      let body = try renderer.body(template, of: integration, page: Self.page)
      let value = try JSONSerialization.jsonObject(with: Data(body))
      #expect(value is [String: Any])
    }
    let body = try renderer.body(template, of: MessageSample.red, page: Self.page)
    try Self.expectGolden(body, "webhook-\(template).json")
  }

  @Test("A chat that reads commands in angle brackets gets none, nor does one that calls everybody")
  func chats() throws {
    var integration = MessageSample.red
    integration.bot = "<!channel>"
    func object(_ template: String) throws -> [String: Any] {
      let body = try renderer.body(template, of: integration, page: Self.page)
      return try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    }
    #expect((try object("slack")["text"] as? String)?.hasPrefix("&lt;!channel&gt; 42") == true)
    #expect((try object("discord")["allowed_mentions"] as? [String: [String]]) == ["parse": []])
    #expect((try object("matrix")["html"] as? String)?.contains("<!channel>") == false)
  }

  @Test("Words of others are no markup in a chat that reads Markdown")
  func markdown() throws {
    var integration = MessageSample.red
    integration.commit.summary = "[Free](https://evil.example) **now** `x` ||y|| ~~z~~ <@1> \\ # :bell:"
    integration.commit.author = "_Eve_"
    integration.tests.results[0].displayName = "[a](b)"
    let body = try renderer.body("discord", of: integration, page: Self.page)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    let embed = try #require((object["embeds"] as? [[String: Any]])?.first)
    let text = try #require(embed["description"] as? String)
    #expect(
      text.contains(
        ##"\[Free\]\(https\://evil.example\) \*\*now\*\* \`x\` \|\|y\|\| \~\~z\~\~ \<\@1\> \\ \# \:bell\: (\_Eve\_)"##))
    #expect(text.contains("\n[CRASHED] " + #"\[a\]\(b\)"#))
  }

  @Test("Words of others end no attribute in HTML, and Matrix says what it leaves out")
  func matrix() throws {
    var integration = MessageSample.red
    integration.bot = "it's \"it\" <b>"
    integration.issues = (1...12).map { Issue(id: "w-\($0)", kind: .warning, message: "careless") }
    let body = try renderer.body("matrix", of: integration, page: "https://ci.example.org/a'b&c")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: String])
    let html = try #require(object["html"])
    #expect(html.hasPrefix("<strong>it&#39;s &quot;it&quot; &lt;b&gt; 42: "))
    #expect(
      html.hasSuffix(
        "<br>And 2 more new issues.<br><a href='https://ci.example.org/a&#39;b&amp;c'>https://ci.example.org/a&#39;b&amp;c</a>"
      ))
  }

  @Test("Where the site is served, everything links to the report; nothing else is a link")
  func links() throws {
    let page = SiteAddress("https://ci.example.org/martlet/").page(of: "Grüner Bot", 42)
    #expect(page == "https://ci.example.org/martlet/Gr%C3%BCner%20Bot/42/index.html")
    let notice = try renderer.text(.newIssues, of: MessageSample.red, page: page)
    #expect(String(decoding: notice.html, as: UTF8.self).contains("<a href=\"\(page)\" class=\"link\""))
    #expect(String(decoding: notice.html, as: UTF8.self).components(separatedBy: "href").count == 2)
    #expect(String(decoding: notice.text, as: UTF8.self).contains("    \(page)\n"))
    for template in ["slack", "discord", "matrix"] {
      let body = try renderer.body(template, of: MessageSample.red, page: page)
      #expect(String(decoding: body, as: UTF8.self).contains(page))
      _ = try JSONSerialization.jsonObject(with: Data(body))
    }
  }

  @Test("A template that is not there is named, with those that are")
  func missing() throws {
    let error = #expect(throws: TemplateError.self) {
      try renderer.body("slak", of: MessageSample.green, page: Self.page)
    }
    #expect(error?.description.contains("webhook/slack.json") == true)
  }
}
