package import Model

extension PatchCoverage {
  /// Selects the lines of a coverage that a diff touched.
  ///
  /// - Parameters:
  ///   - difference: the changes from before the commits to this state, with paths as in the coverage.
  ///   - silent: returns those of a file's lines that hold only comments or spaces. LLVM counts them inside functions,
  ///     but they cannot be tested.
  package init(
    of coverage: Coverage, touchedBy difference: SourceDifference, origin: Origin,
    silent: (_ path: String, _ lines: [Int]) -> Set<Int> = { _, _ in [] }
  ) {
    var unmapped: [UnmappedFile] = []
    let files = coverage.files.compactMap { file -> File? in
      if let obstacle = difference.obstacle(at: file.path) {
        unmapped.append(UnmappedFile(path: file.path, obstacle: obstacle))
        return nil
      }
      return File(file, touchedBy: difference, silent)
    }
    self.init(origin: origin, files: files, unmapped: unmapped)
    leftOut = Set(coverage.exclusions.filter { $0.isTouched(by: difference) }.map(\.path))
      .subtracting(unmapped.map(\.path)).sorted()
    let others = coverage.uncounted.ofRepository.compactMap { UncountedPatchFile($0, touchedBy: difference, silent) }
    let unmeasured = coverage.unmeasured.sources.compactMap { UncountedPatchFile($0, touchedBy: difference) }
    uncounted = (others + unmeasured).sorted { $0.path < $1.path }
    touchesTests = coverage.uncounted.tests.contains { File($0.coverage, touchedBy: difference, silent) != nil }
    for path in coverage.files.map(\.path) + coverage.uncounted.tests.map(\.coverage.path) {
      guard let file = difference.file(at: path), file.status != .added, let lines = file.lines?.newLines else {
        continue
      }
      if !lines.isEmpty { newLines[path] = lines }
    }
  }
}

extension CoverageExclusion {
  /// Whether a diff touched some of its lines, or may have, because it cannot be mapped.
  fileprivate func isTouched(by difference: SourceDifference) -> Bool {
    if difference.obstacle(at: path) != nil { return true }
    return difference.file(at: path)?.lines?.hunks.contains { $0.new.overlaps(codeSpan) } == true
  }
}

extension PatchCoverage.File {
  /// Returns nil if no touched line holds code.
  fileprivate init?(
    _ file: FileCoverage, touchedBy difference: SourceDifference, _ silent: (String, [Int]) -> Set<Int>
  ) {
    guard let hunks = difference.file(at: file.path)?.lines?.hunks else { return nil }
    self.init(path: file.path, ran: [], partlyRan: [], neverRan: [])
    let lines = file.lines.touched(by: hunks)
    let silent = lines.isEmpty ? [] : silent(file.path, lines.map(\.line))
    self.silent = silent.sorted()
    for line in lines where !silent.contains(line.line) {
      switch line.state {
      case .ran: ran.append(line.line)
      case .partlyRan: partlyRan.append(line.line)
      case .neverRan: neverRan.append(line.line)
      }
    }
    if tally.total == 0 { return nil }
  }
}

extension UncountedPatchFile {
  /// Returns nil if no touched line holds code; if it is unknown which lines were touched, any of them may be.
  fileprivate init?(
    _ source: UncountedSources.Source, touchedBy difference: SourceDifference,
    _ silent: (String, [Int]) -> Set<Int>
  ) {
    let (path, package) = (source.coverage.path, source.kind == .sibling ? source.group : nil)
    if difference.obstacle(at: path) != nil {
      self.init(path: path, package: package, lines: nil)
    } else if let touched = PatchCoverage.File(source.coverage, touchedBy: difference, silent) {
      self.init(path: path, package: package, lines: touched.tally, neverRan: touched.neverRan)
    } else {
      return nil
    }
  }

  /// Returns nil if no line was touched, or if the touched lines were all removed.
  fileprivate init?(_ source: UnmeasuredSources.Source, touchedBy difference: SourceDifference) {
    let isTouched = difference.file(at: source.path)?.lines?.hunks.contains { !$0.new.isEmpty }
    guard difference.obstacle(at: source.path) != nil || isTouched == true else { return nil }
    self.init(path: source.path, package: nil, unmeasured: source.kind, lines: nil)
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
