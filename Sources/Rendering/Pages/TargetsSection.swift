import Model

/// The tests by target, with the counts that account for all of them.
struct TargetsSection: ReportSection {
  let report: ReportContext

  /// Missing where the tile of the tests tells all. The targets are folded where there is no news of them.
  var record: TemplateValue {
    let targets = report.tree.targets
    let counts = report.judgedTests.counts
    let known = JudgedTests.before(integration) { $0.silencedSinceBaseline }
    var before = known?.counts
    // Of the targets it is not known how many were flaky.
    before?.flaky = counts.flaky
    let isNews = counts.steady + counts.skipped < counts.listed || before.map { $0 != counts } ?? false
    guard targets.count > 1 || counts.filteredOut > 0 else { return .missing }
    return .record([
      "hasTargets": .flag(targets.count > 1),
      "folded": isNews || targets.count == 1 ? .missing : .text(CountText.counted(targets.count, "target")),
      "hasRed": .flag(report.judgedTests.red > 0 || known.map { $0.red > 0 } ?? false),
      "hasSilenced": .flag(!silenced.isEmpty), "hasFlaky": .flag(counts.flaky > 0),
      "hasKnown": .flag(counts.expectedFailures > 0), "hasSkipped": .flag(counts.skipped > 0),
      "hasCanceled": .flag(counts.canceled > 0), "hasQuit": .flag(counts.quit > 0),
      "hasNotRun": .flag(counts.unseen > 0), "hasTime": .flag(!report.judgedTests.isOfSeveral),
      "rows": .list(targets.map { record(of: $0, before: known) }),
      "filteredOut": counts.filteredOut > 0 ? filteredOut : .missing,
    ])
  }

  private var silenced: Set<TestID> { report.judgedTests.silenced }

  private var filteredOut: TemplateValue {
    let before = integration.baseline?.reachedTests?.filteredOut
    return .record([
      "count": .text(CountText.counted(counts.filteredOut, "test")),
      "delta": before.flatMap { $0 == counts.filteredOut ? nil : Delta(counts.filteredOut, from: $0, .neutral) }.record,
    ])
  }

  private func record(of target: TestTree.Target, before known: JudgedTests?) -> TemplateValue {
    let (name, tests) = (target.name, target.tests)
    let counts = TestCounts(of: tests)
    let canCompare = integration.outcome.isBuilt
    let before = canCompare ? known.map { TestCounts(of: $0.results.filter { $0.id.module == name }) } : nil
    // A column without changes has no deltas.
    func delta(_ count: KeyPath<TestCounts, Int>, _ direction: Delta.Direction) -> TemplateValue {
      before.flatMap { before in
        let (now, then) = (counts[keyPath: count], before[keyPath: count])
        return now == then ? nil : Delta(now, from: then, direction)
      }.record
    }
    // The history of a deleted test, which may have been flaky, is not known.
    let isFlakyKnown = known.map { $0.counts.flaky == $0.results.count(where: \.isFlaky) } ?? false
    let quiet = silenced.count { $0.module == name }
    let red = counts.red - quiet
    let redBefore = before.map { $0.red - (known?.silenced.count { $0.module == name } ?? 0) }
    return .record([
      "name": .shown(name), "link": .text(paths.rows(ofTarget: name)),
      "listed": .text(CountText.plain(counts.listed)),
      "listedDelta": before.flatMap { Delta(counts.listed, from: $0.listed, .neutral) }.record,
      "red": .text(CountText.plain(red)), "isRed": .flag(red > 0),
      "redDelta": redBefore.flatMap {
        Delta.ofRed(red, from: $0, notRun: counts.notRun - (before?.notRun ?? 0))
      }.record,
      "silenced": .text(CountText.plain(quiet)), "flaky": .text(CountText.plain(counts.flaky)),
      "flakyDelta": isFlakyKnown ? delta(\.flaky, .moreIsWarning) : .missing,
      "passed": .text(CountText.plain(counts.steady)), "known": .text(CountText.plain(counts.expectedFailures)),
      "skipped": .text(CountText.plain(counts.skipped)), "canceled": .text(CountText.plain(counts.canceled)),
      "notRun": .text(CountText.plain(counts.unseen)), "quit": .text(CountText.plain(counts.quit)),
      "passedDelta": isFlakyKnown ? delta(\.steady, .moreIsBetter) : .missing,
      "knownDelta": delta(\.expectedFailures, .neutral),
      "skippedDelta": delta(\.skipped, .neutral), "canceledDelta": delta(\.canceled, .neutral),
      "notRunDelta": delta(\.unseen, .moreIsWorse), "quitDelta": delta(\.quit, .moreIsWorse),
      "time": report.judgedTests.isOfSeveral ? .missing : .text(DurationText.fine(ifKnown: tests.ownTime)),
    ])
  }
}

extension TestResult {
  /// Creates a test of an earlier integration, as far as counting requires.
  init(_ id: TestID, _ state: TestState, in baseline: Baseline?, _ history: TestHistory? = nil) {
    self.init(id: id, library: .xctest, state: state)
    let verdict = history?.moments.first { $0.number == baseline?.number }?.verdict
    isFlaky = state == .passed && verdict?.isFlaky == true
    if baseline?.quits.contains(id) == true { quit = ProcessQuit() }
  }
}
