/// The results of one test in the last integrations of a bot, including the current one.
package struct TestHistory: Hashable, Sendable {
  /// An integration in which the test was listed.
  package struct Moment: Hashable, Sendable {
    package var number: Int
    package var commit: CommitID
    /// Whether uncommitted changes were integrated too.
    package var isDirty = false
    package var branch: String?
    package var toolchain: String
    /// How it was built and run: the configuration, a sanitizer, the versions of dependencies; nothing of the machine.
    package var circumstances: [Circumstance] = []
    package var verdict: TestVerdicts.Verdict
  }

  /// The streak of integrations in which the test has been red.
  package struct RedStreak: Hashable, Sendable {
    /// The number of the integration that began the streak.
    package var since: Int
    package var commits: Int
    /// Whether the test was red in everything that is known, so that the streak may be longer.
    package var isWhole: Bool
  }

  /// Newest first.
  package let moments: [Moment]

  package init(_ moments: [Moment]) {
    self.moments = moments
  }

  /// Returns the histories of all tests of the newest integration.
  ///
  /// - Parameter integrations: newest first.
  package static func all(of integrations: [TestVerdicts]) -> [TestID: TestHistory] {
    guard let newest = integrations.first else { return [:] }
    var moments: [TestID: [Moment]] = [:]
    for integration in integrations {
      let circumstances = integration.codeCircumstances
      for (test, verdict) in integration.verdicts where newest.verdicts[test] != nil {
        moments[test, default: []].append(Moment(verdict, in: integration, circumstances))
      }
    }
    return moments.mapValues { TestHistory($0) }
  }

  /// Creates the history of one test from integrations, newest first.
  package init(of test: TestID, in integrations: [TestVerdicts]) {
    moments = integrations.compactMap { integration in
      integration.verdicts[test].map { Moment($0, in: integration, integration.codeCircumstances) }
    }
  }

  /// The integrations in which the test ran to some kind of end.
  package var runs: [Moment] { moments.filter { $0.verdict.state.isGood || $0.verdict.state.isRed } }

  package var redCount: Int { moments.count { $0.verdict.state.isRed } }

  /// The number of failed runs, including those that passed when repeated.
  package var failedAtFirst: Int { runs.count(where: \.failedAtFirst) }

  /// The numbers of the integrations that prove the test flaky, newest first: it passed and failed in one of them, or
  /// ended differently than in another integration of the same commit with the same toolchain, settings and versions of
  /// its dependencies. Uncommitted changes are other code than their commit's.
  package var flakyIn: [Int] {
    struct Code: Hashable {
      var commit: CommitID
      var toolchain: String
      var circumstances: [Circumstance]

      init(_ moment: Moment) {
        (commit, toolchain, circumstances) = (moment.commit, moment.toolchain, moment.circumstances)
      }
    }
    let groups = Dictionary(grouping: runs.filter { !$0.isDirty }, by: Code.init)
    let contradicting = groups.filter { _, moments in
      moments.contains { $0.verdict.state.isGood } && moments.contains { $0.verdict.state.isRed }
    }.keys
    return runs.filter { moment in
      moment.verdict.isFlaky || !moment.isDirty && contradicting.contains(Code(moment))
    }.map(\.number)
  }

  /// The runs that failed although nothing but chance made them, at least at first, newest first.
  package var failedByChance: [Moment] {
    let flaky = Set(flakyIn)
    return runs.filter { $0.failedAtFirst && flaky.contains($0.number) }
  }

  /// The other runs that failed, newest first.
  package var failedSteadily: [Moment] {
    let flaky = Set(flakyIn)
    return runs.filter { $0.failedAtFirst && !flaky.contains($0.number) }
  }

  /// Whether chance may be what the test is red for in the newest integration: it is known to be flaky, and did not fail
  /// again in every retry, or passed on the same code in another integration.
  ///
  /// - Parameter test: its result there, if it is known.
  package func suggestsChance(for test: TestResult?) -> Bool {
    let flaky = flakyIn
    return !flaky.isEmpty && (test?.failedEveryRetry != true || flaky.first == moments.first?.number)
  }

  /// Returns the number of the first integration in which a flaky test was red by chance, as far as is known; nil for a
  /// test that is not proved flaky.
  ///
  /// - Parameter records: what is remembered of its issues, among others', also of integrations that are too old for
  ///   this history. One may have begun with a failure in every run, which was not flaky.
  package func flakySince(_ test: TestID, _ records: [IssueRecord]) -> Int? {
    let own = records.lazy.filter { $0.test == test && $0.kind.isOfRedTest }
    let steady = Set(failedSteadily.map(\.number))
    let remembered = own.compactMap(\.redByChanceSince).filter { !steady.contains($0) }.min()
    return flakyIn.last.map { min($0, remembered ?? $0) }
  }

  /// The current red streak on the newest integration's branch; nil if the test is not red.
  ///
  /// An integration in which the test did not run neither ends the streak nor counts.
  package var redStreak: RedStreak? {
    guard let newest = moments.first, newest.verdict.state.isRed else { return nil }
    let here = runs.filter { $0.branch == newest.branch }
    let red = here.prefix { $0.verdict.state.isRed }
    return RedStreak(
      since: red.last?.number ?? newest.number, commits: Set(red.map(\.commit)).count, isWhole: red.count == here.count)
  }

  /// Returns the branch on which an issue of the test was before it came back, if the test was red on another one since
  /// then; otherwise nil.
  package func branchBeforeComeback(of issue: Issue) -> String? {
    guard let life = issue.life, let last = life.cameBackFrom,
      let branch = moments.first(where: { $0.number == last })?.branch
    else { return nil }
    let isRedElsewhere = moments.contains {
      $0.number > last && $0.number < life.streakStart && $0.verdict.state.isRed && $0.branch != branch
    }
    return isRedElsewhere ? branch : nil
  }

  /// Whether the test ran more than once and was never red.
  package var hasNeverFailed: Bool { runs.count > 1 && redCount == 0 && flakyIn.isEmpty }

  /// Whether the test ran more than once and was never good.
  package var hasNeverPassed: Bool { runs.count > 1 && !runs.contains { $0.verdict.state.isGood } }
}

extension [TestID: TestHistory] {
  /// The tests that are proved flaky.
  package var flakyTests: Set<TestID> { Set(lazy.filter { !$0.value.flakyIn.isEmpty }.map(\.key)) }
}

extension TestHistory.Moment {
  fileprivate var failedAtFirst: Bool { verdict.state.isRed || verdict.isFlaky }

  fileprivate init(_ verdict: TestVerdicts.Verdict, in integration: TestVerdicts, _ circumstances: [Circumstance]) {
    self.init(
      number: integration.number, commit: integration.commit, isDirty: integration.isDirty, branch: integration.branch,
      toolchain: integration.toolchain, circumstances: circumstances, verdict: verdict)
  }
}

extension TestVerdicts {
  /// What a result depends on besides the machine.
  fileprivate var codeCircumstances: [Circumstance] { (circumstances ?? []).filter { !$0.isOfMachine } }
}

extension IntegrationRecord.Case {
  /// Whether the attempts to run it ended both ways, as they may do alone although it is red with the others.
  var endedBothWays: Bool {
    let states = (attempts ?? []).map(\.state)
    return states.contains(where: \.isGood) && states.contains(where: \.isRed)
  }
}

extension TestState {
  /// Whether the test ended as it should.
  package var isGood: Bool { self == .passed || self == .expectedFailure }
}
