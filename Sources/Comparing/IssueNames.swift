import Model

/// A source of short issue names, and of the keys that decide which findings may be the same issue.
///
/// The key of a finding depends on its kind, test, file and topic: the subject if Martlet itself found it, otherwise
/// the words of the program that did, without lines, numbers and addresses, which change when nothing else does. A test
/// has one key however it fails, and one for each of its warnings; a gate has one key whatever it fails for. An issue
/// keeps the name that was derived from its first key.
struct IssueNames {
  private var taken: Set<String>
  /// The number of names derived from each key, so that many similar findings do not try every name again.
  private var made: [String: Int] = [:]

  /// - Parameter taken: the names of other issues.
  init(taken: Set<String> = []) {
    self.taken = taken
  }

  /// Returns a unique name for an issue; similar findings get different names.
  mutating func name(for issue: Issue) -> String {
    let key = Self.key(of: issue)
    while true {
      let occurrence = made[key, default: 0]
      made[key] = occurrence + 1
      let hash = Self.hash(occurrence == 0 ? key : "\(key)\u{0}\(occurrence)")
      let half = UInt32(hash >> 32).bigEndian
      let name = "\(Self.letter(for: issue.kind))-\(withUnsafeBytes(of: half) { Array($0).hexadecimal })"
      if taken.insert(name).inserted { return name }
    }
  }

  /// Returns the key of a finding. Findings with different keys are never the same issue.
  static func key(of issue: Issue) -> String {
    guard let subject = issue.subject else { return keyOfWords(issue) }
    // The lines that a gate fails for differ between integrations, so they are not part of its key.
    if subject.code == .gate { return joined(issue, ["Gate \(subject.name ?? "")"]) }
    // Triggers may differ by nothing but a number.
    let name = subject.isOfTrigger ? subject.name : subject.name.map(Fingerprint.wordsOnly)
    return joined(issue, [issue.test?.description ?? "", subject.code.rawValue, name ?? ""])
  }

  /// Returns the key of a finding by another program, or of an issue that an older Martlet remembered without a
  /// subject.
  static func keyOfWords(_ issue: Issue) -> String {
    guard let test = issue.test else {
      return joined(issue, [issue.location?.file ?? "", Fingerprint.wordsOnly(issue.message)])
    }
    let isOfWords = issue.kind == .warning || issue.kind == .sanitizer
    return joined(issue, [test.description] + (isOfWords ? [Fingerprint.wordsOnly(issue.message)] : []))
  }

  private static func joined(_ issue: Issue, _ parts: [String]) -> String {
    ([issue.kind.rawValue] + parts).joined(separator: "\u{0}")
  }

  private static func letter(for kind: Issue.Kind) -> Character {
    switch kind {
    case .error, .linkerError: "e"
    case .warning: "w"
    case .analyzerWarning: "a"
    case .testFailure: "t"
    case .crash: "c"
    case .timeOut: "h"
    case .quit: "q"
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
