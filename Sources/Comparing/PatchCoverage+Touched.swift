package import Model

extension PatchCoverage {
  /// Takes from a coverage the lines that a diff touched.
  ///
  /// - Parameter difference: from the state before the commits to this one, with paths as the coverage has them.
  package init(
    of coverage: Coverage, touchedBy difference: SourceDifference, origin: Origin, includesWorkingTree: Bool = false
  ) {
    var unmapped: [UnmappedFile] = []
    let files = coverage.files.compactMap { file -> File? in
      if let obstacle = difference.obstacle(at: file.path) {
        unmapped.append(UnmappedFile(path: file.path, obstacle: obstacle))
        return nil
      }
      guard let hunks = difference.file(at: file.path)?.lines?.hunks else { return nil }
      var touched = File(path: file.path, target: file.target, ran: [], partlyRan: [], neverRan: [])
      var rest = hunks[...]
      for line in file.lines {
        while let hunk = rest.first, hunk.new.upperBound <= line.line { rest.removeFirst() }
        guard let hunk = rest.first, hunk.new.contains(line.line) else { continue }
        switch line.state {
        case .ran: touched.ran.append(line.line)
        case .partlyRan: touched.partlyRan.append(line.line)
        case .neverRan: touched.neverRan.append(line.line)
        }
      }
      return touched.tally.total > 0 ? touched : nil
    }
    self.init(origin: origin, includesWorkingTree: includesWorkingTree, files: files, unmapped: unmapped)
  }
}
