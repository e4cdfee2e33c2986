import Comparing
import FoundationEssentials
import Git
import Model
import Notifying
import Processes
import Rendering

extension IntegrationRun {
  /// Writes a mail for all and one for each suspect, and holds them until the integration exists.
  ///
  /// - Parameters:
  ///   - name: the name of the trigger.
  ///   - deliveries: receives what is to be sent.
  ///   - note: takes lines for the log.
  /// - Returns: what failed, as the end of a sentence; nil if everything is written.
  func write(
    _ mail: Trigger.Mail, _ name: String, of integration: Integration, position: Int, to deliveries: inout [Delivery],
    note: (String) throws(IntegrationStop) -> Void
  ) throws(IntegrationStop) -> String? {
    guard let mailAccount = request.scripts.mailAccount else {
      return "was not sent, because martlet.yml has no valid 'mail', which says how mail is sent"
    }
    let recipients = Recipients(mail, suspects: integration.suspectAddresses, mailAccount: mailAccount)
    for refusal in recipients.refusals { try note("\(refusal)\n") }
    let copies = MessageCopy.all(for: recipients, report: mail.report, position: position)
    guard !copies.isEmpty else {
      try note("This mail has no recipients.\n")
      return nil
    }
    let key = noticeKey(position, mail.report.rawValue)
    do {
      for copy in copies {
        let message = try write(copy, mail.report, of: shown(integration), from: mailAccount.server.from, key: key)
        try kept.folder("mail").create().write(message, to: copy.name)
        try note("The mail is kept in mail/\(copy.name).\n")
        deliveries += copy.addresses.map { address in
          Delivery(
            key: key + [address], bot: bot, place: address,
            way: .mail(from: mailAccount.server.from, to: address), content: message, queuedAt: integrator.clock.now(),
            source: Delivery.Source(number: number, trigger: name))
        }
      }
    } catch let error as TemplateError {
      return "was not written, because of \(error.words)"
    } catch {
      throw IntegrationStop(error)
    }
    return try hold(deliveries, note: note)
  }

  /// Writes the call of a webhook likewise, with the summary document or with what a template makes of it.
  ///
  /// - Parameters:
  ///   - name: the name of the trigger.
  ///   - deliveries: receives what is to be sent.
  ///   - note: takes lines for the log.
  /// - Returns: what failed, as the end of a sentence; nil if it is written.
  func write(
    _ webhook: Trigger.Webhook, _ name: String, of integration: Integration, position: Int,
    to deliveries: inout [Delivery], note: (String) throws(IntegrationStop) -> Void
  ) throws(IntegrationStop) -> String? {
    let body: [UInt8]
    do {
      if let template = webhook.template {
        body = try messageRenderer.body(template, of: shown(integration), page: page)
      } else {
        body = [UInt8](try IntegrationRecord.encoder.encode(IntegrationRecord(shown(integration))))
      }
    } catch let error as TemplateError {
      return "was not called, because of \(error.words)"
    } catch {
      throw IntegrationStop(error)
    }
    deliveries = [
      Delivery(
        key: noticeKey(position, webhook.url), bot: bot, place: webhook.host,
        way: .webhook(
          url: webhook.url, secret: webhook.secret, event: "integration", authorities: webhook.authorities),
        content: mask.mask(body), queuedAt: integrator.clock.now(),
        source: Delivery.Source(number: number, trigger: name))
    ]
    return try hold(deliveries, note: note)
  }

  /// - Returns: what failed, as the end of a sentence; nil if they are on the disk.
  private func hold(
    _ deliveries: [Delivery], note: (String) throws(IntegrationStop) -> Void
  ) throws(IntegrationStop) -> String? {
    do {
      try held.put(deliveries)
    } catch {
      return "was not delivered: \(error)"
    }
    let condition = asked.origin == nil ? "until the integration is finished" : "for the machine that gave the order"
    try note(deliveries.map { "\($0.place): waits \(condition)\n" }.joined())
    return nil
  }

  /// Where messages wait until the integration exists.
  private var held: HeldMessages { HeldMessages(of: bot, number, for: asked.origin, in: integrator.home) }

  /// Removes the messages of an integration that did not come to its end.
  func dropMessages(_ triggers: inout TriggerReport) {
    triggers.messages = []
    try? held.drop()  // What cannot be removed is told once too often, which is better than never.
  }

  /// Sends the mails and calls the webhooks of an integration that exists by now.
  ///
  /// - Returns: whether something could not be delivered, which the integration tells, too.
  func sendMessages(of state: inout IntegrationState) throws(IntegratingError) -> Bool {
    // The machine that gave the order has the logins, and takes what is to be sent along with the result.
    guard asked.origin == nil else { return false }
    try held.release(into: integrator.home)
    // The watcher sends what is left there.
    guard !integrator.cancellation.isCanceled else { return false }
    var failures: [IssueFinder.OwnFinding] = []
    for message in state.report.triggers.messages {
      var lines: [String] = []
      let failure = deliver(message.deliveries) { lines.append("\($0)\n") }
      if let failure { failures.append(TriggerReport.failure(of: message.name, .afterTrigger, failure)) }
      try kept.append(Array(mask.mask(lines.joined()).utf8), to: Step.afterTriggers.logPath)
    }
    guard !failures.isEmpty else { return false }
    state.report.triggers.failures += failures
    state.report.verdict = state.report.judged.adding(triggerFailures: failures)
    compareIssues(&state)
    writeNote(&state)
    return true
  }

