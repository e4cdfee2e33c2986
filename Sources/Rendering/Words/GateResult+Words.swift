import Model

extension GateResult {
  /// The name of the gate in mid-sentence: `80% patch gate`.
  var name: String { Self.name(ofRule: rule) }

  /// The same beside the word gate: `80% patch`.
  package var shortName: String { Self.shortName(ofRule: rule) }

  /// Returns the words for a rule such as `patch=80`.
  private static func shortName(ofRule rule: String) -> String { CoverageGate(rule: rule)?.shortName ?? rule }

  /// Returns the name of the gate with a rule, in mid-sentence.
  static func name(ofRule rule: String) -> String { "\(shortName(ofRule: rule)) gate" }

  /// Returns what is said of a gate that failed, in mid-sentence: `80% patch gate failed`.
  static func failure(ofRule rule: String) -> String { "\(name(ofRule: rule)) failed" }

  /// Returns the same for the start of a line.
  static func title(ofRule rule: String) -> String { failure(ofRule: rule).capitalizedFirst }

  /// Returns the finding in its shortest form: how many changed lines ran and how many more would have to, or the
  /// number of lines that made it fail; the sentence if there is neither.
  ///
  /// - Parameters:
  ///   - baseline: the integration that the page's other figures are compared with; a gate may count from an earlier
  ///     one.
  ///   - tellsNeed: whether all lines that it judges are counted, so that more of these are needed.
  func finding(beside baseline: Int?, tellsNeed: Bool = true) -> String {
    if let share, let shareBefore { return "\(Self.words(share)) lines ran, was \(Self.words(shareBefore))" }
    if let share, share.total > 0 {
      let since = base?.number.flatMap { $0 == baseline ? nil : "since \($0)" }
      let remarks = [partial.map { "\(CountText.plain($0)) partly" }, since].compactMap(\.self)
      let ran =
        "\(CountText.plain(share.covered)) of \(CountText.counted(share.total, "changed line")) ran"
        + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))")
      return [ran, tellsNeed ? need : nil].compactMap(\.self).joined(separator: "; ")
    }
    guard let lines, !lines.isEmpty else { return sentence }
    return CountText.counted(lines.count, unit)
  }

  /// Returns the integration since which a change is counted, if the gate tells of lines changed since another; otherwise nil.
  func otherOrigin(of change: PatchCoverage) -> Int? { tellsPatch ? judgedOtherwise(than: change) : nil }

  /// Returns the same if the gate judges lines changed since another, whether or not it failed.
  func judgedOtherwise(than change: PatchCoverage) -> Int? {
    guard judgesPatch, let base, case .integration(let number) = change.origin, base.number != number
    else { return nil }
    return number
  }

  /// Returns the lines that it failed for but that a change does not have, since it counts from an earlier integration.
  func lines(earlierThan change: PatchCoverage) -> [SourceLocation] {
    guard otherOrigin(of: change) != nil else { return [] }
    let known = Set(change.neverRan)
    return (lines ?? []).filter { !known.contains($0) }
  }

  /// Whether it passed without a judgement, since no changed line counts.
  var isOfNothing: Bool { state == .passed && share?.total == 0 }

  /// The word for how it ended, capitalised, and the symbol.
  var ending: (word: String, glyph: String) {
    isOfNothing ? ("Nothing to judge", State.notJudged.glyph) : (state.word, state.glyph)
  }

  /// How many more lines would have to run, such as `5 more needed`; nil unless it asks for a share of the
  /// changed lines.
  var need: String? { lacking.map { "\(CountText.plain($0)) more needed" } }

  /// How many of the lines that never ran were enough, such as `9 of the 11 lines were enough`; nil if all are needed.
  var neededPart: String? {
    guard let lacking, let share, lacking < share.uncovered else { return nil }
    let were = CountText.agreeing(lacking, "was", "were")
    return "\(CountText.plain(lacking)) of the \(CountText.plain(share.uncovered)) lines \(were) enough"
  }

  private var lacking: Int? {
    guard case .patch(let least) = CoverageGate(rule: rule), let share, share.total > 0 else { return nil }
    // As the gate itself compares.
    let enough = (share.covered...share.total).first { Double($0 * 100) / Double(share.total) >= least } ?? share.total
    return enough > share.covered ? enough - share.covered : nil
  }

  /// Its rule and, if it judges a share, the share that ran: `80% patch (66.7%)`.
  var title: String {
    share.flatMap { Self.percent($0, ofRule: rule) }.map { "\(shortName) (\($0))" } ?? shortName
  }

  /// Its rule and why it failed, on one line.
  var line: String {
    guard tellsPatch, let lack else { return "\(shortName): \(clause)" }
    return "\(shortName): \(lack): \(places.joined(separator: " "))"
  }

  /// The number of its places that are named before the rest is counted.
  static let mostPlaces = 5

  /// The lines that it failed for, as parts of a list that stay whole: `A.swift:35–39,`, `41;` and `B.swift:16`.
  var places: [String] {
    let shown = LinePlaces(lines ?? []).places.prefix(Self.mostPlaces)
    let parts = shown.indices.map { index -> String in
      let place = shown[index]
      let isSame = index > 0 && shown[index - 1].path == place.path
      let name = isSame ? "" : "\(SourceLocation.fileName(of: place.path)):"
      guard index + 1 < shown.endIndex else { return name + place.range }
      return name + place.range + (shown[index + 1].path == place.path ? "," : ";")
    }
    return parts + [morePlaces].compactMap(\.self)
  }

  /// The same in one line of text; nil if it names none.
  var placesText: String? { places.isEmpty ? nil : places.joined(separator: " ") }

  /// How many lines are behind those places; nil if there are none.
  var morePlaces: String? {
    let left = LinePlaces(lines ?? []).lineCount(behind: Self.mostPlaces)
    return left > 0 ? "and \(CountText.counted(left, "more line"))" : nil
  }

  /// Returns what it found in an earlier integration.
  func finding(in number: Int) -> String {
    "In \(number): \(tellsPatch ? "\(finding(beside: base?.number))." : clause)"
  }

  /// Returns that all lines for which it failed were changed since, as it judges unchanged ones only; nil if some were
  /// not, and for any other gate.
  func linesChanged(by hunks: [SourceHunk]) -> String? {
    guard CoverageGate(rule: rule) == .noLostCoverage, let lines, !lines.isEmpty else { return nil }
    let areChanged = lines.allSatisfy { place in
      hunks.contains { hunk in
        hunk.file == place.file && hunk.lines.contains { $0.change == .removed && $0.number == place.line }
      }
    }
    return areChanged ? CountText.agreeing(lines.count, "as its line was changed", "as its lines were changed") : nil
  }

  /// What it finds, behind what it found in an earlier integration.
  var now: String { "Now: \(clause)" }

  /// Whether it says which changed lines never ran.
  var tellsPatch: Bool { judgesPatch && state == .failed && lines?.isEmpty == false }

  /// Whether it judges how many changed lines ran.
  private var judgesPatch: Bool {
    switch CoverageGate(rule: rule) {
    case .patchFullyCovered, .patch: share != nil
    case .noLostCoverage, .ratchet, .noUncheckedChanges, nil: false
    }
  }

  /// Returns the share in percent as everywhere, but rounded down where one that is not enough would look as if it were;
  /// nil for a share of nothing.
  static func percent(_ share: Tally, ofRule rule: String) -> String? {
    guard case .patch(let least) = CoverageGate(rule: rule), share.total > 0,
      Double(share.covered * 100) / Double(share.total) < least
    else { return CountText.percent(share.covered, of: share.total) }
    let tenths = share.covered * 1000 / share.total
    let isClose = (Double(share.covered * 1000) / Double(share.total)).rounded() >= least * 10
    return isClose ? "\(tenths / 10).\(tenths % 10)%" : CountText.percent(share.covered, of: share.total)
  }

  /// How many changed lines never ran, where these lines follow; nil unless it judges a share.
  var lack: String? {
    share.map { "\(CountText.plain($0.uncovered)) of \(CountText.counted($0.total, "changed line")) never ran" }
  }

  /// The unit that it counts.
  var unit: String { CoverageGate(rule: rule) == .noUncheckedChanges ? "function" : "line" }

  private static func words(_ share: Tally) -> String {
    "\(CountText.plain(share.covered)) of \(CountText.plain(share.total))"
  }
}

