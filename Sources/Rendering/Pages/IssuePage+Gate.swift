import Model

/// What the page of a failed gate's issue says of the gate, also when it passes again.
extension IssuePage {
  /// What the gate found when it failed last; nil for any other issue, and in older memories.
  var foundGate: GateResult? { report.foundGate(of: issue) }

  /// The gate, if it passes here for the first time since it failed.
  var passedGate: GateResult? {
    past.streaks.last?.closed == integration.number ? report.passedGate(of: issue) : nil
  }

  /// What the gate found in the integration in which it failed last.
  var earlierFinding: String? { past.streaks.last.flatMap { streak in foundGate?.finding(in: streak.lastSeen) } }

  /// What a failed gate found, whose lines follow if they are known, or what one found that passes again here.
  var gateLine: TemplateValue? {
    gateText.map { .record(["operands": .missing, "text": .shown($0), "note": .missing]) }
  }

  /// What a failed gate found that tells of no changed lines, with its lines as links, for the template `linked`.
  var gateSentence: [TemplateValue]? {
    guard let failedGate, !failedGate.tellsPatch else { return nil }
    return PlacedSentence(failedGate.sentence, naming: failedGate.files ?? []).parts.map { part in
      linked(part.words, to: link(to: part.place))
    }
  }

  private var gateText: String? {
    if let failedGate {
      guard let lack = failedGate.lack else { return failedGate.sentence }
      guard failedGate.need != nil else { return "\(lack):" }
      let end = failedGate.neededPart == nil ? ". Never ran:" : ", any of these:"
      return failedGate.finding(beside: integration.baseline?.number) + end
    }
    guard let passedGate else { return earlierFinding }
    return earlierFinding == nil ? passedGate.sentence : passedGate.now
  }

  /// Whether the lines for which the gate fails follow that line.
  var tellsLines: Bool { failedGate?.tellsPatch == true }

  /// Those lines, with their sources.
  var toldLines: TemplateValue {
    guard tellsLines, let lines = failedGate?.lines else { return .list([]) }
    return sources.links(to: LinePlaces(lines), first: GateResult.mostPlaces, from: "../")
  }

  /// Returns where the issue is, unless the line below the heading says so.
  ///
  /// - Parameter isQuoted: whether the source below has the path.
  func place(besideSource isQuoted: Bool) -> String? {
    if let places = foundGate?.placesText { return failedGate == nil ? places : nil }
    return issue.location.map { place in
      if !issue.isFound { return place.short }
      return !isQuoted ? place.description : issue.test == nil ? place.shortWithColumn : place.short
    }
  }

  /// Whether a line is the one that the page names as the issue's.
  func isOwn(_ place: SourceLocation) -> Bool {
    let own = issue.location
    return foundGate == nil && place.file == own?.file && place.line == own?.line
  }

  /// Whether a line is among those for which the gate failed, which the page names.
  func isAmongFailed(_ place: SourceLocation) -> Bool {
    foundGate?.lines?.contains { $0.file == place.file && $0.line == place.line } == true
  }

  /// Returns what stands above some of those lines, which follow on one another: their file, and what of it a test has
  /// to call.
  func caption(of lines: [SourceLocation]) -> String {
    guard let first = lines.first, let last = lines.last, first.line <= last.line else { return "" }
    let file = integration.coverage.coverage?.files.first { $0.path == first.file }
    guard let functions = file.map({ BlockFunctions(first.line...last.line, in: $0) }), functions.areUncalled,
      let words = functions.sentence(in: foundGate?.tellsPatch == false ? integration.number : nil)
    else { return first.file }
    return "\(first.file): \(words)"
  }

  /// The lines for which the gate failed, as they were then; nil if the page quotes those of this integration.
  var failedLines: [TemplateValue]? {
    guard !issue.isFound, let gate = foundGate, let hunks = past.failedLines else { return nil }
    let lines = Dictionary(grouping: gate.lines ?? [], by: \.file)
    return hunks.map { hunk in
      record(of: hunk, in: past.streaks.last?.lastSeen, hot: Set((lines[hunk.file] ?? []).map(\.line)))
    }
  }
}
