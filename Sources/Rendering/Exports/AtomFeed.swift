import FoundationEssentials
package import Model

/// Finished integrations as an Atom feed (https://www.rfc-editor.org/rfc/rfc4287).
package struct AtomFeed: Sendable {
  /// One integration of a bot.
  package struct Entry: Sendable {
    package var bot: String
    package var line: HistoryLine

    package init(bot: String, line: HistoryLine) {
      (self.bot, self.line) = (bot, line)
    }
  }

  private let bot: String?
  private let entries: [Entry]
  private let site: SiteAddress
  private let address: String

  /// - Parameters:
  ///   - bot: the bot; nil for a feed of all bots.
  ///   - entries: the integrations, newest first.
  ///   - address: the address of the feed itself, relative to the site.
  package init(of bot: String?, _ entries: [Entry], site: SiteAddress, address: String) {
    (self.bot, self.entries, self.site, self.address) = (bot, entries, site, address)
  }

  package var text: String {
    var xml = XMLText()
    xml.element("feed", ["xmlns": "http://www.w3.org/2005/Atom"]) { xml in
      xml.element("id", text: site.file(address))
      xml.element("title", text: bot.map { "\(VisibleText.of($0)) · Martlet" } ?? "Martlet")
      xml.element("updated", text: Self.date(entries.first?.line.endedAt ?? Date(timeIntervalSince1970: 0)))
      xml.element("link", ["rel": "self", "type": "application/atom+xml", "href": site.file(address)])
      xml.element(
        "link", ["rel": "alternate", "type": "text/html", "href": bot.map { site.page(of: $0) } ?? site.file("")])
      xml.element("generator", text: "Martlet")
      for entry in entries { Self.write(entry, site, into: &xml) }
    }
    return xml.text
  }

  private static func write(_ entry: Entry, _ site: SiteAddress, into xml: inout XMLText) {
    let line = entry.line
    xml.element("entry", [:]) { xml in
      xml.element("id", text: name(of: [entry.bot, "\(line.number)", line.commit.rawValue]))
      xml.element(
        "title",
        text: VisibleText.of(
          "\(entry.bot) \(line.number): \(line.lowercasedOutcome), \(FailureLine.firstLine(line.subject))"))
      xml.element("updated", text: date(line.endedAt))
      xml.element("author", [:]) {
        $0.element("name", text: VisibleText.of(line.author.isEmpty ? "unknown" : line.author))
      }
      xml.element(
        "link", ["rel": "alternate", "type": "text/html", "href": site.page(of: entry.bot, line.number)])
      xml.element("category", ["term": line.outcome.rawValue])
      let reasons = line.reasons.isEmpty ? [line.outcomeWord] : line.reasons
      xml.element("summary", text: VisibleText.of(reasons.joined(separator: "\n")))
    }
  }

  /// Returns a unique name made of texts (https://www.rfc-editor.org/rfc/rfc9562#section-5.8).
  private static func name(of texts: [String]) -> String {
    var digits = Array(SHA256.digest(of: texts).prefix(32))
    digits[12] = "8"
    digits[16] = "a"
    let parts = [digits[..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]].map { String($0) }
    return "urn:uuid:\(parts.joined(separator: "-"))"
  }

  private static func date(_ date: Date) -> String { LocalTime.utc.machine(of: date) }
}
