/// How a chat is kept from reading the words of others as markup.
enum ChatEscaping {
  /// Slack asks for these three, and shows other entities as they are written
  /// (https://api.slack.com/reference/surfaces/formatting#escaping).
  case entities
  case html
  /// Discord takes a backslash before any punctuation (https://support.discord.com/hc/en-us/articles/210298617).
  case markdown

  /// The value with all its texts escaped.
  func escaped(_ value: TemplateValue) -> TemplateValue {
    switch value {
    case .text(let text): .text(escaped(text))
    case .list(let values): .list(values.map(escaped))
    case .record(let fields): .record(fields.mapValues(escaped))
    case .missing, .flag, .number, .html: value
    }
  }

  private func escaped(_ text: String) -> String {
    switch self {
    case .entities:
      text.reduce(into: "") { escaped, character in
        switch character {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        default: escaped.append(character)
        }
      }
    case .html: String(decoding: HTMLEscaper.escape(Array(text.utf8)), as: UTF8.self)
    case .markdown:
      text.unicodeScalars.reduce(into: "") { escaped, scalar in
        if Self.markup.contains(scalar) { escaped.append("\\") }
        escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// Emphasis, code, spoilers and links; with `:` bare addresses and emoji, with `@` and `#` mentions and headings.
  private static let markup = Set("\\*_~`|[]()<>:@#".unicodeScalars)
}
