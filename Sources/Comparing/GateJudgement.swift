package import Model

/// Judges the conditions on coverage that a bot or a person set.
///
/// What cannot be judged because something went wrong fails; what cannot be judged because there is nothing earlier to
/// compare with does not.
package enum GateJudgement {
  /// How many places a sentence names before it counts the lines that are left.
  static let mostPlaces = 10
  /// How many lines are kept with a result.
  private static let mostLines = 1000

  /// Returns a result for each condition, in their order.
  ///
  /// - Parameters:
  ///   - changes: nil when the coverage was not compared at all.
  ///   - held: what earlier integrations failed the conditions against, and what the changes are told from for that.
  ///   - counted: files that count here although the package's own `.martlet.yml` leaves them out.
  package static func results(
    of gates: [CoverageGate], coverage: CoverageReport, changes: CoverageChanges?, reference: Reference = .found,
    held: GateResult.Base? = nil, counted: [String] = []
  ) -> [GateResult] {
    gates.map { gate in
      var judgement = judge(gate, coverage, changes, reference, since: held)
      if !counted.isEmpty, judgement.state != .notJudged {
        judgement.sentence += " \(sentence(counting: counted))"
        judgement.others += counted
      }
      let since = judgement.state == .failed ? held.map { " \(sentence(of: $0))" } : nil
      var result = GateResult(
        rule: gate.rule, state: judgement.state, sentence: judgement.sentence + (since ?? ""),
        location: judgement.lines.first, files: judgement.files)
      result.lines = judgement.lines.isEmpty ? nil : Array(judgement.lines.prefix(mostLines))
      (result.share, result.shareBefore) = (judgement.share, judgement.shareBefore)
      return result
    }
  }

  /// Says that files count here which the pages leave out.
  private static func sentence(counting files: [String]) -> String {
    let list = ShortList.text(files, first: mostPlaces)
    return "Gates count \(list), which only the package's own .martlet.yml leaves out."
  }

  struct Judgement {
    var state: GateResult.State
    var sentence: String
    var lines: [SourceLocation] = []
    /// Files of which the sentence may name some.
    var others: [String] = []
    /// Of the lines that are judged, and of those that they are held against.
    var share: Tally?
    var shareBefore: Tally?

    /// The files that the sentence names.
    var files: [String]? {
      let named = Set(lines.map(\.file) + others).filter { sentence.contains($0) }.sorted()
      return named.isEmpty ? nil : named
    }
  }

  private static func judge(
    _ gate: CoverageGate, _ report: CoverageReport, _ changes: CoverageChanges?, _ reference: Reference,
    since held: GateResult.Base?
  ) -> Judgement {
    switch report {
    case .unavailable(let reason):
      return Judgement(state: .failed, sentence: "There is no coverage to judge by. \(reason)")
    case .available(let coverage):
      if !coverage.isComplete {
        return Judgement(
          state: .failed, sentence: "The coverage is incomplete. \(coverage.reason ?? "A process left no counters.")")
      }
      guard let changes else {
        return Judgement(state: .failed, sentence: "What changed in the coverage was not found out.")
      }
      switch gate {
      case .patchFullyCovered: return patch(changes.patch, atLeast: nil, since: held)
      case .patch(let share): return patch(changes.patch, atLeast: share, since: held)
      case .noLostCoverage: return lost(changes.comparison, reference)
      case .ratchet: return ratchet(changes.comparison, now: coverage, reference)
      }
    }
  }

  private static func patch(
    _ answer: Answer<PatchCoverage>, atLeast share: Double?, since held: GateResult.Base?
  ) -> Judgement {
    guard case .known(let patch) = answer else { return unknown(answer.reason) }
    let tally = patch.tally
    let unknown = patch.unmapped.sentences("Which lines changed", first: mostPlaces)
    let others = patch.unmapped.map(\.path) + patch.leftOut.prefix(mostPlaces) + patch.uncounted.map(\.path)
    let outside = patch.outsideSentences(first: mostPlaces)
    // A quotient is rounded as the number in the bot's file was, so that what meets it exactly is equal to it.
    let isEnough =
      share.map { tally.total == 0 || Double(tally.covered * 100) / Double(tally.total) >= $0 }
      ?? (tally.uncovered == 0)
    guard isEnough else {
      let verdict = "\(tally.uncovered) of \(CountText.counted(tally.total, "changed line")) never ran"
      let least = share.map { "; at least \(number($0)) % should run" } ?? ""
      let lines = patch.neverRan
      return Judgement(
        state: .failed, sentence: joined(["\(verdict)\(least): \(list(lines))."] + doubt(lines) + unknown + outside),
        lines: lines, others: others, share: Tally(total: tally.total, covered: tally.covered))
    }
    if !unknown.isEmpty { return self.unknown(joined(unknown), others) }
    return Judgement(
      state: .passed, sentence: joined([passed(patch, since: held.map(words))] + outside), others: others)
  }

  /// That lines without a count may have run, where some are of headers in C; see `FileCoverage.isHeader`.
  private static func doubt(_ lines: [SourceLocation]) -> [String] {
    lines.contains { SourceSuffix.isHeader($0.file) } ? ["Calls of headers from Swift are not all counted."] : []
  }

  private static func passed(_ patch: PatchCoverage, since base: String?) -> String {
    let tally = patch.tally
    guard tally.total > 0 else {
      let words = patch.noCodeWords
      return base.map { "No line that changed since \($0) \(words)." } ?? "No changed line \(words)."
    }
    guard let base else { return "\(tally.covered) of \(CountText.counted(tally.total, "changed line")) ran." }
    return "\(tally.covered) of \(CountText.counted(tally.total, "line")) that changed since \(base) ran."
  }

  private static func lost(_ answer: Answer<CoverageComparison>, _ reference: Reference) -> Judgement {
    guard case .known(let comparison) = answer else { return earlier(answer.reason, reference) }
    let (lines, parts, baseline) = (comparison.lostLines, comparison.lostParts, comparison.baseline)
    var sentences: [String] = []
    if !lines.isEmpty {
      let what = CountText.counted(lines.count, "unchanged line that ran", "unchanged lines that ran")
      sentences.append("\(what) in \(baseline) \(lines.count == 1 ? "does" : "do") not any more: \(list(lines)).")
    }
    if !parts.isEmpty {
      sentences.append(
        parts.count == 1
          ? "1 line still runs, but a part of it that ran in \(baseline) does not any more: \(list(parts))."
          : "\(parts.count) lines still run, but parts of them that ran in \(baseline) do not any more: \(list(parts))."
      )
    }
    let unknown = comparison.unmapped.sentences("Whether lines were lost", first: mostPlaces)
    let uncounted = UncountedRan(comparison)
    let others = comparison.unmapped.map(\.path) + uncounted.paths
    if !sentences.isEmpty {
      return Judgement(
        state: .failed, sentence: joined(sentences + doubt(lines + parts) + unknown + uncounted.remarks),
        lines: lines + parts,
        others: others)
    }
    if !unknown.isEmpty { return self.unknown(joined(unknown + uncounted.remarks), others) }
    return Judgement(
      state: .passed,
      sentence: joined(
        ["Every unchanged line that ran in \(baseline) still runs\(uncounted.exceptions)."] + uncounted.places),
      others: others)
  }

  private static func ratchet(
    _ answer: Answer<CoverageComparison>, now coverage: Coverage, _ reference: Reference
  ) -> Judgement {
    guard case .known(let comparison) = answer else { return earlier(answer.reason, reference) }
    let (now, before) = (coverage.totals.lines, comparison.before.lines)
    let hidden = HiddenShare(comparison, now: coverage)
    guard now.total > 0, before.total > 0 else {
      return Judgement(
        state: .passed, sentence: joined(["There is no code whose coverage could fall."] + hidden.sentences),
        others: hidden.paths)
    }
    let sentence =
      "\(now.covered) of \(CountText.counted(now.total, "line")) ran, where in \(comparison.baseline) "
      + "it was \(before.covered) of \(before.total)"
    if !isLess(now.covered, of: now.total, than: before) {
      return Judgement(
        state: .passed, sentence: joined(["\(sentence)."] + hidden.sentences + hidden.verdict), others: hidden.paths)
    }
    // As if each of them ran now as it did then.
    let (lost, gained) = (comparison.countByChance(.lost), comparison.countByChance(.gained))
    if !isLess(now.covered + lost - gained, of: now.total, than: before) {
      let chance = lost + gained
      let which = CountText.counted(chance, "line that runs by chance makes", "lines that run by chance make")
      return Judgement(
        state: .passed, sentence: joined(["\(sentence); \(which) the difference."] + hidden.sentences),
        others: hidden.paths)
    }
    let causes = RatchetCauses(comparison)
    return Judgement(
      state: .failed, sentence: joined(["\(sentence), so the share fell."] + causes.sentences + hidden.sentences),
      lines: causes.lines, others: hidden.paths + comparison.files.map(\.path) + comparison.unmapped.map(\.path),
      share: Tally(total: now.total, covered: now.covered),
      shareBefore: Tally(total: before.total, covered: before.covered))
  }

  /// Compares fractions, so that rounding cannot hide a line.
  static func isLess(_ covered: Int, of total: Int, than before: LineTally) -> Bool {
    let one = covered.multipliedFullWidth(by: before.total)
    let other = before.covered.multipliedFullWidth(by: total)
    return (one.high, one.low) < (other.high, other.low)
  }

  private static func unknown(_ reason: String?, _ others: [String] = []) -> Judgement {
    Judgement(
      state: .failed, sentence: "It could not be judged. \(reason ?? "The reason is unknown.")", others: others)
  }

  private static func earlier(_ reason: String?, _ reference: Reference) -> Judgement {
    guard let sentence = reference.sentence else { return unknown(reason) }
    return Judgement(state: .notJudged, sentence: sentence)
  }

  private static func joined(_ sentences: [String]) -> String { sentences.joined(separator: " ") }

  /// The first places, and how many lines are left.
  static func list(_ lines: [SourceLocation]) -> String {
    let places = LinePlaces(lines)
    let left = places.lineCount(behind: mostPlaces)
    return places.text(first: mostPlaces) + (left > 0 ? " and \(left) more" : "")
  }

  private static func number(_ share: Double) -> String {
    share == share.rounded() ? "\(Int(share))" : "\(share)"
  }
}

