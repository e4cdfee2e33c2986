import Model

/// The functions of a source of tests, as far as they stay the same under another name.
package struct TestBodies: Sendable {
  private struct Function {
    var name: String
    /// From its first attribute to its opening brace.
    var head: ClosedRange<Int>
    /// The last line of its body.
    var lastLine: Int
    /// Its parameters and its body, without comments and blanks.
    var text: String
  }

  private let functions: [Function]

  /// None of a source that is not Swift, or not whole.
  package init(_ code: SourceCode) {
    guard code.isSwift, code.isWhole else {
      functions = []
      return
    }
    functions = SourceOutline(code).bodies.compactMap { body in
      guard let name = body.keyword.flatMap(code.next), code.tokens[name].isWord else { return nil }
      let rest = (name + 1..<body.tokens.upperBound).lazy.filter { code.tokens[$0].kind != .comment }
      return Function(
        name: code.word(name).functionName, head: body.function.head, lastLine: body.function.body.upperBound,
        text: rest.map { String(decoding: code.text($0), as: UTF8.self) }.joined(separator: " "))
    }
  }

  /// Returns the parameters and the body of the function that is declared at a line; nil if there is no such function.
  ///
  /// - Parameter name: its name, with or without parameters.
  package func text(of name: String, at line: Int) -> String? {
    function(name, at: line)?.text
  }

  /// Returns the lines of the function that is declared at a line, from that on; nil likewise.
  package func lines(of name: String, at line: Int) -> ClosedRange<Int>? {
    function(name, at: line).map { line...$0.lastLine }
  }

  private func function(_ name: String, at line: Int) -> Function? {
    let name = name.functionName
    return functions.first { $0.head.contains(line) && $0.name == name }
  }
}
