/// What Swift Testing prints of the events that it also reports: lines that begin with a mark, and those that continue
/// messages of several lines, which only the reported messages tell from output of a test.
struct PrintedMessages: Sendable {
  /// The maximum number of messages that are remembered until they are printed.
  private static let most = 100
  private static let marks = ["◇ ", "✔ ", "✘ ", "➜ ", "↳ ", "━ ", "⚠︎ ", "± ", "⎙ "]

  /// The messages of several lines that have not been printed yet.
  private var awaited: [[ArraySlice<UInt8>]] = []
  /// The lines that are to follow of the message whose beginning was printed last.
  private var rest: ArraySlice<ArraySlice<UInt8>> = []

  /// Takes note of a message, which is printed after its event was reported.
  mutating func expect(_ message: String) {
    let lines = Array(message.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1 else { return }
    if awaited.count == Self.most { awaited.removeFirst() }
    awaited.append(lines)
  }

  /// Returns whether a line of standard error is the library's.
  mutating func take(_ line: [UInt8]) -> Bool {
    if continues(line) { return true }
    rest = []
    guard Self.isMarked(line) else { return false }
    let begun = awaited.firstIndex { lines in
      line.suffix(lines[0].count + 1).elementsEqual([UInt8(ascii: " ")] + lines[0])
    }
    if let begun { rest = awaited.remove(at: begun).dropFirst() }
    return true
  }

  /// Whether a line begins with one of the library's marks.
  static func isMarked(_ line: [UInt8]) -> Bool { marks.contains { line.starts(with: $0.utf8) } }

  /// Whether a line continues the message that was begun; of comments, the library indents the lines and leaves out empty
  /// ones.
  private mutating func continues(_ line: [UInt8]) -> Bool {
    let line = Self.trimmed(line[...])
    let left = line.isEmpty ? rest : rest.drop { Self.trimmed($0).isEmpty }
    guard let next = left.first, Self.trimmed(next) == line else { return false }
    rest = left.dropFirst()
    return true
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r") }
    let end = line.lastIndex { !isBlank($0) }
    return end.map { line[...$0].drop(while: isBlank) } ?? []
  }
}