extension CoverageComparison {
  /// How many lines would be lost or gained, did they not run by chance.
  fileprivate func countByChance(_ category: ChangeCategory) -> Int {
    files.reduce(0) { $0 + $1.byChance.count { $0.category == category } }
  }
}

extension GateJudgement {
  /// What came before an integration, for the conditions that compare it with an earlier one.
  package enum Reference: Sendable {
    /// There is one to compare with, or there may be one.
    case found
    /// No earlier integration has complete coverage.
    case none
    /// Those with complete coverage are of other branches, or of commits that are gone, or ran other tests.
    case unrelated

    /// Why there is nothing to judge by; nil when there is, or should be.
    var sentence: String? {
      switch self {
      case .found: nil
      case .none: "No earlier integration has complete coverage, so there was nothing to lose."
      case .unrelated: "No earlier integration with complete coverage can be compared with this one."
      }
    }
  }

  /// What a gate is judged against once more, because an earlier integration failed it; nil when it begins anew.
  ///
  /// It begins anew from an integration that passed it, that was not asked for it, or whose failure somebody silenced and
  /// thereby took as it is.
  ///
  /// - Parameter document: the integration that would be the base otherwise.
  package static func heldBase(of gate: CoverageGate, in document: IntegrationRecord) -> GateResult.Base? {
    owed(after: document).first { $0.rule == gate.rule }?.base
  }

