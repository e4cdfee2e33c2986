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
    var marks = readMarks()
    if marks.follow(mails) { try write(marks) }
    let together = Dictionary(grouping: mails) { ReportMarks.key(of: $0.mail) }.values
    for mails in together.sorted(by: { $0[0].position < $1[0].position }) {
      let mail = mails[0].mail
      let last = marks[mail]
      switch ReportDecision(mail.report, at: mail.at, in: zone)?.decide(last: last?.end, at: now) {
      case .begin(let date): marks[mail] = ReportMark(end: date)
      case .send(_, let end):
        guard let last else { continue }
        // What is stored between the two looks is told twice rather than never.
        let stored = Set(try PastIndex(of: home).integrations(of: bot.name).map(\.number))
        try send(digest(mail.report, since: last, to: end), mails)
        marks[mail] = ReportMark(end: end, stored: stored)
      case .nothing, nil: continue
      }
      try write(marks)
    }
  }

  /// The file of the marks, next to the mails.
  private static let marks = "marks.json"

  private func readMarks() -> ReportMarks {
    // An unreadable file starts afresh, with no reports owed.
    folder.read(Self.marks).flatMap { try? JSONDecoder().decode(ReportMarks.self, from: Data($0)) } ?? ReportMarks()
  }

  private func write(_ marks: ReportMarks) throws {
    try folder.create().write([UInt8](try JSONEncoder().encode(marks)), to: Self.marks)
  }

  private func send(_ digest: PeriodDigest, _ mails: [(position: Int, mail: Trigger.Mail)]) throws {
    // There is no need to report that nothing happened.
    guard digest.integrations > 0 else { return }
    let page = address?.page(of: bot.name) ?? home.site(of: bot.name).file("index.html")
    let text = try renderer.text(of: digest, page: page)
    for (position, mail) in mails {
      let key = [home.folder.path, bot.name, ReportMarks.key(of: mail), "\(digest.start.timeIntervalSince1970)"]
      let recipients = Recipients(mail, suspects: [], mailAccount: mailAccount).addresses
      guard !recipients.isEmpty else { continue }
      let message = try MailMessage(
        from: mailAccount.server.from, to: recipients, subject: text.subject, id: MessageID.of(key + recipients),
        thread: MessageID.of([home.folder.path, bot.name]), date: now, bot: bot.name, text: text.text,
        html: text.html
      ).encoded()
      let day = digest.end.formatted(.iso8601).prefix(10)
      try folder.create().write(message, to: "\(day)-\(position)-\(mail.report.rawValue).eml")
      for address in recipients {
        try outbox.put(
          Delivery(
            key: key + [address], bot: bot.name, place: address,
            way: .mail(from: mailAccount.server.from, to: address), content: message, queuedAt: now))
      }
    }
    removeOld()
  }

  /// Removes the oldest mails. The names begin with the day, so the oldest come first.
  private func removeOld() {
    for name in folder.names().filter({ $0.hasSuffix(".eml") }).sorted().dropLast(Self.mostKept) {
      unlink(folder.file(name))
    }
  }

  private func digest(_ report: Trigger.Mail.Report, since mark: ReportMark, to end: Date) throws -> PeriodDigest {
    let stored = StoredIntegrations(in: home)
    let known = home.branches(of: bot.name, in: bot.repository, asked: bot.branches)
    let index = PastIndex(of: home)
    let (lines, newest) = try BranchStates.read(of: known, atFirst: 2 * Self.mostIntegrations) {
      limit throws(IntegratingError) in try index.newest(of: bot.name, limit)
    }
    let ended = lines.filter { !$0.isOfOtherPackage && $0.endedAt <= end }
    let states = BranchStates(ended, isWhole: newest.main.isWhole, of: known)
    let inside = ended.filter { mark.owes($0.number, endedAt: $0.endedAt) }.prefix(Self.mostIntegrations)
    // Skips integrations that were removed to make room.
    let documents = inside.reversed().compactMap { try? stored.integration($0.number, of: bot.name).document }
    return PeriodDigest(of: bot.name, report, from: mark.end, to: end, documents: documents, states: states) { branch in
      let earlier = ended.first {
        $0.branch == branch && $0.outcome.isConclusive && !mark.owes($0.number, endedAt: $0.endedAt)
      }
      return earlier.flatMap { try? stored.integration($0.number, of: bot.name).document }
    }
  }

  private var folder: Folder { home.integrations(of: bot.name).folder("reports") }
}
