package import Model

/// The words for a comparison of two integrations, shared by the pages and the terminal.
package struct ComparisonWords: Sendable {
  let comparison: IntegrationComparison
  /// The names of the two: their numbers, preceded by the bot's name if the bots differ.
  package let before: String
  package let after: String

  package init(_ comparison: IntegrationComparison) {
    self.comparison = comparison
    let (one, other) = (comparison.before, comparison.after)
    let isOneBot = one.bot == other.bot
    before = Self.name(of: one, isOneBot: isOneBot)
    after = Self.name(of: other, isOneBot: isOneBot)
  }

  private static func name(of side: IntegrationComparison.Side, isOneBot: Bool) -> String {
    let number = isOneBot ? "\(side.number)" : "\(side.bot) \(side.number)"
    return side.destination.map { "\(number):\($0)" } ?? number
  }

  /// How many letters a heading has on one line.
  private static let mostLetters = 82

  /// The result in one sentence, without a full stop; tests are named if that leaves it one line.
  package var headline: String {
    let named = sentence(of: findings(naming: true))
    return named.count > Self.mostLetters ? sentence(of: findings(naming: false)) : named
  }

  private func sentence(of findings: [String]) -> String {
    let parts = Array(findings.prefix(3))
    let bot = comparison.before.bot == comparison.after.bot ? "\(comparison.after.bot) " : ""
    return "\(bot)\(before) → \(after): \(parts.isEmpty ? nothing : CountText.list(parts))"
  }

  private var nothing: String {
    if comparison.tests.reason != nil { return "the tests are not compared" }
    return isUnchanged ? "nothing changed" : "no test changed"
  }

  /// Returns whether an issue that only the second integration has was known before the first one already.
  package func isBack(_ issue: IntegrationRecord.FlatIssue) -> Bool {
    issue.life.map { $0.cameBackFrom != nil && $0.firstSeen <= comparison.before.number } ?? false
  }

  /// Whether no result differs but durations.
  private var isUnchanged: Bool {
    let (tests, issues, coverage) = (comparison.tests, comparison.issues, comparison.coverage)
    return comparison.before.outcome == comparison.after.outcome && changedCounts.isEmpty
      && testGroups.allSatisfy(\.isLasting)
      && tests.remarks.isEmpty && tests.measured.allSatisfy { $0.course == .same }
      && (issues.new + issues.gone + issues.notReached + issues.notReachedBefore).isEmpty && issues.silenced == nil
      && (coverage.before == nil) == (coverage.after == nil) && coverage.files.isEmpty && coverage.reason == nil
      && leftOut.isEmpty && coverage.unmapped?.isEmpty != false
  }

  /// What was red in the first integration and is in the second, where that and gates are all that makes it red.
  private var stillRed: [String] {
    guard !comparison.after.outcome.isGreen, comparison.tests.reason == nil else { return [] }
    let tests = comparison.count(.red)?.after ?? 0
    let red =
      tests > 0
      ? ["\(CountText.counted(tests, "test")) still red"] : named("still red") { $0.stillRed.filter(\.isCountingRed) }
    return red + gatePhrases(.stillFails)
  }

  /// Returns what became of the build, of red tests and of gates, as phrases.
  private func badPhrases(naming: Bool) -> [String] {
    func named(
      _ end: String, adjective: String? = nil, of changes: (TestChanges) -> [TestChange]
    ) -> [String] {
      self.named(end, adjective: adjective, naming: naming, of: changes)
    }
    var phrases = buildPhrases
    phrases += brokenPhrases(naming: naming)
    phrases += named("red", adjective: "new") { $0.added.filter(\.isCountingRed) }
    phrases += named("ended the process") { $0.changed.filter(\.isNowQuit) }
    phrases += named("ended the process", adjective: "new") { $0.added.filter(\.isNowQuit) }
    phrases += named("did not run") { $0.changed.filter(\.isNowWithoutRun) }
    phrases += gatePhrases(.failed) + (phrases.isEmpty ? stillRed : []) + gatePhrases(.gone)
    phrases += named("fixed", of: \.fixed)
    return phrases + named("deleted", adjective: "red") { $0.removed.filter { $0.before?.state.isRed == true } }
  }

  /// Returns the most important findings, as phrases.
  ///
  /// - Parameter naming: whether those of few tests have their names.
  private func findings(naming: Bool) -> [String] {
    let tests = comparison.tests
    let broken = tests.broken.filter(\.isCountingRed)
    let newRed = tests.added.filter(\.isCountingRed)
    let newFlaky = tests.added.count { $0.after?.isFlaky == true && $0.after?.state.isRed == false }
    let redRemoved = tests.removed.filter { $0.before?.state.isRed == true }
    var phrases = badPhrases(naming: naming)
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { phrases.append("\(CountText.plain(count)) \(count == 1 ? one : many)") }
    }
    add(
      tests.changed.count(where: \.isMarkedAsKnown), "test marked as a known issue", "tests marked as known issues")
    add(tests.passedByChance.count, "flaky test passed again", "flaky tests passed again")
    // Of tests that are not compared, it is what the second integration says of itself.
    if tests.reason != nil, comparison.after.ownOutcome.isBuilt, let flaky = comparison.after.flakyTests {
      phrases.append(flaky.count == 1 ? "\(flaky[0]) is flaky" : "\(CountText.plain(flaky.count)) tests are flaky")
    }
    phrases += named("became flaky", naming: naming) { $0.changed.filter(\.isFlakyAtFirst) }
    phrases += named("flaky again", naming: naming) { $0.changed.filter(\.isFlakyAgain) }
    if let phrase = uncoveredPhrase { phrases.append(phrase) }
    let higher = tests.measured.filter { $0.course == .higher }
    let isTime = higher.allSatisfy { $0.after?.isTime == true }
    add(
      higher.count, "measured value \(isTime ? "slower" : "higher")",
      "measured values \(isTime ? "slower" : "higher")")
    add(warnings(comparison.issues.new), "new warning", "new warnings")
    add(warnings(comparison.issues.gone), "warning resolved", "warnings resolved")
    // Beside what is red that is no news, and durations are none beside any.
    let isGreen = comparison.after.outcome.isGreen
    if isGreen {
      add(
        tests.changed.count(where: \.isNoLongerFlaky), "flaky test passed on the first try",
        "flaky tests passed on the first try")
    }
    add(tests.changed.count(where: \.changedOtherwise), "test changed", "tests changed")
    add(tests.broken.count - broken.count, "silenced test went red", "silenced tests went red")
    add(newFlaky, "new test flaky", "new tests flaky")
    let newSilenced = tests.added.count(where: \.isSilencedRed)
    add(newSilenced, "new silenced test red", "new silenced tests red")
    let told = newRed.count + newFlaky + newSilenced + tests.added.count(where: \.isNowQuit)
    let other = told > 0 ? "other " : ""
    add(tests.added.count - told, "\(other)test added", "\(other)tests added")
    let more = redRemoved.isEmpty ? "" : "other "
    add(tests.removed.count - redRemoved.count, "\(more)test deleted", "\(more)tests deleted")
    add(tests.renamed.count, "test renamed", "tests renamed")
    guard isGreen || phrases.isEmpty else { return phrases }
    add(tests.slower.count, "test slower", "tests slower")
    if let slow = tests.slowNow {
      let words = slowWords(slow)
      add(slow.tests.count, "test \(words)", "tests \(words)")
    }
    add(tests.faster.count, "test faster", "tests faster")
    return phrases
  }

  /// How the build ended in both for each destination that both built, without a name where there is only one to compare.
  private var builds: [(name: String?, before: Outcome, after: Outcome)] {
    let (before, after) = (comparison.before, comparison.after)
    guard let old = before.destinations, let new = after.destinations else {
      return [(nil, before.ownOutcome, after.ownOutcome)]
    }
    return new.compactMap { result in
      guard let was = old.first(where: { $0.name == result.name })?.outcome, let now = result.outcome else {
        return nil
      }
      return (result.name, was, now)
    }
  }

  /// What became of the build, by destination unless it is the same for all; empty if both built.
  private var buildPhrases: [String] {
    let builds = builds
    func phrase(
      _ all: String, _ one: String, _ many: String, where isMeant: (Outcome, Outcome) -> Bool
    ) -> String? {
      let names = builds.filter { isMeant($0.before, $0.after) }.map(\.name)
      if names.isEmpty { return nil }
      if names.count == comparison.after.destinations?.count ?? 1 { return all }
      return "\(CountText.list(names.compactMap(\.self))) \(names.count == 1 ? one : many)"
    }
    let phrases = [
      // Without a conclusive result it may not have built before, either.
      phrase("no longer builds", "no longer builds", "no longer build") { $0.isBuilt && $1 == .buildErrors },
      phrase("builds again", "builds again", "build again") { $0 == .buildErrors && $1.isBuilt },
      phrase("neither builds", "still does not build", "still do not build") { $0 == .buildErrors && $1 == $0 },
    ].compactMap(\.self)
    guard phrases.isEmpty, comparison.tests.reason != nil,
      comparison.before.ownOutcome != comparison.after.ownOutcome
    else { return phrases }
    return [hasNoTests ? outcomeOfAfter : "the tests are not compared"]
  }

  private var outcomeOfAfter: String {
    let after = comparison.after
    if after.outcome == .triggerError { return VerdictSentence.triggerFailed.lowercasedFirst }
    return after.outcome.lowercasedWord(isFailedGate: after.isFailedGate, isOnlyFlaky: after.isOnlyFlaky)
  }

  /// Whether one of the two is known to have no tests, and the other one is not known to have any.
  package var hasNoTests: Bool {
    guard let listed = comparison.count(.listed), comparison.tests.remarks.isEmpty, testGroups.isEmpty else {
      return false
    }
    return (listed.before ?? 0) + (listed.after ?? 0) == 0
  }

  /// Whether there is nothing to say of the coverage: without tests neither of the two has any.
  package var hasNoCoverage: Bool {
    hasNoTests && comparison.coverage.before == nil && comparison.coverage.after == nil
  }

  /// Which of the two did not build, and what is left to compare, as a sentence; nil if both built.
  package var limit: String? {
    let built = comparison.after
    let elsewhere = built.failedToBuild ? nil : built.coverageBaseline
    return unbuilt.map { words in
      words + (elsewhere.map { " The report of \(after) compares its coverage with \($0)." } ?? "")
    }
  }

  /// The same without a word about what is compared elsewhere.
  var unbuilt: String? {
    let names = [(before, comparison.before), (after, comparison.after)].filter(\.1.failedToBuild).map(\.0)
    return names.isEmpty ? nil : "\(CountText.list(names)) did not build, so tests and coverage are not compared."
  }

  /// The lines that ran by chance, as flaky tests have it, by what became of them.
  var byChance: CategoryCounts { comparison.coverage.byChance ?? CategoryCounts() }

  /// What became of the coverage, apart from what chance made: new lines that never ran, or those that no longer run, if
  /// there is but one kind, else the change of their number; and how many of the first integration's lines the second
  /// leaves out, since the two figures then count different lines. Nil if none applies.
  private var uncoveredPhrase: String? {
    func count(_ category: ChangeCategory) -> Int {
      (comparison.coverage.lines?[category] ?? 0) - byChance[category]
    }
    let change = (comparison.count(.uncoveredLines)?.change ?? 0) - byChance.uncoveredChange
    let hidden = comparison.coverage.leftOut?.hiddenCount ?? 0
    let leftOut = hidden == 0 ? nil : "\(CountText.counted(hidden, "line")) of \(before) left out in \(after)"
    // A failed gate on changed lines fails for new ones, and one on lost lines says how many.
    let failed = gates.filter { $0.course == .failed }
    let isTold =
      count(.newNeverRan) == change && failed.contains(where: \.failsForChangedLines)
      || count(.lost) == change && failed.map(\.lostLines) == [change]
    guard change != 0, !isTold else { return leftOut }
    let withCode = change - comparison.coverage.silent[.newNeverRan]
    let words: String? =
      switch (count(.newNeverRan), count(.lost)) {
      case (change, 0):
        withCode > 0 ? CountText.counted(withCode, "new line never ran", "new lines never ran") : nil
      case (0, change): CountText.counted(change, "line no longer runs", "lines no longer run")
      default: "\(CountText.counted(abs(change), change > 0 ? "more line" : "fewer line")) uncovered"
      }
    guard let words else { return leftOut }
    return words + (leftOut.map { " (\($0))" } ?? "")
  }

  private static func more(_ change: Int) -> String {
    "\(CountText.plain(abs(change))) \(change > 0 ? "more" : "fewer")"
  }

  /// The lines without a run in both, and how many more or fewer of them are due to chance; nil unless both have
  /// coverage.
  package var coverageSummary: String? {
    guard let old = comparison.coverage.before?.lines, let new = comparison.coverage.after?.lines else { return nil }
    let chance = byChance.uncoveredChange
    let steady = new.uncovered - old.uncovered - chance
    let signed = [steady == 0 ? nil : Self.more(steady), "\(Self.more(chance)) by chance"].compactMap(\.self)
    let parts = chance == 0 ? nil : signed.joined(separator: ", ")
    let notRun = comparison.count(.notRun)
    let (newCount, oldCount) = (
      CoverageWords.uncovered(new, isWhole: notRun?.after ?? 0 == 0),
      CoverageWords.uncovered(old, isWhole: notRun?.before ?? 0 == 0)
    )
    let isSame = (newCount, new.total, chance) == (oldCount, old.total, 0)
    return "\(newCount) of \(CountText.counted(new.total, "line")) never ran, "
      + (isSame ? "as in " : "\(oldCount) of \(CountText.plain(old.total)) in ") + before
      + (parts.map { ": \($0)" } ?? "")
  }

  private func warnings(_ issues: [IntegrationRecord.FlatIssue]) -> Int {
    issues.count { ($0.kind == .warning || $0.kind == .analyzerWarning) && $0.test == nil }
  }

  /// Why the changes need not come from the commits; nil if nothing else is known to differ, or nothing changed on the
  /// same commit.
  package var caution: String? {
    let names = comparison.circumstances.map(\.name)
    let isSame = comparison.commits.relation == .same
    guard !names.isEmpty else {
      return isSame && !isUnchanged
        ? "Same commit, same circumstances: the difference is chance, or comes from outside." : nil
    }
    let first = names.prefix(4) + (names.count > 4 ? ["more"] : [])
    let list = CountText.list(Array(first))
    if isSame { return "Same commit, but different: \(list)." }
    return "These differ, too: \(list)."
  }

  /// The counts that are known for both integrations and differ.
  package var changedCounts: [CountChange] { comparison.counts.filter { $0.change ?? 0 != 0 } }

  /// Returns `worse`, `better` or nothing.
  package func tone(of count: CountChange) -> String { delta(of: count)?.tone ?? "" }

  /// Returns what a change means; nil if one of the numbers is unknown.
  func delta(of count: CountChange) -> Delta? { count.delta(in: comparison) }

  /// The rule by which a test counts as slower, as a sentence.
  package var paceRule: String {
    let rule = comparison.tests.paceRule
    let percent = Int(((rule.share - 1) * 100).rounded())
    return
      "Slower: at least \(DurationText.fine(rule.seconds)) and more than \(percent)% above both the time before and the median "
      + "of at least \(rule.runs) earlier integrations, and beyond \(Self.factor(rule.deviations)) times their usual spread. "
      + "Faster: the reverse."
  }

  /// Returns the duration of one of the two, with the kind of its build where the kinds differ, and that it failed.
  package func duration(_ seconds: Double, of side: IntegrationComparison.Side) -> String {
    let areDifferent = comparison.before.warm != comparison.after.warm
    return [
      DurationText.fine(seconds), side.failedToBuild && !comparison.haveLikeBuilds ? "failed" : nil,
      areDifferent ? side.warm.map { [StepRecord].buildWords(isWarm: $0) } : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// A one-line summary of the measured values; nil if there are none.
  package var measuredSummary: String? {
    let measured = comparison.tests.measured
    guard !measured.isEmpty else { return nil }
    let words = ["slower", "higher", "faster", "lower"].compactMap { word in
      let count = measured.count { $0.change.flatMap(MeasurementWords.word) == word }
      return count > 0 ? "\(CountText.plain(count)) \(word)" : nil
    }
    let same = measured.count { $0.course == .same }
    let single = measured.count { $0.change == nil }
    let rest = [
      same > 0 ? "\(CountText.counted(same, "value")) unchanged (within variation)" : nil,
      single > 0 ? "\(CountText.counted(single, "value")) in only one of the two" : nil,
    ].compactMap(\.self)
    return (words + rest).joined(separator: ", ")
  }

  /// Returns how a test ended before and now, and what it was called before, as a phrase.
  package static func course(of test: TestChange) -> String {
    ending(of: test) + (test.was.map { ", was \($0)" } ?? "")
  }

  private static func ending(of test: TestChange) -> String {
    switch (test.before, test.after) {
    case (nil, let after?): return after.word.lowercased()
    case (let before?, nil): return "was \(before.word.lowercased())"
    case (let before?, let after?):
      if before.state == after.state, before.isFlaky == after.isFlaky {
        if test.was != nil || after.state.isRed { return word(after) }
        return pace(from: before.duration, to: after.duration)
      }
      return "\(word(before)) → \(word(after))"
    case (nil, nil): return ""
    }
  }

  private static func word(_ side: TestChange.Side) -> String {
    side.word.lowercased() + (side.isFlaky ? ", flaky" : "")
  }

  private static func pace(from before: Double, to after: Double) -> String {
    let words = "\(DurationText.short(before)) → \(DurationText.short(after))"
    guard before >= 0.001, after >= 0.001 else { return words }
    return after > before
      ? "\(words), \(factor(after / before)) times as long" : "\(words), \(factor(before / after)) times as fast"
  }

  private static func factor(_ value: Double) -> String {
    guard value.isFinite, value < 1e9 else { return "many" }
    let tenths = Int((value * 10).rounded())
    return tenths >= 100 || tenths.isMultiple(of: 10) ? "\((tenths + 5) / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}

extension TestChange.Side {
  /// The word for how the test ended, capitalised.
  var word: String { quit?.isByTest == true ? TestResult.quitWord : state.word }
}
