import Model

extension CoverageOverview {
  /// How many markers are told before the rest is only counted.
  private static let mostIdleMarkers = 50

  /// The markers that leave out nothing, so that nobody relies on one.
  func idleMarkers(_ coverage: Coverage) -> TemplateValue {
    guard !coverage.idleMarkers.isEmpty else { return .missing }
    let more = coverage.idleMarkers.count - Self.mostIdleMarkers
    return .record([
      "rows": .list(
        coverage.idleMarkers.prefix(Self.mostIdleMarkers).map { marker in
          .record([
            "marker": .shown(marker.marker),
            "place": .shown("\(marker.path):\(marker.line)"),
            "link": link(marker.path, marker.line).map { .shown($0) } ?? .missing,
            "words": .text(marker.words),
          ])
        }),
      "more": more > 0
        ? .text("\(CountText.counted(more, "more marker")) without effect; integration.json lists all") : .missing,
    ])
  }
}
