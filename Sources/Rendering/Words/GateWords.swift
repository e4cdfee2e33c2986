package import Model

extension GateResult {
  /// The maximum number of lines that are kept with a result.
  private static let mostLines = 1000

  /// Describes the judgement of a coverage condition in words.
  package init(_ judged: JudgedGate) {
    var words = GateWords()
    let sentence = words.sentence(of: judged)
    self.init(
      rule: judged.gate.rule, state: judged.state, sentence: sentence, location: judged.lines.first,
      files: words.files.isEmpty ? nil : words.files.sorted())
    lines = judged.lines.isEmpty ? nil : Array(judged.lines.prefix(Self.mostLines))
    share = judged.share.map { Tally(total: $0.total, covered: $0.covered) }
    partial = judged.share.flatMap { $0.partial > 0 ? $0.partial : nil }
    shareBefore = judged.shareBefore.map { Tally(total: $0.total, covered: $0.covered) }
  }

  /// The name and the sentence.
  package var message: String { "\(name.capitalizedFirst): \(clause)" }

  /// The sentence, to follow a colon.
  package var clause: String { sentence.lowercasedFirst }
}

extension CoverageGate.Form {
  /// When a condition of this form holds, as a phrase for help.
  package var meaning: String {
    switch self {
    case .patchFullyCovered: "every changed line ran"
    case .patch: "at least N per cent of the changed lines ran"
    case .noLostCoverage: "no unchanged line stopped running, whole or in part"
    case .ratchet: "the share of lines that ran did not fall"
    case .noUncheckedChanges: "no changed function ran without being checked by a test, as 'mutants' finds out"
    }
  }
}

/// Describes the judgement of a coverage condition in sentences.
private struct GateWords {
  /// The number of places that a sentence names before it counts the remaining lines.
  private static let mostPlaces = 10

  /// The files that the sentences name.
  private(set) var files: Set<String> = []

  mutating func sentence(of judged: JudgedGate) -> String {
    var sentences = sentences(judged, since: judged.held.map(Self.words))
    if !judged.counted.isEmpty {
      sentences.append("Gates also count files that the package's .martlet.yml leaves out: \(list(judged.counted)).")
    }
    if judged.state == .failed {
      if let held = judged.held {
        sentences.append(
          held == .nothing
            ? "Counted from the first commit, as it has not passed since."
            : "Counted from \(Self.words(held)), as it has not passed since.")
      }
      sentences += [judged.absence].compactMap(\.self)
    }
    return sentences.joined(separator: " ")
  }

  /// - Parameter base: the base of the changes, if it is earlier than usual.
  private mutating func sentences(_ judged: JudgedGate, since base: String?) -> [String] {
    switch judged.finding {
    case .noCoverage(let reason): ["No coverage. \(reason)"]
    case .incompleteCoverage(let reason):
      ["The coverage is incomplete. \(reason ?? "A process left no coverage data.")"]
    case .changesUnknown: ["It is not known what changed in the coverage."]
    case .unknown(let reason): unknown([reason ?? "The reason is unknown."])
    case .noEarlier: ["No earlier integration has complete coverage to compare with."]
    case .testsLeftOut: ["Only some tests ran."]
    case .unrelatedEarlier: ["No earlier integration with complete coverage can be compared with this one."]
    case .patch(let patch): self.patch(patch, judged, since: base)
    case .lost(let lost): self.lost(lost)
    case .ratchet(let share): ratchet(share)
    case .unchecked(let changes): unchecked(changes, judged)
    case .notTried: unknown(["No function was tried without its body."])
    }
  }

  private mutating func unchecked(_ changes: UncheckedChanges, _ judged: JudgedGate) -> [String] {
    let functions = CountText.counted(changes.judged, "changed function")
    let late = CountText.counted(changes.untried, "changed function")
    let rest =
      (changes.untried == 0 ? [] : ["There was no time for \(late)."])
      + unmapped(changes.unmapped, "Which lines changed")
    if changes.unchecked > 0 {
      let verb = CountText.agreeing(changes.unchecked, "is", "are")
      return ["\(changes.unchecked) of \(functions) \(verb) not checked by any test: \(list(judged.lines))."] + rest
    }
    if judged.state == .failed { return unknown(rest) }
    return [changes.judged == 0 ? "No changed function could be tried." : "\(functions) checked."]
  }

