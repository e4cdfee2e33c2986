import Comparing
import FoundationEssentials
import Glibc
import Integrating
import Keeping
import Model
import Notifying
import Rendering
import Scheduling

/// The daily and weekly mails of a bot.
struct BotReports {
  /// The most integrations to read for a report; earlier ones are left out.
  private static let mostIntegrations = 200
  /// The number of mails to keep.
  private static let mostKept = 100

  let bot: Bot
  let mailAccount: MailAccount
  let address: SiteAddress?
  let home: Home
  let outbox: Outbox
  let renderer: MessageRenderer
  let now: Date
  /// The value of `TZ`.
  let zoneVariable: String?

  /// Puts the due mails into the outbox.
  ///
  /// A mail is in the outbox before its period is marked as over, and has the same name if this is repeated after a
  /// crash. It is sent only afterward.
  func write() throws {
    let mails = bot.periodicMails
    guard !mails.isEmpty else { return }
    let zone = try BotZone.rules(of: bot, variable: zoneVariable)
    var marks = ReportMarks(in: folder)
    for (position, mail) in mails {
      guard let decision = ReportDecision(mail.report, at: mail.at, in: zone) else { continue }
      let key = "\(mail.report.rawValue)-\(position)"
      switch decision.decide(last: marks.times[key], at: now) {
      case .nothing: continue
      case .begin(let date): marks.times[key] = date
      case .send(let start, let end):
        try send(mail, position, from: start, to: end)
        marks.times[key] = end
      }
      try marks.write()
    }
  }

  private func send(_ mail: Trigger.Mail, _ position: Int, from start: Date, to end: Date) throws {
    let digest = try digest(mail.report, from: start, to: end)
    // There is no need to report that nothing happened.
    guard digest.integrations > 0 else { return }
    let page = address?.page(of: bot.name) ?? home.site(of: bot.name).file("index.html")
    let text = try renderer.text(of: digest, page: page)
    let recipients = Recipients(mail, suspects: [], mailAccount: mailAccount).addresses
    guard !recipients.isEmpty else { return }
    let key = [
      home.folder.path, bot.name, mail.report.rawValue, "\(position)", "\(start.timeIntervalSince1970)",
    ]
    let message = try MailMessage(
      from: mailAccount.server.from, to: recipients, subject: text.subject, id: MessageID.of(key),
      thread: MessageID.of([home.folder.path, bot.name]), date: now, bot: bot.name, text: text.text,
      html: text.html
    ).encoded()
    let day = end.formatted(.iso8601).prefix(10)
    try folder.create().write(message, to: "\(day)-\(position)-\(mail.report.rawValue).eml")
    removeOld()
    for address in recipients {
      try outbox.put(
        Delivery(
          key: key + [address], bot: bot.name, place: address, way: .mail(from: mailAccount.server.from, to: address),
          content: message, queuedAt: now))
    }
  }

  /// Removes the oldest mails. The names begin with the day, so the oldest come first.
  private func removeOld() {
    for name in folder.names().filter({ $0.hasSuffix(".eml") }).sorted().dropLast(Self.mostKept) {
      unlink(folder.file(name))
    }
  }

  private func digest(_ report: Trigger.Mail.Report, from start: Date, to end: Date) throws -> PeriodDigest {
    let stored = StoredIntegrations(in: home)
    let known = home.branches(of: bot.name, in: bot.repository, asked: bot.branches)
    let index = PastIndex(of: home)
    let (lines, newest) = try BranchStates.read(of: known, atFirst: 2 * Self.mostIntegrations) {
      limit throws(IntegratingError) in try index.newestOfPackage(of: bot.name, limit)
    }
    let states = BranchStates(lines.filter { $0.endedAt <= end }, isWhole: newest.main.isWhole, of: known)
    let inside = lines.filter { $0.endedAt > start && $0.endedAt <= end }.prefix(Self.mostIntegrations)
    // Skips integrations that were removed to make room.
    let documents = inside.reversed().compactMap { try? stored.integration($0.number, of: bot.name).document }
    return PeriodDigest(of: bot.name, report, from: start, to: end, documents: documents, states: states) { branch in
      let earlier = lines.first { $0.branch == branch && $0.endedAt <= start && $0.outcome.isConclusive }
      return earlier.flatMap { try? stored.integration($0.number, of: bot.name).document }
    }
  }

  private var folder: Folder { home.integrations(of: bot.name).folder("reports") }
}

/// The ends of the last periods covered by a bot's reports, stored in a small file next to them.
private struct ReportMarks {
  private static let name = "marks.json"

  private let folder: Folder
  var times: [String: Date] = [:]

  init(in folder: Folder) {
    self.folder = folder
    // An unreadable file starts afresh, with no reports owed.
    guard let bytes = folder.read(Self.name) else { return }
    times = (try? JSONDecoder().decode([String: Date].self, from: Data(bytes))) ?? [:]
  }

  func write() throws {
    try folder.create().write([UInt8](try JSONEncoder().encode(times)), to: Self.name)
  }
}
