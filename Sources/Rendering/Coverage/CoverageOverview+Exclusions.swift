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

  /// What was left out on request, each with its lines, so that a better figure cannot come from hiding.
  func excluded(_ coverage: Coverage) -> TemplateValue {
    guard !coverage.exclusions.isEmpty || !coverage.idleExclusions.isEmpty || !coverage.idleMarkers.isEmpty else {
      return .missing
    }
    let lines = coverage.exclusions.reduce(LineTally()) { $0 + $1.lines }
    let more = coverage.exclusions.count - Self.mostExclusions
    return .record([
      "hasRows": .flag(!coverage.exclusions.isEmpty),
      "isOfParts": .flag(coverage.excludedLines(of: coverage.files).total > 0),
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
      "onlyFirstLineOf": exclusion.onlyFirstLineOf.map { .html(FunctionRows.breakable($0)) } ?? .missing,
    ])
  }
}