  private func unknown(_ reasons: [String]) -> [String] { ["It could not be judged."] + reasons }

  private mutating func patch(_ patch: PatchCoverage, _ judged: JudgedGate, since base: String?) -> [String] {
    let tally = patch.tally
    let unknown = unmapped(patch.unmapped, "Which lines changed")
    guard judged.state == .failed else { return [passed(patch, by: judged.gate.rule, since: base)] + outside(patch) }
    if judged.lines.isEmpty { return self.unknown(unknown) }
    let verdict = "\(tally.uncovered) of \(CountText.counted(tally.total, "changed line")) never ran"
    return ["\(verdict): \(list(judged.lines))."] + doubt(judged.lines) + unknown + outside(patch)
  }

  private func passed(_ patch: PatchCoverage, by rule: String, since base: String?) -> String {
    let tally = patch.tally
    guard tally.total > 0 else {
      if base == nil, case .integration(let number) = patch.origin {
        return "\(PatchCoverage.noLine(differingFrom: number).capitalizedFirst)."
      }
      return "\(PatchCoverage.noLine(since: base).capitalizedFirst)."
    }
    let (line, since) = base.map { ("line", " changed since \($0)") } ?? ("changed line", "")
    let partly = PatchCoverage.partly(tally)
    if tally.covered < tally.total {
      let share = GateResult.percent(tally.asTally, ofRule: rule)
      return "\(tally.covered) of \(CountText.counted(tally.total, line))\(since) ran (\(share ?? "0%"))\(partly)."
    }
    return "\(CountText.all(tally.total, line).capitalizedFirst)\(since) ran\(partly)."
  }

  /// Returns sentences about changed lines that are in no figure.
  private mutating func outside(_ patch: PatchCoverage) -> [String] {
    name(
      patch.leftOut.prefix(Self.mostPlaces)
        + patch.uncounted.byReason.flatMap { files, _ in
          files.prefix(Self.mostPlaces).map(\.path)
        })
    return patch.outsideSentences(first: Self.mostPlaces)
  }

  /// Returns a note that lines without a count may have run, if some are in C headers; see `FileCoverage.isHeader`.
  private func doubt(_ lines: [SourceLocation]) -> [String] {
    lines.contains { SourceSuffix.isHeader($0.file) } ? ["Not all calls from Swift into headers are counted."] : []
  }

  private mutating func lost(_ lost: LostCoverage) -> [String] {
    let (lines, parts, baseline) = (lost.lines, lost.parts, lost.baseline)
    var sentences: [String] = []
    if !lines.isEmpty {
      sentences.append("\(LostWords.lines(lines.count, since: "\(baseline)")): \(list(lines)).")
    }
    if !parts.isEmpty {
      sentences.append("\(LostWords.parts(parts.count)): \(list(parts)).")
    }
    let unknown = unmapped(lost.unmapped, "Whether lines were lost")
    if !sentences.isEmpty { return sentences + doubt(lines + parts) + unknown + uncounted(lost) }
    if !unknown.isEmpty { return self.unknown(unknown + uncounted(lost)) }
    return ["Every unchanged line that ran in \(baseline) still runs\(exceptions(lost))."]
      + [("Left out", lost.leftOut), ("No longer counted", lost.gone)].filter { !$0.1.isEmpty }
      .map { "\($0): \(list($1))." } + hiding(lost.replaced, since: baseline)
  }

  /// `, except 6 lines that are now left out and 1 line that runs by chance`; empty without any.
  private func exceptions(_ lost: LostCoverage) -> String {
    let phrases = [
      Self.phrase(lost.leftOut.count, "is now left out", "are now left out"),
      Self.phrase(lost.gone.count, "no longer counts", "no longer count"),
      Self.phrase(lost.byChance, "runs by chance", "run by chance"),
    ].compactMap(\.self)
    return phrases.isEmpty ? "" : ", except \(CountText.list(phrases))"
  }

  /// Returns sentences about lines that ran but no longer count, in addition to lost ones.
  private mutating func uncounted(_ lost: LostCoverage) -> [String] {
    let ran = "ran in \(lost.baseline)"
    return [
      (lost.leftOut, Self.phrase(lost.leftOut.count, "\(ran) is now left out", "\(ran) are now left out")),
      (lost.gone, Self.phrase(lost.gone.count, "\(ran) no longer counts", "\(ran) no longer count")),
    ].compactMap { lines, phrase in phrase.map { "\($0): \(list(lines))." } }
      + hiding(lost.replaced, since: lost.baseline)
  }