/// A gate that failed, with its issue.
struct FailedGate: Sendable {
  let gate: GateResult
  /// The page of its issue, relative to the top of the report; nil if it has none.
  let issue: String?
  /// Who changed the lines for which it failed; nil if nobody is named.
  let who: String?

  /// Returns what it found, for the template `failed-gate`.
  ///
  /// - Parameters:
  ///   - here: how many of its lines ran in the file that the page is about; nil for a page about all files.
  ///   - isNamed: whether its name stands before that; otherwise it is above.
  ///   - isCounted: whether how many lines ran stands there; otherwise it is above.
  ///   - root: the path from the page to the top of the report.
  func record(
    beside baseline: Int?, here: Tally? = nil, isNamed: Bool = true, isCounted: Bool = true, root: String = ""
  ) -> TemplateValue {
    var told = gate
    let isPart = here != nil && here != gate.share
    if isPart { (told.share, told.partial) = (here, nil) }
    // It needs lines of other files as well.
    let finding = (isPart ? "here " : "") + told.finding(beside: baseline, tellsNeed: !isPart)
    return .record([
      "title": .optional(isNamed ? GateResult.title(ofRule: gate.rule) : nil),
      "issue": .optional(issue.map { root + $0 }),
      "finding": .shown(isCounted || isPart ? finding : gate.need ?? finding),
      "who": .shown(ifAny: who),
    ])
  }
}

