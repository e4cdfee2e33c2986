import Model

/// A failure or skip whose text may go on over the lines that follow.
///
/// XCTest marks where a message begins and not where it ends, so output that a test prints behind a failure reads
/// like more of its message. A line belongs to the message for certain while an operand is still open, and is output
/// for certain where the message is complete; between the two, a line that looks like earlier output of the same test
/// ends the message, and anything else continues it.
struct MessageTail: Sendable {
  let remark: XCTestRemark
  private var lines: [(text: String, isError: Bool)] = []
  private var size = 0

  init(remark: XCTestRemark) {
    self.remark = remark
  }

  /// Whether no more lines are taken.
  var isFull: Bool { lines.count >= 200 || size >= 65_536 }

  mutating func append(_ text: String) {
    lines.append((text, false))
    size += text.utf8.count
  }

  /// Appends a line of standard error, which belongs to no message.
  mutating func append(error text: String) {
    lines.append((text, true))
    size += text.utf8.count
  }

  /// Returns the whole message, and the lines that are output.
  func split(isOutput: (String) -> Bool) -> (message: String, rest: [String]) {
    var message = remark.text
    var taken = 0
    var isUnfinished = FailureMessage.isUnfinished(message)
    for (index, line) in lines.enumerated() where !line.isError {
      if !isUnfinished {
        if FailureMessage.isComplete(message) || isOutput(line.text) { break }
      }
      message += "\n" + line.text
      taken = index + 1
      if isUnfinished { isUnfinished = FailureMessage.isUnfinished(message) }
    }
    while message.hasSuffix("\n") { message.removeLast() }
    let errors = lines[..<taken].filter(\.isError)
    return (message, errors.map(\.text) + lines[taken...].map(\.text))
  }
}