  private static func phrase(_ count: Int, _ one: String, _ many: String) -> String? {
    count == 0 ? nil : CountText.counted(count, "line that \(one)", "lines that \(many)")
  }

  private mutating func ratchet(_ share: CoverageShare) -> [String] {
    let hidden = hiding(share)
    let sentence =
      "\(share.now.covered) of \(CountText.counted(share.now.total, "line")) ran; in integration \(share.baseline) "
      + "it was \(share.before.covered) of \(share.before.total)"
    switch share.course {
    case .noCode: return ["There is no code to cover."] + hidden
    case .kept:
      let fall = share.hiding.wouldFall.map { ["Had they counted, the share \($0 ? "would" : "may") have fallen."] }
      return ["\(sentence)."] + hidden + (fall ?? [])
    case .byChance(let count):
      let which = CountText.counted(count, "line that runs by chance makes", "lines that run by chance make")
      return ["\(sentence); \(which) the difference."] + hidden
    case .fell(let causes): return ["The share fell: \(sentence)."] + self.causes(causes) + hidden
    }
  }

  private mutating func hiding(_ share: CoverageShare) -> [String] {
    let lines = "lines that counted in integration \(share.baseline) are left out now"
    guard share.hiding.isKnown else { return ["It is not known whether \(lines)."] }
    return hiding(share.hiding.lines, since: share.baseline) + unmapped(share.hiding.unmapped, "Whether \(lines)")
  }

  private mutating func causes(_ causes: CoverageShare.Causes) -> [String] {
    var sentences: [String] = []
    if !causes.uncovered.isEmpty { sentences.append("Lost or new without coverage: \(list(causes.uncovered)).") }
    if !causes.included.isEmpty { sentences.append("Counted only now, and never ran: \(list(causes.included)).") }
    if !causes.removed.isEmpty { sentences.append("Code that ran was removed: \(list(causes.removed)).") }
    if !causes.excluded.isEmpty { sentences.append("Code that ran is no longer counted: \(list(causes.excluded)).") }
    if sentences.isEmpty { sentences = unmapped(causes.unmapped, "Which lines changed") }
    return sentences.isEmpty ? ["The cause is not known."] : sentences
  }

  private mutating func hiding(_ lines: LeftOutLines, since baseline: Int) -> [String] {
    lines.hiding(since: "\(baseline)").map { remark in
      name(remark.places.places.prefix(Self.mostPlaces).map(\.path))
      return "\(remark.text(first: Self.mostPlaces))."
    }
  }

  private mutating func unmapped(_ files: [UnmappedFile], _ what: String) -> [String] {
    for obstacle in FileDifference.Obstacle.allCases {
      name(files.filter { $0.obstacle == obstacle }.prefix(Self.mostPlaces).map(\.path))
    }
    return files.sentences(what, first: Self.mostPlaces)
  }

  /// Returns the first places, and the number of remaining lines.
  private mutating func list(_ lines: [SourceLocation]) -> String {
    let places = LinePlaces(lines)
    name(places.places.prefix(Self.mostPlaces).map(\.path))
    let left = places.lineCount(behind: Self.mostPlaces)
    return places.text(first: Self.mostPlaces) + (left > 0 ? " and \(left) more" : "")
  }

  private mutating func list(_ files: [String]) -> String {
    name(files.prefix(Self.mostPlaces))
    return ShortList.text(files, first: Self.mostPlaces)
  }

  private mutating func list(_ counts: [CoverageShare.FileCount]) -> String {
    let shown = counts.prefix(Self.mostPlaces)
    name(shown.map(\.path))
    let left = counts.count - shown.count
    return shown.map { "\(CountText.counted($0.count, "line")) of \($0.path)" }.joined(separator: ", ")
      + (left > 0 ? " and of \(CountText.counted(left, "more file"))" : "")
  }

  private mutating func name(_ files: some Sequence<String>) { self.files.formUnion(files) }

  /// Returns the base of a condition, as a phrase to follow `since`.
  private static func words(_ base: GateResult.Base) -> String {
    switch base {
    case .nothing: "the beginning"
    case .commit(_, let number?): "integration \(number)"
    case .commit(_, nil): "the commit before the first integration"
    }
  }
}
