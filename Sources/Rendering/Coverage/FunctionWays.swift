import Model

/// How many ways lead through a function at least: its cyclomatic complexity, as far as its regions and its text tell it.
///
/// One way, and another one for each `if`, `guard`, loop, `catch` and `?:`, for each case but the first of a `switch`, and
/// for each right side of `&&`, `||` and `??`; those in closures count, closures themselves do not. The compiler records
/// nothing of conditions with commas between them, of `where`, and of errors that leave the function, so there may be more
/// (https://doi.org/10.1109/TSE.1976.233837).
struct FunctionWays {
  private let source: HighlightedSource

  /// - Parameter source: that of the file which the functions are in.
  init(_ source: HighlightedSource) {
    self.source = source
  }

  func count(in function: FunctionCoverage) -> Int {
    let entries = Set(function.entries)
    var turns: Set<SourcePosition> = []
    for (index, region) in function.regions.enumerated() where isTurn(region, isEntry: entries.contains(index)) {
      // Of what is right of `??`, both the autoclosure and a closure at its beginning begin there.
      turns.insert(region.start)
    }
    return turns.count + 1
  }

  /// Whether a region begins a way that its neighbours do not lead on.
  private func isTurn(_ region: CoverageRegion, isEntry: Bool) -> Bool {
    let line = source.range(ofLine: region.start.line)
    let start = line.lowerBound + min(region.start.column - 1, line.count)
    guard start < source.bytes.count else { return false }
    let before = itemBefore(start)
    if case .sign(let sign, let offset) = before, offset > 0 {
      let isDouble = source.bytes[offset - 1] == sign
      if isDouble, "&|?".utf8.contains(sign) { return true }
      if isEntry { return false }
      if sign == UInt8(ascii: "?"), source.bytes[offset - 1] <= UInt8(ascii: " ") { return true }
    }
    if isEntry { return false }
    if begins(start, "case") || begins(start, "default") || begins(start, "@unknown") {
      // The first case of a switch stands behind its brace.
      if case .sign(UInt8(ascii: "{"), _) = before { return false }
      return true
    }
    guard source.bytes[start] == UInt8(ascii: "{") else { return false }
    var block = OpenedBlock(at: start, in: source)
    switch block.reason() {
    case .condition, .loopBody, .guardFailed, .caught: return true
    default: return false
    }
  }

  /// The word or sign before an offset; lines with `#if` and the like are passed over.
  private func itemBefore(_ offset: Int) -> BackwardText.Item? {
    var text = BackwardText(source, before: offset)
    var item = text.next()
    while let found = item {
      switch found {
      case .lineBreak: item = text.next()
      case .literal: return found
      case .word(let range):
        guard let directive = directive(onLineOf: range.lowerBound) else { return found }
        text = BackwardText(source, before: directive)
        item = text.next()
      case .sign(_, let offset):
        guard let directive = directive(onLineOf: offset) else { return found }
        text = BackwardText(source, before: directive)
        item = text.next()
      }
    }
    return nil
  }

  /// The end of a directive is no further from its beginning, so that long lines are not walked for each of their regions.
  private static let longestDirective = 1000

  /// Where the line of an offset begins with a number sign; nil when it does not.
  private func directive(onLineOf offset: Int) -> Int? {
    var start = offset
    while start > 0, offset - start <= Self.longestDirective, !SwiftHighlighter.isNewline(source.bytes[start - 1]) {
      start -= 1
    }
    guard offset - start <= Self.longestDirective,
      let first = source.bytes[start...].firstIndex(where: { !SwiftHighlighter.isBlank($0) }),
      first <= offset, ["#if", "#else", "#elseif", "#endif"].contains(where: { begins(first, $0) })
    else { return nil }
    return first
  }

  private func begins(_ offset: Int, _ word: String) -> Bool {
    let end = offset + word.utf8.count
    guard source.bytes[offset...].starts(with: word.utf8) else { return false }
    return end == source.bytes.count || !SwiftHighlighter.isName(source.bytes[end])
  }
}
