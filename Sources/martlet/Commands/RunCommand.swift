import BotFiles
import FoundationEssentials
import Git
import Integrating
import Keeping
import Model
import Processes
import Rendering

struct RunCommand: Subcommand {
  let name = "run"
  let summary = "build and test a commit once"
  let operands = "[PATH]"
  let options = [
    Option.value("--commit", "REV", "integrate this revision instead of HEAD"),
    Option.value("--branch", "NAME", "integrate the tip of this branch, or report --commit under it"),
    Option.flag("--working-tree", "include uncommitted changes, tracked and untracked"),
    Option.value("--package", "SUBFOLDER", "the folder of the package inside the repository"),
    Option.value("--output", "DIR", "copy the report to DIR, with DIR/index.html and DIR/integration.json"),
    Option.flag("--single-file", "write the report also as one file, report.html, to attach to a mail"),
    Option.value(
      "--bot", "BOT", "use the settings and silences of this bot",
      offered: [.botFiles]),
    Option.value("--filter", "REGEX", "run only tests whose name matches", isRepeatable: true),
    Option.value("--skip", "REGEX", "leave out tests whose name matches", isRepeatable: true),
    Option.value(
      "--configuration", "NAME", "build configuration", choices: ["debug", "release"], isRepeatable: true),
    Option.value("--toolchain", "DIR", "the folder of a toolchain, instead of the swift on PATH", isRepeatable: true),
    Option.value(
      "--sanitize", "KIND", "build and test with a sanitizer",
      choices: ["none"] + Bot.Sanitizer.allCases.map(\.rawValue), isRepeatable: true),
    Option.value(
      "--build-system", "NAME", "what SwiftPM builds with, instead of the toolchain's default",
      choices: BuildSystem.allCases.map(\.rawValue), isRepeatable: true),
    Option.value(
      "--traits", "LIST", "traits to enable, separated by commas, instead of the package's defaults; or none",
      isRepeatable: true),
    Option.value("--exclude", "NAME", "leave a combination out, such as release+thread", isRepeatable: true),
    Option.value("--optional", "NAME", "a combination whose failures are shown but do not count", isRepeatable: true),
    Option.value(
      "--sandbox", "MODE", "run the code under test in the sandbox: if possible, always (or fail), or never",
      choices: SandboxPolicy.Mode.allCases.map(\.rawValue)),
    Option.value("--timeout", "TIME", "how long a test may take, such as 90s (default: 10m)"),
    Option.value("--retries", "N", "run a red test up to N more times; if it passes then, it is flaky"),
    Option.flag("--isolation", "also run each test alone, and report different results"),
    Option.value("--gate", "RULE", "fail unless the coverage meets this condition", isRepeatable: true),
    Option.value(
      "--coverage-exclude", "GLOB", "leave files out of the coverage; the report lists them", isRepeatable: true),
    Option.flag("--merge-coverage", "count a line as run if it ran in any combination"),
    Option.flag("--incidental", "mark lines that run without any test"),
    Option.flag("--map", "show which tests ran each line"),
    Option.value(
      "--mutants", "SCOPE", "empty functions, negate conditions, and show what no test notices (x86-64, debug)",
      choices: MutationScope.allCases.map(\.rawValue)),
    Option.flag("--blame", "show who wrote each line of source, and when; takes time"),
    Option.templates,
    Option.home,
    Option.flag("--json", "print the summary document on standard output, and nothing else"),
    Option.flag("--quiet", "print no progress"),
  ]
  let discussion = """
    PATH is any folder of a git repository, bare or not; the default is the current one. The package is the one that
    --package names, or else the nearest one around PATH, or else the only one in the repository. Martlet writes nothing
    to the repository: it checks the commit out into a workspace in its home, and builds and tests there with coverage.
    The report is HTML that opens from disk. 'martlet help exit-codes' lists the exit statuses.

    Runs are kept and numbered under the name of the repository's folder. If a bot or another package already uses that
    name, '-run', the package's folder or a fingerprint is added. A bot that gets the name later continues its numbers
    and history.

    Settings come from the options and the package's .martlet.yml. With --bot, the bot's settings and silences count as
    well, unless an option overrides them. Its triggers do not run, and its branches, numbers and history stay its own.

    --configuration, --toolchain, --sanitize, --build-system and --traits may be given several times: every combination
    is built and tested, in one integration with a page for each. Coverage and trends are those of the first
    combination; with --merge-coverage, the coverage is that of all required ones together. A combination is named after
    its values, such as release+thread.

    A branch builds incrementally. A revision given by --commit, and a detached HEAD, build from scratch and leave
    nothing behind for later builds, unless --branch names a branch that holds the revision.

    RULE is a gate such as patch=80. 'martlet help coverage' lists them, what they compare with, and the comments that
    leave lines out of the coverage.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let templates = try context.templates(arguments)
    let output = try arguments.value("--output").map { try ReportCopy(to: context.absolute($0)) }
    let home = try context.home(arguments)
    let cancellation = try Cancellation()
    try cancellation.cancelOnSignals()

    let progress = ProgressPrinter(arguments.has("--quiet") ? .none : context.errorIsTerminal ? .live : .lines, context)
    var integrator = Integrator(
      home: home, templates: templates, environment: context.environment, clock: .system,
      time: .ofThisMachine, cancellation: cancellation,
      progress: { progress.show($0) })
    integrator.cancellationReason = { .interrupted }
    let result = try integrator.integrate(request(arguments, home, context))
    progress.finish()
    try result.requireReport()
    if result.leftOut > 0 { context.remark(Self.remark(leftOut: result.leftOut)) }
    let outcome = result.integration.outcome
    if outcome.isConclusive, !outcome.isGreen, !arguments.has("--bot") { remark(onBotsOf: result.integration, context) }
    let single = arguments.has("--single-file") ? try result.writeSingleFile(with: templates) : nil
    try output?.publish(result)
    removeOld(of: result.integration.bot, in: home, arguments, context)
    try Site(home: home, templates: templates, time: integrator.time).publish([result.integration.bot])

    if arguments.has("--json") {
      try context.write(String(decoding: result.document, as: UTF8.self))
    } else {
      let page = output?.page ?? result.page
      let document = IntegrationRecord(result.integration)
      try context.say(SummaryText(integration: document, page: page).description)
      if let single {
        let path = output?.file(SingleFile.fileName) ?? single.path
        try context.say(SummaryText.line(about: single.file, at: path))
      }
    }
    return outcome.exitCode
  }

  /// Removes the package's runs that are not kept. A failure is not the integration's fault.
  private func removeOld(of name: String, in home: Home, _ arguments: ParsedArguments, _ context: Context) {
    let say = { (line: String) in if !arguments.has("--quiet") { context.remark(line) } }
    do {
      let configuration = try context.configuration()
      let pruning = try Pruning(WatchHome(home.folder.path), configuration: configuration, now: Date())
      let found = try pruning.removals(of: name)
      guard !found.isEmpty else { return }
      let gone = try pruning.remove(found) { say("warning: \($0)") }
      if !gone.isEmpty { say(PruneCommand.summary(of: gone, isDone: true)) }
    } catch {
      say("warning: nothing old was removed: \(error)")
    }
  }

  /// Returns the remark about changed files that were not integrated.
  private static func remark(leftOut count: Int) -> String {
    let (verb, them) = count == 1 ? ("is", "it") : ("are", "them")
    return "\(CountText.counted(count, "changed file")) \(verb) not included; --working-tree includes \(them)."
  }

  /// Names the bots whose settings may make the same commit green.
  private func remark(onBotsOf integration: Integration, _ context: Context) {
    let names = AdoptedBot.names(for: integration.packagePath, ofRepositoryAt: integration.repository, context)
    guard !names.isEmpty else { return }
    let options = CountText.list(names.map { "--bot \($0)" }, "or")
    context.remark("This ran without the settings of a bot; \(options) integrates with them.")
  }

  private func request(_ arguments: ParsedArguments, _ home: Home, _ context: Context) throws -> IntegrationRequest {
    guard arguments.operands.first?.isEmpty != true else {
      throw UsageError("PATH is empty. Name a folder, or leave it out for the current one. See 'martlet help run'.")
    }
    let path = context.absolute(arguments.operands.first ?? ".")
    // Problems with the arguments themselves are reported before those with the repository.
    let subject = try subject(arguments)
    let adopted = try arguments.value("--bot").map { try AdoptedBot(named: $0, in: home, context) }
    var bot = adopted?.settings ?? Bot(name: "", repository: path)
    (bot.name, bot.repository, bot.remote, bot.triggers) = ("", path, nil, [])
    try read(arguments, into: &bot.tests)
    try read(arguments, into: &bot.coverage)
    bot.package =
      try arguments.value("--package") ?? adopted?.settings.package ?? PackageSearch.folder(around: path)
    if let mode = arguments.value("--sandbox").flatMap(SandboxPolicy.Mode.init) { bot.sandbox.mode = mode }
    var request = IntegrationRequest(bot, subject, queuedAt: Date())
    request.silences = adopted?.silences ?? []
    request.bots = Self.bots(context)
    try readDestinations(arguments, context, into: &request)
    return request
  }

  /// What is built and tested: one way, or several in the same integration.
  private func readDestinations(
    _ arguments: ParsedArguments, _ context: Context, into request: inout IntegrationRequest
  ) throws {
    var destinations = Destinations(axes: try axes(arguments, context))
    guard destinations.all.count > 1 else {
      if let option = ["--merge-coverage", "--exclude", "--optional"].first(where: { arguments.has($0) }) {
        throw UsageError(
          "\(option) needs several combinations; give --configuration, --toolchain, --sanitize, --build-system or --traits twice. See 'martlet help run'."
        )
      }
      // Where no option says how to build, a bot does.
      guard Self.waysToBuild.contains(where: { arguments.has($0) }) else { return }
      request.bot.destinations = nil
      request.way = destinations.all.first ?? Destination()
      return
    }
    try choose(among: &destinations, arguments)
    if arguments.has("--merge-coverage") { destinations.coverage = .merged }
    request.bot.destinations = destinations
    guard request.mutants == .off || destinations.allowMutants else {
      throw UsageError(
        "--merge-coverage goes with neither --mutants nor the gate no-unchecked-changes: functions are tried without their bodies in one build, and this coverage is of several. Leave out one of the two. See 'martlet help run'."
      )
    }
  }

  /// The options that each add to the combinations.
  private static let waysToBuild = ["--configuration", "--toolchain", "--sanitize", "--build-system", "--traits"]

  /// Leaves combinations out, and has the failures of others not count.
  private func choose(among destinations: inout Destinations, _ arguments: ParsedArguments) throws {
    let names = destinations.all.map(\.name)
    for option in ["--exclude", "--optional"] {
      for name in arguments.values(option) where !names.contains(name) {
        throw UsageError(
          "\(option): no combination is called '\(name)'. There are \(CountText.list(names)). See 'martlet help run'."
        )
      }
    }
    let (excluded, optional) = (arguments.values("--exclude"), arguments.values("--optional"))
    destinations.all.removeAll { excluded.contains($0.name) }
    for index in destinations.all.indices where optional.contains(destinations.all[index].name) {
      destinations.all[index].isRequired = false
    }
  }

  /// Reads the options about coverage; what they leave out stays as it is, and what they ask for is measured.
  private func read(_ arguments: ParsedArguments, into coverage: inout CoverageSettings) throws {
    if arguments.has("--gate") { coverage.gates = try gates(arguments) }
    if arguments.has("--coverage-exclude") { coverage.exclude = arguments.values("--coverage-exclude") }
    if arguments.has("--incidental") { coverage.incidental = true }
    if arguments.has("--map") { coverage.map = true }
    let scope = arguments.value("--mutants").flatMap(MutationScope.init)
    if let scope { coverage.mutants = scope }
    if arguments.has("--blame") { coverage.blame = true }
    let asking = ["--gate", "--coverage-exclude", "--incidental", "--map", "--blame"]
    if asking.contains(where: arguments.has) || (scope ?? .off) != .off { coverage.isMeasured = true }
  }

  private func axes(_ arguments: ParsedArguments, _ context: Context) throws -> Destinations.Axes {
    var axes = Destinations.Axes()
    axes.toolchains = arguments.values("--toolchain").map(context.absolute)
    axes.configurations = arguments.values("--configuration")
    axes.sanitizers = arguments.values("--sanitize").map(Bot.Sanitizer.init)
    axes.buildSystems = arguments.values("--build-system").compactMap(BuildSystem.init)
    axes.traits = try arguments.values("--traits").map { list in
      let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard !names.contains(""), !list.hasPrefix("-") else {
        throw UsageError(
          "--traits takes names separated by commas, or none, not '\(list)'. See 'martlet help run'.")
      }
      return names == ["none"] ? [] : names
    }
    return axes
  }

  /// Returns the bots of this user. If the configuration cannot be read, there are none to distinguish from runs.
  private static func bots(_ context: Context) -> Set<String> {
    let configuration = try? context.configuration()
    return Set(((try? configuration?.botFiles()) ?? []).map(Configuration.name))
  }

  /// Reads the options about tests; what they leave out stays as it is.
  private func read(_ arguments: ParsedArguments, into tests: inout TestSettings) throws {
    if arguments.has("--filter") { tests.filter = arguments.values("--filter") }
    if arguments.has("--skip") { tests.skip = arguments.values("--skip") }
    if let text = arguments.value("--retries") { tests.retries = try retries(text) }
    if arguments.has("--isolation") { tests.isolation = true }
    if let text = arguments.value("--timeout") { try readTimeout(text, into: &tests.limits) }
  }

  private func retries(_ text: String) throws -> Int {
    let possible = TestSettings.possibleRetries
    guard let number = Int(text), possible.contains(number) else {
      throw UsageError(
        "'--retries' takes a number from \(possible.lowerBound) to \(possible.upperBound), not '\(text)'. See 'martlet help run'."
      )
    }
    return number
  }

  /// Reads how long a test may take, within the other limits.
  private func readTimeout(_ text: String, into limits: inout TestLimits) throws {
    guard let time = DurationField.read(text), time > .zero, time <= limits.step else {
      throw UsageError(
        "'--timeout' takes a duration such as 90s or 10m, of at most \(DurationField.write(limits.step)), not '\(text)'. See 'martlet help run'."
      )
    }
    let allowsSilence = limits.silence >= limits.test
    limits.test = time
    // Unless a bot chose it to be shorter.
    if allowsSilence { limits.allowSilence() }
  }

  private func gates(_ arguments: ParsedArguments) throws -> [CoverageGate] {
    try arguments.values("--gate").map { rule in
      guard let gate = CoverageGate(rule: rule) else {
        throw UsageError(
          "--gate does not know '\(rule)'. Its rules are \(CoverageGate.Form.allCases.map(\.rawValue).joined(separator: ", ")), where N is a percentage."
        )
      }
      return gate
    }
  }

  private func subject(_ arguments: ParsedArguments) throws -> IntegrationRequest.Subject {
    let branch = arguments.value("--branch")
    let commit = arguments.value("--commit")
    if arguments.has("--working-tree") {
      guard branch == nil, commit == nil else {
        throw UsageError(
          "--working-tree integrates what is checked out, so it goes with neither --commit nor --branch. See 'martlet help run'."
        )
      }
      return .workingTree
    }
    if let commit { return .revision(commit, branch: branch) }
    return branch.map { .branch($0) } ?? .head
  }
}
