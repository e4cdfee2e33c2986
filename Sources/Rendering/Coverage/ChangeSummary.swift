package import Model

/// What an integration changed in the coverage, in one sentence for the patch and one for what was lost.
package struct ChangeSummary: Sendable {
  /// How many places a sentence names before it counts the rest.
  private static let mostPlaces = 3

  /// The touched lines that never ran.
  package let uncovered: LinePlaces
  /// The unchanged lines that ran before and do not any more.
  package let lost: LinePlaces
  private let changes: IntegrationDocument.ChangesSection

  package init(_ changes: IntegrationDocument.ChangesSection) {
    self.changes = changes
    uncovered = Self.places((changes.patch.files ?? []).map { ($0.path, $0.neverRan) })
    lost = Self.places((changes.files ?? []).map { ($0.path, $0.lost ?? []) })
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

  private static func list(_ lines: LinePlaces) -> String? {
    guard !lines.places.isEmpty else { return nil }
    let left = lines.lineCount(behind: mostPlaces)
    return lines.text(first: mostPlaces) + (left > 0 ? " and \(CountText.counted(left, "more line"))" : "")
  }

  private static func places(_ files: [(path: String, lines: [Int])]) -> LinePlaces {
    LinePlaces(files.flatMap { file in file.lines.map { SourceLocation(file: file.path, line: $0) } })
  }
}
