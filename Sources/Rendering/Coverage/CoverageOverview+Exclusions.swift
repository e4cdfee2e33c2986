import Model

extension Coverage {
  /// The lines of files that are counted otherwise, as far as they are left out.
  func excludedLines(of files: [FileCoverage]) -> LineTally {
    guard !exclusions.isEmpty else { return LineTally() }
    let paths = Set(files.map(\.path))
    return exclusions.filter { $0.firstLine != nil && paths.contains($0.path) }
      .reduce(LineTally()) { $0 + $1.lines }
  }
}

extension CoverageOverview {
  private static let mostExclusions = 500

  /// What is left out here and was not in the baseline, or the reverse: figures of both then speak of different lines.
  ///
  /// A file that is left out as a whole in both may grow; of lines behind a marker it is told how many more there are.
  func otherExclusions(_ coverage: Coverage) -> TemplateValue {
    guard let baseline = integration.baseline, baseline.totals != nil else { return .missing }
    let (now, before) = (Self.lines(coverage.exclusions), Self.lines(baseline.exclusions))
    let counted = Set(coverage.files.map(\.path))
    // What one of them did not have, or left out for another reason, was not counted there.
    let hidden = now.filter { before[$0.key] == nil && baseline.files[$0.key.path] != nil }
    let shown = before.filter { now[$0.key] == nil && counted.contains($0.key.path) }
    var (more, fewer): ([Place: Int], [Place: Int]) = ([:], [:])
    for (place, lines) in now where place.marker != nil {
      guard let change = before[place].map({ lines - $0 }), change != 0 else { continue }
      if change > 0 { more[place] = change } else { fewer[place] = -change }
    }
    let parts = [
      Self.sentence("left out here and counted in \(baseline.coverageNumber)", hidden),
      Self.sentence("counted here and left out in \(baseline.coverageNumber)", shown),
      Self.sentence("more left out than in \(baseline.coverageNumber)", more),
      Self.sentence("fewer left out than in \(baseline.coverageNumber)", fewer),
    ].compactMap { $0 }
    guard !parts.isEmpty else { return .missing }
    return .shown("Not the same lines are compared: \(parts.joined(separator: "; ")).")
  }

  /// What is left out together.
  private struct Place: Hashable {
    var path: String
    /// What asks for a part of the file; nil for the whole of it, whoever asks.
    var marker: String?

    var words: String { path + (marker.map { " (\($0))" } ?? "") }
  }

  /// The lines that are left out, by place; a place without a line of code hides nothing.
  private static func lines(_ exclusions: [CoverageExclusion]) -> [Place: Int] {
    var lines: [Place: Int] = [:]
    for exclusion in exclusions where exclusion.lines.total > 0 {
      let place = Place(path: exclusion.path, marker: exclusion.firstLine.map { _ in exclusion.by })
      lines[place, default: 0] += exclusion.lines.total
    }
    return lines
  }

  private static func sentence(_ words: String, _ places: [Place: Int]) -> String? {
    guard !places.isEmpty else { return nil }
    let names = places.keys.map(\.words).sorted()
    let shown = names.prefix(6) + (names.count > 6 ? ["\(CountText.plain(names.count - 6)) more"] : [])
    let lines = CountText.counted(places.values.reduce(0, +), "line")
    return "\(lines) \(words), of \(CountText.list(Array(shown)))"
  }

  /// What was left out on request, each with its lines, so that a better figure cannot come from hiding.
  func excluded(_ coverage: Coverage) -> TemplateValue {
    guard !coverage.exclusions.isEmpty || !coverage.idleExclusions.isEmpty || !coverage.idleMarkers.isEmpty else {
      return .missing
    }
    let lines = coverage.exclusions.reduce(LineTally()) { $0 + $1.lines }
    let more = coverage.exclusions.count - Self.mostExclusions
    return .record([
      "hasRows": .flag(!coverage.exclusions.isEmpty),
      "idle": .list(coverage.idleExclusions.prefix(Self.mostExclusions).map { .shown($0) }),
      "markers": idleMarkers(coverage),
      "sum": .text(
        coverage.exclusions.isEmpty
          ? "nothing"
          : "\(CountText.counted(lines.total, "line")), \(CountText.plain(lines.uncovered)) of them never ran"),
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
      "neverEnded": .flag(exclusion.neverEnded == true),
    ])
  }
}
