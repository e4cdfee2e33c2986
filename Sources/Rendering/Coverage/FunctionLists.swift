import Model

/// The functions of the files on the page about all files, each file's folded away.
///
/// Of very many functions only those with gaps are listed, and of very many of those the ones in the worst files; the
/// page of a file has all of its functions.
struct FunctionLists {
  /// A page with more functions than this would be slow to open.
  static let mostFunctions = 1000

  private let coverage: Coverage
  private let changes: CoverageChanges?
  private let link: (String, Int?) -> String?
  /// How many functions a listed file has, and whether only those with gaps are shown.
  private let shown: [String: (index: Int, onlyGaps: Bool)]

  init(
    _ coverage: Coverage, changes: CoverageChanges?, most: Int = mostFunctions,
    link: @escaping (String, Int?) -> String?
  ) {
    self.coverage = coverage
    self.changes = changes
    self.link = link
    let all = coverage.files.reduce(0) { $0 + $1.functions.count }
    var shown: [String: (index: Int, onlyGaps: Bool)] = [:]
    if all <= most {
      for (index, file) in coverage.files.enumerated() { shown[file.path] = (index, false) }
    } else {
      var left = most
      let worst = coverage.files.indices.sorted { one, other in
        (coverage.files[other].totals.lines.uncovered, one) < (coverage.files[one].totals.lines.uncovered, other)
      }
      for index in worst {
        let count = Self.gapCount(coverage.files[index])
        guard count <= left, coverage.files[index].totals.lines.uncovered > 0 else { continue }
        left -= count
        shown[coverage.files[index].path] = (index, true)
      }
    }
    self.shown = shown
  }

  /// At most so many functions have lines that never ran.
  private static func gapCount(_ file: FileCoverage) -> Int {
    file.functions.reduce(0) { count, function in
      count + (function.count == 0 || function.regions.contains { $0.count == 0 } ? 1 : 0)
    }
  }

  /// The folded list of a file; nil where there is nothing to list.
  func html(of path: String) -> SafeHTML? {
    guard let (index, onlyGaps) = shown[path] else { return nil }
    let file = coverage.files[index]
    var rows = FunctionRows(file, lines: nil)
    let count = rows.count
    if onlyGaps { rows.keepGaps() }
    guard !rows.isEmpty else { return nil }
    let comparison = changes?.comparison.value?.file(at: path).flatMap { $0.isChanged ? $0 : nil }
    var html = SafeHTML("<details class=in><summary>")
    html.append(
      escaping: rows.count < count
        ? "\(CountText.plain(rows.count)) of \(CountText.counted(count, "function")) with gaps"
        : file.functionWords)
    html.append("</summary><table class=fns><caption class=vh>Functions of ")
    html.append(escaping: VisibleText.of(file.fileName))
    html.append("</caption><thead><tr><th scope=col>Function</th><th scope=col>Uncov.</th><th scope=col>Lines</th>")
    html.append("<th scope=col>Calls</th>")
    if comparison != nil { html.append("<th scope=col>Change</th>") }
    html.append("</tr></thead><tbody>\n")
    html.append(
      rows.html(
        address: { link(path, $0) },
        change: comparison.map { comparison in { Self.words(comparison, in: $0) } }))
    html.append("</tbody></table></details>")
    return html
  }

  /// What became of a function's lines, as far as it matters; a dash for nothing.
  private static func words(_ comparison: FileComparison, in spans: [ClosedRange<Int>]) -> String {
    let lines = spans.flatMap { comparison.lines(in: $0) }
    let counts = CategoryCounts(lines.lazy.filter { !$0.isByChance }.map(\.category))
    let parts = [
      (counts[.newNeverRan], "new never ran"), (counts[.lost], "lost"), (counts[.gained], "gained"),
      (counts[.newRan], "new ran"), (lines.count(where: \.isByChance), "by chance"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\(CountText.plain($0.0)) \($0.1)" }
    return words.isEmpty ? "–" : words.joined(separator: ", ")
  }
}
