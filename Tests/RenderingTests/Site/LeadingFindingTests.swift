@testable import Model
import Testing

@testable import Rendering

@Suite("What a red bot names first")
struct LeadingFindingTests {
  /// A bot that is red in 42, which has these issues.
  private func bot(_ integration: Integration, _ outcome: Outcome = .testFailures) -> BotHistory {
    var bot = BotHistory(
      name: "Mill",
      entries: [
        SiteSample.entry(42, outcome, red: 3) { $0.reasons = ["It went wrong."] }, SiteSample.entry(41, .succeeded),
      ],
      withReport: [42])
    bot.issues = BotIssueList(of: IntegrationRecord(integration)) { $0.hasPrefix("issues/") }
    return bot
  }

  private func integration(_ issues: [Model.Issue]) -> Integration {
    var integration = IssueSample.report.integration
    integration.issues = issues
    return integration
  }

  private static let error = Issue(
    id: "e-1", kind: .error, message: "cannot find 'x' in scope",
    location: SourceLocation(file: "Sources/Mill/Mill.swift", line: 3))

  private static var gate: Model.Issue {
    var gate = Issue(id: "g-1", kind: .gate, message: "80% patch gate: much never ran: Sources/Mill/Mill.swift:3.")
    gate.subject = .gate("patch=80")
    return gate
  }

