import Model

/// The small style sheet that tells every page of a bot's reports how its newest integration ended.
///
/// Written beside the reports, so that an old one, such as a link in a mail leads to, says that the bot is green again.
struct NewestSheet {
  private let newest: HistoryLine?
  /// The branch that is told of, where reports of others are told of it, too.
  private let branch: String?

  init(_ newest: HistoryLine?, of branch: String?) {
    (self.newest, self.branch) = (newest, branch)
  }

  var bytes: [UInt8] {
    let branch = branch.map { " on \(Self.escaped($0))" } ?? ""
    let words = newest.map { "\(branch): \($0.number), \($0.lowercasedOutcome)" } ?? ""
    return Array("@charset \"utf-8\";\n.newest::after { content: \"\(words)\"; }\n".utf8)
  }

  /// A text as a string of a style sheet has it (https://www.w3.org/TR/css-syntax-3/#escaping).
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_./ ".unicodeScalars.contains(scalar)
      return isPlain ? String(scalar) : "\\\(String(scalar.value, radix: 16)) "
    }.joined()
  }
}
