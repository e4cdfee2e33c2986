import Model
import Syntax

extension CoverageOverview {
  static let mostBlocks = 8

  /// Returns the uncovered blocks, the longest first, without the lines of the change, which are told above.
  func blocks(_ coverage: Coverage, besides told: [ChangeEntry]) -> [(file: Int, block: ClosedRange<Int>)] {
    let told = Self.lines(of: told)
    // Files are sorted by path.
    var longest: [(file: Int, block: ClosedRange<Int>)] = []
    for (index, file) in coverage.files.enumerated() {
      let rest = file.lines.filter { told[file.path]?.contains($0.line) != true }
      longest += rest.uncoveredBlocks.map { (index, $0) }
    }
    longest.sort { one, other in
      (other.block.count, one.file, one.block.lowerBound)
        < (one.block.count, other.file, other.block.lowerBound)
    }
    return longest
  }

  /// Returns the lines of places, by path.
  static func lines(of places: [ChangeEntry]) -> [String: Set<Int>] {
    Dictionary(grouping: places, by: \.file.path).mapValues { Set($0.flatMap(\.block)) }
  }

  /// Returns the lines of listed blocks, and of those of the change that are listed apart, by path.
  static func told(
    _ blocks: ArraySlice<(file: Int, block: ClosedRange<Int>)>, of coverage: Coverage, _ entries: ChangeEntries
  ) -> [String: Set<Int>] {
    blocks.reduce(into: lines(of: entries.neverRan)) { told, listed in
      told[coverage.files[listed.file].path, default: []].formUnion(listed.block)
    }
  }

  /// Returns a block's table row: its place and its contents.
  /// - Parameter neverRan: false for lines of which at least a part ran.
  func fields(
    of block: ClosedRange<Int>, in file: FileCoverage, neverRan: Bool = true
  ) -> [String: TemplateValue] {
    let first = block.lowerBound, range = CountText.range(block)
    let functions = BlockFunctions(block, in: file)
    let function = functions.first
    let isNeverCalled = neverRan && functions.areUncalled
    // The most telling line is the first with a word of code, rather than a brace, a comment or a blank line.
    let code =
      isNeverCalled
      ? nil
      : source(file.path).map { source in
        source.trimmedHTML(ofLine: block.first { source.code.hasWords($0) } ?? first, limit: 100)
      }
    return [
      "count": .text(CountText.plain(block.count)),
      "unit": .text(CountText.agreeing(block.count, "line", "lines")),
      "file": .name(names[file.path]),
      "range": .text(range),
      "link": .shown(ifAny: link(file.path, first)),
      "neverCalled": isNeverCalled ? function.map { .name($0.name) } ?? .missing : .missing,
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
  /// Returns the markup of a line without surrounding blanks, cut after a number of bytes.
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
