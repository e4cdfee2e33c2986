/// A call that ends the process, as the last statement of a block.
package struct FinalCall: Hashable, Sendable {
  /// The offset behind the call.
  package let end: Int
  /// The offset behind the brace that follows it; nil if the next case of a switch does.
  package let endOfBlock: Int?

  /// Functions of the C library and of the standard library that do not return.
  package static let names: Set = [
    "exit", "_exit", "_Exit", "quick_exit", "abort", "fatalError", "preconditionFailure",
  ]

  fileprivate static let modules: Set = ["Glibc", "Musl", "Darwin", "Foundation", "Swift"]
  fileprivate static let cases: Set = ["case", "default", "unknown"]
}

extension SourceCode {
  /// Returns the calls of functions in a Swift source that end the process, where nothing but the end of a block or of a
  /// case follows.
  ///
  /// - Parameter names: those of functions that do not return.
  package func finalCalls(of names: Set<String>) -> [FinalCall] {
    guard isSwift, isWhole else { return [] }
    return tokens.indices.compactMap { index in
      guard tokens[index].kind == .name, byte(behind: index) == UInt8(ascii: "("), names.contains(word(index)),
        let opening = next(index), let closing = tokens[opening].partner, isStatement(index),
        let after = next(closing).map({ isToken($0, ";") ? next($0) ?? $0 : $0 })
      else { return nil }
      let end = tokens[closing].range.upperBound
      if isToken(after, "}") { return FinalCall(end: end, endOfBlock: tokens[after].range.upperBound) }
      return FinalCall.cases.contains(word(after)) ? FinalCall(end: end, endOfBlock: nil) : nil
    }
  }

  /// Returns which of the names the source declares as functions or variables.
  package func declared(among names: Set<String>) -> Set<String> {
    found(names) { before, _ in ["func", "let", "var"].contains { isToken(before, $0) } }
  }

  /// Returns which of the names the source gives to parameters, like which the label of an argument reads.
  package func parameters(among names: Set<String>) -> Set<String> {
    found(names) { before, after in !isToken(before, ".") && (isToken(after, ":") || isToken(after, "in")) }
  }

  private func found(_ names: Set<String>, where isIt: (_ before: Int?, _ after: Int?) -> Bool) -> Set<String> {
    Set(
      tokens.indices.filter { index in
        tokens[index].kind == .name && names.contains(word(index)) && isIt(previous(index), next(index))
      }.map(word))
  }

  /// Returns whether a call is a statement, rather than a part of one or a call of a method.
  private func isStatement(_ call: Int) -> Bool {
    var first = call
    if let dot = previous(call), isToken(dot, ".") {
      guard let module = previous(dot), FinalCall.modules.contains(word(module)) else { return false }
      first = module
    }
    let before = previous(first)
    return startsStatement(first) || before == nil || isToken(before, "{") || isToken(before, ";")
      || isToken(before, ":")
  }
}
