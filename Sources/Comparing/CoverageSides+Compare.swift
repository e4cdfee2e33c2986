import Model

extension CoverageSides {
  /// The coverage of two documents, with what is known line by line.
  init(from before: IntegrationDocument, to after: IntegrationDocument, comparison: Answer<CoverageComparison>) {
    let known = comparison.value
    let files = Self.files(before.coverage.files ?? [], after.coverage.files ?? [], known)
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
