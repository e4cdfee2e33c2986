import Model

/// Gives each issue a short name, and says which findings may be the same issue.
///
/// The key of a finding depends on the kind, the test, the file and the words of the message, but not on lines, numbers
/// and addresses, which change when nothing else does. A test has one key however it fails, and one for each of its
/// warnings; a gate has one key whatever it fails for. An issue keeps the name that was made of its first key.
struct IssueNames {
  private var taken: Set<String>
  /// How many names have been made of each key, so that many findings that are alike do not try all names again.
  private var made: [String: Int] = [:]

  /// - Parameter taken: names that belong to other issues.
  init(taken: Set<String> = []) {
    self.taken = taken
  }

  /// A name that nothing else has; of findings that are alike, each gets another.
  mutating func name(for issue: Issue) -> String {
    let key = Self.key(kind: issue.kind, test: issue.test, file: issue.location?.file, message: issue.message)
    while true {
      let occurrence = made[key, default: 0]
      made[key] = occurrence + 1
      let hash = Self.hash(occurrence == 0 ? key : "\(key)\u{0}\(occurrence)")
      let name = "\(Self.letter(for: issue.kind))-\(String(hash >> 32, radix: 16).leftPadded(to: 8))"
      if taken.insert(name).inserted { return name }
    }
  }

  /// Findings with different keys are never the same issue.
  static func key(kind: Issue.Kind, test: TestID?, file: String?, message: String) -> String {
    var parts = [kind.rawValue]
    if let test {
      parts.append(test.description)
      if kind == .warning || kind == .sanitizer { parts.append(Fingerprint.wordsOnly(message)) }
    } else if kind == .gate {
      // The rule; which lines it fails for is another matter in each integration.
      parts.append(String(message.prefix { $0 != ":" }))
    } else {
      parts.append(file ?? "")
      parts.append(Fingerprint.wordsOnly(message))
    }
    return parts.joined(separator: "\u{0}")
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
