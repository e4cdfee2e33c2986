package import Model

extension PracticeCard {
  /// Creates a card that describes the findings in words.
  package init(_ judged: [JudgedPractice], off: [PracticeHint.Name]) {
    self.init(hints: judged.map { PracticeHint($0) }, off: off.isEmpty ? nil : off)
  }
}

extension PracticeHint {
  static let mostEntries = 50

  /// Creates a hint that describes a finding in words.
  fileprivate init(_ judged: JudgedPractice) {
    self.init(
      judged.name, judged.state, judged.finding.sentence(first: Self.mostEntries),
      entries: judged.entries.prefix(Self.mostEntries).map {
        Entry(test: $0.test, location: $0.location, words: $0.fact?.words(in: judged.finding))
      })
  }
}

extension PracticeFinding {
  /// - Parameter most: the number of files that the sentence names before it counts the rest.
  fileprivate func sentence(first most: Int) -> String {
    switch self {
    case .durations(let ran, let total, let slow, let limit, let timedOut, let kept):
      Self.durations(ran, total, slow, limit, timedOut, kept)
    case .notIsolated: "Not checked. 'isolation: true' or --isolation runs each test in a process of its own."
    case .isolated(let ran, let differing, let unsteady, let left): Self.isolated(ran, differing, unsteady, left)
    case .flaky(let now, let before, let only):
      [
        (now, "failed and then passed on the same commit."),
        (before, "passed and failed on the same commit in \(only.map { "\($0)" } ?? "recent integrations")."),
      ].filter { $0.0 > 0 }.map { "\(Self.tests($0)) \($1)" }.joined(separator: " ")
    case .ranTwice(let count): "\(Self.tests(count)) ran twice, with the same result."
    case .stayedRed(let count): "\(Self.tests(count)) stayed red when tried again; the others ran once."
    case .ranOnce: "Each test ran once, so flakiness cannot be ruled out."
    case .noCounters: "Assertions are not known without coverage."
    case .assertions(let proved, let without, let unreached, let unproved, let others):
      Self.assertions(proved, without, unreached, unproved, others)
    case .changesUnknown(let reason): reason ?? "The changed lines are not known."
    case .changes(let patch, let lost, let parts): Self.changes(patch, lost, parts, first: most)
    case .measured(let measured): measured.sentences.joined(separator: " ")
    case .noPattern(let pattern): "'\(pattern)' is not a regular expression."
    case .names(0, let pattern): "Every name matches \(pattern)"
    case .names(let off, let pattern):
      "\(CountText.counted(off, "name does", "names do")) not match \(pattern)"
    case .templates(1): "1 test is an empty template."
    case .templates(let count): "\(count) tests are empty templates."
    case .totals(let totals):
      totals.map {
        "\($0.library.rawValue) printed \(Self.tests($0.printed)), \($0.seen) were seen"
      }.joined(separator: "; ") + "."
    case .rhythm(let rhythm, let baseline, let didBuild, let commits, let bornGreen, let redStreak, let deleted):
      Self.rhythm(rhythm, baseline, didBuild, commits, bornGreen, redStreak, deleted)
    case .deadSources(let count, let lines):
      "\(CountText.counted(count, "test file")) never ran (\(CountText.counted(lines, "line")))."
    }
  }

  private static func durations(
    _ ran: Int, _ total: Double, _ slow: Int, _ limit: Double, _ timedOut: Int, _ kept: Int
  ) -> String {
    let isWhole = timedOut == 0
    let end = "\(tests(timedOut)) timed out"
    guard ran > 0 else { return "\(end)." }
    let (time, mark) = (DurationText.fine(total), DurationText.fine(limit))
    let none = isWhole ? "No test takes" : "no other takes"
    let which = slow == 0 ? none : CountText.counted(slow, "test takes", "tests take")
    let sum =
      ran == 1
      ? "the \(isWhole ? "only one" : "other") takes \(time)"
      : "\(isWhole ? "all" : "the other") \(ran) add up to \(time)"
    // The page of the slowest tests counts these, too.
    let aside = kept == 0 ? "" : ", not counting \(CountText.plain(kept)) that \(keptWords)"
    return "\(isWhole ? "" : "\(end); ")\(which) longer than \(mark)\(aside); \(sum)."
  }