  /// What an integration leaves owed: the conditions that it failed, and those that an earlier one failed and that it was
  /// not asked for.
  package static func owed(after document: IntegrationRecord) -> [GateResult] {
    let failed = (document.gates ?? []).filter { $0.state == .failed }
    return (failed + (document.owedGates ?? [])).filter { result in
      guard let base = result.base, base.number != document.number else { return false }
      return !document.issues.contains { issue in
        issue.status == .silenced && issue.knownSubject == .gate(result.rule)
      }
    }
  }

  /// Why a failed condition tells of lines that were told before.
  static func sentence(of held: GateResult.Base) -> String {
    let since = held == .nothing ? "the first commit on" : words(held)
    return "This is told from \(since), because none since then passed the gate."
  }

  /// What a condition is judged against, as a phrase that goes behind `since`.
  static func words(_ base: GateResult.Base) -> String {
    switch base {
    case .nothing: "the beginning"
    case .commit(_, let number?): "integration \(number)"
    case .commit(_, nil): "the commit before the first integration"
    }
  }
}

/// What leaving out lines did to the share of lines that ran.
struct HiddenShare {
  /// What is left out now and counted before.
  let sentences: [String]
  /// What the share would be had they counted; empty when it would not have fallen.
  let verdict: [String]
  /// The files that the sentences may name.
  let paths: [String]

  init(_ comparison: CoverageComparison, now: Coverage) {
    let leftOut = comparison.leftOut
    paths = leftOut.hidingPaths
    let isByTotals = comparison.before.lines.total > 0 && comparison.files.isEmpty && comparison.unmapped.isEmpty
    guard !isByTotals || now.exclusions.isEmpty else {
      sentences = ["Whether lines that counted in \(comparison.baseline) are left out now is not known."]
      verdict = []
      return
    }
    let unknown =
      leftOut.unknown.isEmpty
      ? []
      : comparison.unmapped.filter { leftOut.unknown.contains($0.path) }
        .sentences(
          "Whether lines that counted in \(comparison.baseline) are left out now", first: GateJudgement.mostPlaces)
    sentences =
      leftOut.hiding(since: "\(comparison.baseline)").map { "\($0.text(first: GateJudgement.mostPlaces))." } + unknown
    let (lines, before) = (now.totals.lines, comparison.before.lines)
    let total = lines.total + leftOut.hiddenCount
    func falls(_ running: Int) -> Bool { GateJudgement.isLess(lines.covered + running, of: total, than: before) }
    let verb: String? =
      falls(leftOut.runningNow.upperBound) ? "would" : falls(leftOut.runningNow.lowerBound) ? "may" : nil
    verdict = leftOut.hiddenCount == 0 ? [] : verb.map { ["Had they counted, the share \($0) have fallen."] } ?? []
  }
}
