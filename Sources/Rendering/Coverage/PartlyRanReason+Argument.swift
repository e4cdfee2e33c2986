extension PartlyRanReason {
  /// What a stretch is that stands where the argument of a call does: its caller makes it only when it needs it.
  ///
  /// - Parameters:
  ///   - before: the line up to the stretch, without blanks at its end; empty only where the line above goes on here.
  ///   - after: the line behind the stretch, without blanks at its beginning.
  ///   - isDead: whether the byte at an offset never ran.
  static func argument(
    _ text: ArraySlice<UInt8>, before: ArraySlice<UInt8>, after: ArraySlice<UInt8>, isDead: (Int) -> Bool
  ) -> PartlyRanReason? {
    if text.first == UInt8(ascii: ")") { return holds(before, word: "try") ? .thrown : nil }
    let isText = text.starts(with: "\"".utf8) || text.starts(with: "#\"".utf8)
    let follows = after.first.map { ",)]".utf8.contains($0) } ?? (isText || before.last == UInt8(ascii: ","))
    guard follows, isBalanced(text) else { return nil }
    guard let last = before.last else { return .argument(nil) }
    guard "(,[".utf8.contains(last) || endsWithLabel(before) else { return nil }
    if text.elementsEqual("...".utf8) || text.starts(with: "\\".utf8) { return .passedFunction }
    guard let call = openCall(in: before) else { return last == UInt8(ascii: ":") ? .argument(nil) : nil }
    // An optimised build leaves out the check itself, too.
    let isMessage = checks.contains(call.callee) && call.hasArguments && !isDead(call.firstArgument)
    return isMessage ? .message(call.callee) : .argument(call.callee)
  }

  /// Functions that evaluate a later argument than their first only to stop the program with it.
  private static let checks: Set<String> = ["precondition", "assert"]

  private struct OpenCall {
    var callee: String
    /// Where the first argument begins.
    var firstArgument: Int
    /// Whether an argument is whole.
    var hasArguments: Bool
  }

  /// The call whose parenthesis is open at the end of a text.
  private static func openCall(in text: ArraySlice<UInt8>) -> OpenCall? {
    var depth = 0
    var isQuoted = false
    var hasArguments = false
    for (index, byte) in zip(text.indices, text).reversed() {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case _ where isQuoted: break
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth -= 1
        if depth < 0 { return nil }
      case UInt8(ascii: "("):
        depth -= 1
        guard depth < 0 else { continue }
        let name = text[..<index].reversed().prefix(while: SwiftHighlighter.isName).reversed()
        let first = text[(index + 1)...].firstIndex { !SwiftHighlighter.isBlank($0) } ?? text.endIndex
        return name.isEmpty
          ? nil
          : OpenCall(
            callee: String(decoding: Array(name), as: UTF8.self), firstArgument: first, hasArguments: hasArguments)
      case UInt8(ascii: ","): if depth == 0 { hasArguments = true }
      default: break
      }
    }
    return nil
  }

  /// Whether a text ends with the label of an argument, such as `default:`; a conditional expression has a blank there.
  private static func endsWithLabel(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.last == UInt8(ascii: ":") else { return false }
    let label = text.dropLast().reversed().prefix(while: SwiftHighlighter.isName)
    guard !label.isEmpty else { return false }
    let rest = text.dropLast(label.count + 1)
    return rest.last { !SwiftHighlighter.isBlank($0) }.map { "(,".utf8.contains($0) } ?? false
  }

  /// Whether every parenthesis that a text opens is closed in it, and the other way round.
  private static func isBalanced(_ text: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    var isQuoted = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case _ where isQuoted: break
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      if depth < 0 { return false }
    }
    return depth == 0
  }

  /// Whether a word stands somewhere in a text.
  static func holds(_ text: ArraySlice<UInt8>, word: String) -> Bool {
    text.split { !SwiftHighlighter.isName($0) }.contains { $0.elementsEqual(word.utf8) }
  }
}
