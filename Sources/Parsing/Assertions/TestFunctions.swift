import Model
import Syntax

/// The functions of one test source, with the contents of their bodies as far as the text reveals them.
struct TestFunctions {
  struct Function: Hashable {
    var name: String
    /// The line of its name.
    var line: Int
    /// The byte range of its body, including the braces.
    var body: Range<Int>
    /// The words of its body.
    var words: Set<String>
    var assertions: [Assertion]
  }

  /// A call of an XCTest function that takes its arguments as autoclosures.
  struct Assertion: Hashable {
    var line: Int
    /// The byte range between its parentheses.
    var arguments: Range<Int>
  }

  let functions: [Function]
  /// Returns nil if the source cannot be parsed with certainty.
  init?(_ source: [UInt8]) {
    guard let words = CodeWords(certain: source) else { return nil }
    var functions: [Function] = []
    for index in words.indices where words[index] == "func" && index + 1 < words.indices.upperBound {
      guard let start = Self.body(behind: index, words), let close = words.end(of: start) else { continue }
      let body = words.range(start).lowerBound..<words.range(close).upperBound
      let inside = start + 1..<close
      functions.append(
        Function(
          name: words[index + 1], line: words.line(index + 1), body: body, words: Self.words(inside, of: words),
          assertions: inside.compactMap { Self.assertion(at: $0, words) }))
    }
    self.functions = functions
  }

  /// Returns the names in a range; those of macros and projected values without their first character.
  private static func words(_ stretch: Range<Int>, of words: CodeWords) -> Set<String> {
    let names = stretch.lazy.map { words[$0].drop { "#$".contains($0) } }
    return Set(names.filter { $0.first.map { $0.isLetter || $0 == "_" } ?? false }.map(String.init))
  }

  /// Returns the index of the brace that opens a function's body, given the index of its keyword.
  private static func body(behind keyword: Int, _ words: CodeWords) -> Int? {
    var index = keyword + 2
    while index < words.indices.upperBound {
      switch words[index] {
      case "{": return index
      case "(", "[":
        guard let end = words.end(of: index) else { return nil }
        index = end + 1
      // A protocol requirement has no body.
      case "func", "var", "let", "}", "class", "struct", "init": return nil
      default: index += 1
      }
    }
    return nil
  }

  private static func assertion(at index: Int, _ words: CodeWords) -> Assertion? {
    let name = words[index]
    guard name.hasPrefix("XCTAssert") || name == "XCTUnwrap", words[index + 1] == "(",
      let end = words.end(of: index + 1)
    else { return nil }
    return Assertion(
      line: words.line(index), arguments: words.range(index + 1).upperBound..<words.range(end).lowerBound)
  }
}
