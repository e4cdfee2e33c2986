import Model

/// Who made an issue begin and end, or become another one.
extension IssuePage {
  var suspects: [Suspect] {
    issue.suspects.isEmpty ? (past.suspects ?? []).named : issue.suspects
  }

  /// What the first suspect changed beside the issue's own line, which is marked there.
  var changeBeside: SourceHunk? {
    guard let suspect = suspects.first else { return nil }
    if let change = report.quotedChange(of: issue, at: suspect.place) { return change }
    guard issue.isFound, failedGate == nil, let place = issue.location,
      let change = report.markedChange(by: suspect, of: issue), change.cutLines?.contains(place.line) != false,
      SourceExcerpt(of: place, in: sources, around: Self.around)?.shows(change) == true
    else { return nil }
    return change
  }

  /// Where the first suspect changed that, with what was done to the line, if that was in an earlier integration.
  var earlier: TemplateValue {
    guard let change = changeBeside, began != integration.number, let suspect = suspects.first else { return .missing }
    return .record(["deed": .text(suspect.verb(in: change)), "integration": number(began)])
  }

  /// The integration that the suspects are to blame for.
  private var began: Int { past.life.began }

  /// What made the issue begin or end: who did it, and what was changed.
  struct Turn {
    static let cause = "cause"
    static let end = "fix"

    var id: String
    var word: String
    /// One who did it with certainty, or those who may have done it, each with the evidence.
    var people: [[String: TemplateValue]]
    var hunks: [TemplateValue]
    /// Whether the marked lines are those that never ran.
    var isUncovered = false

    /// Whether there is more of it than the line below the heading, which has the only one who did it.
    var needsSection: Bool { people.count > 1 || !hunks.isEmpty }
  }

  var turns: [Turn] {
    let failed = failedLines
    let hunk = failed == nil && changeBeside == nil ? past.suspectedHunk : nil
    // What fixed the issue that it became fixed this one.
    let last = (heir?.issue ?? past).streaks.last
    let fixed = last?.ending == .fixed ? hunk?.line(goneWith: last?.resolution?.hunks ?? []) : nil
    let cause =
      suspects.isEmpty && failed == nil
      ? nil
      : Turn(
        id: Turn.cause, word: suspects.isEmpty ? "Where it was" : suspects.count > 1 ? "Suspects" : "Cause",
        people: suspects.map { fields(of: $0, among: suspects, since: began, beside: hunk) },
        hunks: failed
          ?? (hunk.map { [record(of: $0, in: began, own: fixed ?? suspects.first?.place)] } ?? []),
        isUncovered: failed != nil)
    let end = last?.resolution.map { resolution in
      Turn(
        id: Turn.end, word: heir == nil ? IssueWords.turn(forEndOf: issue) : "Fix",
        people: [fields(of: resolution, in: last?.end)],
        hunks: (resolution.hunks ?? []).map { record(of: $0, in: last?.end) })
    }
    return [cause, heirTurn, end].compactMap(\.self)
  }

  /// Who made the issue that came in the place of this one, and what was changed.
  private var heirTurn: Turn? {
    guard let heir else { return nil }
    let (suspects, opened) = ((heir.issue.suspects ?? []).named, heir.number)
    let hunk = heir.issue.suspectedHunk
    let hunks = hunk.map { [record(of: $0, in: opened, own: suspects.first?.place)] } ?? []
    guard !suspects.isEmpty || !hunks.isEmpty else { return nil }
    return Turn(
      id: "then", word: "\(heir.past.capitalizedFirst) in \(opened)",
      people: suspects.map { fields(of: $0, among: suspects, since: opened, beside: hunk) }, hunks: hunks)
  }

  /// What changed here of what its test ran, if it was red before: that may be why it fails otherwise now. Missing if
  /// nothing did.
  var ranChanges: TemplateValue {
    guard issue.isFound, issue.status == .unresolved, issue.kind.isOfRedTest, let test = issue.test else {
      return .missing
    }
    return TestRanSection(test, report)?.changedLines ?? .missing
  }

  func record(of turn: Turn) -> TemplateValue {
    .record([
      "id": .text(turn.id), "isCause": .flag(turn.id == Turn.cause), "word": .text(turn.word),
      "hasSection": .flag(turn.needsSection),
      "hasSeveral": .flag(turn.people.count > 1), "isUncovered": .flag(turn.isUncovered),
      "people": .list(turn.people.map(TemplateValue.record)), "hunks": .list(turn.hunks),
    ])
  }

  /// Who is suspected, with the commit, and the line; or the file, if no line speaks for it.
  ///
  /// - Parameters:
  ///   - began: the integration that the suspects are to blame for.
  ///   - hunk: the changed lines that are quoted, with their file; nil for none.
  private func fields(
    of suspect: Suspect, among suspects: [Suspect], since began: Int?, beside hunk: SourceHunk?
  ) -> [String: TemplateValue] {
    let isQuoted = suspects.count == 1 && hunk != nil && suspect.changedFile == hunk?.file
    let isTold = isQuoted || suspect.place.map { isAmongFailed($0) || isOwn($0) } == true
    let summary = suspect.commit.flatMap { commit in
      suspect.summary ?? integration.commits.first { $0.id == commit }?.summary
    }
    // Without a line and what the commit says of itself, the reason names it.
    let isInReason = suspect.place == nil && summary == nil
    return [
      "sure": .optional(suspects.count > 1 ? suspect.confidence.words : suspect.sureness(of: issue)),
      "name": .shown(suspect.name), "before": .missing,
      "commit": isInReason ? .missing : link(to: suspect.commit, in: began) ?? .missing,
      "place": .place(isTold ? nil : suspect.place),
      "placeLink": .optional(
        began == integration.number || report.stillHas(suspect.place, in: past.suspectedHunk)
          ? link(to: suspect.place) : nil),
      "note": isInReason
        ? link(to: suspect.commit, in: began, words: suspect.reason) ?? linked(suspect.reason)
        : summary.map { linked($0) } ?? .missing,
      "why": .shown(ifAny: suspect.place == nil && !isInReason && !isQuoted ? suspect.fileWords : nil),
    ]
  }

  /// Whose commit it was and what that says of itself; of several commits how many there are.
  ///
  /// - Parameter number: the integration that found it.
  private func fields(of resolution: IssueRecord.Resolution, in number: Int?) -> [String: TemplateValue] {
    let isOnly = resolution.count == 1
    return [
      "sure": .missing, "name": .shown(ifAny: IssueWords.people(of: resolution)),
      "before": isOnly ? .missing : .text("\(CountText.counted(resolution.count, "commit")) up to "),
      "commit": link(to: resolution.commit, in: number) ?? .missing, "place": .missing,
      "placeLink": .missing, "note": isOnly ? linked(resolution.summary) : .missing, "why": .missing,
    ]
  }
}
