import Model
import Syntax

/// A stretch of a line that never ran, with the text around it and its surroundings in the file.
struct DeadPlace {
  /// The most characters of a quote.
  private static let longestQuote = 60

  private let source: HighlightedSource
  var code: SourceCode { source.code }
  /// The byte range of the line.
  let line: Range<Int>
  /// The byte range of the stretch, without the blanks at its ends.
  let dead: Range<Int>
  /// The tokens that begin in the stretch.
  let tokens: Range<Int>
  /// The index of the token of code before the stretch, on any line.
  let before: Int?
  private let stretch: DeadStretch
  private let file: FileCoverage

  /// - Parameter stretch: one that the file lists.
  init(_ stretch: DeadStretch, in file: FileCoverage, _ source: HighlightedSource) {
    self.source = source
    self.stretch = stretch
    self.file = file
    line = source.range(ofLine: stretch.line)
    dead = source.trimmed(stretch.columns, in: line)
    tokens = source.code.tokens(in: dead)
    before = source.code.token(before: dead.lowerBound)
  }

  /// Returns the place of another stretch of the same file.
  func with(_ other: DeadStretch) -> DeadPlace { DeadPlace(other, in: file, source) }

  var text: ArraySlice<UInt8> { source.bytes[dead] }

  /// The text as it stands in a sentence: cut where it is long, or goes on in the next line.
  var quote: String {
    let text = String(decoding: text, as: UTF8.self)
    guard text.count <= Self.longestQuote else { return "\(text.prefix(Self.longestQuote - 1))…" }
    return stretch.columns.upperBound == Int.max ? "\(text) …" : text
  }

  /// The rest of the line, without leading blanks.
  var after: ArraySlice<UInt8> {
    source.bytes[dead.upperBound..<max(dead.upperBound, line.upperBound)].drop(while: \.isBlank)
  }

  /// Whether the stretch directly follows other text, without a blank.
  var isAttached: Bool {
    let start = line.lowerBound + stretch.columns.lowerBound - 1
    return start > line.lowerBound && start <= line.upperBound && !source.bytes[start - 1].isBlank
  }

  /// Whether the stretch began on an earlier line, so that it includes the indentation.
  var isContinued: Bool { stretch.columns.lowerBound == 1 && dead.lowerBound > line.lowerBound }

  /// Whether the stretch shows nothing but a comment.
  var isComment: Bool {
    let next = code.firstToken(endingAfter: dead.lowerBound)
    guard next < code.tokens.count, code.tokens[next].kind == .comment else { return false }
    let range = code.tokens[next].range
    return range.lowerBound <= dead.lowerBound && range.upperBound >= dead.upperBound
  }

  /// Whether it is the only or the first condition of a statement.
  var followsConditionKeyword: Bool {
    guard text.first != UInt8(ascii: "{"), let before, !code.isMember(before) else { return false }
    return code.isToken(before, "if") || code.isToken(before, "while")
  }

  /// The stretch that ends where this one begins, apart from blanks.
  var stretchBefore: DeadStretch? {
    let others = file.deadStretches
    let index = others.partitioningIndex {
      ($0.line, $0.columns.lowerBound) >= (stretch.line, stretch.columns.lowerBound)
    }
    guard index > others.startIndex, others[index - 1].line == stretch.line else { return nil }
    let end = line.lowerBound + min(others[index - 1].columns.upperBound - 1, line.count)
    guard end <= dead.lowerBound, source.bytes[end..<dead.lowerBound].allSatisfy(\.isBlank) else {
      return nil
    }
    return others[index - 1]
  }

  /// Returns whether a byte before the stretch never ran, either.
  ///
  /// Nil if the byte is so far above that its line would have to be searched for.
  func isDead(_ offset: Int) -> Bool? {
    guard offset < dead.lowerBound, dead.lowerBound - offset <= HighlightedSource.longestLine else { return nil }
    let number = code.lines.line(of: offset)
    let (lines, others) = (file.lines, file.deadStretches)
    let index = lines.partitioningIndex { $0.line >= number }
    if lines.indices.contains(index), lines[index].line == number, lines[index].state == .neverRan { return true }
    let column = offset - source.range(ofLine: number).lowerBound + 1
    let next = others.partitioningIndex { ($0.line, $0.columns.lowerBound) > (number, column) }
    return next > others.startIndex && others[next - 1].line == number && others[next - 1].columns.contains(column)
  }
}
