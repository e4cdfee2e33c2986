package import Model

/// The facts from which an integration's card of good practices is made.
package struct PracticeEvidence: Sendable {
  package var tests: TestReport
  package var changes: CoverageChanges?
  /// Whether red tests were retried.
  package var hasRetries: Bool
  package var settings: PracticeSettings
  /// The figures that `measure` reported in this and earlier integrations, by test.
  package var trends: [TestID: [MeasurementTrend]] = [:]
  /// The number of the baseline.
  package var baseline: Int?
  /// How the baseline ended.
  package var baselineOutcome: Outcome?
  /// How the integration changed the colour of its baseline.
  package var rhythm: Rhythm?
  /// The tests that the baseline lacks.
  package var added: [TestID] = []
  /// The tests that were red before and are deleted.
  package var deleted: [TestID] = []
  /// The number of consecutive red integrations of the branch, including this one.
  package var redStreak = 0
  /// The results of the tests in this and earlier integrations.
  package var histories: [TestID: TestHistory] = [:]
  /// The number of commits that the integration covers.
  package var commitCount = 1

  /// The coverage of the test sources; nil if it proves nothing, because it is missing or incomplete, or because only
  /// some tests were requested.
  package var testSources: [FileCoverage]?

  package init(
    tests: TestReport, changes: CoverageChanges? = nil, hasRetries: Bool = false,
    settings: PracticeSettings = PracticeSettings(), baseline: Int? = nil
  ) {
    self.tests = tests
    self.changes = changes
    self.hasRetries = hasRetries
    self.settings = settings
    self.baseline = baseline
  }
}

extension PracticeEvidence {
  /// The practices that apply and are not switched off; nil if no test is listed.
  package var judged: [JudgedPractice]? {
    guard !tests.results.isEmpty else { return nil }
    return PracticeHint.Name.allCases.filter { !settings.off.contains($0) }.compactMap(judge)
  }

  private func judge(_ name: PracticeHint.Name) -> JudgedPractice? {
    switch name {
    case .fast: fast
    case .isolated: isolated
    case .repeatable: repeatable
    case .selfValidating: selfValidating
    case .thorough: thorough
    case .rhythm: beat
    case .names: names
    case .templates: templates
    case .sources: sources
    case .totals: totals
    case .measurements: measurements
    }
  }
}

/// The five practices of FIRST.
extension PracticeEvidence {
  private var ran: [TestResult] { tests.results.filter { $0.state != .notRun && $0.state != .skipped } }

  private var fast: JudgedPractice? {
    guard !ran.isEmpty else { return nil }
    let limit = settings.slow.inSeconds
    // How long a test that timed out would have taken is not known.
    let timed = ran.filter { $0.state != .timedOut }
    let slow = timed.filter { $0.isSlow(beyond: limit, before: timeBefore($0.id)) }
      .sorted { ($1.ownTime ?? 0, $0.id) < ($0.ownTime ?? 0, $1.id) }
    return JudgedPractice(
      .fast, !slow.isEmpty ? .attention : timed.count < ran.count ? .unknown : .good,
      .durations(
        ran: timed.count, total: timed.ownTime ?? 0, slow: slow.count, limit: limit,
        timedOut: ran.count - timed.count, kept: timed.count { $0.isSlow(beyond: limit) } - slow.count),
      entries: slow.map { .init(test: $0.id, location: $0.location, .took($0.ownTime ?? $0.duration)) })
  }

  /// Returns how long a test took in its run before this one, in seconds; nil if unknown.
  private func timeBefore(_ test: TestID) -> Double? { histories[test]?.runs.dropFirst().first?.verdict.time }

  private var isolated: JudgedPractice? {
    guard let isolation = tests.isolation else { return JudgedPractice(.isolated, .unknown, .notIsolated) }
    let differing = isolation.differing
    // Whether one that fails by chance depends on others, nobody can tell.
    let unknown = isolation.left + unsteady.count
    return JudgedPractice(
      .isolated, !differing.isEmpty ? .attention : unknown > 0 ? .unknown : .good,
      .isolated(
        ran: isolation.ran, differing: differing.count, unsteady: unsteady.count, left: isolation.left),
      entries: differing.map { .init(test: $0.id, .differs($0)) })
  }