  @Test("Is its first red test, with who probably broke it, that it is known to be flaky, and how many more there are")
  func test() throws {
    // Of three that were red before, the first.
    var integration = IssueSample.report.integration
    integration.issues.removeAll { $0.id == "c-19d2" }
    let second = try #require(integration.issues.firstIndex { $0.id == "t-a07e" })
    integration.issues[second].status = .unresolved
    integration.issues.append(integration.issues[second])
    integration.issues[integration.issues.count - 1].id = "t-last"
    let bot = bot(integration)
    func words(in folder: String) -> String {
      let issue = "\(folder)42/issues/t-4c81.html"
      return
        "<a class=\"name\" href=\"\(issue)\">test_greeting_atNoon_isAfternoon</a> <span class=\"faint\">GreetingTests</span></span> <span>known flaky</span> <span>came back</span> <span><a href=\"\(issue)#cause\">probably Ada</a></span> <span>2 more red issues</span></"
    }
    let index = try SiteSample.index(bot)
    #expect(index.contains(words(in: "Mill/")), "\(index)")
    #expect(!index.contains("It went wrong"))
    let page = try SiteSample.page(bot)
    #expect(page.contains(words(in: "")))
    for text in [index, page] { #expect(PageMarkup(text).nestingFault == nil) }
  }

  @Test("Is the first error where it does not build, and a gate only where no test is red")
  func others() throws {
    let unbuilt = try SiteSample.index(bot(integration([Self.gate, Self.error]), .buildErrors))
    #expect(
      unbuilt.contains(
        ">cannot find &#39;x&#39; in scope</a> <span class=\"faint\">Mill.swift:3</span></span> <span>also\u{A0}<a href=\"Mill/42/issues/g-1.html\">80% patch gate failed</a></span></span>"
      ), "\(unbuilt)")
    var judged = integration([Self.gate])
    var result = GateResult(rule: "patch=80", state: .failed, sentence: "much never ran")
    result.share = Tally(total: 7, covered: 1)
    judged.gates = [result]
    let failed = try SiteSample.page(bot(judged))
    #expect(
      failed.contains(">80% patch gate failed</a> <span class=\"faint\">1 of 7 changed lines ran"), "\(failed)")
  }

  @Test("Names the only other cause in its shortest form, such as the line of an error")
  func other() throws {
    var second = Self.error
    second.id = "e-2"
    second.location = SourceLocation(file: "Sources/Mill/Wheel.swift", line: 7)
    let two = try SiteSample.index(bot(integration([Self.error, second]), .buildErrors))
    #expect(
      two.contains(
        " <span>also\u{A0}<a href=\"Mill/42/issues/e-2.html\">Wheel.swift:7</a></span></span>"
      ), "\(two)")
    var third = second
    third.id = "e-3"
    let three = try SiteSample.index(bot(integration([Self.error, second, third]), .buildErrors))
    #expect(three.contains(" <span>2 more red issues, both new</span></span>"))
    var listed = bot(integration([]), .buildErrors)
    listed.issues = BotIssueList(of: IntegrationRecord(integration([Self.error, second, third]))) { _ in true }
    #expect(try SiteSample.index(listed).contains(#"<a href="Mill/42/issues.html">2 more red issues</a>, both new"#))
  }

  @Test("Is what the summary has first: what is new before what was red, and of that the worst")
  func order() throws {
    let sample = IssueSample.report
    let site = try PageSite(sample)
    let first = try #require(site.text("index.html").firstMatch(of: /<a class="name" href="tests\/[^"]*">([^<]*)/)?.1)
    let finding = BotIssueList(of: IntegrationRecord(sample.integration)) { _ in false }.finding
    #expect(finding?.onWall.name == "unknownLanguageHasNone()")
    #expect(finding?.onWall.name.hasPrefix(first) == true, "\(first)")
  }

  @Test("Is new, with how many others are")
  func news() throws {
    var first = Self.error
    first.status = .unresolved
    first.life = IssueLife(firstSeen: 41, streakStart: 41, streakAge: 1)
    let others = (2...3).map { number in
      var other = Self.error
      other.id = "e-\(number)"
      other.life = IssueLife(firstSeen: 42, streakStart: 42)
      return other
    }
    let words = try SiteSample.index(bot(integration([first] + others), .buildErrors))
    #expect(words.contains("<span>2 more red issues, 1 new</span></span>"), "\(words)")
  }

  @Test("Says beside what it found how much of what was red before it did not check")
  func unchecked() throws {
    let others = (2...3).map { number in
      var other = Self.error
      (other.id, other.status, other.isCarriedOver) = ("e-\(number)", .unresolved, true)
      return other
    }
    var warning = others[0]
    (warning.id, warning.kind) = ("w-1", .warning)
    let words = try SiteSample.index(bot(integration([Self.error] + others + [warning]), .buildErrors))
    #expect(words.contains("</span> <span>2 not checked</span></span>"), "\(words)")
    #expect(!words.contains("more red issue"))
  }

  @Test("Says how many of the others are probably somebody else's, and names two of them at most")
  func people() throws {
    func words(_ suspects: [String?], gate: String? = nil) throws -> (index: String, wall: String?) {
      let issues = suspects.enumerated().map { index, name in
        var issue = Issue(id: "t-\(index)", kind: .testFailure, message: "late\(index)")
        if let gate, index == suspects.count - 1 {
          (issue.kind, issue.subject) = (.gate, IssueSubject(.gate, name: gate))
        }
        issue.suspects = name.map { [Suspect(name: $0, email: "", confidence: .high, reason: "")] } ?? []
        return issue
      }
      let bot = bot(integration(issues))
      return (try SiteSample.index(bot), bot.issues?.finding?.onWall.rest)
    }
    let one = try words(["Mira", "Mira", "Noor"])
    #expect(one.index.contains("<span>2 more red issues, both new, 1 probably Noor</span>"), "\(one.index)")
    #expect(one.wall == "probably Mira · 2 more red issues (1 probably Noor)")
    #expect(
      try words(["Mira", "Noor", "Noor", "Ada", "Jon", nil]).wall
        == "probably Mira · 5 more red issues (2 probably Noor, 1 probably Ada)")
    let sure = try words(["Mira", "Mira", "Noor"], gate: "patch").wall
    #expect(sure == "probably Mira · 2 more red issues (1 by Noor)")
    let both = try words(["Mira", "Noor", "Noor"], gate: "patch").wall
    #expect(both == "probably Mira · 2 more red issues (2 probably Noor)")
    let all = try words(["Mira", "Noor", "Noor"]).index
    #expect(all.contains("<span>2 more red issues, both new (probably Noor)</span>"), "\(all)")
    #expect(try words(["Mira", "Mira", nil]).wall == "probably Mira · 2 more red issues")
    let only = try words(["Mira", "Noor"])
    #expect(only.wall == "probably Mira · also\u{A0}late1 (probably Noor)")
    #expect(
      only.index.contains(#"<a href="Mill/42/issues/t-1.html">late1</a> (probably Noor)</span>"#), "\(only.index)")
  }

  @Test("Says of the only new cause among others once who probably brought it about")
  func onlyNew() throws {
    let issues = (0...2).map { index in
      var issue = Issue(id: "t-\(index)", kind: .testFailure, message: "late\(index)")
      issue.status = index == 1 ? .unresolved : .new
      issue.life = IssueLife(firstSeen: index == 1 ? 41 : 42, streakStart: index == 1 ? 41 : 42)
      issue.suspects = [Suspect(name: index == 2 ? "Noor" : "Mira", email: "", confidence: .high, reason: "")]
      return issue
    }
    let index = try SiteSample.index(bot(integration(issues)))
    #expect(index.contains("<span>2 more red issues, 1 new (probably Noor)</span>"), "\(index)")
  }

  @Test("Says beside a branch how many more there are")
  func brief() {
    let list = BotIssueList(of: IntegrationRecord(IssueSample.report.integration)) { _ in false }
    #expect(
      list.finding?.brief
        == "unknownLanguageHasNone() · 2 more red issues, 1 new, 1 probably Ada")
    var judged = integration([Self.gate])
    judged.gates = [GateResult(rule: "patch=80", state: .failed, sentence: "Much never ran.")]
    #expect(BotIssueList(of: IntegrationRecord(judged)) { _ in false }.finding?.brief == "80% patch gate failed")
  }

  @Test("Has the changed line beside who changed it, unless the error itself names it")
  func line() throws {
    func rest(_ change: (inout Model.Issue) -> Void) throws -> Bool {
      var issue = Self.error
      issue.suspects = [
        Suspect(name: "Jon", email: "", confidence: .medium, reason: "", place: issue.location)
      ]
      change(&issue)
      return try SiteSample.index(bot(integration([issue]), .buildErrors)).contains(
        #"<span><a href="Mill/42/issues/e-1.html#cause">possibly Jon (Mill.swift:3)</a></span>"#)
    }
    #expect(try !rest { _ in })
    #expect(try rest { $0.location?.line = 4 })
    #expect(try rest { $0.test = TestID(module: "M", suite: "S", name: "turns()") })
  }

  @Test("Everybody whose lines fail a gate is named")
  func severalOfGate() throws {
    func suspect(_ name: String, _ confidence: Suspect.Confidence, _ file: String?) -> Suspect {
      Suspect(
        name: name, email: "", confidence: confidence, reason: "",
        place: file.map { SourceLocation(file: $0, line: 3) })
    }
    var issue = Self.gate
    issue.suspects = [
      suspect("Jon", .high, "Wheel.swift"), suspect("Ada", .high, "Mill.swift"), suspect("Jon", .high, "Mill.swift"),
      suspect("Ben", .medium, nil),
    ]
    #expect(try SiteSample.index(bot(integration([issue]))).contains(">Jon and Ada</a></span>"))
    issue.suspects.removeSubrange(1...2)
    #expect(try SiteSample.index(bot(integration([issue]))).contains(">Jon (Wheel.swift:3)</a></span>"))
  }

  @Test("Who changed the lines of a gate, or the line in which the compiler finds something, is no guess, on no page")
  func certain() throws {
    var issue = Self.gate
    issue.suspects = [
      Suspect(
        name: "Jon", email: "", confidence: .high, reason: "",
        place: SourceLocation(file: "Sources/Mill/Mill.swift", line: 3))
    ]
    #expect(try SiteSample.index(bot(integration([issue]), .testFailures)).contains(">Jon (Mill.swift:3)</a></span>"))
    #expect(issue.suspects[0].brief(of: Self.error) == "Jon (Mill.swift:3)")
    var elsewhere = Self.error
    elsewhere.location?.line = 4
    #expect(issue.suspects[0].brief(of: elsewhere) == "probably Jon (Mill.swift:3)")
  }

  @Test("What went red just now has one time, and is not called new")
  func justNow() throws {
    let index = try SiteSample.index(bot(integration([Self.error]), .buildErrors))
    #expect(index.contains(#"data-age="for">since "#) && !index.contains(" data-age>"))
    #expect(!index.contains("<span>new</span>"))
    // It is news where the bot was red before for something else.
    var older = bot(integration([Self.error]), .buildErrors)
    older.entries[1].outcome = .testFailures
    #expect(try SiteSample.index(older).contains("<span>new</span>"))
  }

  @Test("The outcome above it says what is red, once or several times, the worst first")
  func kinds() throws {
    func word(_ kinds: [Model.Issue.Kind], _ outcome: Outcome = .testFailures) throws -> String? {
      var integration = integration(
        kinds.enumerated().map { Issue(id: "i-\($0.offset)", kind: $0.element, message: "late") })
      integration.outcome = outcome
      let bot = bot(integration, outcome)
      let wall = String(decoding: try SiteSample.pages().wall([bot], state: nil), as: UTF8.self)
      let words = [try SiteSample.index(bot), wall].map { $0.firstMatch(of: /<b>([^<]*)<\/b>/).map { String($0.1) } }
      #expect(words[0] == words[1], "The index and the wall say the same.")
      return words[0]
    }
    #expect(try word([.testFailure]) == "Test failure")
    #expect(try word([.testFailure, .gate, .testFailure]) == "Test failures, failed gate")
    #expect(try word([.crash, .gate, .gate]) == "Crash, failed gates")
    #expect(try word([.testFailure, .timeOut, .crash]) == "Crash, time-out and test failure")
    #expect(try word([.timeOut, .crash, .crash]) == "Crashes and time-out")
    #expect(try word([.error], .buildErrors) == "Build errors")
  }

  @Test("The outcome above it names the destinations that are red, unless all are")
  func destinations() {
    func result(_ name: String, leads: Bool) -> DestinationResult {
      var destination = Destination()
      destination.name = name
      return DestinationResult(destination, leads: leads, outcome: nil)
    }
    func word(
      _ places: [[String]], _ kinds: [Model.Issue.Kind] = [], of all: [String] = ["debug", "release", "asan"]
    ) -> String? {
      var integration = integration(
        places.enumerated().map { index, names in
          let kind = index < kinds.count ? kinds[index] : .testFailure
          var issue = Issue(id: "t-\(index)", kind: kind, message: "late")
          issue.destinations = names
          return issue
        })
      integration.outcome = .testFailures
      var document = IntegrationRecord(integration)
      let cells = all.dropFirst().map { name in
        var cell = document
        cell.destination = result(name, leads: false)
        return cell
      }
      (document.destination, document.cells) = (result(all[0], leads: true), cells)
      return BotIssueList(of: document) { _ in false }.finding?.outcomeWord
    }
    #expect(word([["release"]]) == "Test failure in release")
    #expect(word([["release"], ["asan", "release"]]) == "Test failures in release and asan")
    #expect(word([["release"], []]) == "Test failures")
    #expect(word([["debug"], ["release", "asan"]]) == "Test failures")
    #expect(word([["a", "b", "c"]], of: ["a", "b", "c", "d"]) == "Test failure in 3 destinations")
    #expect(
      word([["asan"], ["release"]], [.sanitizer]) == "Test failure in release, sanitizer report in asan",
      "Each kind is in a destination of its own.")
    #expect(word([["asan"], ["asan"]], [.sanitizer]) == "Sanitizer report and test failure in asan")
    #expect(word([["release"], []], [.crash]) == "Crash in release, test failure")
    #expect(word([["release"], []], [.testFailure, .gate]) == "Test failure in release, failed gate")
  }

  @Test("Is told as of the newest integration where the bot was red for something else before")
  func later() throws {
    var new = Self.error
    new.life = IssueLife(firstSeen: 42, streakStart: 42)
    var bot = bot(integration([new]), .buildErrors)
    #expect(try !SiteSample.index(bot).contains("In 42: "))
    bot.entries[1].outcome = .testFailures
    let row = try SiteSample.index(bot)
    #expect(row.contains(", not green since 41 (<time "), "\(row)")
    #expect(row.contains(#"<span class="say finding">In 42: <span class="cause">"#), "\(row)")
    #expect(try SiteSample.page(bot).contains(#"<p class="lead">In 42: <span class="cause">"#))
  }

  @Test("Says since when it is there, which may be later than the bot is red")
  func age() throws {
    var old = Self.error
    old.status = .unresolved
    old.life = IssueLife(firstSeen: 40, streakStart: 40, streakAge: 2)
    #expect(
      try SiteSample.index(bot(integration([old]), .buildErrors)).contains(
        " <span>since 40</span></span>"))
  }

  @Test("Has its suspect for as long as it lasts")
  func remembered() throws {
    var issue = Self.error
    issue.status = .unresolved
    var integration = integration([issue])
    var record = IssueRecord(
      id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: nil,
      streaks: [.init(opened: 40, lastSeen: 42, age: 2)])
    record.suspects = [Suspect(name: "Jon", email: "", confidence: .medium, reason: "")]
    integration.issueMemory = IssueMemory(number: 42, commit: integration.commit.id, reached: [], records: [record])
    #expect(
      try SiteSample.index(bot(integration, .buildErrors)).contains(
        " <span><a href=\"Mill/42/issues/e-1.html#cause\">possibly Jon</a></span></span>"))
  }

  @Test("Is nothing where the bot is green, where its report is gone, and where only something carried over is left")
  func nothing() throws {
    var green = bot(integration([Self.error]), .succeeded)
    #expect(try !SiteSample.index(green).contains("say finding"))
    green.entries.insert(SiteSample.entry(43, .buildErrors) { $0.reasons = ["It went wrong."] }, at: 0)
    #expect(try SiteSample.index(green).contains("<b>It went wrong</b>"))
    #expect(try !SiteSample.index(green).contains("say finding"))
    let reasons = [
      "XCTest: the process ended with status 0 before any test had started.", "3 listed tests did not run.",
    ]
    green.entries[0] = SiteSample.entry(43, .incomplete) { $0.reasons = reasons }
    let row = try SiteSample.index(green)
    #expect(row.contains("<b>XCTest: the process ended with status 0 before any test had started</b>"))
    #expect(!row.contains("listed"), "A figure counts them.")
    var carried = Self.error
    carried.isCarriedOver = true
    #expect(try !SiteSample.index(bot(integration([carried]), .incomplete)).contains("say finding"))
  }
}
