import Model
import Testing

@testable import Rendering

@Suite("The rhythm of a bot")
struct RhythmStripTests {
  @Test("Each beat is a letter that leads to its report, with words for those who cannot see colours")
  func strip() throws {
    let bot = BotHistory(
      name: "Greeter",
      entries: [
        SiteSample.entry(4, .succeeded) { $0.rhythm = .refactored },
        SiteSample.entry(3, .succeeded) { $0.rhythm = .madePass },
        SiteSample.entry(2, .testFailures) { $0.rhythm = .redFirst }, SiteSample.entry(1, .succeeded),
      ], withReport: [2, 4])
    let text = try SiteSample.page(bot)
    #expect(
      text.contains(
        """
        <ol class="beats">
        <li class="st is-failed"><a href="2/index.html" title="2: red test first" aria-label="2: red test first">T</a></li>
        <li class="st is-passed"><abbr title="3: made it pass">P</abbr></li>
        <li class="st is-passed"><a href="4/index.html" title="4: changed, same tests green" aria-label="4: changed, same tests green">R</a></li>
        </ol>
        """))
    #expect(text.contains("<h2 id=\"h-rhythm\">Rhythm</h2><p>oldest first</p>"))
    #expect(PageMarkup(text).nestingFault == nil)
  }

  /// The numbers of the integrations with a beat, oldest first.
  private func beats(_ entries: [HistoryLine]) throws -> [Int] {
    let bot = BotHistory(name: "Greeter", entries: entries.reversed(), withReport: [])
    let text = try SiteSample.page(bot)
    return text.matches(of: #/<abbr title="(\d+): /#).compactMap { Int($0.1) }
  }

  private func entry(
    _ number: Int, _ commit: Character, _ rhythm: Rhythm?, branch: String = "main", cause: Cause = .person
  ) -> HistoryLine {
    SiteSample.entry(number, .succeeded) {
      $0.commit = CommitID(rawValue: String(repeating: commit, count: 40))
      ($0.rhythm, $0.branch, $0.cause) = (rhythm, branch, cause)
    }
  }

  @Test("The same commit again is no step, whoever asked for it; the first integration of it that has a beat is")
  func again() throws {
    #expect(
      try beats([
        entry(1, "a", nil), entry(2, "b", .refactored), entry(3, "b", .refactored), entry(4, "b", .refactored),
        entry(5, "c", .bornGreen), entry(6, "d", .refactored),
      ]) == [2, 5, 6])
    #expect(
      try beats([
        entry(1, "b", nil), entry(2, "b", .refactored), entry(3, "b", .refactored), entry(4, "c", .broke),
        entry(5, "d", .stillRed),
      ]) == [2, 4, 5])
    // A branch that went back to a commit made a step; a rerun of an old one did not.
    #expect(try beats([entry(1, "a", .refactored), entry(2, "b", .broke), entry(3, "a", .madePass)]) == [1, 2, 3])
    #expect(
      try beats([
        entry(1, "a", .refactored), entry(2, "b", .broke), entry(3, "a", .madePass, cause: .rerun),
        entry(4, "d", .madePass),
      ]) == [1, 2, 4])
    // Another branch has a rhythm of its own.
    #expect(
      try beats([
        entry(1, "a", .refactored), entry(2, "b", .broke), entry(3, "a", .refactored, branch: "topic"),
        entry(4, "d", .madePass),
      ]) == [1, 2, 4])
  }

  @Test("What is incomplete, or compared with that, is a beat of its own, and a flaky run is not shown as green")
  func withoutVerdict() throws {
    let bot = BotHistory(
      name: "Greeter",
      entries: [
        entry(7, "f", .refactored), entry(6, "e", nil), entry(5, "d", .madePass), incomplete(4, "d"),
        incomplete(3, "c"),
        SiteSample.entry(2, .warnings) {
          ($0.rhythm, $0.branch, $0.reasonCodes) = (.refactored, "main", [.testsFlaky])
        }, entry(1, "a", nil),
      ], withReport: [])
    let text = try SiteSample.page(bot)
    #expect(
      text.contains(
        """
        <ol class="beats">
        <li class="st is-warning flaky"><abbr title="2: changed, same tests green; with a flaky test">R</abbr></li>
        <li class="st is-incomplete"><abbr title="3: incomplete">?</abbr></li>
        <li class="st is-incomplete"><abbr title="4: incomplete">?</abbr></li>
        <li class="st is-passed"><abbr title="5: made it pass">P</abbr></li>
        <li class="st is-succeeded"><abbr title="6: succeeded">·</abbr></li>
        <li class="st is-passed"><abbr title="7: changed, same tests green">R</abbr></li>
        </ol>
        <p class="legend"><span><b>P</b> made it pass</span><span><b>R</b> changed, same tests green</span>\
        <span><b>?</b> incomplete</span><span><b>·</b> none of these</span>\
        <span><i class="flaky"></i> with a flaky test</span></p>
        """))
  }

  @Test("What a flaky test did is no step of a cycle, also before it was known to be flaky")
  func flaky() throws {
    let clock = TestID(module: "M", suite: "", name: "ticks()")
    let ends: [(TestState, Bool)] = [(.failed, false), (.passed, true), (.passed, false), (.failed, false)]
    let verdicts = ends.enumerated().map { index, end in
      TestVerdicts(
        number: 5 - index, commit: CommitID(rawValue: "\(index)"), branch: "main", toolchain: "t",
        verdicts: [clock: .init(state: end.0, duration: 1, isFlaky: end.1)])
    }
    func red(_ number: Int, _ rhythm: Rhythm) -> HistoryLine {
      SiteSample.entry(number, .testFailures, red: 1) { $0.rhythm = rhythm }
    }
    func titles(_ change: (inout BotHistory) -> Void = { _ in }) throws -> [String] {
      var bot = BotHistory(
        name: "Greeter",
        entries: [
          red(5, .stillRed),
          SiteSample.entry(4, .warnings) { ($0.rhythm, $0.reasonCodes) = (.bornGreen, [.testsFlaky]) },
          SiteSample.entry(3, .succeeded) { $0.rhythm = .madePass }, red(2, .redFirst),
          SiteSample.entry(1, .succeeded) { $0.rhythm = .refactored },
        ], withReport: [])
      bot.flakyTests = FlakyTest.all(of: verdicts)
      change(&bot)
      let text = try SiteSample.page(bot)
      return text.matches(of: #/<abbr title="(.*?)"/#).map { String($0.1) }
    }
    #expect(
      try titles() == [
        "1: changed, same tests green", "2: test failures; with a red test known to be flaky",
        "3: succeeded; after a red test known to be flaky", "4: new test, green at once; with a flaky test",
        "5: still red; with a red test known to be flaky",
      ])
    // A warning beside it does not hide it.
    let warned = try titles { bot in
      (bot.entries[1].reasonCodes, bot.entries[1].tests.flaky) = (nil, 1)
    }
    #expect(warned[3] == "4: new test, green at once; with a flaky test")
    // Another test or a gate may be red for what was changed.
    #expect(
      try titles { $0.entries[3].tests.failed = 2 }[1...2]
        == ["2: red test first; with a red test known to be flaky", "3: made it pass"])
    #expect(
      try titles { $0.entries[3].reasonCodes = [.gateFailed("patch=80")] }[1]
        == "2: red test first; with a red test known to be flaky")
  }

  private func incomplete(_ number: Int, _ commit: Character) -> HistoryLine {
    SiteSample.entry(number, .incomplete) {
      ($0.commit, $0.branch) = (CommitID(rawValue: String(repeating: commit, count: 40)), "main")
    }
  }

  @Test("Two beats are no rhythm")
  func few() throws {
    #expect(try beats([entry(1, "a", nil), entry(2, "b", .refactored), entry(3, "c", .broke)]) == [])
  }
}
