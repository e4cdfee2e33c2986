import Model

extension Coverage {
  /// How many lines of files that are counted otherwise are left out.
  func excludedLines(of files: [FileCoverage]) -> Int {
    guard !exclusions.isEmpty else { return 0 }
    let paths = Set(files.map(\.path))
    return exclusions.reduce(0) { $0 + ($1.firstLine != nil && paths.contains($1.path) ? $1.lines.total : 0) }
  }
}

extension CoverageOverview {
  private static let mostExclusions = 500

  /// What is left out here and was not in the baseline, or the reverse: figures of both then speak of different lines.
  func otherExclusions(_ coverage: Coverage) -> TemplateValue {
    guard let baseline = integration.baseline, baseline.totals != nil else { return .missing }
    var change: [String: Int] = [:]
    for exclusion in coverage.exclusions { change[Self.place(of: exclusion), default: 0] += exclusion.lines.total }
    for exclusion in baseline.exclusions { change[Self.place(of: exclusion), default: 0] -= exclusion.lines.total }
    let more = change.filter { $0.value > 0 }
    let fewer = change.filter { $0.value < 0 }
    guard !more.isEmpty || !fewer.isEmpty else { return .missing }
    let parts = [
      Self.sentence("left out here and counted", in: baseline.number, more),
      Self.sentence("counted here and left out", in: baseline.number, fewer.mapValues { -$0 }),
    ]
    return .shown("Not the same lines are compared: \(parts.compactMap { $0 }.joined(separator: "; ")).")
  }

  private static func place(of exclusion: CoverageExclusion) -> String { "\(exclusion.path) (\(exclusion.by))" }

  private static func sentence(_ words: String, in baseline: Int, _ places: [String: Int]) -> String? {
    guard !places.isEmpty else { return nil }
    let names = places.keys.sorted()
    let shown = names.prefix(6) + (names.count > 6 ? ["\(CountText.plain(names.count - 6)) more"] : [])
    let lines = CountText.counted(places.values.reduce(0, +), "line")
    return "\(lines) \(words) in \(baseline), of \(CountText.list(Array(shown)))"
  }

  /// What was left out on request, each with its lines, so that a better figure cannot come from hiding.
  func excluded(_ coverage: Coverage) -> TemplateValue {
    guard !coverage.exclusions.isEmpty else { return .missing }
    let lines = coverage.exclusions.reduce(LineTally()) { $0 + $1.lines }
    let more = coverage.exclusions.count - Self.mostExclusions
    return .record([
      "sum": .text(
        "\(CountText.counted(lines.total, "line")), \(CountText.plain(lines.uncovered)) of them never ran"),
      "rows": .list(coverage.exclusions.prefix(Self.mostExclusions).map(row)),
      "more": more > 0 ? .text("and \(CountText.plain(more)) more; integration.json lists all") : .missing,
    ])
  }

  private func row(_ exclusion: CoverageExclusion) -> TemplateValue {
    var place = exclusion.path
    if let first = exclusion.firstLine, let last = exclusion.lastLine {
      place += first == last ? ":\(first)" : ":\(first)–\(last)"
    }
    return .record([
      "place": .shown(place),
      "link": link(exclusion.path, exclusion.firstLine).map { .shown($0) } ?? .missing,
      "lines": .text(CountText.plain(exclusion.lines.total)),
      "uncovered": .text(CountText.plain(exclusion.lines.uncovered)),
      "by": .shown(exclusion.by),
    ])
  }
}
