import Model

/// The folded function lists of the files in a tree.
///
/// If there are too many functions, only those with gaps are listed; if those are still too many, only those in files
/// that a change touched and in the worst files. The page of a file has all of its functions.
struct FunctionLists {
  /// A page with more functions than this would be slow to open.
  static let mostFunctions = 1000
  /// The approximate maximum bytes of their rows, however many there are.
  static let mostBytes = 250_000

  private let files: [FileCoverage]
  private let changes: CoverageChanges?
  private let link: (String, Int?) -> String?
  /// The index of each listed file, and whether only its functions with gaps are shown.
  private let shown: [String: (index: Int, onlyGaps: Bool)]

  init(
    _ files: [FileCoverage], changes: CoverageChanges?, most: Int = mostFunctions, bytes: Int = mostBytes,
    link: @escaping (String, Int?) -> String?
  ) {
    self.files = files
    self.changes = changes
    self.link = link
    let isShort = files.reduce(0) { $0 + $1.functions.count } <= most
    if isShort, files.reduce(0, { $0 + Self.size(of: $1, onlyGaps: false).bytes }) <= bytes {
      shown = Dictionary(files.enumerated().map { ($1.path, ($0, false)) }) { first, _ in first }
    } else {
      shown = Self.gaps(of: files, changed: CoverageTree.changes(changes), most: most, bytes: bytes)
    }
  }

  /// Returns the files whose functions with gaps are shown: as many as fit, and all or none of those that are equally bad.
  private static func gaps(
    of files: [FileCoverage], changed: [String: CoverageTree.Change], most: Int, bytes: Int
  ) -> [String: (index: Int, onlyGaps: Bool)] {
    var shown: [String: (index: Int, onlyGaps: Bool)] = [:]
    var (left, room) = (most, bytes)
    struct Rank: Hashable {
      var isChanged: Bool
      var uncovered: Int
    }
    let sizes = files.map { size(of: $0, onlyGaps: true) }
    // One file that is too large leaves room to the others.
    let candidates = files.indices.filter { sizes[$0].count <= most && sizes[$0].bytes <= bytes }
    let groups = Dictionary(grouping: candidates) { index in
      Rank(isChanged: changed[files[index].path] != nil, uncovered: files[index].totals.lines.uncovered)
    }
    let ranks = groups.keys.filter { $0.uncovered > 0 }.sorted {
      ($1.isChanged ? 1 : 0, $1.uncovered) < ($0.isChanged ? 1 : 0, $0.uncovered)
    }
    for rank in ranks {
      let size = groups[rank, default: []].reduce((count: 0, bytes: 0)) {
        ($0.count + sizes[$1].count, $0.bytes + sizes[$1].bytes)
      }
      guard size.count <= left, size.bytes <= room else { break }
      left -= size.count
      room -= size.bytes
      for index in groups[rank, default: []] { shown[files[index].path] = (index, true) }
    }
    return shown
  }

  /// Returns an upper bound for the number of listed functions of a file, and the approximate bytes of their rows.
  private static func size(of file: FileCoverage, onlyGaps: Bool) -> (count: Int, bytes: Int) {
    // The link in each row includes the path.
    let (list, row) = (350, 90 + file.path.utf8.count)
    return file.functions.reduce((0, list)) { size, function in
      let hasGap = function.count == 0 || function.regions.contains { $0.count == 0 }
      return onlyGaps && !hasGap ? size : (size.0 + 1, size.1 + row + function.name.utf8.count)
    }
  }

  /// Returns the folded list of a file; nil if there is nothing to list.
  func html(of path: String) -> SafeHTML? {
    guard let (index, onlyGaps) = shown[path] else { return nil }
    let file = files[index]
    var rows = FunctionRows(file, lines: nil)
    let count = rows.count
    if onlyGaps { rows.keepGaps() }
    guard !rows.isEmpty else { return nil }
    let comparison = changes?.comparison.value?.file(at: path).flatMap { $0.isChanged ? $0 : nil }
    let silent = Set(changes?.patch.value?.files.first { $0.path == path }?.silent ?? [])
    var html = SafeHTML(" <details class=in><summary>")
    html.append(
      escaping: rows.count < count
        ? "\(CountText.plain(rows.count)) with gaps"
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
        change: comparison.map { comparison in { Self.words(comparison, besides: silent, in: $0) } }))
    html.append("</tbody></table></details>")
    return html
  }

  /// Returns the relevant changes in a function's lines; a dash if there are none.
  ///
  /// - Parameter silent: the new lines without code.
  private static func words(
    _ comparison: FileComparison, besides silent: Set<Int>, in spans: [ClosedRange<Int>]
  ) -> String {
    let lines = spans.flatMap { comparison.lines(in: $0) }
    let counts = CategoryCounts(lines.lazy.filter { !$0.isByChance && !silent.contains($0.line) }.map(\.category))
    func count(_ lines: [Int]) -> Int { lines.count { line in spans.contains { $0.contains(line) } } }
    let partly = count(comparison.newPartlyRan)
    let parts = [
      (counts[.newNeverRan], "new never ran"), (partly, "new partly ran"), (counts[.lost], "lost"),
      (count(comparison.lostPartLines), "lost in part"), (counts[.gained], "gained"),
      (count(comparison.gainedPartLines), "gained in part"), (counts[.newRan] - partly, "new ran"),
      (lines.count(where: \.isByChance), "by chance"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\(CountText.plain($0.0)) \($0.1)" }
    return words.isEmpty ? "–" : words.joined(separator: ", ")
  }
}
