import Model

/// The issues of an integration by status, except those with a row on the first screen; all that are silenced are here.
struct IssuesSection: ReportSection {
  /// The maximum number of rows per status; the page of all issues has the rest.
  private static let mostPerStatus = 10

  let report: ReportContext

  private var groups: [IssueIndex.Group: [Issue]] {
    let told = report.issuesOfOthers.union(report.issues.values.map(\.id))
    let others = integration.issues.filter { issue in
      issue.status == .silenced
        || !issue.isOnFirstScreen(of: integration) && !(issue.isFound && told.contains(issue.id))
    }
    return Dictionary(grouping: others, by: IssueIndex.Group.init)
  }

  /// Missing if there are no other issues.
  var record: TemplateValue {
    let groups = groups
    guard !groups.isEmpty else { return .missing }
    let isRest = groups.reduce(0) { $0 + $1.value.count } < integration.issues.count
    let areResolved = groups.keys.allSatisfy { $0 == .resolved }
    return .record([
      "heading": .text(areResolved ? "Resolved issues" : isRest ? "Other issues" : "Issues"), "all": .optional(all),
      "hasHeads": .flag(!areResolved),
      "groups": .list(IssueIndex.Group.allCases.compactMap { group in groups[group].map { record(of: group, $0) } }),
    ])
  }

  /// The text of the link to the page of all issues.
  private var all: String? {
    guard !issueIndex.entries.isEmpty else { return nil }
    return IssueWords.all(resolved: integration.issueRecords.count { !$0.isOpen })
  }

  private func record(of group: IssueIndex.Group, _ issues: [Issue]) -> TemplateValue {
    // Issues that differ only in their places share a row.
    let alike = issues.grouped { [$0.kind.rawValue, $0.test?.description ?? "", $0.message] }
    let left = alike.dropFirst(Self.mostPerStatus).reduce(0) { $0 + $1.count }
    return .record([
      "word": .text(group.rawValue.capitalizedFirst),
      "id": .text(group.anchor), "list": .text("\(IssueIndex.path)#\(group.anchor)"),
      "count": .text(CountText.plain(issues.count)),
      "remark": .optional(remark(on: group)),
      "rows": .list(alike.prefix(Self.mostPerStatus).map(record(of:))),
      "left": left > 0 ? .text(CountText.counted(left, "more issue")) : .missing,
    ])
  }

  private func remark(on group: IssueIndex.Group) -> String? {
    switch group {
    case .cameBack: "resolved before"
    case .new, .stillOpen, .unchecked, .resolved, .dropped: nil
    case .silenced: "not counted"
    }
  }

  private func record(of alike: [Issue]) -> TemplateValue {
    guard let issue = alike.first else { return .missing }
    let message = FailureLine.brief(of: issue.message)
    // The message of a gate, which only an open one shows, begins with its name.
    let isNamedByMessage = issue.gate != nil && !issue.status.isOver
    let name = isNamedByMessage ? nil : report.name(of: issue)
    // What is silenced and not new has its name and the reason on a line.
    let isKnownSilenced = issue.status == .silenced && name != nil && (issue.life?.began ?? .max) < integration.number
    // The earlier message of a test that passes again is on its page.
    let tellsMessage = !issue.status.isOver && !isKnownSilenced || name == nil
    let left = alike.grouped { $0.location?.short }.count - 1
    let others: String? = left > 0 ? "and \(CountText.counted(left, "more place"))" : nil
    let flaky: [IssueWords.Part]? = self.flaky(endOf: issue)
    let history: [[IssueWords.Part]] =
      IssueWords.historyPhrases(of: issue, tellsDoubts: !issue.isUnchecked) + [flaky].compactMap(\.self)
    let changed: String? = linesChanged(since: issue)
    let age: [IssueWords.Part] =
      history.phrase() + [changed.map { IssueWords.Part(words: " \($0)") }].compactMap(\.self)
    // What may fail again by chance is not known to be mended.
    let mending: SourceHunk? = flaky == nil && changed == nil ? self.mending(of: issue) : nil
    let isMendedThere = mending.map { Self.isPlace(of: issue, changedBy: $0) } ?? false
    let author: String? = mending == nil ? nil : report.author(ofEndOf: issue)
    let glyph = report.glyph(of: issue)
    let gate = report.foundGate(of: issue)
    let kind: String? = isKnownSilenced ? nil : tellsMessage || issue.gate != nil ? issue.tag : issue.word
    let suspect: String? = issue.suspects.first?.sentence ?? earlierSuspect(of: alike)
    return .record([
      "glyph": .text(glyph), "style": .text(issue.style(glyph)),
      "name": .shown(ifAny: name),
      "message": tellsMessage ? .shown(message) : .missing,
      "link": .optional(issue.test.flatMap(report.link) ?? issueIndex.page(of: issue.id)),
      "kind": .optional(kind),
      "places": places(of: issue, mending: isMendedThere ? mending : nil),
      "more": .optional(gate?.morePlaces), "others": .optional(others),
      "path": issue.location.map { .shown($0.file) } ?? .missing,
      "age": age.record { report.address(of: $0, with: issue.test) },
      "fixedBy": .shown(ifAny: author), "byWord": .text(issue.gate == nil ? " by" : ", covered by"),
      "fixLink": .optional(issueIndex.page(of: issue.id).map { "\($0)#\(IssuePage.Turn.end)" }),
      "mending": .place(ifAny: isMendedThere ? nil : mending.map(Self.place(of:))),
      // Tests that run lines make a gate pass.
      "mendingWord": .text(issue.gate == nil ? " at" : author == nil ? ", covered by" : " with"),
      "mendingLink": sources.link(to: mending?.linked),
      "isBelow": .flag(issue.status == .silenced && !isKnownSilenced),
      "note": .shown(ifAny: note(of: issue, gate)), "suspect": .shown(ifAny: suspect),
      "page": .optional(issueIndex.page(of: issue.id)), "id": .shown(String(issue.id.prefix(16))),
    ])
  }
}

