package import Model

/// What an integration changed in the coverage, in one sentence for the patch and one for what was lost.
package struct ChangeSummary: Sendable {
  /// How many places a sentence names before it counts the rest.
  private static let mostPlaces = 3

  /// Lines that follow each other in one file.
  package struct Place: Hashable, Sendable {
    package var path: String
    package var lines: ClosedRange<Int>

    /// `Sources/A/A.swift:14` or `Sources/A/A.swift:14–18`.
    package var text: String {
      lines.count == 1 ? "\(path):\(lines.lowerBound)" : "\(path):\(lines.lowerBound)–\(lines.upperBound)"
    }
  }

  /// The touched lines that never ran.
  package let uncovered: [Place]
  /// The unchanged lines that ran before and do not any more.
  package let lost: [Place]
  private let changes: IntegrationDocument.ChangesSection

  package init(_ changes: IntegrationDocument.ChangesSection) {
    self.changes = changes
    uncovered = (changes.patch.files ?? []).flatMap { Self.places($0.neverRan, in: $0.path) }
    lost = (changes.files ?? []).flatMap { Self.places($0.lost ?? [], in: $0.path) }
  }

  package init(_ changes: CoverageChanges) {
    self.init(IntegrationDocument.ChangesSection(changes))
  }

  /// How many of the touched lines ran, without the places; says why when it is not known.
  package var patchFigure: String {
    guard let lines = changes.patch.lines else { return "not known: \(changes.patch.reason ?? "no reason was kept")" }
    if changes.patch.since == "nothing" { return "the commit has no parent, so all of it is new" }
    guard lines.total > 0 else { return "no changed line holds code" }
    let ran = "\(CountText.plain(lines.covered)) of \(CountText.counted(lines.total, "changed line")) ran"
    let parts = [
      lines.partial > 0 ? ", \(CountText.plain(lines.partial)) of them partly" : "",
      lines.uncovered > 0 ? "; \(CountText.plain(lines.uncovered)) never" : "",
    ]
    return ran + parts.joined()
  }

  /// The same with the first places.
  package var patch: String {
    guard changes.patch.since != "nothing", let list = Self.list(uncovered) else { return patchFigure }
    return "\(patchFigure): \(list)"
  }

  /// How many lines were lost, without the places; nil when there are none, or when it is not known.
  package var lostFigure: String? {
    guard let baseline = changes.baseline, let count = changes.lines?[.lost], count > 0 else { return nil }
    return count == 1
      ? "1 unchanged line that ran in \(baseline) does not any more"
      : "\(CountText.plain(count)) unchanged lines that ran in \(baseline) do not any more"
  }

  /// The same with the first places.
  package var lostSentence: String? {
    lostFigure.map { figure in Self.list(lost).map { "\(figure): \($0)" } ?? figure }
  }

  private static func list(_ places: [Place]) -> String? {
    guard !places.isEmpty else { return nil }
    let more = places.count - mostPlaces
    return places.prefix(mostPlaces).map(\.text).joined(separator: ", ")
      + (more > 0 ? " and \(CountText.counted(more, "more place"))" : "")
  }

  private static func places(_ lines: [Int], in path: String) -> [Place] {
    var places: [Place] = []
    for line in lines {
      if let last = places.last, line == last.lines.upperBound + 1 {
        places[places.count - 1].lines = last.lines.lowerBound...line
      } else {
        places.append(Place(path: path, lines: line...line))
      }
    }
    return places
  }
}
