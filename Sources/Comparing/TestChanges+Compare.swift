import Model

extension TestChanges {
  /// Compares the tests of two integrations by their full names, and those that were renamed with what they were.
  ///
  /// - Parameter earlier: the integrations before the second, including the first, which show how long each test
  ///   usually takes.
  init(from before: IntegrationRecord, to after: IntegrationRecord, earlier: [TestVerdicts]) {
    self.init()
    if let reason = before.reasonWithoutTests ?? after.reasonWithoutTests {
      self.reason = reason
      return
    }
    remarks = Self.remarks(before, after)
    isPaceKnown = false
    let names = after.names(ofTestsOf: before)
    let old = before.tests.cases.filter { names[$0.id] != nil }.keyed { names[$0.id] ?? $0.id }
    let (now, told) = (TestVerdicts(after), after.testsPassedByChance(since: before))
    let lastRed = after.lastRed
    for test in after.tests.cases {
      // One that was left out was not compared.
      if test.unaffected == true || old[test.id]?.unaffected == true { continue }
      let history = { TestHistory(of: test.id, in: [now] + earlier) }
      var change = TestChange(before: old[test.id], after: test, id: test.id)
      if change.becameFlaky {
        let history = history()
        let since = history.flakySince(test.id, after.issueRecords)
        // What happened between the two does not make it so again.
        change.flakySince = since.flatMap { $0 < before.number ? $0 : nil }
        change.lastFlaky = history.flakyIn.first { $0 < before.number } ?? change.flakySince
      }
      if change.wentRed { change.lastRed = lastRed[test.id] }
      let crossed = after.tests.slow.flatMap { slow in
        old[test.id].flatMap { paceRule.crosses(slow.mark, from: $0, to: test) ? slow.mark : nil }
      }
      add(change, earlier, crossed: crossed) { told.contains(test.id) || !history().flakyIn.isEmpty }
    }
    removed = before.tests.cases.filter { names[$0.id] == nil }.map { test in
      TestChange(before: test, after: nil, id: test.id)
    }
    measured = measurements(from: old, to: after.tests.cases)
    added.sort { one, other in
      let (isRed, isOtherRed) = (one.after?.state.isRed == true, other.after?.state.isRed == true)
      return isRed == isOtherRed ? one.id < other.id : isRed
    }
    let isSlower = { (one: TestChange, other: TestChange) in
      (other.slowdown ?? 0, one.id) < (one.slowdown ?? 0, other.id)
    }
    slower.sort(by: isSlower)
    faster.sort { ($0.slowdown ?? 0, $0.id) < ($1.slowdown ?? 0, $1.id) }
    slowNow?.tests.sort(by: isSlower)
  }

  /// - Parameters:
  ///   - crossed: the time above which the test is slow, if it was not slow before.
  ///   - endsByChance: whether the test, if it passes, is known to do so by chance.
  private mutating func add(
    _ change: TestChange, _ earlier: [TestVerdicts], crossed: Double?, endsByChance: () -> Bool
  ) {
    guard let now = change.after else { return }
    guard let old = change.before else { return added.append(change) }
    if now.state.isRed != old.state.isRed {
      if change.wentRed {
        broken.append(change)
      } else if now.state == .passed {
        if endsByChance() { passedByChance.append(change) } else { fixed.append(change) }
      } else {
        changed.append(change)
      }
    } else if old.quit != nil, now.state == .passed {
      fixed.append(change)
    } else if now.state != old.state || now.isFlaky != old.isFlaky {
      changed.append(change)
    } else if change.was != nil {
      renamed.append(change)
    } else if now.state.isRed {
      stillRed.append(change)
    } else {
      let usual = { TestPace(of: change.id, in: earlier) }
      if isPaceKnown == false, now.state == .passed { isPaceKnown = paceRule.isKnown(usual()) }
      let pace = now.state == .passed ? paceRule.change(from: old.duration, to: now.duration, usual: usual) : nil
      var paced = change
      if pace != nil { paced.usual = usual()?.median }
      switch pace {
      case .slower: slower.append(paced)
      case .faster: faster.append(paced)
      case nil:
        if let crossed {
          slowNow = SlowNow(mark: crossed, tests: (slowNow?.tests ?? []) + [change])
        } else {
          same += 1
        }
      }
    }
  }

