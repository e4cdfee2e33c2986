import FoundationEssentials
import Glibc
import Integrating
import Model
import Processes
import Rendering

/// `martlet carry-out`: one integration as the watcher orders it, in a process of its own.
///
/// The order comes as one line of JSON on standard input, news go out as one line of JSON each. The end of the input
/// means that the watcher is gone: the integration is canceled, and its number is closed with that reason.
struct CarryOutCommand: Subcommand {
  let name = "carry-out"
  let summary = "carry out one integration that the watcher orders on standard input"
  let operands = ""
  let operandLimit = 0
  let options = [
    Option.value("--templates", "DIR", "templates to use before the program's own"),
    Option.value("--home", "DIR", "the folder of workspaces, integrations and reports"),
  ]
  let discussion = """
    This command is how 'martlet watch' starts its integrations; people use 'martlet integrate' or 'martlet run'.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let order = try OrderInput.read(IntegrationOrder.self, of: name, instead: "Use 'martlet run'.")
    let templates = try TemplateLocation.load(
      override: arguments.value("--templates"), environment: context.environment, executable: context.executable,
      currentFolder: context.currentFolder)
    let home = try Home.locate(
      option: arguments.value("--home"), environment: context.environment, currentFolder: context.currentFolder)
    let cancellation = try Cancellation()
    try cancellation.cancelOnSignals()
    OrderInput.cancelAtItsEnd(cancellation)
    let integrator = Integrator(
      home: home, templates: templates, environment: context.environment, clock: .system,
      time: LocalTime { TimeZone.current.secondsFromGMT(for: $0) }, cancellation: cancellation,
      progress: { progress in
        if case .step(let step) = progress { Self.tell(.step(step), context) }
      })
    if order.audits {
      Self.tell(.audited(try integrator.audit(order)), context)
      return ExitCode.success
    }
    // A watcher that died between the end of an integration and noting it asks to close what is finished.
    if order.closing != nil, let stored = try finished(order, home) {
      let bytes = home.bytes(of: order.bot.name, order.number)
      Self.tell(.finished(IntegrationSummary(of: stored.document, bytes: bytes)), context)
      return stored.document.outcome.exitCode
    }
    let integration = try integrator.carryOut(order).integration
    let bytes = home.bytes(of: integration.bot, integration.number)
    Self.tell(.finished(IntegrationSummary(of: IntegrationRecord(integration), bytes: bytes)), context)
    return integration.outcome.exitCode
  }

  private func finished(_ order: IntegrationOrder, _ home: Home) throws -> StoredIntegration? {
    let stored = StoredIntegrations(in: home)
    guard stored.numbers(of: order.bot.name).contains(order.number) else { return nil }
    let integration = try stored.integration(order.number, of: order.bot.name)
    try stored.complete(integration)
    return integration
  }

  private static func tell(_ news: IntegrationNews, _ context: Context) {
    // Figures and names always encode; without the line the watcher reads the summary document.
    guard let bytes = try? JSONEncoder().encode(news) else { return }
    try? context.say(String(decoding: bytes, as: UTF8.self))
  }
}