  private static let keptWords = "XCTest itself may have delayed by 0.1 s"

  /// Returns how many of the slow tests may be slow because of XCTest; nil if none is.
  static func kept(_ count: Int, of slow: Int) -> String? {
    count == 0 ? nil : "\(count == slow ? "" : "\(CountText.plain(count)) of ")which \(keptWords)"
  }

  private static func isolated(_ ran: Int, _ differing: Int, _ unsteady: Int, _ left: Int) -> String {
    let rest = left > 0 ? " \(tests(left)) not tried: time ran out." : ""
    let found = [
      differing > 0
        ? "\(differing) of \(tests(ran)) \(CountText.agreeing(differing, "ends", "end")) differently alone." : nil,
      unsteady > 0 ? "\(unsteady) of \(tests(ran)) ended differently from run to run." : nil,
    ].compactMap(\.self)
    return (found.isEmpty ? "\(tests(ran)) ran alone, with the same result." : found.joined(separator: " ")) + rest
  }

  private static func assertions(
    _ proved: Int, _ without: Int, _ unreached: Int, _ unproved: Int, _ others: Int
  ) -> String {
    if without == 0, unreached == 0 {
      if proved == 0 { return "Whether the tests check anything could not be measured.\(rest(unproved, others))" }
      return "\(tests(proved)) evaluated all \(CountText.agreeing(proved, "its", "their")) assertions."
        + rest(unproved, others)
    }
    let parts = [
      without > 0 ? "\(tests(without)) passed without evaluating an assertion" : nil,
      unreached > 0 ? "\(CountText.counted(unreached, "assertion")) in passed tests never ran" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: "; ") + "." + rest(unproved, others)
  }

