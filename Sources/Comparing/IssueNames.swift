import Model

/// Gives each issue a short name that the same finding gets again in the next integration.
///
/// A name depends on the kind, the test, the file and the words of the message, but not on lines, numbers and addresses,
/// which change when nothing else does. A test has one name however it fails, and one for each of its warnings and of what
/// a sanitizer found; a gate has one name whatever it fails for. Findings that are alike are told apart by
/// their order.
struct IssueNames {
  private var seen: [String: Int] = [:]

  mutating func name(for issue: Issue) -> String {
    var parts = [issue.kind.rawValue]
    if let test = issue.test {
      parts.append(test.description)
      if [.warning, .sanitizer].contains(issue.kind) { parts.append(Self.wordsOnly(issue.message)) }
    } else if issue.kind == .gate {
      // The rule; which lines it fails for is another matter in each integration.
      parts.append(String(issue.message.prefix { $0 != ":" }))
    } else {
      parts.append(issue.location?.file ?? "")
      parts.append(Self.wordsOnly(issue.message))
    }
    let key = parts.joined(separator: "\u{0}")
    let occurrence = seen[key, default: 0]
    seen[key] = occurrence + 1
    let hash = Self.hash(occurrence == 0 ? key : "\(key)\u{0}\(occurrence)")
    return "\(Self.letter(for: issue.kind))-\(String(hash >> 32, radix: 16).leftPadded(to: 8))"
  }

  /// Returns the message with every number, decimal or hexadecimal, replaced by one sign.
  static func wordsOnly(_ message: String) -> String {
    var result = ""
    var isInNumber = false
    for character in message {
      let continues = isInNumber && (character.isHexDigit || character == "x" || character == "." || character == "_")
      if continues { continue }
      isInNumber = character.isNumber && character.isASCII
      result.append(isInNumber ? "#" : character)
    }
    return result
  }

  private static func letter(for kind: Issue.Kind) -> Character {
    switch kind {
    case .error, .linkerError: "e"
    case .warning: "w"
    case .analyzerWarning: "a"
    case .testFailure: "t"
    case .crash: "c"
    case .timeOut: "h"
    case .sanitizer: "m"
    case .gate: "g"
    case .triggerError, .serviceError, .serviceWarning: "s"
    }
  }

  /// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: "0", count: max(0, width - count)) + self
  }
}
