import Glibc
import Integrating
import Model
import Processes
import Rendering
import Synchronization

/// `martlet carry-out`: carries out an integration ordered by the watcher, in a separate process.
///
/// The order arrives as one line of JSON on standard input, and news is written in lines of JSON. The end of the input
/// means that the watcher is gone: the integration is canceled, and its number is closed with that reason.
struct CarryOutCommand: Subcommand {
  let name = "carry-out"
  let summary = "carry out one integration that the watcher orders on standard input"
  let options = [
    Option.templates,
    Option.home,
    Option.value("--handed", "ID", "carry it out for another machine, which is not waited for"),
    Option.flag("--claim", "take it up first, unless another process has"),
  ]
  let discussion = """
    This command is how 'martlet watch' starts its integrations; people use 'martlet integrate' or 'martlet run'.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let input = try OrderInput<IntegrationOrder>(for: self, instead: "Use 'martlet run'.", arguments, context)
    let (order, home, cancellation) = (input.order, input.home, input.cancellation)
    let templates = try context.templates(arguments)
    let handed = arguments.value("--handed")
    if let handed {
      guard try takeUp(handed, order, MachineRun(home: home), arguments, cancellation, context) else {
        return ExitCode.success
      }
    } else {
      input.cancelAtItsEnd()
    }
    let teller = TestTeller(context)
    var integrator = Integrator(
      home: home, templates: templates, environment: context.environment, clock: .system,
      time: .ofThisMachine, cancellation: cancellation,
      progress: teller.note)
    integrator.cancellationReason = { [watcherIsGone = input.watcherIsGone] in
      watcherIsGone.isCanceled ? .interrupted : .canceled
    }
    if order.audits {
      Self.tell(.audited(try integrator.audit(order)), context)
      return ExitCode.success
    }
    // A watcher that died after an integration ended but before recording it asks to close one that is already
    // finished.
    if order.closing != nil, let stored = try finished(order, home) {
      let bytes = home.bytes(of: order.bot.name, order.number)
      Self.tell(.finished(IntegrationSummary(of: stored.document, bytes: bytes)), context)
      return stored.document.outcome.exitCode
    }
    try teller.start()
    let integration = try carryOut(order, handed, integrator)
    let bytes = home.bytes(of: integration.bot, integration.number)
    Self.tell(.finished(IntegrationSummary(of: IntegrationRecord(integration), bytes: bytes)), context)
    return integration.outcome.exitCode
  }

  /// Takes an integration up that another machine has handed out; returns whether it is carried out here.
  private func takeUp(
    _ id: String, _ order: IntegrationOrder, _ run: MachineRun, _ arguments: ParsedArguments,
    _ cancellation: Cancellation, _ context: Context
  ) throws -> Bool {
    let claims = arguments.has("--claim")
    if claims {
      guard try run.claim(id) else { return false }
    } else {
      DetachedProgram.keepHeld()
    }
    try run.cancelOnRequest(id, cancellation)
    guard claims,
      let trouble = run.trouble(
        ofNodeFor: order, searchPath: context.environment["PATH"] ?? "", cancellation: cancellation)
    else { return true }
    try run.refuse(id, because: trouble)
    return false
  }

  private func carryOut(_ order: IntegrationOrder, _ handed: String?, _ integrator: Integrator) throws -> Integration {
    guard let handed else { return try integrator.carryOut(order).integration }
    let run = MachineRun(home: integrator.home)
    do {
      let integration = try integrator.carryOut(order).integration
      guard try integration.outcome != .canceled || run.isCanceled(handed) else {
        // The machine was shut down, or Slurm ended the job: that says nothing about the commit.
        try run.fail(handed, because: "It was told to end where it was carried out, and not by Martlet.")
        return integration
      }
      try run.conclude(handed, of: order.bot.name, order.number)
      return integration
    } catch {
      try run.fail(handed, because: "\(error)".withStop)
      throw error
    }
  }

  private func finished(_ order: IntegrationOrder, _ home: Home) throws -> StoredIntegration? {
    let stored = StoredIntegrations(in: home)
    guard stored.numbers(of: order.bot.name).contains(order.number) else { return nil }
    let integration = try stored.integration(order.number, of: order.bot.name)
    try stored.complete(integration)
    return integration
  }

  static func tell(_ news: IntegrationNews, _ context: Context) {
    // Figures and names always encode; without the line the watcher reads the summary document.
    try? context.answer(news)
  }
}

/// Tells the watcher what goes on: each step at once, and now and then how far the tests are.
private final class TestTeller: Sendable {
  private let tally = Mutex(TestTally())
  private let context: Context

  init(_ context: Context) { self.context = context }

  /// Microseconds between two looks.
  private static let pause: UInt32 = 500_000

  func note(_ progress: Progress) {
    tally.withLock { tally in
      tally.note(progress)
      switch progress {
      case .step(let step), .destination(_, let step?): CarryOutCommand.tell(.step(step), context)
      default: break
      }
    }
  }

  /// Looks at the tests from a thread of its own, which ends with the process: the last one to begin may run for long.
  func start() throws {
    _ = try Worker { [self] in
      while true {
        usleep(Self.pause)
        tally.withLock { tally in
          if let tests = tally.news() { CarryOutCommand.tell(.tests(tests), context) }
        }
      }
    }
  }
}
