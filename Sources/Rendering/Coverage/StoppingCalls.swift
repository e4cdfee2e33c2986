import Model
import Syntax

/// The calls in a Swift source that are there to stop the program, which a test seldom wants to reach: of `fatalError`,
/// `preconditionFailure` and `assertionFailure` as the standard library has them.
///
/// A package may have functions of the same names that go on: what is called as a member of something, or with arguments
/// that the library's functions do not take, is not among these calls.
struct StoppingCalls {
  private static let names: [StaticString] = ["fatalError", "preconditionFailure", "assertionFailure"]

  /// Where the names of the functions begin, ascending.
  private let offsets: [Int]

  init(in code: SourceCode) {
    offsets =
      code.isSwift
      ? code.tokens.indices.filter { index in
        Self.names.contains { code.isToken(index, $0) } && Self.isCall(index, in: code)
      }.map { code.tokens[$0].start } : []
  }

  /// Whether a text has the names at all.
  static func mayBe(in bytes: [UInt8]) -> Bool { names.contains(where: bytes.holds) }

  /// Whether one of the calls begins in a stretch of bytes.
  func isOne(in stretch: Range<Int>) -> Bool {
    let next = offsets.partitioningIndex { $0 >= stretch.lowerBound }
    return next < offsets.count && offsets[next] < stretch.upperBound
  }

  private static func isCall(_ name: Int, in code: SourceCode) -> Bool {
    guard code.tokens[name].isWord, name + 1 < code.tokens.count, code.isToken(name + 1, "("),
      !code.tokens[name + 1].startsLine, let end = code.tokens[name + 1].partner
    else { return false }
    if let before = code.previous(name) {
      // A declaration.
      if code.isToken(before, "func") || code.isToken(before, "case") { return false }
      if code.isToken(before, "."), !isLibrary(code.previous(before), in: code) { return false }
    }
    return areOfStop(name + 2..<end, in: code)
  }

  /// Whether what stands before a point is the module of the standard library.
  private static func isLibrary(_ owner: Int?, in code: SourceCode) -> Bool {
    guard let owner, code.isToken(owner, "Swift") else { return false }
    return !code.isToken(code.previous(owner), ".")
  }

  /// Whether arguments are at most a message, `file:` and `line:`.
  private static func areOfStop(_ arguments: Range<Int>, in code: SourceCode) -> Bool {
    var mayBeMessage = true
    var isFirst = true
    var index = arguments.lowerBound
    while index < arguments.upperBound {
      let token = code.tokens[index]
      if token.kind == .comment {
        index += 1
        continue
      }
      if isFirst {
        let isLabelled = token.isWord && code.isToken(code.next(index), ":")
        guard isLabelled ? code.isToken(index, "file") || code.isToken(index, "line") : mayBeMessage else {
          return false
        }
      }
      isFirst = code.isToken(index, ",")
      if isFirst { mayBeMessage = false }
      index = (token.isOpening ? token.partner ?? index : index) + 1
    }
    return true
  }
}
