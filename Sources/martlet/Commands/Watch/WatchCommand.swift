import BotFiles
import FoundationEssentials
import Glibc
import Integrating
import Keeping
import Processes
import Rendering
import Serving

struct WatchCommand: Subcommand {
  let name = "watch"
  let summary = "watch all repositories and integrate new commits"
  let options = [
    Option.value("--bots", "DIR", "the folder of bot files instead of 'bots' in the configuration folder"),
    Option.home,
    Option.value("--jobs", "N", "how many integrations run at once"),
    Option.templates,
    Option.flag("--once", "integrate what is due, then exit"),
    Option.flag("--serve", "serve the pages as 'martlet serve' does, in a process of its own"),
    Option.value("--listen", "ADDRESS", "where --serve listens (default: 127.0.0.1:8410)"),
    Option.value("--trust-header", "NAME", "with --serve, as for 'martlet serve'"),
    Option.value("--trust-scope", "SCOPES", "with --serve, as for 'martlet serve'"),
  ]
  let discussion = """
    The watcher sees a commit to a local repository at once, without a hook, and fetches remote repositories as 'fetch'
    in the bot's file says. Each integration runs in a process of its own. Nothing is lost when the watcher is stopped
    or killed: the next one continues. An integration that was cut off is tried again; from the third attempt on, only
    when nothing else is running.

    SIGTERM ends the watcher, SIGHUP makes it read its files again; it notices changed bot files by itself. It does not
    start while martlet.yml has errors. If the file is broken later, the old settings stay until it is fixed.

    With --once the exit status is that of the worst integration. It is 3 if something cannot be fetched, something is
    left waiting, the pages cannot be written, or the disk stays full for a minute; the watcher says which.

    Only the user who runs Martlet can read the home. To let a web server of another user read 'site' in it, run
    'chmod 711' on the home; everything else stays closed.

    With --serve, the address of the pages is printed, and the server ends with the watcher. If the watcher is killed,
    its server keeps running until the next 'watch --serve' replaces it. 'martlet help serve' says what is served, and
    to whom.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    try check(arguments)
    // The server would refuse it beside a watcher that goes on.
    _ = try arguments.value("--listen").map { try ServerAddress($0, currentFolder: context.currentFolder) }
    let signals = try SignalQueue()
    let home = try context.home(arguments)
    try home.requirePrivate()
    try home.close()
    let configuration = try context.configuration(bots: arguments.value("--bots"))
    if geteuid() == 0 {
      context.remark("warning: the watcher runs as root, and so do builds and tests. Run it as a user of its own.")
    }
    try PastIndex(of: home).prepare()
    let watchHome = WatchHome(home.folder.path)
    let override = TemplateLocation.override(arguments.value("--templates"), context)
    // Only the children need the templates; problems with them are reported now instead of by each integration.
    _ = try TemplateLocation.load(override: override, context)
    let templates = override.map { ["--templates", $0] } ?? []
    let launcher = ProcessLauncher(
      watchHome, program: context.executable, options: templates, environment: context.environment)
    let watcher = try Watcher(
      home: watchHome, configuration: configuration, options: try options(arguments, context), launcher: launcher,
      signals: signals, say: say(context))
    if try configuration.botFiles().isEmpty { say(context)(BotsCommand.absence(in: configuration)) }
    say(context)("The pages are in \(home.firstPage)")
    guard arguments.has("--serve") else { return watcher.run() }
    let passed = Self.serverOptions.flatMap { name in arguments.value(name).map { [name, $0] } ?? [] }
    let words = ["serve", "--home", home.folder.path] + passed + templates
    let server = try ServerProcess(
      program: context.executable, words, environment: context.environment, home: home.folder.path, say: say(context))
    // That nobody reads it is no reason not to watch.
    if let address = server.address { try? context.say(timed(context)("The pages are at \(address)")) }
    let status = watcher.run()
    server.end()
    return status
  }

  /// Options of the server that are passed on to it.
  private static let serverOptions = ["--listen", "--trust-header", "--trust-scope"]

  /// Throws for options that have no effect without another, or conflict with it.
  private func check(_ arguments: ParsedArguments) throws(UsageError) {
    if arguments.has("--serve"), arguments.has("--once") {
      throw UsageError("'--serve' and '--once' do not go together. See 'martlet help watch'.")
    }
    if !arguments.has("--serve"), let option = Self.serverOptions.first(where: arguments.has) {
      throw UsageError("'\(option)' goes with '--serve' only. See 'martlet help watch'.")
    }
  }

  private func say(_ context: Context) -> @Sendable (String) -> Void {
    let timed = timed(context)
    return { context.remark(timed($0)) }
  }

  /// Puts the time before lines, except under systemd, which records the time itself.
  private func timed(_ context: Context) -> @Sendable (String) -> String {
    let time = LocalTime.ofThisMachine
    let isTimed = context.environment["JOURNAL_STREAM"] == nil
    return { isTimed ? "\(time.machine(of: Date())) \($0)" : $0 }
  }

  private func options(_ arguments: ParsedArguments, _ context: Context) throws(UsageError) -> Watcher.Options {
    var options = Watcher.Options()
    options.environment = context.environment
    options.isOnce = arguments.has("--once")
    if let text = arguments.value("--jobs") {
      guard let jobs = Int(text), (1...1024).contains(jobs) else {
        throw UsageError("'--jobs' takes a number from 1 to 1024, not '\(text)'. See 'martlet help watch'.")
      }
      options.jobs = jobs
    }
    return options
  }
}
