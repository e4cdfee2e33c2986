import FoundationEssentials
import Integrating
import Model
import Testing

extension Histories {
  @Suite("What a bot tells people")
  struct MessagesTests {
    private static let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "Mill", targets: [.target(name: "Mill")])
      """

    private let scratch: ScratchFolder
    private let repository: GitFolder

    private static let shared = Result { try ScratchFolder("notices") }

    init() throws {
      scratch = try Self.shared.get()
      try scratch.beginAnew()
      repository = try GitFolder("Mill", in: scratch)
      try repository.commit(
        "Grind", ["Package.swift": Self.manifest, "Sources/Mill/Mill.swift": "public let flour = 1\n"])
      // Takes each mail into a file of its own.
      try scratch.write(
        "#!/bin/sh\nmkdir -p \"$0.d\"\nn=$(ls \"$0.d\" | wc -l)\ncat >\"$0.d/$n-$5\"\n", to: "sendmail")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.file("sendmail"))
    }

    private var mailAccount: MailAccount {
      MailAccount(
        server: ServerSettings.MailServer(
          way: .sendmail(path: scratch.file("sendmail")), from: "martlet@ci.example.org"),
        people: ["ada": ServerSettings.Person(mail: "ada@example.org", commitsAs: ["mira@example.org"])],
        aliases: ["team": ["ada", "bob@example.org"]])
    }

    private var bot: Bot {
      var bot = Bot(name: "miller", repository: repository.path)
      bot.actions = [.build]
      bot.tests.areExpected = false
      bot.notes = true
      bot.schedule.timeZone = "UTC"
      bot.triggers = [
        .script(Trigger.Script(moment: .after, source: .inline("echo one"))),
        .mail(Trigger.Mail(to: ["team"], suspects: true, allowedDomains: ["example.org"])),
        .script(Trigger.Script(moment: .after, source: .inline("echo three; exit 3"), when: [.failure])),
        .mail(Trigger.Mail(to: ["ada", "eve@evil.example"], report: .integration, allowedDomains: ["example.org"])),
        // Nobody serves the first port.
        .webhook(Trigger.Webhook(url: "http://127.0.0.1:1/hook?token=tulip", when: [.failure])),
        .mail(Trigger.Mail(to: ["ada"], report: .allResolved)),
        .mail(Trigger.Mail(to: ["ada"], report: .daily)),
      ]
      return bot
    }

    private func carryOut(_ number: Int, in environment: [String: String] = [:]) throws -> IntegrationRecord {
      let commit = try repository.head
      let order = IntegrationOrder(
        bot: bot, number: number, commit: commit, branch: "main", cause: .commit, queuedAt: Date(),
        mailAccount: mailAccount)
      _ = try Program(scratch: scratch, environment: environment).carryOut(order)
      return try StoredIntegrations(in: Home(scratch.file("home"))).integration(number, of: "miller").document
    }

    private func names(in folder: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: scratch.file(folder))) ?? []).sorted()
    }

    private func text(_ file: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(filePath: scratch.file(file))), as: UTF8.self)
    }

    @Test("Scripts run and messages are written in the bot's order, and sent then; what cannot be delivered waits")
    func story() throws {
      let first = try carryOut(1)
      #expect(first.outcome == .succeeded)
      #expect(names(in: "home/integrations/miller/1/mail") == ["4-integration.eml"])

      try repository.commit("Break", ["Sources/Mill/Mill.swift": "public let flour = one\n"])
      let second = try carryOut(2)
      #expect(second.outcome == .buildErrors)
      #expect(
        second.reasons.suffix(2).map { $0.prefix(62) } == [
          "The trigger “echo …” (2) failed with exit status 3.",
          "The webhook 5 to 127.0.0.1:1 could not be called at first, and",
        ])
      let kept = ["2-new-issues-to-ada@example.org.eml", "2-new-issues.eml", "4-integration.eml"]
      #expect(names(in: "home/integrations/miller/2/mail") == kept)
      let log = try text("home/integrations/miller/2/log/after-triggers.log").split(separator: "\n").filter {
        !$0.hasPrefix("$ ")
      }
      #expect(
        log.map { $0.prefix(48) } == [
          "one", "The mail is kept in mail/2-new-issues-to-ada@exa", "The mail is kept in mail/2-new-issues.eml.",
          "ada@example.org: waits until the integration is ", "bob@example.org: waits until the integration is ",
          "three", "eve@evil.example is not in a domain that 'allowe", "The mail is kept in mail/4-integration.eml.",
          "ada@example.org: waits until the integration is ", "127.0.0.1:1: waits until the integration is fini",
          "ada@example.org: accepted", "bob@example.org: accepted", "ada@example.org: accepted",
          "127.0.0.1:1: attempt 1 failed: Failed to connect",
          "127.0.0.1:1: attempt 2 failed: Failed to connect",
          "127.0.0.1:1: attempt 3 failed: Failed to connect",
        ])
      #expect(names(in: "home/outbox").filter { $0.hasSuffix(".json") }.count == 1)
      #expect(!names(in: "home/outbox").contains { $0.hasSuffix(".held") })
      let mail = try text("home/integrations/miller/2/mail/2-new-issues.eml")
      #expect(mail.contains("Subject: [miller 2] 1 new error: Mill.swift:1\r\n"))
      #expect(mail.contains("cannot find 'one' in scope"))
      #expect(!mail.contains("tulip"))
      try personal(general: mail)
      // The second mail tells of the script that failed before it.
      #expect(
        try text("home/integrations/miller/2/mail/4-integration.eml").contains(
          "The trigger =E2=80=9Cecho =E2=80=A6=E2=80=9D (2)"))
      #expect(try repository.git("notes", "--ref=martlet", "show").hasPrefix("miller 2: build-errors\n"))

      try repository.commit("Mend", ["Sources/Mill/Mill.swift": "public let flour = 2\n"])
      #expect(try carryOut(3).outcome == .succeeded)
      #expect(names(in: "home/integrations/miller/3/mail") == ["4-integration.eml", "6-all-resolved.eml"])
      #expect(
        names(in: "sendmail.d") == [
          "0-ada@example.org", "1-ada@example.org", "2-bob@example.org", "3-ada@example.org", "4-ada@example.org",
          "5-ada@example.org",
        ])
      try deliver()
    }

    @Test("Nothing leads to a report that could not be made, and mails say why there is none")
    func withoutReport() throws {
      try scratch.write("{{.}}", to: "mine/integration.mustache")
      #expect(try carryOut(1, in: ["MARTLET_TEMPLATES": scratch.file("mine")]).outcome == .succeeded)
      #expect(names(in: "home/site/miller/1").isEmpty)
      for file in ["home/integrations/miller/1/mail/4-integration.eml", "sendmail.d/0-ada@example.org"] {
        let mail = try text(file)
        #expect(mail.contains("There is no report of this integration: ") && !mail.contains("The whole report"))
      }
      let note = try repository.git("notes", "--ref=martlet", "show")
      #expect(note.hasPrefix("miller 1: succeeded\n") && !note.contains("index.html"))
    }

    /// The one who broke it is on the list, and gets a mail that speaks to them instead.
    private func personal(general: String) throws {
      let commit = try repository.git("rev-parse", "--short=7", "HEAD").split(separator: "\n").joined()
      let mail = try text("home/integrations/miller/2/mail/2-new-issues-to-ada@example.org.eml")
      #expect(mail.contains("To: ada@example.org\r\n"))
      #expect(mail.contains("Subject: [miller 2] 1 new error, probably yours: Mill.swift:1\r\n"))
      #expect(mail.contains("\r\nYour commit \(commit) \"Break\"\r\n"))
      #expect(mail.contains("\r\n    It changed Mill.swift:1"))
      #expect(general.contains("To: bob@example.org\r\n"))
      func line(_ name: String, of mail: String) -> Substring? {
        mail.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }
      }
      #expect(line("Message-ID", of: mail) != line("Message-ID", of: general))
      #expect(line("References", of: mail) == line("References", of: general))
      #expect(try text("sendmail.d/1-ada@example.org").contains("probably yours"))
      #expect(try text("sendmail.d/2-bob@example.org").contains("Subject: [miller 2] 1 new error: Mill.swift:1\n"))
    }

    /// The clock's part: a daily mail comes once, and what waits is left alone until its time.
    private func deliver() throws {
      let order = SendingOrder(bots: [bot], mailAccount: mailAccount, secrets: [:])
      let program = Program(scratch: scratch)
      #expect(try program.deliver(order).status == 0)
      #expect(names(in: "home/integrations/miller/reports") == ["marks.json"])
      #expect(names(in: "sendmail.d").count == 6)

      let twoDaysAgo = Date().addingTimeInterval(-2 * 86_400)
      let marks = try JSONEncoder().encode(["daily-7": twoDaysAgo])
      try marks.write(to: URL(filePath: scratch.file("home/integrations/miller/reports/marks.json")))
      #expect(try program.deliver(order).status == 0)
      #expect(try program.deliver(order).status == 0)
      #expect(names(in: "sendmail.d").count == 7)
      let mail = try text("sendmail.d/6-ada@example.org")
      // What failed to tell of the red one has nothing left to tell.
      #expect(mail.contains("\nmiller: 3 integrations, 0 issues opened, 0 closed, 3 came and went\n"))
      #expect(mail.contains("2 green, 1 red."))
      let passed = "    [ERROR] Mill.swift:1: cannot find 'one' in scope (in 2, gone in 3)\n"
      #expect(
        mail.contains(
          "Came and went in between:\n\(passed)    [TRIGGER ERROR] The trigger =E2=80=9Cecho =E2=80=A6=E2=80=9D (2)"))
      #expect(names(in: "home/outbox").filter { $0.hasSuffix(".json") }.count == 1)
    }
  }
}