  /// Returns what remains unknown; begins with a space unless empty.
  private static func rest(_ unproved: Int, _ others: Int) -> String {
    let parts = [
      unproved > 0 ? "\(tests(unproved)) may assert elsewhere" : nil,
      others > 0 ? "\(CountText.counted(others, "Swift Testing test")) could not be checked" : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? "" : " \(parts.joined(separator: "; "))."
  }

  private static func changes(_ patch: PatchCoverage, _ lost: Int, _ parts: Int, first most: Int) -> String {
    let tally = patch.tally
    // A failed gate beside it may count the lines since another integration.
    let base: Int? = if case .integration(let number) = patch.origin { number } else { nil }
    let unknown = patch.unmapped.sentences("Which lines changed", first: most)
    let rest = unknown + patch.outsideSentences(first: most)
    let none = "\(PatchCoverage.noLine(isRest: !unknown.isEmpty, since: base.map { "\($0)" }).capitalizedFirst)."
    if tally.uncovered == 0, lost == 0, parts == 0 {
      let all = changed(patch.origin) { CountText.all(tally.total, $0) }
      let ran =
        tally.total == 0 ? none : "\(all.capitalizedFirst) ran\(PatchCoverage.partly(tally))."
      return ([ran] + rest).joined(separator: " ")
    }
    let sentences = [
      tally.total == 0
        ? none : "\(tally.uncovered) of \(changed(patch.origin) { CountText.counted(tally.total, $0) }) never ran.",
      lost > 0
        ? "\(CountText.counted(lost, "unchanged line no longer runs", "unchanged lines no longer run"))." : nil,
      parts > 0 ? "\(LostWords.parts(parts))." : nil,
    ]
    return (sentences.compactMap(\.self) + rest).joined(separator: " ")
  }

  /// Returns a number of lines that changed; where there is nothing that they could differ from, they are just lines.
  private static func changed(_ origin: PatchCoverage.Origin, _ counted: (String) -> String) -> String {
    switch origin {
    case .integration(let number): "\(counted("line")) changed since \(number)"
    case .parent: counted("changed line")
    case .nothing: counted("line")
    }
  }

  private static let mostDeleted = 3

  private static func rhythm(
    _ rhythm: Rhythm, _ baseline: Int, _ didBuild: Bool, _ commits: Int, _ bornGreen: Int, _ redStreak: Int,
    _ deleted: [TestID]
  ) -> String {
    let names = ShortList.text(deleted.map(\.name), first: mostDeleted)
    let streak = redStreak > 1 ? "\(redStreak) integrations in a row are red." : nil
    let several = commits > 1 ? " It covers \(commits) commits; the steps between them are not seen." : ""
    return switch rhythm {
    case .redFirst: "A new test failed and nothing green broke: the test came first."
    case .madePass where !didBuild: "\(baseline) did not build; this does.\(several)"
    case .madePass: "What was red in \(baseline) is green.\(several)"
    case .redDeleted:
      (deleted.count == 1
        ? "The red test \(names) of \(baseline) was deleted." : "Red tests of \(baseline) were deleted: \(names).")
        + (streak.map { " \($0)" } ?? "")
    case .refactored: "Files changed since \(baseline), and the same tests are green.\(several)"
    case .sabotage:
      "The change of integration \(baseline) is undone, and the tests that it turned red pass: they catch it."
    case .bornGreen:
      "\(CountText.counted(bornGreen, "new test has", "new tests have")) never been red.\(several)"
    case .broke: "What worked in \(baseline) is red.\(several)"
    case .stillRed:
      (streak ?? "It was red in \(baseline), and still is.")
        + (deleted.isEmpty ? "" : " Deleted: \(names).")
    }
  }

  private static func tests(_ number: Int) -> String { CountText.counted(number, "test") }
}

extension PracticeFinding.Measured {
  fileprivate var sentences: [String] {
    guard compared > 0 else {
      return [
        "\(CountText.counted(count, "measured value has", "measured values have")) no earlier one to compare with."
      ]
    }
    let than = since.map { "than in \($0)" } ?? "than when they were last measured"
    let word = areTimes ? "slower" : "higher"
    let first =
      higher == 0
      ? "\(CountText.counted(compared, "measured value is", "measured values are")) no \(word) \(than), within the usual variation."
      : "\(higher) of \(CountText.counted(compared, "measured value")) \(CountText.agreeing(higher, "is", "are")) \(word) \(than) by "
        + "more than the usual variation."
    // The toolchain's doing must not look like a commit's.
    return [first] + (isMoved ? ["Not only the commits differ; see the entries."] : [])
  }
}

extension PracticeFinding.Fact {
  fileprivate func words(in finding: PracticeFinding) -> String {
    switch self {
    case .took(let seconds):
      if case .durations(_, _, _, let limit, _, _) = finding {
        DurationText.short(seconds, over: limit)
      } else {
        DurationText.short(seconds)
      }
    case .differs(let difference):
      "\(difference.together.rawValue) with the others, \(difference.alone.rawValue) alone"
    case .attempts(let states): states.map(\.rawValue).joined(separator: ", then ")
    case .flaky(let numbers): "flaky in \(numbers.map { "\($0)" }.joined(separator: ", "))"
    case .noAssertion: "passed without an assertion"
    case .unreachedAssertion: "this assertion never ran"
    case .changedNeverRan(let end):
      if case .changes(let patch, _, _) = finding, patch.origin == .nothing {
        "\(Self.upTo(end))never ran"
      } else {
        "\(Self.upTo(end))changed, never ran"
      }
    case .ranBefore(let end): "\(Self.upTo(end))ran before"
    case .partRanBefore(let end): "\(Self.upTo(end))a part ran before"
    case .measured(let trend): MeasurementWords.entry(trend)
    case .lines(let count): count == 1 ? "its only line" : "\(count) lines"
    }
  }

  private static func upTo(_ line: Int?) -> String { line.map { "to line \($0), " } ?? "" }
}