extension IssuesSection {
  /// Returns why an issue is silenced, or no longer is, or what more lines a gate that passes again would have needed.
  private func note(of issue: Issue, _ gate: GateResult?) -> String? {
    if let silence = issue.silence { return IssueWords.sentence(of: silence) }
    if let ended = issue.endedSilence { return IssueWords.end(of: ended) }
    return issue.status == .resolved ? gate?.neededPart : nil
  }

  /// Returns who is suspected since an earlier integration of the only issue of a row, if this one did not check it.
  private func earlierSuspect(of alike: [Issue]) -> String? {
    guard alike.count == 1, alike[0].isUnchecked else { return nil }
    return issueIndex.suspect(of: alike[0])?.accusation(of: alike[0]).capitalizedFirst
  }

  /// Returns the place of an issue, or those for which a gate failed, with a page that has it. By now something else may
  /// stand on the line of what is not found.
  ///
  /// - Parameter mending: the change of that line that ended the issue; nil if there is none.
  private func places(of issue: Issue, mending: SourceHunk?) -> TemplateValue {
    let isHere = issue.isFound || mending != nil
    let seen = isHere ? nil : report.lastSource(of: issue)
    if let lines = report.foundGate(of: issue)?.lines, !lines.isEmpty {
      return sources.links(
        to: LinePlaces(lines), first: GateResult.mostPlaces, from: isHere ? "" : nil, elsewhere: seen)
    }
    guard issue.location != nil else { return .list([]) }
    return .list([
      .record([
        "glue": .missing, "text": .place(issue.location), "after": .missing, "isUp": .flag(!isHere),
        "link": isHere ? sources.link(to: mending?.linked ?? issue.location) : .optional(seen),
      ])
    ])
  }

  /// Whether a change added the line where an issue was, so that one place says both.
  private static func isPlace(of issue: Issue, changedBy change: SourceHunk) -> Bool {
    guard issue.gate == nil, let added = change.added else { return false }
    return added.file == issue.location?.file && added.line == issue.location?.line
  }

  /// Where a change added a line, or the name of its file.
  static func place(of change: SourceHunk) -> String {
    change.added?.short ?? SourceLocation.fileName(of: change.file)
  }

  /// Returns that every line for which a gate failed was changed since, so that it passes here whether or not they run;
  /// nil if that is not known, and for any other issue.
  private func linesChanged(since issue: Issue) -> String? {
    guard issue.status == .resolved, let end = issueIndex.record(of: issue)?.streaks.last,
      end.closed == integration.number
    else { return nil }
    return report.foundGate(of: issue)?.linesChanged(by: end.resolution?.hunks ?? [])
  }

  /// Returns where the test of an issue that is gone without a fix is known to be flaky, since it may fail again; nil for
  /// any other issue.
  private func flaky(endOf issue: Issue) -> [IssueWords.Part]? {
    guard let since = integration.flakySince(endOf: issue) else { return nil }
    let history = issue.test.flatMap { integration.histories[$0] }
    return history?.flakyIn.last == since ? history.flatMap(FlakyWords.past) : [FlakyWords.since(since)]
  }

  /// Returns the only change that ended an issue in this integration, without what else changed near its line; nil if it is
  /// not known, or one of several.
  func mending(of issue: Issue) -> SourceHunk? {
    guard issue.status == .resolved, issue.ending == .fixed, let end = issueIndex.record(of: issue)?.streaks.last,
      end.closed == integration.number, end.end == integration.number, let hunks = end.resolution?.hunks,
      hunks.count == 1
    else { return nil }
    return issue.location.flatMap { hunks[0].replacing($0) } ?? hunks[0]
  }
}

extension Issue {
  /// Returns whether a row below the verdict covers the issue.
  fileprivate func isOnFirstScreen(of integration: Integration) -> Bool {
    switch kind {
    case .testFailure, .crash, .timeOut:
      // A test may be red only for another destination.
      status != .resolved && (!isCarriedOver || isOfFlaky)
        && integration.tests.results.contains { $0.id == test && ($0.state.isRed || $0.isFlaky && isOfFlaky) }
    case .quit: isFound && integration.tests.results.contains { $0.id == test && $0.quit != nil }
    case .gate: status != .resolved && integration.gates.contains { $0.rule == gate && $0.state == .failed }
    case .error, .linkerError:
      integration.diagnostics.contains { $0.severity == .error && $0.location == location && $0.message == message }
    case .warning, .analyzerWarning: integration.outcome.isGreen && isOpenWarning
    case .triggerError: isOfStoppingTrigger(in: integration)
    case .sanitizer, .serviceError, .serviceWarning: false
    }
  }
}
