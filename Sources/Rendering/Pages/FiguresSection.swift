import Model

/// The figures of an integration, each with its change against the baseline.
struct FiguresSection: ReportSection {
  /// The number of stretches of uncovered changed lines that are named.
  private static let mostPlaces = 3

  let report: ReportContext

  /// Missing where there is none.
  var record: TemplateValue {
    let figures = [patch, tests, uncovered, warnings, duration].compactMap { $0 }
    if figures.isEmpty { return .missing }
    return .record(["count": .text("\(figures.count)"), "figures": .list(figures)])
  }

  private var comparable: Baseline? { integration.comparable }

  private var tests: TemplateValue? {
    let tests = report.judgedTests
    let (counts, silenced) = (tests.counts, tests.silenced.count)
    guard counts.listed > 0 else {
      if integration.isUntested || integration.isStopped || integration.isWithoutTests {
        // The heading says the same.
        let word = integration.isUntested ? "not requested" : "did not run"
        return elsewhere.isSomething ? figure("Tests", word, link: nil, elsewhere: elsewhere) : nil
      }
      guard integration.isUnbuilt else {
        return figure("Tests", "none", link: nil, elsewhere: elsewhere)
      }
      return figure(
        "Tests", "did not run", link: nil, sub: integration.baseline.flatMap(TestSum.ran(in:))?.text,
        elsewhere: elsewhere)
    }
    let known = comparable.flatMap { _ in JudgedTests.before(integration) { $0.silencedSinceBaseline } }
    let before = known?.counts
    let bad = TestSum.bad(in: counts, silenced: silenced)
    let rows = [(counts.quit, true), (counts.unseen, false)].filter { $0.0 > 0 }.map { firstMissing(isQuit: $0.1) }
    // The worst is the figure.
    let missing = Array(zip(TestSum.missing(in: counts), rows).map { Part($0, link: $1) }.suffix(max(0, bad.count - 1)))
    let change = before.map { counts.listed - $0.listed } ?? 0
    let hasTableOfTargets = report.tree.targets.count > 1
    let unlisted = integration.tests.unlisted.count
    let flaky =
      counts.flaky > 0
      ? Part(
        CountText.counted(counts.flaky, "flaky test"),
        delta: before.flatMap { Delta(counts.flaky, from: $0.flaky, .moreIsWarning) })
      : nil
    let aside = TestSum.aside(in: counts).map { Part($0) }
    // The change of those that passed says it, where they are all the change there is; one less would look like a failure.
    let isAll = bad.isEmpty && before.map { counts.steady - $0.steady } == change
    let isDeleted = isAll && change < 0 && unlisted == 0 && integration.testChanges?.words != nil
    let built = unlisted > 0 ? nil : sinceBuilt
    let isTold = !isDeleted && (hasTableOfTargets || isAll)
    let difference = before == nil || isTold ? built?.words : integration.testChanges?.words
    return figure(
      "Tests", bad.first ?? "\(CountText.plain(counts.steady)) passed",
      unit: bad.isEmpty && counts.steady == counts.listed ? nil : "of \(CountText.plain(counts.listed))",
      delta: known.flatMap {
        bad.isEmpty
          ? isDeleted ? nil : Delta(counts.steady, from: $0.counts.steady, .moreIsBetter)
          : Delta.ofRed(tests.red, from: $0.red, notRun: counts.notRun - $0.counts.notRun)
      }, link: "tests.html",
      isRed: tests.red > 0, isAmber: !bad.isEmpty && tests.red == 0,
      bar: TestSum.bar(of: counts, unlisted: unlisted, silenced: tests.silencedCounts),
      parts: missing + [TestSum.silenced(silenced).map { Part($0) }, flaky].compactMap(\.self) + aside,
      sub: unlisted > 0 ? "\(CountText.counted(unlisted, "declared test")) did not run" : difference,
      subLink: built?.link ?? "tests.html#\(unlisted > 0 ? "unlisted" : "changed")", elsewhere: elsewhere)
  }

  /// Returns the row of the first test that ended its process, or of the first one that did not run; nil without one.
  private func firstMissing(isQuit: Bool) -> String? {
    report.tree.targets.lazy.flatMap(\.tests).first { $0.state == .notRun && ($0.quit != nil) == isQuit }
      .map { paths.row(of: $0.id) }
  }

  private var elsewhere: TemplateValue { TestsElsewhere.records(beside: integration) }