  private var repeatable: JudgedPractice? {
    if let flaky { return flaky }
    if let isolation = tests.isolation, isolation.ran > 0, isolation.differing.isEmpty {
      return JudgedPractice(.repeatable, .good, .ranTwice(isolation.ran))
    }
    let red = tests.counts.red
    return JudgedPractice(.repeatable, .unknown, hasRetries && red > 0 ? .stayedRed(red) : .ranOnce)
  }

  /// The tests that ended now so, now otherwise when they ran alone.
  private var unsteady: Set<TestID> { Set(tests.isolation?.unsteady ?? []) }

  /// The tests that are flaky in this integration, or that recent integrations together prove flaky.
  private var flaky: JudgedPractice? {
    let unsteady = unsteady
    func isNow(_ test: TestResult) -> Bool { test.isFlaky || unsteady.contains(test.id) }
    let now = tests.results.filter(isNow)
    let before = tests.results.filter { !isNow($0) && histories[$0.id]?.flakyIn.isEmpty == false }
    guard !now.isEmpty || !before.isEmpty else { return nil }
    let numbers = Set(before.flatMap { histories[$0.id]?.flakyIn ?? [] })
    return JudgedPractice(
      .repeatable, .attention,
      .flaky(now: now.count, before: before.count, in: numbers.count == 1 ? numbers.first : nil),
      entries: (now + before).map { test in
        .init(
          test: test.id, location: test.location,
          isNow(test)
            ? .attempts(test.attempts.map(\.state))
            : .flaky(in: (histories[test.id]?.flakyIn ?? []).prefix(6).reversed()))
      })
  }

  private var selfValidating: JudgedPractice? {
    guard let report = tests.assertions else { return JudgedPractice(.selfValidating, .unknown, .noCounters) }
    let entries =
      report.without.map { test in
        JudgedPractice.Entry(test: test, location: tests.results.first { $0.id == test }?.location, .noAssertion)
      } + report.unreached.map { .init(test: $0.test, location: $0.location, .unreachedAssertion) }
    let others = tests.results.count { $0.library == .swiftTesting && $0.state == .passed }
    let isWhole = report.proved > 0 && report.unproved == 0 && others == 0
    return JudgedPractice(
      .selfValidating, !entries.isEmpty ? .attention : isWhole ? .good : .unknown,
      .assertions(
        proved: report.proved, without: report.without.count, unreached: report.unreached.count,
        unproved: report.unproved, others: others),
      entries: entries)
  }

  private var thorough: JudgedPractice? {
    guard let changes else { return nil }
    guard let patch = changes.patch.value else {
      return JudgedPractice(.thorough, .unknown, .changesUnknown(reason: changes.patch.reason))
    }
    // A test that did not run may run what no longer runs.
    let compared = tests.counts.isWhole ? changes.comparison.value : nil
    let (lost, parts) = (compared?.lostLines ?? [], compared?.lostParts ?? [])
    func entries(_ lines: [SourceLocation], _ fact: (Int?) -> PracticeFinding.Fact) -> [JudgedPractice.Entry] {
      LinePlaces(lines).places.map { place in
        .init(
          location: SourceLocation(file: place.path, line: place.lines.lowerBound),
          fact(place.lines.count > 1 ? place.lines.upperBound : nil))
      }
    }
    let isRun = patch.tally.uncovered == 0 && lost.isEmpty && parts.isEmpty
    // Where no code changed, nothing was done well or badly.
    if isRun, patch.tally.total == 0, patch.unmapped.isEmpty, !patch.hasOtherCode { return nil }
    // Nor is it where only code changed that does not count.
    let isProved = patch.tally.total > 0 && patch.unmapped.isEmpty
    return JudgedPractice(
      .thorough, !isRun ? .attention : isProved ? .good : .unknown,
      .changes(patch, lost: lost.count, parts: parts.count),
      entries: isRun
        ? []
        : entries(patch.neverRan) { .changedNeverRan(to: $0) } + entries(lost) { .ranBefore(to: $0) }
          + entries(parts) { .partRanBefore(to: $0) })
  }
}

