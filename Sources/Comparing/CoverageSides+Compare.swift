import Model

extension CoverageSides {
  /// Compares the coverage of two documents, adding the comparison by lines where there is one.
  ///
  /// - Parameters:
  ///   - coverage: returns the current coverage of a file, given its path.
  ///   - silent: returns those of a file's current lines that hold only comments or spaces.
  init(
    from before: IntegrationRecord, to after: IntegrationRecord, comparison: Answer<CoverageComparison>,
    coverage: (String) -> FileCoverage?, silent: (_ path: String, _ lines: [Int]) -> Set<Int>
  ) {
    let known = comparison.value
    let files = Self.files(before.coverage.files ?? [], after.coverage.files ?? [], known).map { file in
      guard let compared = known?.file(at: file.path), compared.isChanged else { return file }
      var file = file
      let functions = coverage(file.path)?.functions ?? []
      let new = compared.newLines.map(\.line)
      let left = new.isEmpty ? [] : silent(file.path, new)
      let counted = CategoryCounts(compared.newLines.lazy.filter { left.contains($0.line) }.map(\.category))
      file.silent = counted.hasChanges ? counted : nil
      file.places = compared.lines.filter { Self.told.contains($0.category) && !$0.isByChance }
        .places(in: functions, besides: left)
      file.linesByChance = compared.countsByChance.hasChanges ? compared.countsByChance : nil
      file.lostParts = compared.lostPartLines.map { .init(line: $0, category: .lost) }.places(in: functions)
      file.gainedParts = compared.gainedPartLines.map { .init(line: $0, category: .gained) }.places(in: functions)
      file.newParts = compared.newPartlyRan.map { .init(line: $0, category: .newRan) }.places(in: functions)
      let parts = compared.partsByChance.map { FileComparison.Line(line: $0, category: .lost) }
      file.byChance = (compared.byChance + parts).sorted { $0.line < $1.line }.places(in: functions)
      return file
    }
    // Tests that did not run may run any line.
    let areWhole = before.tests.counts.isWhole && after.tests.counts.isWhole
    let changed = areWhole ? files.filter(\.isChanged) : []
    self.init(
      before: before.coverage.totals, beforeReason: before.coverage.reason, after: after.coverage.totals,
      afterReason: after.coverage.reason, files: changed, directories: Self.directories(of: files),
      sameFiles: areWhole ? files.count - changed.count : 0, lines: known?.lines, regions: known?.regions,
      reason: comparison.reason, unmapped: known?.unmapped.map(\.path).nonEmpty)
    byChance = known.flatMap { $0.byChance.hasChanges ? $0.byChance : nil }
    witnesses = known?.witnesses.nonEmpty
    witnessesBefore = known.flatMap { $0.witnesses.isEmpty ? nil : $0.baselineWitnesses }
    flakyTests = known?.flakyTests.nonEmpty
  }

  /// The categories whose lines are listed with their places.
  private static let told: Set<ChangeCategory> = [.lost, .newNeverRan, .includedNeverRan, .gained]

  private static func directories(of files: [File]) -> [Directory] {
    struct Key: Hashable {
      var target: String
      var path: String
    }
    return Dictionary(grouping: files) { Key(target: $0.target, path: $0.folder) }.map { key, files in
      Directory(
        target: key.target, path: key.path, before: LineTally(summing: files.compactMap(\.before)),
        after: LineTally(summing: files.compactMap(\.after)))
    }.sorted { ($0.target, $0.path) < ($1.target, $1.path) }
  }

  /// Returns every file that is counted on either side, by its newer path.
  private static func files(
    _ before: [IntegrationRecord.File], _ after: [IntegrationRecord.File], _ comparison: CoverageComparison?
  ) -> [File] {
    var old = before.keyed(by: \.path)
    var files = after.map { file in
      let compared = comparison?.file(at: file.path)
      let oldPath = compared?.oldPath
      // A new file may have the path of an earlier one.
      let isNew = compared.map { $0.totalsBefore == nil } ?? false
      let earlier = isNew ? nil : old.removeValue(forKey: oldPath ?? file.path)
      return File(
        path: file.path, oldPath: earlier == nil ? nil : oldPath, target: file.target, before: earlier?.lines,
        after: file.lines, lines: compared?.counts)
    }
    files += old.values.map { file in
      File(
        path: file.path, target: file.target, before: file.lines, after: nil,
        lines: comparison?.file(at: file.path)?.counts)
    }
    return files.sorted { $0.path < $1.path }
  }
}

extension LineTally {
  /// Nil if there are no tallies.
  fileprivate init?(summing tallies: [LineTally]) {
    guard !tallies.isEmpty else { return nil }
    self = tallies.reduce(LineTally()) { $0 + $1 }
  }
}

extension [FileComparison.Line] {
  /// Joins consecutive lines, which must be in ascending order, into places; nil if there are none.
  ///
  /// - Parameter silent: Lines without code, which make no place by themselves.
  fileprivate func places(
    in functions: [FunctionCoverage], besides silent: Set<Int> = []
  ) -> [CoverageSides.Place]? {
    var places: [CoverageSides.Place] = []
    // Each function is opened and closed only once.
    var waiting = functions.sorted { $0.line < $1.line }[...]
    var open: [FunctionCoverage] = []
    for line in self {
      while let next = waiting.first, next.line <= line.line { open.append(waiting.removeFirst()) }
      open.removeAll { $0.lastLine < line.line }
      let function = open.last?.name
      if let last = places.last, last.category == line.category, last.last + 1 == line.line, last.function == function {
        places[places.count - 1].last = line.line
      } else {
        places.append(CoverageSides.Place(line.category, first: line.line, last: line.line, function: function))
      }
    }
    for index in silent.isEmpty ? 0..<0 : places.indices {
      let count = (places[index].first...places[index].last).count(where: silent.contains)
      places[index].silent = count > 0 ? count : nil
    }
    places.removeAll { $0.count == 0 }
    return places.nonEmpty
  }
}
