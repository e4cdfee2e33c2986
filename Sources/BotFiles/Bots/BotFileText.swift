import Model

/// The bot file that shows every field with its default, for help; `BotFileStart` is the one to begin with.
///
/// A line of prose begins with `# `, a heading with `# ===`. Any other line that begins with `#` is a setting with its
/// default, and removing the `#` changes nothing. `# Example: ` shows what a file may say instead; further keys that it
/// needs follow in lines of their own, indented as far.
package enum BotFileText {
  /// The keys of a bot file, in the order in which the text shows them.
  package static let keys = ["repository"] + groups.flatMap { $0.entries.map(\.key) }

  private static let groups = [
    Group(nil, place), Group("Which commits", commits), Group("What is done", conduct),
    Group("Tests and coverage", measures), Group("Who is told", audience), Group("Remote repositories", remotes),
    Group("Limits and safety", limits),
  ]

  /// Returns the text of a bot's file, with the repository as written to it.
  package static func text(repository: String) -> String {
    let bot = Bot(name: "", repository: "")
    let head = """
      # A bot of Martlet: a standing order to integrate the commits of one repository.
      # Lines such as '#notes: false' show the defaults; take the '#' away to change one. A list of one may be written
      # without brackets, such as branches: main.
      # 'martlet check' says whether the file is right.

      # The repository to watch: a local path, bare or not. ~ is your home folder; a relative path begins in the folder
      # of this file. A remote one is named by its address, https://…, ssh://… or git@host:path; Martlet keeps a mirror.
      repository: \(quoted(repository))

      """
    return head + groups.map { $0.text(bot) }.joined()
  }

  /// Returns a text as a YAML value: plain where that is safe, otherwise in double quotes.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || 0x30...0x39 ~= $0.value || "/._-~+".unicodeScalars.contains($0))
    }
    let begins = text.first.map { $0 == "/" || $0 == "." || $0.isLetter || text.hasPrefix("~/") } ?? false
    if isPlain, begins, !["null", "true", "false"].contains(text) { return text }
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.properties.generalCategory == .control: "\\x\(hexadecimal(scalar.value))"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return digits.count < 2 ? "0\(digits)" : digits
  }

  /// Fields that belong together.
  private struct Group: Sendable {
    /// Nil for those that follow the repository.
    var heading: String?
    var entries: [Entry]

    init(_ heading: String?, _ entries: [Entry]) {
      self.heading = heading
      self.entries = entries
    }

    func text(_ bot: Bot) -> String {
      (heading.map { "\n# === \($0) ===\n" } ?? "") + entries.map { "\n" + $0.text(bot) }.joined()
    }
  }

  /// A field with its explanation.
  struct Entry: Sendable {
    var key: String
    /// The prose, without comment marks; an empty line begins a new paragraph.
    var prose: String
    /// The setting without comment marks, in one or more lines; nil if the field has no default.
    var setting: (@Sendable (Bot) -> String)?

    init(_ key: String, _ prose: String, _ setting: (@Sendable (Bot) -> String)? = nil) {
      self.key = key
      self.prose = prose
      self.setting = setting
    }

    func text(_ bot: Bot) -> String {
      let lines = prose.isEmpty ? [] : prose.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.map { $0.isEmpty ? "#\n" : "# \($0)\n" }.joined()
        + (setting?(bot).split(separator: "\n").map { "#\($0)\n" } ?? []).joined()
    }
  }

  static func list(_ values: [String]) -> String { "[\(values.map(quoted).joined(separator: ", "))]" }
}
