import Model
import Syntax

/// The words and signs of a Swift source, without comments, literals and what is interpolated in them.
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

  /// Nil when the source cannot be read for certain.
  init?(certain source: [UInt8]) {
    let code = SourceCode(source, in: .swift)
    guard code.isWhole else { return nil }
    self.init(code)
  }

  var indices: Range<Int> { tokens.indices }

  /// Empty where there is none.
  subscript(index: Int) -> String {
    tokens.indices.contains(index) ? String(decoding: code.text(tokens[index]), as: UTF8.self) : ""
  }

  /// Where a word or sign stands, in bytes.
  func range(_ index: Int) -> Range<Int> { code.tokens[tokens[index]].range }

  /// From 1.
  func line(_ index: Int) -> Int { code.lines.line(of: range(index).lowerBound) }

  /// The index of the bracket that closes another one.
  func end(of bracket: Int) -> Int? {
    code.tokens[tokens[bracket]].partner.map { end in tokens.partitioningIndex { $0 >= end } }
  }
}
