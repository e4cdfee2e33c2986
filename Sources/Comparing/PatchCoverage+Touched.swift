package import Model

extension PatchCoverage {
  /// Takes from a coverage the lines that a diff touched.
  ///
  /// - Parameters:
  ///   - difference: from the state before the commits to this one, with paths as the coverage has them.
  ///   - silent: those of the lines of a file that hold only comments or blanks. LLVM counts them inside of functions, but
  ///     nobody can test them.
  package init(
    of coverage: Coverage, touchedBy difference: SourceDifference, origin: Origin, includesWorkingTree: Bool = false,
    silent: (_ path: String, _ lines: [Int]) -> Set<Int> = { _, _ in [] }
  ) {
    var unmapped: [UnmappedFile] = []
    let files = coverage.files.compactMap { file -> File? in
      if let obstacle = difference.obstacle(at: file.path) {
        unmapped.append(UnmappedFile(path: file.path, obstacle: obstacle))
        return nil
      }
      guard let hunks = difference.file(at: file.path)?.lines?.hunks else { return nil }
      var touched = File(path: file.path, target: file.target, ran: [], partlyRan: [], neverRan: [])
      let lines = file.lines.touched(by: hunks)
      let silent = lines.isEmpty ? [] : silent(file.path, lines.map(\.line))
      touched.silent = silent.sorted()
      for line in lines where !silent.contains(line.line) {
        switch line.state {
        case .ran: touched.ran.append(line.line)
        case .partlyRan: touched.partlyRan.append(line.line)
        case .neverRan: touched.neverRan.append(line.line)
        }
      }
      return touched.tally.total > 0 ? touched : nil
    }
    self.init(origin: origin, includesWorkingTree: includesWorkingTree, files: files, unmapped: unmapped)
    leftOut = Set(coverage.exclusions.filter { $0.isTouched(by: difference) }.map(\.path))
      .subtracting(unmapped.map(\.path)).sorted()
  }
}

extension [LineCoverage] {
  fileprivate func touched(by hunks: [LineMap.Hunk]) -> [LineCoverage] {
    var rest = hunks[...]
    return filter { line in
      while let hunk = rest.first, hunk.new.upperBound <= line.line { rest.removeFirst() }
      return rest.first?.new.contains(line.line) ?? false
    }
  }
}
