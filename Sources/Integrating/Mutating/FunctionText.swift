import Model
import Syntax

/// What the source, but not the machine code, reveals about a function.
struct FunctionText: Hashable {
  /// Whether its callers contain copies of it even in a debug build.
  var isTransparent: Bool
  /// Whether it does no more than a mutant would: nothing, return a constant, or end the process.
  var isConstant: Bool
  /// Whether it only asserts something, or helps tests to.
  var isAssertion: Bool

  private static let assertions: Set<String> = ["precondition", "assert"]
  private static let endings: Set<String> = ["fatalError", "preconditionFailure", "abort"]

  /// - Parameters:
  ///   - body: the region from the opening brace to just after the closing one.
  ///   - source: the file that contains it.
  init?(_ body: CoverageRegion, in source: SourceCode) {
    guard let stretch = source.range(from: body.start, to: body.end) else { return nil }
    let tokens = source.tokens(in: stretch)
    guard let first = tokens.first else { return nil }
    isTransparent = Self.attributes(before: first, in: source).contains("@_transparent")
    let code = Self.code(of: tokens, in: source)
    isConstant = Self.isConstant(code, source)
    isAssertion = Self.isAssertion(code, source) || source.importsTestLibrary
  }

  /// Returns the tokens between the braces, without comments and a leading `return`.
  private static func code(of tokens: Range<Int>, in source: SourceCode) -> [Token] {
    var code = tokens.map { source.tokens[$0] }.filter { $0.kind != .comment }
    if let brace = code.first, brace.isOpening, source.text(of: brace) == "{" { code.removeFirst() }
    if let brace = code.last, brace.isClosing, source.text(of: brace) == "}" { code.removeLast() }
    if let word = code.first, source.text(of: word) == "return" { code.removeFirst() }
    return code
  }

  private static func isConstant(_ code: [Token], _ source: SourceCode) -> Bool {
    guard let first = code.first else { return true }
    if first.isWord, endings.contains(source.text(of: first)) { return true }
    let words = code.prefix(4).map(source.text(of:))
    switch code.count {
    case 1: return first.kind == .number || first.kind == .string || ["true", "false", "nil"].contains(words[0])
    case 2: return words == ["[", "]"] || (words[0] == "-" && code[1].kind == .number) || words == [".", "none"]
    case 3: return words == ["[", ":", "]"]
    default: return false
    }
  }

  private static func isAssertion(_ code: [Token], _ source: SourceCode) -> Bool {
    guard code.count > 2, code[0].isWord, assertions.contains(source.text(of: code[0])), code[1].isOpening else {
      return false
    }
    var depth = 0
    let end = code.firstIndex { token in
      depth += token.isOpening ? 1 : token.isClosing ? -1 : 0
      return token.isClosing && depth == 0
    }
    return end == code.indices.last
  }

  private static func attributes(before body: Int, in source: SourceCode) -> [String] {
    var found: [String] = []
    for token in source.tokens[..<body].reversed().prefix(500) {
      let text = source.text(of: token)
      if text == "{" || text == "}" { break }
      if token.kind == .attribute { found.append(text) }
    }
    return found
  }
}

extension SourceCode {
  private static let testLibraries: Set<String> = ["XCTest", "Testing"]

  /// Whether it imports a library of tests: no test fails for want of what makes tests fail.
  var importsTestLibrary: Bool {
    tokens.indices.dropLast().contains { index in
      tokens[index].isWord && text(of: tokens[index]) == "import"
        && Self.testLibraries.contains(text(of: tokens[index + 1]))
    }
  }

  fileprivate func text(of token: Token) -> String { String(decoding: bytes[token.range], as: UTF8.self) }
}

/// The sources of functions that are tried.
struct MutatedSources {
  private let byPath: [String: SourceCode]

  /// - Parameter text: returns a file; nil if it cannot be read.
  init(_ candidates: [MutationPlan.Candidate], _ text: (String) -> [UInt8]?) {
    byPath = Set(candidates.map(\.path)).reduce(into: [:]) { sources, path in
      sources[path] = text(path).map { SourceCode($0, in: .swift) }
    }
  }

  subscript(path: String) -> SourceCode? { byPath[path] }

  /// Whether a function holds conditions to try, of which no caller has a copy.
  func mayHaveConditions(_ candidate: MutationPlan.Candidate, _ scope: MutationScope) -> Bool {
    guard let source = self[candidate.path],
      let body = source.range(from: candidate.body.start, to: candidate.body.end),
      scope == .all || !candidate.touched.isEmpty, !source.importsTestLibrary
    else { return false }
    return text(of: candidate)?.isTransparent == false && !source.conditions(in: body).isEmpty
  }

  func text(of candidate: MutationPlan.Candidate) -> FunctionText? {
    self[candidate.path].flatMap { FunctionText(candidate.body, in: $0) }
  }
}