  /// Compares the measurements of the current tests. The metrics of removed tests are not reported separately.
  private func measurements(
    from old: [TestID: IntegrationRecord.Case], to new: [IntegrationRecord.Case]
  ) -> [MeasuredTest] {
    let measured = new.flatMap { test in
      let before = MeasuredFigure.all(of: old[test.id]?.measurements ?? [])
      let after = MeasuredFigure.all(of: test.measurements ?? [])
      func row(_ before: MeasuredFigure?, _ after: MeasuredFigure?) -> MeasuredTest {
        MeasuredTest(id: test.id, displayName: test.displayName, before: before, after: after, rule: measurementRule)
      }
      return after.map { figure in row(before.first(where: figure.isComparable), figure) }
        + before.filter { figure in !after.contains(where: figure.isComparable) }.map { row($0, nil) }
    }
    let rises = measured.map { $0.change?.share ?? -.infinity }
    return measured.indices.sorted { (rises[$1], $0) < (rises[$0], $1) }.map { measured[$0] }
  }

  private static func remarks(_ before: IntegrationRecord, _ after: IntegrationRecord) -> [String] {
    var remarks: [String] = []
    for (document, other) in [(before, after), (after, before)] where document.mayLackTests {
      let listed = Set(document.tests.cases.map(\.id))
      guard other.tests.cases.contains(where: { !listed.contains($0.id) }) else { continue }
      remarks.append(
        "\(document.bot) \(document.number) is incomplete: a test missing there may still exist.")
    }
    for document in [before, after] where document.tests.isPartial {
      remarks.append(
        "\(document.bot) \(document.number) left out tests that reach nothing of what changed; they are not compared.")
    }
    let selections = [before, after].map { document in
      (document.circumstances ?? []).filter { ["tests.filter", "tests.skip"].contains($0.name) }
    }
    if selections[0] != selections[1] || (before.tests.filteredOut == 0) != (after.tests.filteredOut == 0) {
      remarks.append(
        "The two did not select the same tests, so an added or removed test may only be selected otherwise.")
    }
    return remarks
  }
}

extension IntegrationRecord {
  /// Whether there may be tests that it does not list.
  var mayLackTests: Bool {
    let codes = reasonCodes ?? []
    return codes.contains(where: \.isOfListing)
      || ownOutcome == .incomplete && (codes.isEmpty || !codes.allSatisfy(\.isOfKnownTests))
  }

  /// The tests whose failure is gone without a fix since an earlier integration of the same bot.
  fileprivate func testsPassedByChance(since earlier: IntegrationRecord) -> Set<TestID> {
    guard earlier.bot == bot else { return [] }
    return Set(
      issueRecords.filter { record in
        record.streaks.contains { $0.ending == .passedAgain && $0.closed ?? 0 > earlier.number }
      }.compactMap(\.test))
  }

  /// Returns the names in this integration of the tests of an earlier one that are still there.
  ///
  /// What was renamed is known since the baseline of the same bot; else an issue that both have follows its test.
  fileprivate func names(ofTestsOf earlier: IntegrationRecord) -> [TestID: TestID] {
    let followed = earlier.bot == bot ? testsFollowed(since: earlier) : []
    let changes = earlier.bot == bot && earlier.number == baseline ? tests.changes : nil
    let told = TestListChanges.Names(after: changes)
    var names: [TestID: TestID] = [:]
    var left = Set(tests.cases.map(\.id))
    func take(_ from: TestID, _ to: TestID?) {
      if names[from] == nil, let to, left.remove(to) != nil { names[from] = to }
    }
    // The same place may be that of another test by now.
    if changes == nil { for pair in followed where pair.to.hasPlace { take(pair.from, pair.to) } }
    for test in earlier.tests.cases { take(test.id, told[test.id]) }
    for pair in followed { take(pair.from, pair.to) }
    return names
  }

  /// The tests of the issues that an earlier integration has, too.
  private func testsFollowed(since earlier: IntegrationRecord) -> [TestListChanges.Renaming] {
    let before = earlier.findings.filter(\.kind.isOfRedTest).keyed(by: \.id, \.test)
    return findings.filter(\.kind.isOfRedTest).compactMap { issue in
      (before[issue.id] ?? nil).flatMap { from in issue.test.map { TestListChanges.Renaming(from: from, to: $0) } }
    }
  }

  /// The integrations in which its red tests were last red before they came back.
  fileprivate var lastRed: [TestID: Int] {
    let back = findings.filter(\.kind.isOfRedTest).compactMap { issue in
      issue.test.flatMap { test in issue.life?.cameBackFrom.map { (test, $0) } }
    }
    return Dictionary(back, uniquingKeysWith: max)
  }

  /// What its destinations remember of issues.
  fileprivate var issueRecords: [IssueRecord] { ([self] + (cells ?? [])).compactMap(\.issueMemory).flatMap(\.records) }
}