  /// How many tests were added, deleted or renamed since the integration that built last, with the page that lists them; nil
  /// for none, and where the baseline built, which has them.
  private var sinceBuilt: (words: String, link: String)? {
    guard let comparison = report.sinceBuilt, comparison.tests.reason == nil, comparable?.reachedTests == nil else {
      return nil
    }
    let (tests, number) = (comparison.tests, comparison.before.number)
    let renamed = tests.renamed.compactMap { test in
      test.was.map { TestListChanges.Renaming(from: $0, to: test.id) }
    }
    let changes = TestListChanges(added: tests.added.map(\.id), deleted: tests.removed.map(\.id), renamed: renamed)
    return changes.words.flatMap { words in
      report.comparisonPages[number].map { ("\(words) since \(number)", "\($0)#tests") }
    }
  }

  /// The number of changed lines that never ran, with the first places; nil if no changed lines are known.
  private var patch: TemplateValue? {
    guard let changes = integration.changes, let patch = changes.patch.value, patch.origin != .nothing else {
      return nil
    }
    let summary = ChangeSummary(changes)
    let lines = patch.tally
    let isUnknown = lines.total == 0 && !patch.unmapped.isEmpty
    // The row of a failed gate above already names the lines.
    let places = integration.hasFailedPatchGate ? LinePlaces([]) : summary.uncovered
    let left = places.lineCount(behind: Self.mostPlaces)
    return figure(
      "Uncovered in this change",
      isUnknown ? "not known" : lines.total == 0 ? "–" : CountText.plain(lines.uncovered),
      unit: isUnknown
        ? nil
        : lines.total == 0
          ? report.coverage.unchangedSince.map(PatchCoverage.noFile) ?? integration.noLine(of: patch)
          : integration.words(ofChangedLines: patch),
      link: lines.total == 0 ? nil : "coverage.html",
      isRed: integration.hasFailedPatchGate && lines.uncovered > 0,
      isAmber: !integration.hasPatchGate && lines.uncovered > 0,
      places: sources.links(to: places, first: Self.mostPlaces),
      left: left > 0 ? "and \(CountText.counted(left, "more line"))" : nil,
      sub: left > 0 ? nil : summary.patchNote,
      subLink: patch.files.lazy.compactMap { file in
        file.partlyRan.first.flatMap { sources.link(to: file.path, line: $0) }
      }.first)
  }

  private var uncovered: TemplateValue? {
    guard let coverage = integration.coverage.coverage else {
      if integration.isUnbuilt || integration.isUntested || integration.isStopped || integration.isWithoutTests {
        return nil
      }
      let reason = if case .unavailable(let reason, _) = integration.coverage { reason } else { "" }
      return figure(
        // Why there are no tests stands in the heading.
        "Uncovered lines", "not measured", link: nil, sub: counts.listed == 0 ? nil : reason,
        subLink: integration.coverageOfOthers)
    }
    let lines = coverage.totals.lines
    guard lines.total > 0 else {
      return figure("Uncovered lines", "no lines", link: nil, sub: "No counted file contains code.")
    }
    let before = coverage.isWhole ? comparable?.totals?.lines : nil
    let compared = coverage.isWhole ? comparable?.coverageFrom : nil
    let ran = lines.covered - lines.partial
    let bar = Bar(
      [("red", lines.uncovered), ("amber", lines.partial), ("green", ran)],
      label: "\(lines.uncovered) never ran, \(lines.partial) partly ran, \(ran) ran")
    // Of none, a share would look like that of what ran.
    let share = lines.uncovered > 0 ? CountText.percent(lines.uncovered, of: lines.total) : nil
    let missing = coverage.testsMissing.map {
      Part(MissingTestsWords.missing(of: $0), link: firstMissing(isQuit: $0.quit > 0))
    }
    return figure(
      "Uncovered lines", CoverageWords.uncovered(lines, isWhole: coverage.isWhole),
      unit: "of \(CountText.plain(lines.total))",
      delta: before.flatMap {
        Delta(
          lines.uncovered, from: $0.uncovered, .moreIsWorse, byChance: integration.byChance().uncoveredChange)
      }, link: "coverage.html",
      bar: bar, parts: coverage.isComplete ? [share.map { Part($0) }, missing].compactMap(\.self) : [],
      sub: coverage.isComplete
        ? compared.map { "compared with \($0)" }
        : "incomplete: \(coverage.reason ?? "a process left no coverage data")",
      subLink: compared.flatMap { report.comparisonPages[$0] })
  }

