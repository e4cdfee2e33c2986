import Model

extension CoverageSides {
  /// The coverage of two documents, with what is known line by line.
  ///
  /// - Parameter functions: those of a file now, by its path.
  init(
    from before: IntegrationDocument, to after: IntegrationDocument, comparison: Answer<CoverageComparison>,
    functions: (String) -> [FunctionCoverage]
  ) {
    let known = comparison.value
    let files = Self.files(before.coverage.files ?? [], after.coverage.files ?? [], known).map { file in
      var file = file
      file.places = known?.file(at: file.path)?.places(in: functions(file.path))
      return file
    }
    self.init(
      before: before.coverage.totals, beforeReason: before.coverage.reason, after: after.coverage.totals,
      afterReason: after.coverage.reason, files: files.filter(\.isChanged),
      sameFiles: files.count { !$0.isChanged }, lines: known?.lines, regions: known?.regions,
      reason: comparison.reason, unmapped: known.flatMap { $0.unmapped.isEmpty ? nil : $0.unmapped.map(\.path) })
  }

  /// Every file that is counted in either, by its newer path.
  private static func files(
    _ before: [IntegrationDocument.File], _ after: [IntegrationDocument.File], _ comparison: CoverageComparison?
  ) -> [File] {
    var old = Dictionary(before.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var files = after.map { file in
      let compared = comparison?.file(at: file.path)
      let oldPath = compared?.oldPath
      // A new file may have the path that another one had.
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

extension FileComparison {
  /// Where lines got worse or better without being new and tested; nil for nowhere.
  fileprivate func places(in functions: [FunctionCoverage]) -> [CoverageSides.Place]? {
    let told: Set<ChangeCategory> = [.lost, .newNeverRan, .includedNeverRan, .gained]
    var places: [CoverageSides.Place] = []
    // Lines ascend, so that each function is opened and closed once.
    var waiting = functions.sorted { $0.line < $1.line }[...]
    var open: [FunctionCoverage] = []
    for line in lines where told.contains(line.category) {
      while let next = waiting.first, next.line <= line.line { open.append(waiting.removeFirst()) }
      open.removeAll { $0.lastLine < line.line }
      let function = open.last?.name
      if let last = places.last, last.category == line.category, last.last + 1 == line.line, last.function == function {
        places[places.count - 1].last = line.line
      } else {
        places.append(CoverageSides.Place(line.category, first: line.line, last: line.line, function: function))
      }
    }
    return places.isEmpty ? nil : places
  }
}
