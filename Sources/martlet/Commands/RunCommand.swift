import BotFiles
import FoundationEssentials
import Integrating
import Keeping
import Model
import Processes
import Rendering

/// `martlet run`: a one-shot integration of one repository.
struct RunCommand: Subcommand {
  let name = "run"
  let summary = "integrate a repository once, at HEAD or as the options say"
  let operands = "[PATH]"
  let operandLimit = 1
  let options = [
    Option.value("--commit", "REV", "integrate this revision instead of HEAD"),
    Option.value("--branch", "NAME", "integrate the tip of this branch, or report --commit under it"),
    Option.flag("--working-tree", "include uncommitted changes, tracked and untracked"),
    Option.value("--package", "SUBFOLDER", "the folder of the package inside the repository"),
    Option.value("--output", "DIR", "copy the report to DIR, with DIR/index.html and DIR/integration.json"),
    Option.flag("--single-file", "write the report also as one file, report.html, to attach to a mail"),
    Option.value("--filter", "REGEX", "run only tests whose name matches", isRepeatable: true),
    Option.value("--skip", "REGEX", "leave out tests whose name matches", isRepeatable: true),
    Option.value(
      "--configuration", "NAME", "build configuration", choices: ["debug", "release"], isRepeatable: true),
    Option.value("--toolchain", "DIR", "the folder of a toolchain, in place of the swift on PATH", isRepeatable: true),
    Option.value(
      "--sanitize", "KIND", "build and test with a sanitizer",
      choices: ["none"] + Bot.Sanitizer.allCases.map(\.rawValue), isRepeatable: true),
    Option.value(
      "--build-system", "NAME", "what SwiftPM builds with; the toolchain's default unless said",
      choices: BuildSystem.allCases.map(\.rawValue), isRepeatable: true),
    Option.value(
      "--traits", "LIST", "traits of the package, separated by commas, in place of its default ones; none for none",
      isRepeatable: true),
    Option.value("--exclude", "NAME", "leave a combination out, such as release+thread", isRepeatable: true),
    Option.value("--optional", "NAME", "a combination whose failures only inform", isRepeatable: true),
    Option.value(
      "--sandbox", "MODE", "contain the code under test: where possible, or else refuse, or not at all",
      choices: SandboxPolicy.Mode.allCases.map(\.rawValue)),
    Option.value("--retries", "N", "run a red test again up to N times; one that passes then is flaky"),
    Option.flag("--isolation", "then run each test alone, and tell which end otherwise than together"),
    Option.value("--gate", "RULE", "fail when the coverage does not meet this condition", isRepeatable: true),
    Option.value(
      "--coverage-exclude", "GLOB", "leave files out of the coverage; the report lists them", isRepeatable: true),
    Option.flag("--merge-coverage", "count a line as run where it ran for one of several combinations"),
    Option.flag("--incidental", "tell apart the lines that run without any test"),
    Option.flag("--map", "say which tests ran each line"),
    Option.value(
      "--mutants", "SCOPE", "take the bodies of functions away, and say which of them no test misses",
      choices: MutationScope.allCases.map(\.rawValue)),
    Option.flag("--blame", "say beside each line of source who wrote it, and when; this takes time"),
    Option.value("--templates", "DIR", "templates that stand before the program's own"),
    Option.value("--home", "DIR", "the folder of workspaces, integrations and reports"),
    Option.flag("--json", "print the summary document on standard output, and nothing else"),
    Option.flag("--quiet", "print no progress"),
  ]
  let discussion = """
    PATH is any folder of a git repository, bare or not; the default is the current one. The package is the nearest one
    around that folder, or the one that --package names. Nothing is written to it: the
    commit is checked out into a workspace in Martlet's home, built with coverage and tested there. The report is HTML
    that opens from disk. 'martlet help exit-codes' lists the exit statuses. It is kept under the name of the repository's
    folder; beside a bot of that name, or another package of the repository, under one of its own.

    --configuration, --toolchain, --sanitize, --build-system and --traits may each be given several times: every
    combination is built and tested, in one integration with a page for each. The first value of each leads: coverage and
    trends are of that combination. With --merge-coverage the coverage is that of all of them together. A combination is
    called by what tells it from the others, such as release+thread.

    A branch is built on what its last commit left. A revision that --commit picks shares nothing with others: it is built
    from nothing and leaves nothing, unless --branch names a branch that holds it. So is a detached HEAD.

    A gate's RULE is patch-fully-covered (every line that the commits touched ran), patch=N (at least N per cent of them
    did), no-lost-coverage (no unchanged line stopped to run, and no part of one) or ratchet (the share of lines that ran
    did not fall). The commits are those since the nearest ancestor that was integrated with complete coverage, or the one
    that is integrated. What fails a gate is held against the commits that follow, too, until they pass it or its issue is
    silenced. The last two rules compare with that ancestor, or without one, as after an amend, with the last integration
    of the branch with complete coverage; without either they are not judged. Else a gate that cannot be judged is not
    met: because nobody can say which lines of a file changed, because what it is judged against was removed, or because
    a shallow clone ends before it; where its commit is gone from the repository, only once. What is left out on request
    fails no gate, but the first two name the files with changed lines that are left out, and the last two the lines that
    counted before and are left out now. Code in which integrations of one and the same commit differ runs by chance, and
    is neither lost nor gained: a second run of a commit tells it apart.

    A comment leaves lines out of the coverage: '// coverage:ignore' its own line, '// coverage:ignore-start' all from its
    line through that of '// coverage:ignore-end', or through the end of the file, and '// coverage:ignore-file' on a line
    of its own the whole file; to leave out a function, put -start on its first line and -end on its last one. A reason
    may follow behind a blank; a block comment is no marker. The report lists what was left out, with its lines, and the
    markers that left out nothing.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let templates = try TemplateLocation.load(
      override: arguments.value("--templates"), environment: context.environment, executable: context.executable,
      currentFolder: context.currentFolder)
    let output = try arguments.value("--output").map { try ReportCopy(to: context.absolute($0)) }
    let home = try Home.locate(
      option: arguments.value("--home"), environment: context.environment, currentFolder: context.currentFolder)
    let cancellation = try Cancellation()
    try cancellation.cancelOnSignals()

    let progress = ProgressPrinter(arguments.has("--quiet") ? .none : context.errorIsTerminal ? .live : .lines, context)
    let integrator = Integrator(
      home: home, templates: templates, environment: context.environment, clock: .system,
      time: LocalTime { TimeZone.current.secondsFromGMT(for: $0) }, cancellation: cancellation,
      progress: { progress.show($0) })
    let result = try integrator.integrate(request(arguments, context))
    progress.finish()
    if result.leftOut > 0, !arguments.has("--quiet") { context.writeError(Self.remark(leftOut: result.leftOut)) }
    let single = arguments.has("--single-file") ? try result.writeSingleFile(with: templates) : nil
    try output?.publish(result)
    removeOld(of: result.integration.bot, in: home, arguments, context)
    try Site(home: home, templates: templates, time: integrator.time).publish([result.integration.bot])

    if arguments.has("--json") {
      try context.write(String(decoding: result.document, as: UTF8.self))
    } else {
      let page = output?.page ?? result.page
      let document = IntegrationRecord(result.integration)
      try context.say(SummaryText(document, page: page).description)
      if let single {
        let path = output?.file(SingleFile.fileName) ?? single.path
        try context.say(SummaryText.line(about: single.file, at: path))
      }
    }
    return result.integration.outcome.exitCode
  }

  /// Removes what is not kept of the package's runs; that it cannot be is no fault of the integration.
  private func removeOld(of name: String, in home: Home, _ arguments: ParsedArguments, _ context: Context) {
    let say = { (line: String) in if !arguments.has("--quiet") { context.writeError(VisibleText.of(line) + "\n") } }
    do {
      let configuration = try Configuration.locate(
        environment: context.environment, currentFolder: context.currentFolder)
      let pruning = try Pruning(WatchHome(home.folder.path), configuration: configuration, now: Date())
      let found = try pruning.removals(of: name)
      guard !found.isEmpty else { return }
      let gone = try pruning.remove(found) { say("warning: \($0)") }
      if !gone.isEmpty { say(PruneCommand.summary(of: gone, isDone: true)) }
    } catch {
      say("warning: nothing old was removed: \(error)")
    }
  }

  /// What is said of files with changes that were not integrated.
  private static func remark(leftOut count: Int) -> String {
    let (verb, them) = count == 1 ? ("is", "it") : ("are", "them")
    return "\(CountText.counted(count, "changed file")) \(verb) not part of it; --working-tree takes \(them) in.\n"
  }

  private func request(_ arguments: ParsedArguments, _ context: Context) throws -> IntegrationRequest {
    guard arguments.operands.first?.isEmpty != true else {
      throw UsageError("PATH is empty. Name a folder, or leave it out for the current one. See 'martlet help run'.")
    }
    let mode = arguments.value("--sandbox").flatMap(SandboxPolicy.Mode.init) ?? .auto
    let path = context.absolute(arguments.operands.first ?? ".")
    // What is wrong with the words themselves is told before what is wrong with the repository.
    let (subject, retries, gates) = (try subject(arguments), try retries(arguments), try gates(arguments))
    var request = IntegrationRequest(
      repository: path, subject: subject,
      package: try arguments.value("--package") ?? PackageSearch.folder(around: path),
      filter: arguments.values("--filter"), skip: arguments.values("--skip"),
      sandbox: SandboxPolicy(mode: mode), retries: retries, isolation: arguments.has("--isolation"), gates: gates,
      queuedAt: Date())
    try readDestinations(arguments, context, into: &request)
    try readCoverage(arguments, into: &request)
    request.bots = Self.bots(context)
    request.showsOrigins = arguments.has("--blame")
    return request
  }

  /// What is built and tested: one way, or several in the same integration.
  private func readDestinations(
    _ arguments: ParsedArguments, _ context: Context, into request: inout IntegrationRequest
  ) throws {
    var destinations = Destinations(axes: try axes(arguments, context))
    if destinations.all.count > 1 { try choose(among: &destinations, arguments) }
    guard destinations.all.count < 2 else {
      if arguments.has("--merge-coverage") { destinations.coverage = .merged }
      request.destinations = destinations
      return
    }
    if let option = ["--merge-coverage", "--exclude", "--optional"].first(where: { arguments.has($0) }) {
      throw UsageError(
        "\(option) needs several combinations; give --configuration, --toolchain, --sanitize, --build-system or --traits twice. See 'martlet help run'."
      )
    }
    for only in destinations.all {
      request.configuration = only.configuration ?? request.configuration
      request.build.take(only)
    }
  }

  /// Leaves combinations out, and has others only inform.
  private func choose(among destinations: inout Destinations, _ arguments: ParsedArguments) throws {
    let names = destinations.all.map(\.name)
    for option in ["--exclude", "--optional"] {
      for name in arguments.values(option) where !names.contains(name) {
        throw UsageError(
          "\(option): no combination is called '\(VisibleText.of(name))'. There are \(CountText.list(names.map(VisibleText.of))). See 'martlet help run'."
        )
      }
    }
    let (excluded, optional) = (arguments.values("--exclude"), arguments.values("--optional"))
    destinations.all.removeAll { excluded.contains($0.name) }
    for index in destinations.all.indices where optional.contains(destinations.all[index].name) {
      destinations.all[index].isRequired = false
    }
  }

  private func readCoverage(_ arguments: ParsedArguments, into request: inout IntegrationRequest) throws {
    request.marksIncidental = arguments.has("--incidental")
    let scope = arguments.value("--mutants").flatMap(MutationScope.init) ?? .off
    request.mutants = scope.needed(by: request.gates)
    request.mapsTests = arguments.has("--map") || request.mutants != .off
    request.coverageExclude = arguments.values("--coverage-exclude")
    guard request.mutants == .off || request.destinations?.allowMutants != false else {
      throw UsageError(
        "--merge-coverage goes with neither --mutants nor the gate no-unchecked-changes: functions are tried without their bodies in one build, and this coverage is of several. Leave out one of the two. See 'martlet help run'."
      )
    }
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
          "--traits takes names separated by commas, or none, not '\(VisibleText.of(list))'. See 'martlet help run'.")
      }
      return names == ["none"] ? [] : names
    }
    return axes
  }

  /// The bots of this user; a configuration that cannot be read has none that would be told apart from runs.
  private static func bots(_ context: Context) -> Set<String> {
    let configuration = try? Configuration.locate(
      environment: context.environment, currentFolder: context.currentFolder)
    return Set(((try? configuration?.botFiles()) ?? []).map(Configuration.name))
  }

  private func retries(_ arguments: ParsedArguments) throws -> Int {
    guard let text = arguments.value("--retries") else { return 0 }
    guard let number = Int(text), (0...100).contains(number) else {
      throw UsageError("'--retries' takes a number from 0 to 100, not '\(text)'. See 'martlet help run'.")
    }
    return number
  }

  private func gates(_ arguments: ParsedArguments) throws -> [CoverageGate] {
    try arguments.values("--gate").map { rule in
      guard let gate = CoverageGate(rule: rule) else {
        throw UsageError(
          "--gate does not know '\(rule)'. Its rules are \(CoverageGate.forms.joined(separator: ", ")), where N is a percentage."
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

extension Context {
  /// A path as the caller meant it, made absolute.
  func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : path == "." ? currentFolder : "\(currentFolder)/\(path)"
  }
}
