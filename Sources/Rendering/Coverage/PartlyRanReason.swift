import Model

/// What a stretch that never ran is to the line that did, read off the source text around it.
enum PartlyRanReason: Hashable {
  case rightSide(String)
  case otherwise, caught, deferred
  case guardFailed
  case condition
  case loopBody
  case choice
  case caseBody
  case closure
  /// A function inside a function.
  case function
  /// What is in braces, of which the text does not say more.
  case block
  /// A later argument of the function with this name, which stops the program when its first one is false.
  case message(String)
  /// An argument of the function with this name; nil where the line does not show the name.
  case argument(String?)
  case passedFunction
  case thrown

  /// Nil when the text does not say it plainly.
  /// - Parameter others: what else never ran of the line.
  init?(of stretch: DeadStretch, among others: ArraySlice<DeadStretch> = [], in source: HighlightedSource) {
    let line = source.range(ofLine: stretch.line)
    let dead = source.trimmed(stretch.columns, in: line)
    guard !dead.isEmpty, line.count <= HighlightedSource.longestLine else { return nil }
    let before = source.bytes[line.lowerBound..<dead.lowerBound]
    let text = source.bytes[dead]
    let after = source.bytes[dead.upperBound..<max(dead.upperBound, line.upperBound)]
    let trimmed = Self.trimmed(before)
    let isBlock = text.first == UInt8(ascii: "{") && Self.rightSide(after: trimmed) == nil
    let found: PartlyRanReason? =
      if isBlock {
        Self.block(at: dead.lowerBound, after: Self.trimmed(after), in: source)
      } else if let reason = Self.reason(before: trimmed, text: text) {
        reason
      } else if trimmed.isEmpty {
        Self.continued(text, above: Self.above(stretch.line, in: source), after: Self.trimmed(after))
      } else {
        Self.argument(text, before: trimmed, after: Self.trimmed(after)) { offset in
          others.contains {
            $0.line == stretch.line && source.trimmed($0.columns, in: line).contains(offset)
          }
        }
      }
    guard let found else { return nil }
    self = found
  }

  /// The line above that is no comment, without blanks at its ends.
  private static func above(_ line: Int, in source: HighlightedSource) -> ArraySlice<UInt8> {
    // Comments of any length would be looked at again for each stretch below them.
    for above in (max(line - 20, 1)..<line).reversed() {
      let text = trimmed(source.bytes[source.range(ofLine: above)])
      if !text.starts(with: "//".utf8) { return text }
    }
    return []
  }

  /// What a stretch is that begins its line, by how the line above ends.
  private static func continued(
    _ text: ArraySlice<UInt8>, above: ArraySlice<UInt8>, after: ArraySlice<UInt8>
  ) -> PartlyRanReason? {
    if let side = rightSide(after: above) { return side }
    guard let last = above.last, "(,[:".utf8.contains(last) else { return nil }
    return argument(text, before: [], after: after) { _ in false }
  }

  private static func rightSide(after before: ArraySlice<UInt8>) -> PartlyRanReason? {
    ["??", "&&", "||"].first { ends(before, $0) }.map { .rightSide($0) }
  }

  private static func reason(before: ArraySlice<UInt8>, text: ArraySlice<UInt8>) -> PartlyRanReason? {
    if let side = rightSide(after: before) { return side }
    if begins(text, word: "case") || begins(text, word: "default") { return .caseBody }
    if ends(before, " ?") || before.elementsEqual("?".utf8) || before.elementsEqual(":".utf8) { return .choice }
    if ends(before, " :"), before.contains(UInt8(ascii: "?")) { return .choice }
    if ends(before, ":"), begins(before, word: "case") || begins(before, word: "default") { return .caseBody }
    return nil
  }

  /// What the block that begins at an offset is.
  private static func block(
    at brace: Int, after: ArraySlice<UInt8>, in source: HighlightedSource
  ) -> PartlyRanReason? {
    var block = OpenedBlock(at: brace, in: source)
    let reason = block.reason()
    // No body is followed by that: it is a closure in the condition.
    let goesOn = after.first.map { "{,.)&|=<>?]".utf8.contains($0) } ?? false
    return goesOn && (reason == .condition || reason == .loopBody) ? .closure : reason
  }

  /// Whether a line is an `if` with its whole block, and nothing else.
  static func isOneLineIf(_ line: ArraySlice<UInt8>) -> Bool {
    let line = trimmed(line)
    return begins(line, word: "if") && line.last == UInt8(ascii: "}") && !holds(line, word: "else")
      && !line.contains(UInt8(ascii: ";"))
  }

  var sentence: String {
    switch self {
    case .rightSide("??"): "The right side of ?? never ran: the left side was never nil."
    case .rightSide("&&"): "The right side of && never ran: the left side was never true."
    case .rightSide("||"): "The right side of || never ran: the left side was never false."
    case .rightSide(let symbol): "The right side of \(symbol) never ran."
    case .otherwise: "The else block that starts here never ran."
    case .caught: "The catch block that starts here never ran."
    case .deferred: "The defer block that starts here never ran."
    case .guardFailed: "The guard never failed; its else block never ran."
    case .condition: "The condition was never true; the block that starts here never ran."
    case .loopBody: "The body of the loop never ran."
    case .choice: "This side of the conditional expression never ran."
    case .caseBody: "This case never ran."
    case .closure: "The closure that starts here never ran."
    case .function: "The function whose body starts here was never called."
    case .block: "The block that starts here never ran."
    case .message(let name): "The condition of \(name) always held, so its message was never made."
    case .argument(let name?): "\(name) never evaluated this argument."
    case .argument(nil): "This argument was never evaluated."
    case .passedFunction: "The function that is passed here was never called."
    case .thrown: "What is tried here never succeeded, so the rest did not run."
    }
  }

  // MARK: - Bytes

  private static func isBlank(_ byte: UInt8) -> Bool { SwiftHighlighter.isBlank(byte) }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return text
  }

  private static func ends(_ text: ArraySlice<UInt8>, _ end: String) -> Bool {
    text.suffix(end.utf8.count).elementsEqual(end.utf8)
  }

  private static func begins(_ text: ArraySlice<UInt8>, word: String) -> Bool {
    guard text.starts(with: word.utf8) else { return false }
    return text.dropFirst(word.utf8.count).first.map { !SwiftHighlighter.isName($0) } ?? true
  }
}
