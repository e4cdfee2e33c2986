package import Model

/// What a mail says: its subject, and the same words as plain text and as HTML.
package struct MessageText: Hashable, Sendable {
  /// One line.
  package var subject: String
  /// UTF-8, with line feeds.
  package var text: [UInt8]
  package var html: [UInt8]
}

/// Makes mails and the bodies of webhooks from the templates in `mail` and `webhook`.
package struct MessageRenderer: Sendable {
  private let templates: TemplateLibrary
  private let time: LocalTime

  package init(templates: TemplateLibrary, time: LocalTime) {
    self.templates = templates
    self.time = time
  }

  /// The mail about one integration.
  ///
  /// - Parameters:
  ///   - report: `newIssues`, `integration` or `allResolved`.
  ///   - page: where the integration's report lies.
  package func text(_ report: Trigger.Mail.Report, of integration: Integration, page: String) throws(TemplateError)
    -> MessageText
  {
    let facts = MessageFacts(integration, page: page, time: time)
    return try text(report.rawValue, subject: facts.subject(of: report), facts.record(for: report))
  }

  /// The mail about one integration to somebody who probably caused what is new.
  ///
  /// - Parameters:
  ///   - emails: the addresses that stand in the reader's commits.
  ///   - report: `newIssues` or `integration`, which tells of tests and coverage as well.
  package func text(
    _ report: Trigger.Mail.Report, of integration: Integration, to emails: [String], page: String
  ) throws(TemplateError) -> MessageText {
    let facts = PersonalFacts(MessageFacts(integration, page: page, time: time), emails: emails)
    return try text("personal", subject: facts.subject, facts.record(isWhole: report == .integration))
  }

  /// The mail about a period of a bot.
  package func text(of digest: PeriodDigest, page: String) throws(TemplateError) -> MessageText {
    let facts = DigestFacts(digest, page: page, time: time)
    return try text("period", subject: facts.subject, facts.record)
  }

  /// The body of a webhook about one integration, by the template `webhook/NAME.json`.
  package func body(_ template: String, of integration: Integration, page: String) throws(TemplateError) -> [UInt8] {
    let facts = MessageFacts(integration, page: page, time: time)
    return try templates.render("webhook/\(template).json", .record(facts.webhookRecord), escaping: .json)
  }

  private func text(_ name: String, subject: String, _ record: [String: TemplateValue]) throws(TemplateError)
    -> MessageText
  {
    var record = record
    record["subject"] = .text(subject)
    return MessageText(
      subject: subject, text: try templates.render("mail/\(name).text", .record(record), escaping: .plain),
      html: try templates.render("mail/\(name).html", .record(record)))
  }
}

extension TemplateValue {
  /// The page where it can be opened from elsewhere; missing for a path on this machine.
  static func link(_ page: String) -> TemplateValue {
    page.hasPrefix("https://") || page.hasPrefix("http://") ? .text(page) : .missing
  }
}

/// A text on one line, as subjects of mails need it.
enum OneLine {
  /// What is invisible is made visible, and what breaks lines becomes a blank.
  ///
  /// - Parameter most: how many characters are shown.
  static func of(_ text: String, most: Int = 200) -> String {
    let words = VisibleText.of(text).split { $0.isNewline || $0 == "\t" || $0 == " " }.joined(separator: " ")
    return words.count <= most ? words : "\(words.prefix(most - 1))…"
  }
}