  /// What leads to an outcome with warnings, without flaky tests and what is silenced; nil if that cannot be counted.
  private var warnings: TemplateValue? {
    let all = kindsOfWarnings
    let kinds = all.filter { $0.count > 0 || $0.change ?? 0 != 0 }
    let sum = kinds.reduce(0) { $0 + $1.count }
    if sum == 0, [.warnings, .analyzerWarnings].contains(integration.outcome), !integration.isOnlyFlaky { return nil }
    // Where not everything was compiled, they are those of an earlier build, too.
    if !integration.outcome.isBuilt, counts.listed == 0 { return nil }
    // Without other kinds, the compiler's warnings are the ones of interest.
    let known = kinds.isEmpty ? Array(all.prefix(1)) : kinds
    let there = kinds.filter { $0.count > 0 }
    let isOfCompiler = there.count <= 1 && sum == all[0].count
    let change = known.contains { $0.change == nil } ? nil : known.reduce(0) { $0 + ($1.change ?? 0) }
    let parts: [Part] =
      isOfCompiler
      ? []
      : there.map { kind in
        Part(kind.words, delta: kind.change.flatMap { $0 == change ? nil : Delta($0, from: 0, .moreIsWarning) })
      }
    let silenced = TestSum.silenced(integration.silencedWarnings.count).map { Part($0) }
    return figure(
      "Warnings", CountText.plain(sum), delta: change.flatMap { Delta($0, from: 0, .moreIsWarning) },
      link: issueIndex.entries.isEmpty || sum == 0 ? nil : IssueIndex.path,
      parts: parts + [silenced].compactMap(\.self))
  }

  /// A kind of warnings with its change, which is nil if unknown.
  private typealias WarningKind = (words: String, count: Int, change: Int?)

  /// Each kind; the compiler's come first.
  private var kindsOfWarnings: [WarningKind] {
    let found = BaselineFindings(integration)
    func change(_ count: KeyPath<BaselineFindings, Int?>) -> Int? {
      comparable.flatMap { found.change(count, from: $0.findings) }
    }
    let silenced = integration.silencedWarnings
    let before = comparable?.issues.filter { issue in
      issue.isFound && (issue.status == .silenced || silenced.contains { $0.id == issue.id })
    }
    func kind(_ noun: String, _ all: Int, _ change: Int?, holds: (Issue) -> Bool) -> WarningKind {
      let (aside, asideBefore) = (silenced.count(where: holds), before?.count(where: holds) ?? 0)
      let count = max(0, all - aside)
      // What is silenced now is not gone.
      return (CountText.counted(count, noun), count, change.map { $0 - aside + asideBefore })
    }
    let compiler = integration.warningCount
    let triggers = integration.issues.count { $0.kind == .triggerError && $0.status.isOpen }
    return [
      kind("compiler warning", compiler, comparable?.builtWarnings.map { compiler - $0 }) {
        $0.kind == .warning && $0.test == nil
      },
      kind("test warning", found.testWarnings ?? 0, change(\.testWarnings)) {
        $0.kind == .warning && $0.test != nil && $0.subject != .orderDependence
      },
      // Those of an analyzer whose step is not known are shown as well.
      kind("analyzer warning", integration.analysis.count, change(\.analyzerWarnings)) { $0.kind == .analyzerWarning },
      kind("order-dependent test", found.orderDependent ?? 0, change(\.orderDependent)) {
        $0.kind == .warning && $0.subject == .orderDependence
      },
      (CountText.counted(triggers, "failed trigger"), integration.outcome.isGreen ? triggers : 0, nil),
    ]
  }

  /// Nil for what ended before it was built: the steps tell how long the rest took.
  private var duration: TemplateValue? {
    if integration.isStopped, integration.cells.isEmpty { return nil }
    let isWarm = integration.steps.isBuildWarm
    let like = integration.builtAlike
    let isOther = isWarm != nil && like == nil && integration.timed?.isWarm != nil
    let warmth = isOther ? ", \([StepRecord].buildWords(isWarm: isWarm == true))" : ""
    let delta = like.flatMap { Delta(seconds: integration.duration, from: $0.duration) }
    return figure(
      "Duration", DurationText.fine(integration.duration), delta: delta, link: nil,
      sub: !integration.cells.isEmpty
        ? DestinationWords.built(in: integration)
        : delta == nil ? longestStep(warmth) : like.flatMap(movedStep))
  }

