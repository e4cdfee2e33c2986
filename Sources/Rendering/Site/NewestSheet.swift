import Model

/// The small style sheet that shows, on every page of a bot's reports, the outcome of its newest integration.
///
/// It is stored beside the reports, so that an old report, opened from a mail for instance, shows that the bot is green
/// again.
struct NewestSheet {
  private let newest: HistoryLine?
  /// The branch to name, if there are reports of other branches, too.
  private let branch: String?

  init(_ newest: HistoryLine?, of branch: String?) {
    (self.newest, self.branch) = (newest, branch)
  }

  var bytes: [UInt8] {
    let branch = branch.map { " on \(Self.escaped($0))" } ?? ""
    let words = newest.map { "\(branch): \($0.number), \($0.lowercasedOutcome)" } ?? ""
    return Array("@charset \"utf-8\";\n.newest::after { content: \"\(words)\"; }\n".utf8)
  }

  /// Returns text escaped for a string in a style sheet (https://www.w3.org/TR/css-syntax-3/#escaping).
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      let isPlain =
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_./ ".unicodeScalars.contains(scalar)
      return isPlain ? String(scalar) : "\\\(String(scalar.value, radix: 16)) "
    }.joined()
  }
}
