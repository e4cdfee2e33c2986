package import Model

/// The past of a file as its listing shows it: the lines that are gone, and who wrote those that are there.
package struct SourceHistory: Sendable {
  /// By the line that they stood before.
  private let removals: [Int: [Removal]]
  /// Ascending.
  private let stretches: [OriginLabel]

  /// Nothing is known.
  package init() {
    removals = [:]
    stretches = []
  }

  package init(removed: [RemovedLines], origins: [LineOrigin] = [], time: LocalTime = .utc) {
    var removals: [Int: [Removal]] = [:]
    for lines in removed {
      let taken = removals[lines.before]?.reduce(0) { $0 + $1.weight } ?? 0
      removals[lines.before, default: []].append(Removal(lines, room: Removal.mostWeight - taken))
    }
    self.removals = removals
    stretches = origins.map { OriginLabel($0, time: time) }.sorted { $0.lines.lowerBound < $1.lines.lowerBound }
  }

  var hasOrigins: Bool { !stretches.isEmpty }

  /// The lines before which others stood.
  var places: some Collection<Int> { removals.keys }

  /// The lines at which a row begins because of it.
  var breaks: Set<Int> { stretches.reduce(into: Set(removals.keys)) { $0.formUnion($1.breaks) } }

  /// What lines bring with them on their page, in bytes.
  var weights: [Int: Int] {
    var weights = removals.mapValues { $0.reduce(0) { $0 + $1.weight } }
    for stretch in stretches {
      for line in stretch.lines { weights[line, default: 0] += stretch.weight }
    }
    return weights
  }

  /// The sum of all weights.
  var weight: Int {
    removals.values.joined().reduce(0) { $0 + $1.weight } + stretches.reduce(0) { $0 + $1.lines.count * $1.weight }
  }

  /// Combines all of it.
  func combine(into hash: inout PageHash) {
    hash.combine(removals.count)
    for (line, removals) in removals.sorted(by: { $0.key < $1.key }) {
      hash.combine(line)
      hash.combine(removals.count)
      for removal in removals { removal.combine(into: &hash) }
    }
    hash.combine(stretches.count)
    for stretch in stretches {
      hash.combine(stretch.lines.lowerBound)
      hash.combine(stretch.lines.upperBound)
      hash.combine(stretch.first.bytes)
    }
  }

  /// Appends a row with the lines that stood before a line, folded away.
  func appendRemoved(before line: Int, path: String, to html: inout SafeHTML) {
    for removal in removals[line] ?? [] { removal.append(path: path, to: &html) }
  }

  /// Appends the label that says who wrote the lines from a line on; nothing where that is not known.
  func appendOrigin(of line: Int, to html: inout SafeHTML) {
    guard !stretches.isEmpty else { return }
    let index = stretches.partitioningIndex { $0.lines.upperBound > line }
    guard index < stretches.count, stretches[index].lines.contains(line) else { return }
    html.append(stretches[index].lines.lowerBound == line ? stretches[index].first : stretches[index].further)
  }
}
