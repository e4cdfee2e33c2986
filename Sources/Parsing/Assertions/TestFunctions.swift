import Model

/// The functions of one test source, each with what its body says, as far as it can be told from the text.
struct TestFunctions {
  struct Function: Hashable {
    var name: String
    /// The line of its name.
    var line: Int
    /// The bytes of its body, braces included.
    var body: Range<Int>
    /// The words of its body.
    var words: Set<String>
    var assertions: [Assertion]
    /// Whether it stands in another function.
    var isNested: Bool
  }

  /// A call of XCTest's that takes its arguments as autoclosures.
  struct Assertion: Hashable {
    var line: Int
    /// The bytes between its parentheses.
    var arguments: Range<Int>
  }

  let functions: [Function]
  /// Nil when the source cannot be read for certain.
  init?(_ source: [UInt8]) {
    guard let read = SwiftTokens(source) else { return nil }
    let tokens = read.tokens
    let ends = Self.ends(in: tokens)
    var functions: [Function] = []
    // The bodies that are not over yet, so that a long source is not looked through for each of its functions.
    var open: [Range<Int>] = []
    for index in tokens.indices where tokens[index].text == "func" && index + 1 < tokens.count {
      guard let start = Self.body(behind: index, tokens, ends), let close = ends[start] else { continue }
      let body = tokens[start].offset..<tokens[close].offset + 1
      let inside = start + 1..<close
      open.removeAll { $0.upperBound <= tokens[index].offset }
      let isNested = open.contains { $0.contains(body.lowerBound) }
      open.append(body)
      functions.append(
        Function(
          name: tokens[index + 1].text, line: tokens[index + 1].line, body: body,
          words: Set(
            tokens[inside].lazy.filter { $0.text.first.map { $0.isLetter || $0 == "_" } ?? false }.map(\.text)),
          assertions: inside.compactMap { Self.assertion(at: $0, tokens, ends) },
          isNested: isNested))
    }
    self.functions = functions
  }

  /// The index of the closing bracket of each opening one.
  private static func ends(in tokens: [SwiftTokens.Token]) -> [Int: Int] {
    var open: [Int] = []
    var ends: [Int: Int] = [:]
    for (index, token) in tokens.enumerated() {
      switch token.text {
      case "(", "[", "{": open.append(index)
      case ")", "]", "}": if let start = open.popLast() { ends[start] = index }
      default: break
      }
    }
    return ends
  }

  /// The index of the brace that opens the body of the function whose keyword stands at an index.
  private static func body(behind keyword: Int, _ tokens: [SwiftTokens.Token], _ ends: [Int: Int]) -> Int? {
    var index = keyword + 2
    while index < tokens.count {
      switch tokens[index].text {
      case "{": return index
      case "(", "[":
        guard let end = ends[index] else { return nil }
        index = end + 1
      // A requirement of a protocol has no body.
      case "func", "var", "let", "}", "class", "struct", "init": return nil
      default: index += 1
      }
    }
    return nil
  }

  private static func assertion(at index: Int, _ tokens: [SwiftTokens.Token], _ ends: [Int: Int]) -> Assertion? {
    let name = tokens[index].text
    guard name.hasPrefix("XCTAssert") || name == "XCTUnwrap", index + 1 < tokens.count, tokens[index + 1].text == "(",
      let end = ends[index + 1]
    else { return nil }
    return Assertion(line: tokens[index].line, arguments: tokens[index + 1].offset + 1..<tokens[end].offset)
  }
}
