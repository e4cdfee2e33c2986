package import Model

/// The contents of a mail: its subject, and its text both plain and as HTML.
package struct MessageText: Hashable, Sendable {
  /// The subject, on one line.
  package var subject: String
  /// In UTF-8, with line feeds.
  package var text: [UInt8]
  package var html: [UInt8]
}

/// Renders mails and the bodies of webhooks from the templates in `mail` and `webhook`.
package struct MessageRenderer: Sendable {
  private let templates: TemplateLibrary
  private let time: LocalTime

  package init(templates: TemplateLibrary, time: LocalTime) {
    self.templates = templates
    self.time = time
  }

  /// Returns the mail about one integration.
  ///
  /// - Parameters:
  ///   - report: `newIssues`, `integration` or `allResolved`.
  ///   - page: the address of the integration's report.
  package func text(_ report: Trigger.Mail.Report, of integration: Integration, page: String) throws(TemplateError)
    -> MessageText
  {
    let facts = MessageFacts(integration, page: page, time: time)
    return try text(report.rawValue, subject: facts.subject(of: report), facts.record(for: report))
  }

  /// Returns the mail about one integration to a person who probably caused the new issues.
  ///
  /// - Parameters:
  ///   - emails: the addresses in the recipient's commits.
  ///   - report: `newIssues`, or `integration`, which also covers tests and coverage.
  package func text(
    _ report: Trigger.Mail.Report, of integration: Integration, to emails: [String], page: String
  ) throws(TemplateError) -> MessageText {
    let facts = PersonalFacts(MessageFacts(integration, page: page, time: time), emails: emails)
    return try text("personal", subject: facts.subject, facts.record(isWhole: report == .integration))
  }

  /// Returns the mail about a period of a bot.
  package func text(of digest: PeriodDigest, page: String) throws(TemplateError) -> MessageText {
    let facts = DigestFacts(digest, page: page, time: time)
    return try text("period", subject: facts.subject, facts.record)
  }

  /// Returns the body of a webhook about one integration, from the template `webhook/NAME.json`.
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
  /// Returns the page if it can be opened from elsewhere; missing for a local path.
  static func link(_ page: String) -> TemplateValue {
    page.hasPrefix("https://") || page.hasPrefix("http://") ? .text(page) : .missing
  }
}

/// Text on a single line, as required for the subjects of mails.
enum OneLine {
  /// Returns the text with invisible characters made visible and line breaks replaced by blanks.
  ///
  /// - Parameter most: the maximum number of characters.
  static func of(_ text: String, most: Int = 200) -> String {
    let words = VisibleText.of(text).split { $0.isNewline || $0 == "\t" || $0 == " " }.joined(separator: " ")
    return words.count <= most ? words : "\(words.prefix(most - 1))…"
  }
}