  private func longestStep(_ warmth: String) -> String? {
    integration.steps.max { $0.duration < $1.duration }.map { step in
      "\(StepWords.phrase(step.name)) \(DurationText.fine(step.duration))" + (step.name == .building ? warmth : "")
    }
  }

  /// Returns the step that makes at least half of the change of the duration, with its own; nil if none does.
  private func movedStep(since baseline: Baseline) -> String? {
    let whole = integration.duration - baseline.duration
    let sign: Double = whole < 0 ? -1 : 1
    let changes = integration.steps.compactMap { step in
      baseline.stepDurations[step.name].map { (step: step, before: $0, change: sign * (step.duration - $0)) }
    }
    guard let most = changes.max(by: { $0.change < $1.change }), most.change >= abs(whole) / 2 else { return nil }
    return Delta(seconds: most.step.duration, from: most.before).map {
      "\(StepWords.phrase(most.step.name)) \($0.text)"
    }
  }

  /// A part of the line below a figure.
  private struct Part {
    let text: String
    let delta: Delta?
    let link: String?

    init(_ text: String, delta: Delta? = nil, link: String? = nil) {
      (self.text, self.delta, self.link) = (text, delta, link)
    }

    var record: TemplateValue {
      .record(["text": .shown(text), "delta": delta.record, "partLink": .optional(link)])
    }
  }

  private func figure(
    _ label: String, _ value: String, unit: String? = nil, delta: Delta? = nil, link: String?, isRed: Bool = false,
    isAmber: Bool = false,
    bar: Bar? = nil, places: TemplateValue = .list([]), left: String? = nil, parts: [Part] = [], sub: String? = nil,
    subLink: String? = nil, elsewhere: TemplateValue = .missing
  ) -> TemplateValue {
    .record([
      "label": .text(label), "value": .text(value), "unit": .optional(unit),
      "delta": delta.record, "link": .optional(link), "isRed": .flag(isRed),
      "isAmber": .flag(isAmber), "bar": bar.map(\.record) ?? .missing,
      "places": places, "left": .optional(left), "parts": .list(parts.map(\.record)), "sub": .shown(ifAny: sub),
      "subLink": .optional(subLink), "elsewhere": elsewhere,
    ])
  }
}

extension Integration {
  /// The warnings that it found and that do not count, of its own destination if it has several.
  var silencedWarnings: [Issue] {
    findings.filter { issue in
      [.warning, .analyzerWarning].contains(issue.kind) && issue.status == .silenced
        && (issue.destinations.isEmpty || destination.map { issue.destinations.contains($0.name) } == true)
    }
  }

  /// Whether a failed gate names the uncovered lines of the change.
  var hasFailedPatchGate: Bool { patchGates.contains { $0.state == .failed } }

  /// Whether a gate judges how many lines of the change ran.
  var hasPatchGate: Bool { !patchGates.isEmpty }

  private var patchGates: [GateResult] {
    gates.filter { gate in
      switch CoverageGate(rule: gate.rule) {
      case .patchFullyCovered, .patch: true
      case .noLostCoverage, .ratchet, .noUncheckedChanges, nil: false
      }
    }
  }

  /// Whether a gate failed that names the lost lines.
  var hasFailedLossGate: Bool {
    gates.contains { $0.state == .failed && CoverageGate(rule: $0.rule) == .noLostCoverage }
  }

  /// Whether nothing was to be tested, and all else is green.
  var isUntested: Bool {
    outcome.isGreen && tests.counts.listed == 0 && coverage.coverage == nil
      && !omissions.contains { $0.code == .testsNotRun }
  }

  /// Whether it ended before anything was tested, and its heading says why.
  var isStopped: Bool {
    !ownOutcome.isConclusive && tests.counts.listed == 0 && coverage.coverage == nil
  }

  /// The coverage of the destination that it is measured for, relative to the top of the report of another one, which has
  /// none; nil for any other report.
  var coverageOfOthers: String? {
    guard isCell, case .unavailable(_, nil) = coverage else { return nil }
    return "\(ReportPaths.outOfCell)coverage.html"
  }

  /// Whether there was no build to test and measure, which the page already states.
  var isUnbuilt: Bool { outcome == .buildErrors && tests.counts.listed == 0 }
}
