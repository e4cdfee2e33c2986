import Model
import Syntax

/// The calls in a Swift source that stop the program on purpose, and that tests seldom try to reach: those of the
/// standard library's `fatalError`, `preconditionFailure` and `assertionFailure`.
///
/// A package may have functions of the same names that return: member calls, and calls with arguments that the
/// library's functions do not take, are not included.
struct StoppingCalls {
  private static let names: [StaticString] = ["fatalError", "preconditionFailure", "assertionFailure"]

  /// The offsets of the function names, ascending.
  private let offsets: [Int]

  init(in code: SourceCode) {
    offsets =
      code.isSwift
      ? code.tokens.indices.filter { index in
        Self.names.contains { code.isToken(index, $0) } && Self.isCall(index, in: code)
      }.map { code.tokens[$0].start } : []
  }

  /// Returns whether a text contains any of the names.
  static func mayBe(in bytes: [UInt8]) -> Bool { names.contains { bytes.holds("\($0)") } }

  /// Returns whether one of the calls begins in a byte range.
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

  /// Returns whether the word before a dot is the standard library's module.
  private static func isLibrary(_ owner: Int?, in code: SourceCode) -> Bool {
    guard let owner, code.isToken(owner, "Swift") else { return false }
    return !code.isToken(code.previous(owner), ".")
  }

  /// Returns whether the arguments are at most a message, `file:` and `line:`.
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
