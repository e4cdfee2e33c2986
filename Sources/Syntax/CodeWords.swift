import Model

/// The words and symbols of a Swift source, without comments, literals and interpolations.
package struct CodeWords: Sendable {
  package let code: SourceCode
  /// The indices of the tokens.
  private let tokens: [Int]

  package init(_ code: SourceCode) {
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
  package init?(certain source: [UInt8]) {
    let code = SourceCode(source, in: .swift)
    guard code.isWhole else { return nil }
    self.init(code)
  }

  package var indices: Range<Int> { tokens.indices }

  /// Returns a word or symbol; empty if the index is out of range.
  package subscript(index: Int) -> String {
    tokens.indices.contains(index) ? String(decoding: code.text(tokens[index]), as: UTF8.self) : ""
  }

  /// Returns the byte range of a word or symbol.
  package func range(_ index: Int) -> Range<Int> { code.tokens[tokens[index]].range }

  /// Returns the line of a word or symbol, counted from 1.
  package func line(_ index: Int) -> Int { code.lines.line(of: range(index).lowerBound) }

  /// Returns the index of the bracket that closes the one at an index.
  package func end(of bracket: Int) -> Int? {
    code.tokens[tokens[bracket]].partner.map { end in tokens.partitioningIndex { $0 >= end } }
  }
}

extension CodeWords {
  /// The words before the keyword of a declaration that say how it may be used.
  package static let modifiers: Set<String> = [
    "public", "package", "internal", "open", "private", "fileprivate", "final", "override", "static", "class", "func",
    "nonisolated", "isolated", "dynamic", "mutating", "async", "extension", "required", "unsafe",
  ]

  /// The keywords of types and of what extends them.
  package static let types: Set<String> = ["class", "struct", "enum", "actor", "extension", "protocol"]

  /// Returns the modifiers before a declaration's keyword.
  package func modifiers(before index: Int) -> Set<String> {
    var found: Set<String> = []
    var position = index - 1
    while Self.modifiers.contains(self[position]), self[position] != "func" {
      found.insert(self[position])
      position -= 1
    }
    return found
  }
}
