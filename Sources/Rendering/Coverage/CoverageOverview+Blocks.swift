import Model
import Syntax

extension CoverageOverview {
  private static let mostBlocks = 8

  /// The longest uncovered blocks, with the functions that each is of, or its first line.
  func blocks(_ coverage: Coverage) -> TemplateValue {
    // Files are sorted by path.
    var longest: [(file: Int, block: UncoveredBlock)] = []
    for (index, file) in coverage.files.enumerated() {
      for block in file.uncoveredBlocks { longest.append((index, block)) }
    }
    longest.sort { one, other in
      (other.block.lines.count, one.file, one.block.lines.lowerBound)
        < (one.block.lines.count, other.file, other.block.lines.lowerBound)
    }
    return .list(
      longest.prefix(Self.mostBlocks).map { .record(fields(of: $0.block, in: coverage.files[$0.file])) })
  }

  /// How many blocks are listed of how many.
  func blockCount(_ coverage: Coverage) -> String {
    let count = coverage.files.reduce(0) { $0 + $1.uncoveredBlocks.count }
    return count > Self.mostBlocks
      ? "\(Self.mostBlocks) of \(CountText.plain(count))" : CountText.counted(count, "block")
  }

  /// What a table says about a block: where it is, and what is there.
  /// - Parameter neverRan: false for lines of which at least a part ran.
  func fields(
    of block: UncoveredBlock, in file: FileCoverage, neverRan: Bool = true
  ) -> [String: TemplateValue] {
    let first = block.lines.lowerBound
    let range = block.lines.count == 1 ? "\(first)" : "\(first)–\(block.lines.upperBound)"
    let functions = BlockFunctions(block.lines, in: file)
    let function = functions.first
    let isNeverCalled = neverRan && functions.areUncalled
    // The line that says most is the first one with a word of code, not a brace, a comment or a blank line.
    let code =
      isNeverCalled
      ? nil
      : source(file.path).map { source in
        source.trimmedHTML(ofLine: block.lines.first { source.code.hasWords($0) } ?? first, limit: 100)
      }
    return [
      "count": .text(CountText.plain(block.lines.count)),
      "file": .html(FunctionRows.breakable(names[file.path])),
      "range": .text(range),
      "link": link(file.path, first).map { .shown($0) } ?? .missing,
      "neverCalled": isNeverCalled ? function.map { .html(FunctionRows.breakable($0.name)) } ?? .missing : .missing,
      "part": .optional(functions.partWords),
      "neverWords": .text(functions.neverWords),
      "inside": isNeverCalled
        ? .missing
        : function.map { .shown([$0.name, functions.othersWords].compactMap { $0 }.joined(separator: " ")) }
          ?? .missing,
      "reason": .missing,
      "code": code.map { .html($0) } ?? .missing,
    ]
  }
}

extension HighlightedSource {
  /// The markup of a line without the blanks around it, cut after a number of bytes.
  func trimmedHTML(ofLine line: Int, limit: Int) -> SafeHTML {
    let whole = range(ofLine: line)
    let text = trimmed(1..<(whole.count + 1), in: whole)
    let shown = text.lowerBound..<characterStart(min(text.upperBound, text.lowerBound + limit))
    var html = SafeHTML()
    append(shown, to: &html)
    if shown.count < text.count { html.append(" …") }
    return html
  }
}
