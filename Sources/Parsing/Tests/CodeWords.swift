import Model
import Syntax

/// The words and symbols of a Swift source, without comments, literals and interpolations.
struct CodeWords {
  let code: SourceCode
  /// The indices of the tokens.
  private let tokens: [Int]

  init(_ code: SourceCode) {
    self.code = code
    var tokens: [Int] = []
    var index = 0
    while index < code.tokens.count {
      let token = code.tokens[index]
      switch token.kind {
      case .comment, .string, .regex, .interpolationEnd: break
      case .interpolation: index = token.partner ?? index
      default: tokens.append(index)
      }
      index += 1
    }
    self.tokens = tokens
  }

  /// Returns nil if the source cannot be parsed with certainty.
  init?(certain source: [UInt8]) {
    let code = SourceCode(source, in: .swift)
    guard code.isWhole else { return nil }
    self.init(code)
  }

  var indices: Range<Int> { tokens.indices }

  /// Returns a word or symbol; empty if the index is out of range.
  subscript(index: Int) -> String {
    tokens.indices.contains(index) ? String(decoding: code.text(tokens[index]), as: UTF8.self) : ""
  }

  /// Returns the byte range of a word or symbol.
  func range(_ index: Int) -> Range<Int> { code.tokens[tokens[index]].range }

  /// Returns the line of a word or symbol, counted from 1.
  func line(_ index: Int) -> Int { code.lines.line(of: range(index).lowerBound) }

  /// Returns the index of the bracket that closes the one at an index.
  func end(of bracket: Int) -> Int? {
    code.tokens[tokens[bracket]].partner.map { end in tokens.partitioningIndex { $0 >= end } }
  }
}
