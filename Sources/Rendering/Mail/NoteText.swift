package import Model

/// The text of a git note: a paragraph for each bot that integrated the commit, and whatever people wrote between.
package enum NoteText {
  /// What an integration makes of a commit's note.
  ///
  /// The paragraph of an older integration of the bot goes; everything else stays where it is. An integration that is
  /// older than the one that is told changes nothing.
  ///
  /// - Parameter page: where the integration's report lies.
  package static func adding(_ integration: Integration, page: String, to old: String?) -> String {
    let own = paragraph(integration, page: page)
    guard let old, !old.allSatisfy(\.isWhitespace) else { return own + "\n" }
    var paragraphs: [String] = [""]
    for line in old.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy(\.isWhitespace) {
        if paragraphs.last != "" { paragraphs.append("") }
      } else {
        paragraphs[paragraphs.count - 1] += (paragraphs.last == "" ? "" : "\n") + line
      }
    }
    paragraphs.removeAll { $0.isEmpty }
    var isPlaced = false
    paragraphs = paragraphs.compactMap { text in
      guard let number = number(in: text, of: integration.bot) else { return text }
      defer { isPlaced = true }
      if number > integration.number { return text }
      return isPlaced ? nil : own
    }
    if !isPlaced { paragraphs.append(own) }
    return paragraphs.joined(separator: "\n\n") + "\n"
  }

  private static func paragraph(_ integration: Integration, page: String) -> String {
    let facts = MessageFacts(integration, page: page, time: .utc)
    let lines = [
      "\(integration.bot) \(integration.number): \(integration.toldOutcome)", facts.tests, facts.coverage, page,
    ]
    return lines.compactMap { $0.map { OneLine.of($0) } }.joined(separator: "\n")
  }

  /// The number of the integration that a paragraph tells of, if it is one of the bot's.
  private static func number(in paragraph: String, of bot: String) -> Int? {
    let first = paragraph.prefix { $0 != "\n" }
    guard first.hasPrefix("\(bot) "), let colon = first.dropFirst(bot.count + 1).firstIndex(of: ":") else { return nil }
    return Int(first[first.index(first.startIndex, offsetBy: bot.count + 1)..<colon])
  }
}
