import Model
import Syntax

/// The functions of one test source, with the contents of their bodies as far as the text reveals them.
struct TestFunctions {
  /// A function, or an initializer, subscript or value, whose code runs where its name stands.
  struct Function: Hashable {
    var name: String
    /// The line of its name.
    var line: Int
    /// The byte range of its body, including the braces; empty if it has none.
    var body: Range<Int>
    /// The words and operators of its body.
    var words: Set<String>
    var assertions: [Assertion]
  }

  /// A call of an XCTest function that takes its arguments as autoclosures.
  struct Assertion: Hashable {
    var line: Int
    /// The byte range between its parentheses.
    var arguments: Range<Int>
  }

  /// The words with which a declaration begins that is no type.
  private static let declarations: Set<String> = [
    "func", "var", "let", "init", "deinit", "subscript", "case", "import",
  ]

  let functions: [Function]

  /// Returns nil if the source cannot be parsed with certainty.
  init?(_ source: [UInt8]) {
    guard let words = CodeWords(certain: source) else { return nil }
    var functions: [Function] = []
    var types: [(name: String, braces: Range<Int>)] = []
    // The last declaration of code that is in no other.
    var outer = 0..<0
    for index in words.indices where words[index] == "func" || !outer.contains(index) {
      if CodeWords.types.contains(words[index]), let braces = words.braces(behind: index + 1) {
        types.append((Self.typeName(behind: index, words), braces))
      } else if let code = Self.code(at: index, of: types.last { $0.braces.contains(index) }?.name, words) {
        functions += code.names.map { Self.function($0, at: index + 1, code.stretch, words) }
        if !outer.contains(index) { outer = index..<code.stretch.upperBound }
      }
    }
    self.functions = functions
  }

  /// Returns the words of a declaration's code, and the names by which it is called; nil if a word begins none with code.
  ///
  /// - Parameter type: the name of the type around it.
  private static func code(
    at index: Int, of type: String?, _ words: CodeWords
  ) -> (names: [String], stretch: Range<Int>)? {
    switch words[index] {
    case "func": words.braces(behind: index + 2).map { (names: [words[index + 1]], stretch: $0) }
    case "var", "let": value(behind: index + 1, words).map { (names: [words[index + 1]], stretch: $0) }
    case "init" where words[index - 1] != ".":
      words.braces(behind: index + 1).map { (names: [type, "init"].compactMap(\.self), stretch: $0) }
    case "subscript": words.braces(behind: index + 1).map { (names: ["["], stretch: $0) }
    default: nil
    }
  }

  private static func function(
    _ name: String, at index: Int, _ stretch: Range<Int>, _ words: CodeWords
  ) -> Function {
    let start = words.range(stretch.lowerBound).lowerBound
    let end = stretch.contains { words[$0] == "{" } ? words.range(stretch.upperBound - 1).upperBound : start
    return Function(
      name: name, line: words.line(index), body: start..<end, words: Self.words(stretch, of: words),
      assertions: stretch.compactMap { assertion(at: $0, words) })
  }

  /// Returns the names and operators in a range, and the bracket of a subscript; names of macros and projected values
  /// without their first character.
  private static func words(_ stretch: Range<Int>, of words: CodeWords) -> Set<String> {
    let names = stretch.lazy.filter { words[$0] != "[" || isSubscript(at: $0, words) }
      .map { words[$0].drop { "#$".contains($0) } }
    let wanted = names.filter { $0.first.map { $0.isLetter || "_[=+-*/%<>!&|^~".contains($0) } ?? false }
    return Set(wanted.map(String.init))
  }

  /// Returns whether a bracket follows a value, rather than beginning an array.
  private static func isSubscript(at index: Int, _ words: CodeWords) -> Bool {
    words[index - 1].first.map { $0.isLetter || $0.isNumber || "_`)]?!".contains($0) } ?? false
  }

  /// Returns the words of a value up to the next declaration, given the index of its name; nil if there are none.
  private static func value(behind name: Int, _ words: CodeWords) -> Range<Int>? {
    var index = name + 1
    while index < words.indices.upperBound, words[index] != "}" {
      let isDeclaration = declarations.contains(words[index]) && words[index - 1] != "."
      if isDeclaration || CodeWords.types.contains(words[index]) { break }
      let isOpening = ["(", "[", "{"].contains(words[index])
      index = (isOpening ? words.end(of: index) ?? index : index) + 1
    }
    return name + 1 < index ? name + 1..<index : nil
  }

  private static func typeName(behind keyword: Int, _ words: CodeWords) -> String {
    var name = keyword + 1
    while words[name + 1] == "." { name += 2 }
    return words[name]
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

extension TestFunctions.Function {
  /// Parts of words that suggest an assertion of another library.
  private static let checkingParts = [
    "assert", "expect", "verify", "confirm", "check", "ensure", "should", "must", "fail", "require", "wait", "fulfill",
    "throw", "precondition", "snapshot", "match", "record",
  ]
  private static let templateNames: Set<String> = ["testExample", "testPerformanceExample", "example"]
  /// The words other than comments that a template puts into a test.
  private static let templateWords: Set<String> = ["measure", "self"]
  /// The functions that XCTest calls around every test.
  private static let fixtures: Set<String> = ["setUp", "setUpWithError", "tearDown", "tearDownWithError"]

  /// Whether one of the names is that of a function that XCTest calls around every test.
  static func hasFixture(_ names: Set<String>) -> Bool { fixtures.contains(where: names.contains) }

  /// Whether the function is declared on a line, or on one of the next lines, after its attributes.
  ///
  /// - Parameter line: the line that a process reported; unlike those of the source, it may be any number.
  func isNear(_ line: Int) -> Bool { (self.line - 8...self.line).contains(line) }

  /// Whether something other than XCTest's own assertions may make the function fail.
  ///
  /// - Parameter asserting: the names of other functions that assert.
  func mayFailOtherwise(_ asserting: Set<String>) -> Bool {
    words.contains { word in
      // XCTest's assertions have counters, all but the one that always fails.
      if word.hasPrefix("XCTAssert") || word == "XCTUnwrap" { return false }
      if word == "try" || word == "measure" || asserting.contains(word) { return true }
      let word = word.lowercased()
      return Self.checkingParts.contains { word.contains($0) }
    }
  }

  /// Whether the function is known to assert, or suggests it. XCTest calls its fixtures around every test, so they
  /// count only if they contain assertions themselves.
  var asserts: Bool {
    if !assertions.isEmpty || words.contains("XCTFail") { return true }
    return !body.isEmpty && !Self.fixtures.contains(name) && mayFailOtherwise([])
  }

  /// Whether the function comes from a template and is unchanged.
  var isTemplate: Bool { Self.templateNames.contains(name) && words.isSubset(of: Self.templateWords) }
}
