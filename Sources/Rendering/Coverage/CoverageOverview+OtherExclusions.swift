import Model

extension CoverageOverview {
  private static let mostPlaces = 6

  /// Returns what is left out here but counted in the baseline, or the reverse, in which case the figures of the two
  /// refer to different lines.
  ///
  /// Line by line if the lines were compared, otherwise only as sums.
  func otherExclusions(_ coverage: Coverage) -> TemplateValue {
    guard let sentence = otherLines ?? otherSums(coverage) else { return .missing }
    return .shown(sentence)
  }

  /// The lines that count in only one of the two; nil if there are none.
  private var otherLines: String? {
    guard let comparison = integration.changes?.comparison.value else { return nil }
    let (leftOut, baseline) = (comparison.leftOut, "\(comparison.baseline)")
    let remarks =
      leftOut.hiding(since: baseline, number: CountText.plain)
      + leftOut.showing(since: baseline, number: CountText.plain)
    var parts: [String] = []
    if !remarks.isEmpty {
      let list = remarks.map { $0.text(first: Self.mostPlaces) }.joined(separator: "; ")
      parts.append("Different lines are compared: \(list).")
    }
    if !leftOut.unknown.isEmpty {
      let files = CountText.list(Self.cut(leftOut.unknown))
      parts.append("Which lines are left out in only one of the two is not known in \(files).")
    }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// Returns how many lines are left out by file and marker if no lines were compared; nil if nothing differs.
  ///
  /// A file that both leave out as a whole is not mentioned: it may grow.
  private func otherSums(_ coverage: Coverage) -> String? {
    guard integration.changes?.comparison.value == nil, let baseline = integration.baseline, baseline.totals != nil,
      coverage.exclusions != baseline.exclusions
    else { return nil }
    let (now, before) = (Self.lines(coverage.exclusions), Self.lines(baseline.exclusions))
    let counted = Set(coverage.files.map(\.path))
    let sums = Set(now.keys).union(before.keys).sorted { $0.words < $1.words }.compactMap { place -> String? in
      switch (now[place], before[place]) {
      // Lines that one of the two did not have, or left out for another reason, were not counted there.
      case (let lines?, nil) where baseline.files[place.path] != nil:
        "\(CountText.counted(lines, "line")) of \(place.words) here and none in \(baseline.coverageNumber)"
      case (nil, let lines?) where counted.contains(place.path):
        "none of \(place.words) here and \(CountText.counted(lines, "line")) in \(baseline.coverageNumber)"
      case (let lines?, let others?) where place.marker != nil && lines != others:
        "\(CountText.counted(lines, "line")) of \(place.words) here and \(CountText.plain(others)) in \(baseline.coverageNumber)"
      default: nil
      }
    }
    if !sums.isEmpty {
      return "Different lines are left out: "
        + Self.cut(sums).joined(separator: "; ") + "."
    }
    let isOfParts = now.keys.contains { place in place.marker != nil && before[place] != nil }
    return isOfParts ? "Whether the same lines are left out as in \(baseline.coverageNumber) is not known." : nil
  }

  private static func cut(_ words: [String]) -> [String] {
    let left = words.count - mostPlaces
    return words.prefix(mostPlaces) + (left > 0 ? ["\(CountText.plain(left)) more"] : [])
  }

  /// A group of lines that are left out together.
  private struct Place: Hashable {
    var path: String
    /// The marker that leaves out a part of the file; nil for the whole file, regardless of the cause.
    var marker: String?

    var words: String { path + (marker.map { " (\($0))" } ?? "") }
  }

  /// Returns the number of lines left out by place; a place without a line of code hides nothing.
  private static func lines(_ exclusions: [CoverageExclusion]) -> [Place: Int] {
    var lines: [Place: Int] = [:]
    for exclusion in exclusions where exclusion.lines.total > 0 {
      let place = Place(path: exclusion.path, marker: exclusion.firstLine.map { _ in exclusion.by })
      lines[place, default: 0] += exclusion.lines.total
    }
    return lines
  }
}
