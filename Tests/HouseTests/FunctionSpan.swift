/// A function with a body, and how many lines it takes from its declaration to its closing brace.
struct FunctionSpan: Equatable {
  /// From 1.
  var line: Int
  var length: Int

  /// Finds functions, initialisers and subscripts by counting braces.
  static func all(in text: SwiftText) -> [FunctionSpan] {
    let code = Array(text.code.joined(separator: "\n").utf8)
    var found: [FunctionSpan] = []
    var line = 1
    for index in code.indices {
      if code[index] == UInt8(ascii: "\n") { line += 1 }
      guard isDeclaration(code, at: index), let end = end(of: index, in: code) else { continue }
      found.append(FunctionSpan(line: line, length: code[index...end].count { $0 == UInt8(ascii: "\n") } + 1))
    }
    return found
  }

  private static let keywords = [("func", " "), ("init", "(?<"), ("deinit", " {"), ("subscript", "(<")]
    .map { (word: Array($0.0.utf8), followers: Array($0.1.utf8)) }

  private static func isDeclaration(_ code: [UInt8], at index: Int) -> Bool {
    for keyword in keywords where code[index] == keyword.word[0] && code[index...].starts(with: keyword.word) {
      let next = index + keyword.word.count
      guard next < code.count, keyword.followers.contains(code[next]) else { continue }
      return index == 0 || isSpace(code[index - 1])
    }
    return false
  }

  /// The index of the closing brace; nil for a declaration without a body.
  private static func end(of start: Int, in code: [UInt8]) -> Int? {
    var parentheses = 0
    var braces = 0
    for index in start..<code.count {
      switch UnicodeScalar(code[index]) {
      case "(", "[": parentheses += 1
      case ")", "]": parentheses -= 1
      case "{" where parentheses == 0 || braces > 0: braces += 1
      case "}" where braces > 0:
        braces -= 1
        if braces == 0 { return index }
      case "}" where parentheses == 0: return nil
      case "\n" where parentheses == 0 && braces == 0:
        guard goesOn(code[index...]) else { return nil }
      default: continue
      }
    }
    return nil
  }

  /// Whether a signature goes on in the next line.
  private static func goesOn(_ rest: ArraySlice<UInt8>) -> Bool {
    let rest = rest.drop(while: isSpace)
    return ["{", "->", "async", "throws", "rethrows", "where"].contains { rest.starts(with: $0.utf8) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
  }
}
