package import Model

/// The text of a git note: a paragraph for each bot that integrated the commit, and anything that people added.
package enum NoteText {
  /// Returns a commit's note with the paragraph of an integration.
  ///
  /// The paragraph replaces that of an older integration of the bot; everything else stays in place. If the note has a
  /// newer integration of the bot, it is not changed.
  ///
  /// - Parameter page: the address of the integration's report.
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
      "\(integration.bot) \(integration.number): \(integration.toldOutcome)", facts.tests, facts.coverage, facts.page,
    ]
    return lines.compactMap { $0.map { OneLine.of($0) } }.joined(separator: "\n")
  }

  /// Returns the number of the integration that a paragraph describes, if it belongs to the bot.
  private static func number(in paragraph: String, of bot: String) -> Int? {
    let first = paragraph.prefix { $0 != "\n" }
    guard first.hasPrefix("\(bot) "), let colon = first.dropFirst(bot.count + 1).firstIndex(of: ":") else { return nil }
    return Int(first[first.index(first.startIndex, offsetBy: bot.count + 1)..<colon])
  }
}
