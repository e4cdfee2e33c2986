/// A counted file whose lines could not be followed from one commit to another.
package struct UnmappedFile: Hashable, Sendable {
  package var path: String
  package var obstacle: FileDifference.Obstacle

  package init(path: String, obstacle: FileDifference.Obstacle) {
    self.path = path
    self.obstacle = obstacle
  }
}

extension [UnmappedFile] {
  /// A sentence for each reason, with the first files that it holds for; empty when there are no files.
  ///
  /// - Parameter what: what is not known, such as `Which lines changed`.
  package func sentences(_ what: String, first count: Int) -> [String] {
    let reasons: [FileDifference.Obstacle] = FileDifference.Obstacle.allCases
    return reasons.compactMap { reason in
      let paths = filter { $0.obstacle == reason }.map(\.path)
      guard !paths.isEmpty else { return nil }
      return "\(what) is not known in \(ShortList.text(paths, first: count)), because \(reason.words)."
    }
  }
}
