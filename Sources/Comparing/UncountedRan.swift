import Model

/// The unchanged lines that ran before and of which nobody can say that they still run.
struct UncountedRan {
  private let baseline: Int
  private let byChance: Int
  private let leftOut: [SourceLocation]
  /// Lines that are no code any more, or belong to no counted target, though nobody asked to leave them out.
  private let gone: [SourceLocation]
  private let replaced: [String]
  /// The files that the sentences may name.
  let paths: [String]

  init(_ comparison: CoverageComparison) {
    baseline = comparison.baseline
    byChance = comparison.files.reduce(0) { $0 + $1.linesLostByChance.count }
    leftOut = comparison.leftOut.hiddenThatRan
    let known = Set(leftOut)
    gone = comparison.files.flatMap { file in
      file.excluded.filter { $0.category == .excludedRan }.map { line in
        SourceLocation(file: file.newPath ?? file.path, line: line.line)
      }
    }.filter { !known.contains($0) }
    var changed = comparison.leftOut
    changed.hidden = []
    replaced = changed.hiding(since: "\(baseline)").map { "\($0.text(first: GateJudgement.mostPlaces))." }
    paths = comparison.leftOut.hidingPaths + gone.map(\.file)
  }

  /// `, apart from 6 lines that are left out now and 1 line that runs by chance`; empty without any.
  var exceptions: String {
    let phrases = [
      Self.phrase(leftOut.count, "is left out now", "are left out now"),
      Self.phrase(gone.count, "counts no longer", "count no longer"),
      Self.phrase(byChance, "runs by chance", "run by chance"),
    ].compactMap(\.self)
    return phrases.isEmpty ? "" : ", apart from \(CountText.list(phrases))"
  }

  /// Where they are; those that run by chance are told elsewhere.
  var places: [String] {
    [("Left out", leftOut), ("No longer counted", gone)].filter { !$0.1.isEmpty }
      .map { "\($0): \(GateJudgement.list($1))." } + replaced
  }

  /// The same for a sentence that says that others were lost.
  var remarks: [String] {
    func remark(_ lines: [SourceLocation], _ one: String, _ many: String) -> String? {
      Self.phrase(lines.count, "ran in \(baseline) \(one)", "ran in \(baseline) \(many)").map {
        "\($0): \(GateJudgement.list(lines))."
      }
    }
    return [
      remark(leftOut, "is left out now", "are left out now"), remark(gone, "counts no longer", "count no longer"),
    ].compactMap(\.self) + replaced
  }

  private static func phrase(_ count: Int, _ one: String, _ many: String) -> String? {
    count == 0 ? nil : "\(CountText.counted(count, "line")) that \(count == 1 ? one : many)"
  }
}

extension FileComparison {
  /// The lines that would be lost, wholly or a part of them, did they not run by chance.
  fileprivate var linesLostByChance: Set<Int> {
    Set(byChance.lazy.filter { $0.category == .lost }.map(\.line) + partsByChance)
  }
}