  /// - Returns: what failed, as the end of a sentence; nil if everything was accepted.
  private func deliver(_ deliveries: [Delivery], log: (String) -> Void) -> String? {
    let sender = Sender(
      outbox: Outbox(integrator.home.outbox), mailAccount: request.scripts.mailAccount,
      secrets: [bot: request.scripts.keys], environment: integrator.environment, now: integrator.clock.now,
      cancellation: integrator.cancellation)
    var failures: [String] = []
    do {
      var isReachable = true
      for delivery in deliveries {
        guard isReachable else {
          failures.append(delivery.postponement(because: nil))
          continue
        }
        switch try sender.deliver(delivery.id, attempts: sender.timing.pauses.count + 1, log: log) {
        case .accepted, .taken, .resting: break
        case .refused(let reason):
          failures.append(delivery.refusal(because: reason))
        case .waiting(let reason, let isReached):
          isReachable = isReached != false
          failures.append(delivery.postponement(because: reason))
        }
      }
    } catch {
      failures.append("was not delivered: \(error)")
    }
    return failures.isEmpty ? nil : mask.mask(failures.joined(separator: "; it "))
  }

  private var keepingHome: String { asked.origin?.home ?? integrator.home.folder.path }

  private func write(
    _ copy: MessageCopy, _ report: Trigger.Mail.Report, of integration: Integration, from: String, key: [String]
  ) throws -> [UInt8] {
    let text =
      if let emails = copy.reader {
        try messageRenderer.text(report, of: integration, to: emails, page: page)
      } else {
        try messageRenderer.text(report, of: integration, page: page)
      }
    return try MailMessage(
      from: from, to: copy.addresses, subject: mask.mask(text.subject),
      id: MessageID.of(copy.reader == nil ? key : key + copy.addresses),
      thread: MessageID.of([keepingHome, bot]), date: integrator.clock.now(),
      bot: bot, text: mask.mask(text.text), html: mask.mask(text.html)
    ).encoded()
  }

  /// Writes the outcome into a note on the commit, if the bot writes notes.
  ///
  /// - Returns: why there is no note; nil if all is well.
  func writeNote(of integration: Integration) -> ServiceWarning? {
    guard request.scripts.notes, integration.outcome != .canceled else { return nil }
    do throws(GitError) {
      let (shown, page) = (shown(integration), page)
      try claimed.repository.changeNote(of: target.commit) {
        mask.mask(NoteText.adding(shown, page: page, to: $0))
      }
      return nil
    } catch {
      return .noteNotWritten(reason: "\(error)")
    }
  }

  private var messageRenderer: MessageRenderer {
    MessageRenderer(templates: integrator.templates.library, time: integrator.time)
  }

  /// Returns the integration as far as it has progressed, ending now.
  private func shown(_ integration: Integration) -> Integration {
    var shown = integration
    shown.endedAt = integrator.clock.now()
    return shown
  }

  /// The place at which the report will be found.
  private var page: String {
    if let address = request.scripts.address { return address.page(of: bot, number) }
    return Home(keepingHome).report(number, of: bot).file("index.html")
  }

  /// Returns what distinguishes a message from all others, even if a home begins again with number 1.
  private func noticeKey(_ position: Int, _ kind: String) -> [String] {
    [
      keepingHome, bot, "\(number)",
      "\(context.start.queuedAt.timeIntervalSince1970)", "\(position)", kind,
    ]
  }
}

extension Delivery {
  /// What is done, as it follows "could not be".
  fileprivate var deed: String { if case .mail = way { "delivered to \(place)" } else { "called" } }

  /// Returns that it will never be delivered, as the end of a sentence.
  func refusal(because reason: String) -> String { "could not be \(deed), and is not tried again: \(reason)" }

  /// Returns that it waits for another attempt, as the end of a sentence that stays true once it has been delivered.
  func postponement(because reason: String?) -> String {
    "could not be \(deed) at first, and was queued for another try" + (reason.map { ": \($0)" } ?? "")
  }
}

/// One mail with a text of its own, and its recipients.
struct MessageCopy: Hashable {
  /// The recipients: each gets it separately, and all of them are in its header.
  var addresses: [String]
  /// The addresses that the person addressed uses in commits; nil for a mail to all.
  var reader: [String]?
  /// The name of the file in which it is kept.
  var name: String

  /// Returns the copies for the suspects, and the one for all others.
  static func all(for recipients: Recipients, report: Trigger.Mail.Report, position: Int) -> [MessageCopy] {
    let start = "\(position)-\(report.rawValue)"
    let personal = recipients.suspects.map { suspect in
      MessageCopy(
        addresses: [suspect.address], reader: suspect.commitsAs, name: "\(start)-to-\(fileName(suspect.address)).eml")
    }
    guard !recipients.addresses.isEmpty else { return personal }
    return personal + [MessageCopy(addresses: recipients.addresses, name: "\(start).eml")]
  }

  /// Returns the address itself if a folder can hold such a name, and an encoded one otherwise.
  private static func fileName(_ address: String) -> String {
    address.utf8.count <= 100 && !address.contains("/") ? address : FileSystemName.encode(address)
  }
}
