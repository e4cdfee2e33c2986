package import FoundationEssentials
package import Model

/// How far the daily and weekly mails of a bot have told, by report and time: mails of the same report and time tell of
/// the same periods.
package struct ReportMarks: Hashable, Sendable {
  private var marks: [String: ReportMark] = [:]

  package init() {}

  /// Gives each of a bot's mails its mark and forgets those of others, whatever triggers came or went around them. A mail
  /// whose time was changed goes on with the mark that it leaves behind.
  ///
  /// - Parameter mails: The mails with their positions among the triggers, by which earlier versions named the marks.
  /// - Returns: Whether anything changed.
  @discardableResult
  package mutating func follow(_ mails: [(position: Int, mail: Trigger.Mail)]) -> Bool {
    let before = marks
    for (position, mail) in mails {
      marks[Self.key(of: mail)] = self[mail] ?? marks["\(mail.report.rawValue)-\(position)"]
    }
    let keys = Set(mails.map { Self.key(of: $0.mail) })
    let left = marks.filter { !keys.contains($0.key) }
    marks = marks.filter { keys.contains($0.key) }
    for (_, mail) in mails where self[mail] == nil {
      // Rather is something told twice than never.
      self[mail] = left.filter { $0.key.hasPrefix(mail.report.rawValue) }.map(\.value).min { $0.end < $1.end }
    }
    return marks != before
  }

  /// The mark of a mail; nil if it has told nothing yet.
  package subscript(mail: Trigger.Mail) -> ReportMark? {
    get { marks[Self.key(of: mail)] }
    set { marks[Self.key(of: mail)] = newValue }
  }

  /// The name of the mark that a mail shares with others of the same report and time.
  package static func key(of mail: Trigger.Mail) -> String {
    let time = mail.at ?? ReportDecision.usualTime
    return "\(mail.report.rawValue) \(time.hour):\(time.minute)"
  }
}

extension ReportMarks: Codable {
  package init(from decoder: any Decoder) throws {
    marks = try [String: ReportMark](from: decoder)
  }

  package func encode(to encoder: any Encoder) throws { try marks.encode(to: encoder) }
}

/// The end of a report's period, with what could not be told then.
package struct ReportMark: Hashable, Sendable {
  package var end: Date
  /// The highest number of those stored at the end; nil if nobody knows it, and nothing is taken for late.
  package var newest: Int?
  /// The lower numbers that were not stored yet, such as those of integrations whose pages were being made.
  package var missing: [Int] = []

  /// How far back numbers are looked through for missing ones.
  private static let mostMissing = 200

  package init(end: Date) { self.end = end }

  /// - Parameter stored: The numbers of the integrations that were looked through for the report.
  package init(end: Date, stored: Set<Int>) {
    self.end = end
    newest = stored.max() ?? 0
    missing = stored.max().map { (max(1, $0 - Self.mostMissing)..<$0).filter { !stored.contains($0) } } ?? []
  }

  /// Returns whether the next report tells of an integration: one that ended since, or that was stored only since.
  package func owes(_ number: Int, endedAt: Date) -> Bool {
    endedAt > end || newest.map { number > $0 } ?? false || missing.contains(number)
  }
}

extension ReportMark: Codable {
  private enum CodingKeys: CodingKey { case end, newest, missing }

  package init(from decoder: any Decoder) throws {
    // Earlier versions wrote nothing but the date.
    if let end = try? decoder.singleValueContainer().decode(Date.self) {
      self.init(end: end)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(end: try container.decode(Date.self, forKey: .end))
    newest = try container.decodeIfPresent(Int.self, forKey: .newest)
    missing = try container.decodeIfPresent([Int].self, forKey: .missing) ?? []
  }
}
