import Model

/// What the page of all tests tells beside their rows: what is silenced of others, deleted tests, how many are slow.
struct TestListSections: ReportSection {
  private static let most = 200

  let report: ReportContext

  /// The issues that do not count of tests whose rows do not say so, and what the bot's file says of other tests.
  var silenced: TemplateValue {
    let ofTests = integration.issues.filter { $0.status == .silenced && $0.test != nil }
    let told = Set(ofTests.filter { $0.silence?.isQuarantine == true }.compactMap(\.test))
    let entries = integration.tests.quarantine.filter { !told.contains($0.test) }
    let inRows = integration.silencedTests
    let silenced = ofTests.filter { issue in issue.test.map { inRows[$0] == nil } == true }
    guard !silenced.isEmpty || !entries.isEmpty else { return .missing }
    let left = silenced.count - Self.most
    return .record([
      "count": .optional(silenced.isEmpty ? nil : QuarantineWords.silenced(silenced.count)),
      "hasRows": .flag(!silenced.isEmpty),
      "entries": entries.isEmpty ? .missing : .record(["list": .list(entries.prefix(Self.most).map(entry))]),
      "rows": .list(
        silenced.prefix(Self.most).map { issue in
          .record([
            "test": issue.test.map(report.name) ?? .missing, "glyph": .text(issue.glyph),
            "message": .shown(ifAny: isInRow(issue) ? nil : FailureLine.brief(of: issue.message)),
            "reason": .shown(issue.silence?.reason ?? "no reason is known"),
            "author": .shown(issue.silence.map { $0.isQuarantine ? integration.botFile : $0.authorName } ?? ""),
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

  /// How many tests were added, deleted and renamed: the row of the first of each, or the list of the deleted ones.
  var changeLinks: [TemplateValue] {
    guard let changes = integration.testChanges else { return [] }
    let firsts = [changes.added.first, nil, changes.renamed.first?.to]
    let links = zip(changes.kinds, firsts).filter { $0.0.count > 0 }
    // Other pages lead to the list, or to what stands for it.
    return links.enumerated().map { index, link in
      .record([
        "words": .text(link.0.words), "link": .text(link.1.map(paths.row(of:)) ?? "#\(Self.anchor)"),
        "anchor": index == 0 && changes.deleted.isEmpty ? .text(Self.anchor) : .missing,
      ])
    }
  }

  private static let anchor = "changed"

  /// The tests that were deleted since the baseline, which have no rows.
  var deleted: TemplateValue {
    guard let deleted = integration.testChanges?.deleted, !deleted.isEmpty else { return .missing }
    return .record([
      "count": .text(CountText.plain(deleted.count) + (integration.baseline.map { " since \($0.number)" } ?? "")),
      "rows": .list(deleted.prefix(Self.most).map(name(ofDeleted:))),
      "left": deleted.count > Self.most ? .text(CountText.counted(deleted.count - Self.most, "more test")) : .missing,
    ])
  }

  /// Returns the author's name of a deleted test, if it has one, and what its source calls it.
  private func name(ofDeleted test: TestID) -> TemplateValue {
    guard let title = report.deletedNames[test] else { return report.name(of: test) }
    return .record(["name": .shown(title), "suite": .shown("\(test.home)/\(test.name)"), "link": .missing])
  }
}

extension TestListChanges {
  /// How many tests they are, such as `3 added and 1 deleted`; nil for none.
  var words: String? { kinds.filter { $0.count > 0 }.map(\.words).nonEmpty.map { CountText.list($0) } }

  /// How many were added, deleted and renamed.
  fileprivate var kinds: [(count: Int, words: String)] {
    [(added.count, "added"), (deleted.count, "deleted"), (renamed.count, "renamed")].map {
      ($0.0, "\(CountText.plain($0.0)) \($0.1)")
    }
  }
}

extension Integration {
  /// The file of its bot.
  var botFile: String { WatchState.BotState.file(of: bot) }
}
