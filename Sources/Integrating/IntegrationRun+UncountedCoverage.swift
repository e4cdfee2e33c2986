import Model

extension IntegrationRun {
  /// How much text of a kind a report shows, so that huge dependencies make no huge report.
  private static let mostBytes: [UncountedSources.Kind: Int] = [
    .test: 16_000_000, .dependency: 4_000_000, .generated: 1_000_000, .unlisted: 1_000_000,
  ]

  /// The text of the sources that do not count, by path: the package's own from the commit, the others from the build
  /// folder, where dependencies are checked out. What there is no room for is left out.
  func uncountedTexts() -> [String: [UInt8]] {
    var room = Self.mostBytes
    var texts: [String: [UInt8]] = [:]
    for source in integration.coverage.coverage?.uncounted.sources ?? [] {
      let path = source.coverage.path
      let left = room[source.kind] ?? 0
      guard !path.hasPrefix("/"), let text = text(of: source, limit: left), text.count <= left else { continue }
      room[source.kind] = left - text.count
      texts[path] = text
    }
    return texts
  }

  private func text(of other: UncountedSources.Source, limit: Int) -> [UInt8]? {
    let path = other.coverage.path
    switch other.kind {
    case .test, .unlisted: return source(path)
    case .dependency, .generated:
      guard path.hasPrefix(".build/") else { return nil }
      let name = String(path.dropFirst(".build/".count))
      // Code under test may have put anything there.
      return scratch.size(of: name) <= limit ? scratch.read(name) : nil
    }
  }
}
