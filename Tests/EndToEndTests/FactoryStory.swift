import FoundationEssentials
import Integrating
import Model

/// The cookie factory, as it grew: each commit carried out in turn by a bot that writes mails.
struct FactoryStory {
  static let told = Result { try FactoryStory() }
  static let bot = "factory"

  let scratch: ScratchFolder
  let program: Program
  /// In the order of the commits, from 1.
  private(set) var integrations: [Integrated] = []
  private let repository: GitFolder

  private init() throws {
    scratch = try ScratchFolder("factory")
    program = Program(scratch: scratch)
    repository = try GitFolder("CookieFactory", in: scratch)
    try scratch.write(
      "#!/bin/sh\nmkdir -p \"$0.d\"\nn=$(ls \"$0.d\" | wc -l)\ncat >\"$0.d/$n\"\n", to: "sendmail", mode: 0o755)
    let (cookie, tests) = (try Self.captured("Sources/CookieFactory/Cookie.swift"), try Self.tests())
    let controller = try Self.captured("Sources/CookieFactory/CookieController.swift")
    let display = try Self.captured("Sources/CookieFactory/CookieDisplay.swift")

    try carryOut(
      "Say what a cookie is",
      [
        "Package.swift": Self.manifest, "Sources/CookieFactory/Cookie.swift": "// To come.\n",
        "Tests/CookieFactoryTests/CookieTests.swift": tests.cookie,
      ])
    try carryOut("Bake the cookie", ["Sources/CookieFactory/Cookie.swift": cookie])
    try carryOut(
      "Say what the jars are for",
      [
        "Sources/CookieFactory/CookieController.swift": controller.replacing(/\w+\.removeAll\(\)/, with: "// Not yet."),
        "Tests/CookieFactoryTests/CookieControllerTests.swift": tests.controller,
      ])
    try carryOut("Empty the jars", ["Sources/CookieFactory/CookieController.swift": controller])
    try carryOut("Show the jars", ["Sources/CookieFactory/CookieDisplay.swift": display])
  }

  /// The subjects of the mails, in the order in which they were sent.
  func subjects() throws -> [String] {
    try scratch.names(in: "sendmail.d").map { name in
      // A long header goes on in the next line, behind a blank.
      let mail = try scratch.read("sendmail.d/\(name)").replacing("\r", with: "").replacing("\n ", with: " ")
      return mail.split(separator: "\n").first { $0.hasPrefix("Subject: ") }.map { String($0.dropFirst(9)) } ?? ""
    }
  }

  private mutating func carryOut(_ message: String, _ files: [String: String]) throws {
    try repository.commit(message, files)
    var bot = Bot(name: Self.bot, repository: repository.path)
    bot.triggers = [.mail(Trigger.Mail(to: ["team"])), .mail(Trigger.Mail(to: ["team"], report: .allResolved))]
    let mailAccount = MailAccount(
      server: ServerSettings.MailServer(
        way: .sendmail(path: scratch.file("sendmail")), from: "martlet@ci.example.org"),
      aliases: ["team": ["mira@example.org"]])
    let commit = try repository.head
    let number = integrations.count + 1
    let order = IntegrationOrder(
      bot: bot, number: number, commit: commit, branch: "main", cause: .commit, queuedAt: Date(),
      mailAccount: mailAccount)
    integrations.append(try program.integrate(order))
  }

  // MARK: The package

  private static let manifest = """
    // swift-tools-version: 5.9
    import PackageDescription

    let package = Package(
      name: "CookieFactory",
      targets: [
        .target(name: "CookieFactory"), .testTarget(name: "CookieFactoryTests", dependencies: ["CookieFactory"]),
      ])

    """

  private static func captured(_ path: String) throws -> String {
    try Checkout.text("Tests/ParsingTests/Fixtures/coverage/packages/CookieFactory/\(path).txt")
  }

  /// The tests of the cookie and those of its controller, which were written later.
  private static func tests() throws -> (cookie: String, controller: String) {
    let text = try captured("Tests/CookieFactoryTests/CookieTests.swift")
    guard let later = text.firstRange(of: "final class CookieControllerTests")?.lowerBound else { return (text, "") }
    return (String(text[..<later]), "import CookieFactory\nimport XCTest\n\n\(text[later...])")
  }
}
