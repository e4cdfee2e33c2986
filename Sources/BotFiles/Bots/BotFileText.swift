package import Model

/// Writes the bot file that shows every field with its default: for `martlet bots new`, and for help.
///
/// A line of prose begins with `# `; any other line that begins with `#` is a setting with its default, and taking the
/// `#` away changes nothing. `# Example: ` shows a setting that has no default.
package enum BotFileText {
  /// The keys of a bot file, in the order in which the text shows them.
  package static let keys = ["repository"] + (matters + conduct + reach).map(\.key)

  /// The text of a bot's file.
  ///
  /// - Parameters:
  ///   - repository: as it shall stand in the file.
  ///   - package: the folder of the package inside it; nil to leave it to the default.
  ///   - bot: whose values stand as defaults.
  package static func text(
    repository: String, package: String? = nil, defaults bot: Bot = Bot(name: "", repository: "")
  ) -> String {
    let head = """
      # A bot of Martlet: a standing order to integrate the commits of one repository.
      # Lines such as '#notes: false' show the defaults; take the '#' away to change one.
      # 'martlet check' says whether the file is right, 'martlet help bot-file' shows it again.

      # The repository to watch: a local path, bare or not. ~ is your home folder; a relative path begins in the folder
      # of this file.
      repository: \(quoted(repository))

      """
    return head
      + (matters + conduct + reach).map { entry in
        guard entry.key == "package", let package else { return "\n" + entry.text(bot) }
        return "\n" + entry.commentedProse + "package: \(quoted(package))\n"
      }.joined()
  }

  /// A text as a YAML value: plain where that is safe, else in double quotes.
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

  /// One field with what there is to say about it.
  struct Entry: Sendable {
    var key: String
    /// Prose, without the marks of comments.
    var prose: String
    /// The setting without the marks of comments, one or more lines; nil when the field has no default.
    var setting: (@Sendable (Bot) -> String)?

    init(_ key: String, _ prose: String, _ setting: (@Sendable (Bot) -> String)? = nil) {
      self.key = key
      self.prose = prose
      self.setting = setting
    }

    var commentedProse: String { prose.split(separator: "\n").map { "# \($0)\n" }.joined() }

    func text(_ bot: Bot) -> String {
      commentedProse + (setting?(bot).split(separator: "\n").map { "#\($0)\n" } ?? []).joined()
    }
  }

  /// A list of texts as YAML.
  static func list(_ values: [String]) -> String { "[\(values.map(quoted).joined(separator: ", "))]" }
}
