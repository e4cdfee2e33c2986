import Model

extension PracticeEvidence {
  /// Test sources of which nothing ran, although all tests did: such as a file whose tests a list by hand leaves out.
  ///
  /// A file with a listed test, which may be skipped or disabled, is none.
  var sources: PracticeHint? {
    guard let testSources else { return nil }
    let known = Set(tests.results.compactMap { $0.location?.file })
    let dead = testSources.filter { file in
      file.totals.lines.total > 0 && file.totals.lines.covered == 0 && !known.contains(file.path)
    }
    guard !dead.isEmpty else { return nil }
    let lines = dead.reduce(0) { $0 + $1.totals.lines.total }
    let what =
      dead.count == 1
      ? "Of 1 test source no line ran (\(lines) in all): none of its tests is in the list of tests."
      : "Of \(dead.count) test sources no line ran (\(lines) in all): none of their tests is in the list of tests."
    return PracticeHint(
      .sources, .attention, what,
      entries: dead.prefix(PracticeCard.mostEntries).map { file in
        PracticeHint.Entry(
          location: SourceLocation(file: file.path, line: file.lines.first?.line ?? 1),
          words: file.totals.lines.total == 1 ? "its only line" : "\(file.totals.lines.total) lines")
      })
  }
}
