import Model

/// The lists below the page of all tests, silenced, added and deleted tests, and how many are slow.
struct TestListSections: ReportSection {
  private static let most = 200

  let report: ReportContext

  /// The issues of tests that do not count, as a person or the bot's file says, and what the file says of other tests.
  var silenced: TemplateValue {
    let silenced = integration.issues.filter { $0.status == .silenced && $0.test != nil }
    let told = Set(silenced.filter { $0.silence?.isQuarantine == true }.compactMap(\.test))
    let entries = integration.tests.quarantine.filter { !told.contains($0.test) }
    guard !silenced.isEmpty || !entries.isEmpty else { return .missing }
    let left = silenced.count - Self.most
    return .record([
      "count": .text(QuarantineWords.silenced(silenced.count)),
      "hasRows": .flag(!silenced.isEmpty),
      "entries": entries.isEmpty ? .missing : .record(["list": .list(entries.prefix(Self.most).map(entry))]),
      "delta": integration.baseline.flatMap { baseline in
        Delta(silenced.count, from: baseline.issues.count { $0.status == .silenced && $0.test != nil }, .neutral)
      }.record,
      "rows": .list(
        silenced.prefix(Self.most).map { issue in
          .record([
            "test": issue.test.map(report.name) ?? .missing, "glyph": .text(issue.glyph),
            "message": .shown(ifAny: isInRow(issue) ? nil : FailureLine.brief(of: issue.message)),
            "reason": .shown(issue.silence?.reason ?? "no reason is known"),
            "author": .shown(issue.silence.map { $0.isQuarantine ? "the bot" : $0.author } ?? ""),
            "extent": .shown(issue.silence.map(IssueWords.extent) ?? ""),
          ])
        }),
      "left": left > 0 ? .text(CountText.counted(left, "more issue")) : .missing,
    ])
  }

  /// A test that the bot's file has in quarantine, and that has no silenced issue.
  private func entry(_ finding: QuarantinedTest.Finding) -> TemplateValue {
    .record([
      "test": .shown("\(finding.test)"), "reason": .shown(finding.reason),
      "state": .text(QuarantineWords.state(of: finding)),
    ])
  }

  /// Whether the row of its test tells what an issue is about.
  private func isInRow(_ issue: Issue) -> Bool {
    issue.test.flatMap { report.tests[$0]?.firstFailure?.message } == issue.message
  }

  /// How many tests take longer than they should; missing for none.
  var slow: TemplateValue {
    let slow = integration.slowTests
    guard !slow.isEmpty else { return .missing }
    return .record([
      "count": .text(CountText.plain(slow.count)), "mark": .text(DurationText.fine(integration.slowMark)),
      "delta": integration.deltas?.slowTests.flatMap { Delta($0, from: 0, .moreIsWorse) }.record ?? .missing,
    ])
  }

  /// How many tests were added, deleted or renamed, with the list of them, or with the row of the first one without it.
  var changesLink: TemplateValue {
    guard let words = integration.testChanges?.words else { return .missing }
    let row = markedRow
    return .record(["words": .text(words), "link": .text(row ?? "#changed"), "isWhole": .flag(row != nil)])
  }

  /// The row of the first added test, if all of them are marked as new in their rows and nothing else changed: a list
  /// would only repeat them.
  private var markedRow: String? {
    guard let changes = integration.testChanges, changes.deleted.isEmpty, changes.renamed.isEmpty else { return nil }
    let kept = integration.tests.results.keptFromBeginning
    let isMarked = changes.added.allSatisfy { id in
      report.tests[id].flatMap { report.age(of: $0, keptFromBeginningWith: kept[id]) }?.age == .newTest
    }
    return isMarked ? changes.added.first.map(paths.row(of:)) : nil
  }

  /// The tests that were added, deleted or renamed since the baseline; missing where their rows tell all of it.
  var changes: TemplateValue {
    guard let changes = integration.testChanges, let words = changes.words, markedRow == nil else { return .missing }
    let rows =
      changes.added.map { row("added", $0, remark: nil) }
      + changes.renamed.map { row("renamed", $0.to, remark: "was \($0.from)") }
      + changes.deleted.map { row("deleted", $0, remark: nil) }
    return .record([
      "heading": .text(changes.heading),
      "count": .text(words + (integration.baseline.map { " since \($0.number)" } ?? "")),
      "hasKinds": .flag(!changes.renamed.isEmpty || !changes.added.isEmpty && !changes.deleted.isEmpty),
      "rows": .list(Array(rows.prefix(Self.most))),
      "left": rows.count > Self.most ? .text(CountText.counted(rows.count - Self.most, "more test")) : .missing,
    ])
  }

  private func row(_ word: String, _ test: TestID, remark: String?) -> TemplateValue {
    .record(["word": .text(word), "test": report.name(of: test), "remark": .shown(ifAny: remark)])
  }
}

extension TestListChanges {
  /// How many tests they are, such as `3 added and 1 deleted`; nil for none.
  var words: String? {
    kinds.isEmpty ? nil : CountText.list(kinds.map { "\(CountText.plain($0.count)) \($0.word)" })
  }

  /// Such as `Added and deleted tests`.
  var heading: String { "\(CountText.list(kinds.map(\.word)).capitalizedFirst) tests" }

  private var kinds: [(count: Int, word: String)] {
    [(added.count, "added"), (deleted.count, "deleted"), (renamed.count, "renamed")].filter { $0.0 > 0 }
  }
}