extension PracticeEvidence {
  /// The measurements; nil if nothing was measured.
  private var measurements: JudgedPractice? {
    let measured = tests.measuredValues(trends)
    guard !measured.isEmpty else { return nil }
    let compared = measured.compactMap { $0.trend.newest }
    // Slower figures need attention, however many others are not slower.
    let higher = measured.filter { $0.trend.isWorse }
    let told = higher.isEmpty ? compared : higher.compactMap { $0.trend.newest }
    let numbers = Set(compared.map(\.since.number))
    return JudgedPractice(
      .measurements, compared.isEmpty ? .unknown : higher.isEmpty ? .good : .attention,
      .measured(
        .init(
          count: measured.count, compared: compared.count, higher: higher.count,
          areTimes: told.allSatisfy(\.change.after.isTime), since: numbers.count == 1 ? numbers.first : nil,
          isMoved: measured.contains { $0.trend.points.first?.differing.isEmpty == false })),
      entries: measured.map { .init(test: $0.test.id, location: $0.test.location, .measured($0.trend)) })
  }
}

/// The practices that FIRST has no letter for.
extension PracticeEvidence {
  /// The tests whose names do not match the pattern; nil if none is set.
  private var names: JudgedPractice? {
    guard !settings.names.isEmpty else { return nil }
    guard let pattern = try? Regex(settings.names) else {
      return JudgedPractice(.names, .unknown, .noPattern(settings.names))
    }
    let off = tests.results.filter { test in
      let name = String(test.id.name.prefix { $0 != "(" })
      // If matching fails with an error, the name is accepted.
      do { return try pattern.firstMatch(in: name) == nil } catch { return false }
    }
    return JudgedPractice(
      .names, off.isEmpty ? .good : .attention, .names(off: off.count, pattern: settings.names),
      entries: off.map { .init(test: $0.id, location: $0.location) })
  }

  /// The tests that are left from a template; nil if there are none.
  private var templates: JudgedPractice? {
    guard let left = tests.assertions?.templates, !left.isEmpty else { return nil }
    return JudgedPractice(
      .templates, .attention, .templates(left.count),
      entries: left.map { id in .init(test: id, location: tests.results.first { $0.id == id }?.location) })
  }

  /// The totals that differ from the printed ones; nil if none do, and where a process ended before it printed its own.
  private var totals: JudgedPractice? {
    guard !tests.results.contains(where: { $0.quit != nil || [.crashed, .timedOut].contains($0.state) }) else {
      return nil
    }
    let differing = tests.printedTotals.compactMap { total -> PracticeFinding.DifferingTotal? in
      let seen = tests.results.count { $0.library == total.library && $0.state != .notRun }
      return seen == total.tests ? nil : .init(library: total.library, printed: total.tests, seen: seen)
    }
    return differing.isEmpty ? nil : JudgedPractice(.totals, .attention, .totals(differing))
  }

  /// The rhythm; nil if the integration has no baseline to compare with.
  private var beat: JudgedPractice? {
    guard let rhythm, let baseline else { return nil }
    let born = rhythm == .bornGreen ? tests.results.filter { added.contains($0.id) && $0.isGreenAtOnce } : []
    let state: PracticeHint.State =
      switch rhythm {
      case .redFirst, .madePass, .refactored, .sabotage: .good
      case .bornGreen: .unknown
      case .broke, .stillRed, .redDeleted: .attention
      }
    return JudgedPractice(
      .rhythm, state,
      .rhythm(
        rhythm, baseline: baseline, didBuild: baselineOutcome != .buildErrors, commits: commitCount,
        bornGreen: born.count, redStreak: redStreak, deleted: deleted),
      entries: born.map { .init(test: $0.id, location: $0.location) })
  }

  /// The test sources of which nothing ran although all tests did, such as a file missing from a hand-written list of
  /// tests.
  ///
  /// A file with a listed test, which may be skipped or disabled, is not among them. Nil where tests did not run.
  private var sources: JudgedPractice? {
    guard let testSources, tests.counts.isWhole else { return nil }
    let known = Set(tests.results.compactMap { $0.location?.file })
    let dead = testSources.filter { file in
      file.totals.lines.total > 0 && file.totals.lines.covered == 0 && !known.contains(file.path)
    }
    guard !dead.isEmpty else { return nil }
    return JudgedPractice(
      .sources, .attention, .deadSources(dead.count, lines: dead.reduce(0) { $0 + $1.totals.lines.total }),
      entries: dead.map { file in
        .init(
          location: SourceLocation(file: file.path, line: file.lines.first?.line ?? 1), .lines(file.totals.lines.total))
      })
  }
}
