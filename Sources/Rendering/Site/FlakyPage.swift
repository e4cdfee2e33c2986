import Model

/// The flaky tests of a bot, worst first.
struct FlakyPage {
  static let path = "flaky.html"

  private let tests: [FlakyTest]
  private let bot: BotHistory
  private let main: String?
  private let time: LocalTime

  /// Nil if no test is flaky.
  init?(_ bot: BotHistory, time: LocalTime) {
    guard !bot.flakyTests.isEmpty else { return nil }
    tests = bot.flakyTests
    self.bot = bot
    main = bot.states.main.branch
    self.time = time
  }

  var title: String { "\(bot.name) has \(CountText.counted(tests.count, "flaky test"))" }

  var record: [String: TemplateValue] {
    [
      "glyph": .text("flaky"), "sentence": .shown(title),
      "ofReach": .optional(FlakyWords.reach(of: tests)),
      "rows": .list(tests.map(record(of:))),
      "legend": OutcomeStrip.legend(of: tests.map(strip)),
    ]
  }

  private func strip(of test: FlakyTest) -> OutcomeStrip {
    OutcomeStrip(of: test.history, on: main, link: bot.link)
  }

  private func record(of test: FlakyTest) -> TemplateValue {
    let strip = strip(of: test)
    let last = test.lastFailure
    // It failed there, so it has a page of its own, unless the report was removed.
    let page = last.flatMap { self.page(of: test, in: $0) }
    let seen = bot.flakyCases[test.id]
    let hasFailedSince = test.history.failedSteadily.contains { $0.number > last ?? 0 }
    return .record([
      "name": .name(seen?.title ?? test.id.name),
      "suite": .shown(test.id.home),
      "link": .optional(page), "percent": .text(FlakyWords.percent(test.rate)),
      "rate": .text(FlakyWords.count(test.rate)), "share": .optional(FlakyWords.share(test.rate)),
      "failures": FlakyWords.failures(test.history)?.record { self.page(of: test, in: $0) } ?? .missing,
      "strip": .html(strip.html),
      "message": .shown(ifAny: seen?.message),
      "place": .place(ifAny: seen?.place), "placeLink": .optional(page.map { "\($0)#message-1" }),
      "course": course(seen?.course, in: last, page: page),
      "addition": (seen?.addition).map { FlakyWords.addition(by: $0.author, in: $0.number).record(bot.link) }
        ?? .missing,
      "different": .shown(ifAny: seen?.different), "differentLink": .optional(page.map { "\($0)#different" }),
      "again": .optional(seen?.again.words), "command": (seen?.again.command).map(TemplateValue.command) ?? .missing,
      "lastBranch": .shown(ifAny: last.flatMap(entry)?.branch.flatMap { $0 == main ? nil : $0 }),
      "last": integration(last, page: page), "number": .optional(last.map { "\($0)" }),
      "date": .optional(last.flatMap(entry).map { time.minute(of: $0.startedAt) }),
      // Where it failed in all runs since, that stands beside it.
      "passed": .optional(hasFailedSince ? nil : FlakyWords.passed(test.passedSince)),
      "since": last == test.since ? .missing : [FlakyWords.since(test.since)].record(bot.link),
    ])
  }

  /// Returns how the attempts ended when it last failed by chance, with where that was.
  private func course(_ words: String?, in number: Int?, page: String?) -> TemplateValue {
    guard let words, let number else { return .missing }
    let parts = [IssueWords.Part(words: "In ", number: number), IssueWords.Part(words: ": \(words)")]
    return parts.record { _ in page }
  }

  /// Returns the test's page in an integration in which it failed; nil if its report was removed.
  private func page(of test: FlakyTest, in number: Int) -> String? {
    bot.link(number, to: ReportPaths(tests: [test.id]).page(of: test.id))
  }

  private func entry(_ number: Int) -> HistoryLine? { bot.entries.first { $0.number == number } }

  private func integration(_ number: Int?, page: String?) -> TemplateValue {
    guard let number else { return .missing }
    return .record(["number": .text("\(number)"), "link": .optional(page)])
  }
}