extension Integration {
  /// The gates that failed, each with its issue.
  var failedGates: [FailedGate] {
    let failed = gates.filter { $0.state == .failed }
    guard !failed.isEmpty else { return [] }
    let index = IssueIndex(self)
    return failed.map { gate in
      let issue = issues.first { $0.gate == gate.rule && $0.status != .resolved }
      let suspect = issue.flatMap(index.suspect).flatMap { $0.place == nil ? nil : $0 }
      return FailedGate(
        gate: gate, issue: issue.flatMap { index.page(of: $0.id) }, who: issue.flatMap { suspect?.names(of: $0) })
    }
  }

  /// Whether tests passed and none did anything worse: if it is red, gates are all that failed.
  var hasPassedTests: Bool {
    let counts = tests.counts
    let isComplete = reasons.allSatisfy { reason in
      switch reason {
      case .gateFailed, .testsFlaky: true
      default: false
      }
    }
    return isComplete && counts.passed > 0 && counts.red + counts.canceled == 0 && TestSum.missing(in: counts).isEmpty
  }

  /// Returns how many of the changed lines that a gate failed for ran in a file; nil for a gate of another kind.
  func tally(of gate: GateResult, in path: String) -> Tally? {
    guard gate.tellsPatch, let changes, let change = changes.patch.value else { return nil }
    let since = gate.otherOrigin(of: change) == nil ? nil : gate.base?.number
    let patch: PatchCoverage? =
      if let since { changes.counted.first { $0.origin == .integration(since) } } else { change }
    return patch?.files.first { $0.path == path }?.tally.asTally
  }

  /// The lines of earlier changes that failed gates count, whether they ran or not, each with the integration since which
  /// it is counted, by path.
  var linesOfEarlierChanges: [String: [Int: Int]] {
    guard let changes, let change = changes.patch.value else { return [:] }
    let own = change.files.keyed(by: \.path, \.lines)
    return gates.filter { $0.state == .failed }.reduce(into: [:]) { found, gate in
      guard gate.otherOrigin(of: change) != nil, let since = gate.base?.number,
        let patch = changes.counted.first(where: { $0.origin == .integration(since) })
      else { return }
      for file in patch.files {
        for line in file.lines.subtracting(own[file.path] ?? []) { found[file.path, default: [:]][line] = since }
      }
    }
  }
}
