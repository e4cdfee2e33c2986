import Model

/// What changed in a source of tests, as far as it concerns one of them and not another.
package enum TestSourceEdit: Hashable, Sendable {
  /// Nothing but tests, with these names; they are new, changed or gone.
  case tests(Set<String>)
  /// Something that any test may need.
  case shared

  /// Compares two versions of a Swift source.
  ///
  /// A test is of no concern to another one. All else counts as shared, whether or not it has code that runs: functions
  /// that tests call and their set-up, but also imports, types, constants and properties, which decide what a test does
  /// without ever being run by it. So does what is not surely a test.
  package init(from old: SourceCode, to new: SourceCode) {
    guard old.isSwift, new.isSwift, old.isWhole, new.isWhole else {
      self = .shared
      return
    }
    let (before, after) = (TestOutline(old), TestOutline(new))
    guard old.isAlike(before.others, to: new, after.others) else {
      self = .shared
      return
    }
    let names = Set(before.tests.keys).union(after.tests.keys).filter { key in
      guard let one = before.tests[key], let other = after.tests[key], one.count == other.count else { return true }
      return !zip(one, other).allSatisfy { old.isAlike($0, to: new, $1) }
    }
    self = .tests(Set(names.map(\.name)))
  }

  /// Whether the change may concern a test.
  ///
  /// - Parameter name: the name of its function, with or without parameters.
  package func concerns(_ name: String) -> Bool {
    switch self {
    case .shared: true
    case .tests(let names): names.contains(name.functionName)
    }
  }
}

/// The tests of a Swift source apart from the rest.
private struct TestOutline {
  /// A test by its types and its name.
  struct Key: Hashable {
    var types: [String]
    var name: String
  }

  /// The tokens of each test; several where one name has several functions.
  private(set) var tests: [Key: [Range<Int>]] = [:]
  /// The tokens of the rest.
  private(set) var others: [Int] = []

  init(_ code: SourceCode) {
    let functions = SourceOutline(code).bodies.compactMap { TestFunction($0, in: code) }
    let declared = Dictionary(functions.map { ($0.name, 1) }, uniquingKeysWith: +)
    let words = Dictionary(
      code.tokens.indices.lazy.filter { code.tokens[$0].isWord && declared[code.word($0)] != nil }
        .map { (code.word($0), 1) }, uniquingKeysWith: +)
    var next = 0
    // Nothing calls what carries `@Test`; a method that is called may be more than a test.
    for function in functions where function.isMarked || words[function.name] == declared[function.name] {
      let key = Key(types: function.types, name: function.name.functionName)
      tests[key, default: []].append(function.tokens)
      others += next..<function.tokens.lowerBound
      next = function.tokens.upperBound
    }
    others += next..<code.tokens.count
  }
}

/// A function that looks like a test.
private struct TestFunction {
  private static let modifiers = CodeWords.modifiers.subtracting(["func", "extension", "async"])

  let types: [String]
  let name: String
  /// Whether it carries `@Test`.
  let isMarked: Bool
  /// From its first attribute to its closing brace.
  let tokens: Range<Int>

  /// Nil for another function.
  init?(_ body: SourceOutline.Body, in code: SourceCode) {
    guard let keyword = body.keyword, let name = code.next(keyword), code.tokens[name].isWord else { return nil }
    let first = Self.start(of: keyword, in: code)
    types = body.types
    self.name = code.word(name)
    isMarked = (first..<keyword).contains { code.tokens[$0].kind == .attribute && code.word($0) == "Test" }
    tokens = first..<body.tokens.upperBound + 1
    guard isMarked || Self.isOfXCTest(name, body, in: code) else { return nil }
  }

  /// Whether it is a method named like a test, and neither takes nor returns anything.
  private static func isOfXCTest(_ name: Int, _ body: SourceOutline.Body, in code: SourceCode) -> Bool {
    guard code.word(name).hasPrefix("test"), !body.types.isEmpty, let opening = code.next(name),
      code.isToken(opening, "("), code.next(opening) == code.tokens[opening].partner
    else { return false }
    return !(opening..<body.tokens.lowerBound).contains { code.isToken($0, "->") }
  }

  /// Returns the first of the attributes and modifiers before a keyword.
  private static func start(of keyword: Int, in code: SourceCode) -> Int {
    var start = keyword
    while var index = code.previous(start) {
      if code.isToken(index, ")"), let opening = code.tokens[index].partner, let owner = code.previous(opening) {
        index = owner
      }
      guard code.tokens[index].kind == .attribute || modifiers.contains(code.word(index)) else { break }
      start = index
    }
    return start
  }
}
