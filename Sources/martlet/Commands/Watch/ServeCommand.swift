import BotFiles
import Glibc
import Integrating
import Model
import Processes
import Rendering
import Serving

struct ServeCommand: Subcommand {
  let name = "serve"
  let summary = "serve the pages, feeds and an API over HTTP, on this machine"
  let options = [
    Option.value(
      "--listen", "ADDRESS", "127.0.0.1:PORT, [::1]:PORT or unix:PATH; port 0 takes any (default: 127.0.0.1:8410)"),
    Option.value("--trust-header", "NAME", "on a Unix socket, the header in which a web server names the user"),
    Option.value(
      "--trust-scope", "SCOPES", "what the users named in that header may do (default: read,log,ask)"),
    Option.home,
    Option.templates,
  ]
  var discussion: String {
    """
    The first line of output is its address. The server reads the home, and passes requests on to the watcher; each can
    run without the other. 'martlet watch --serve' starts both. SIGTERM ends the server.

    Until the first token is created ('martlet help tokens'), every user of this machine sees everything on 127.0.0.1.
    After that, and always on a Unix socket, only bots with 'visibility: public' are shown without a token; others seem
    not to exist. Programs send a token as Bearer, or as the password of Basic; people log in with one at /login. The
    scope 'ask' may integrate, rerun, cancel, pin and silence, from /actions/BOT or the API.

    A web server in front of the socket can also name the user, in the header that --trust-header names. It must never
    pass on that header from outside.

    /hooks/BOT takes webhooks of any event from GitHub, GitLab, Forgejo and Gitea. Give the forge the secret that
    'hook-secret' in the bot's file names.

    For other machines, put a web server with TLS in front of the Unix socket ('martlet help nginx' has an example);
    other addresses are refused. Links in feeds begin with 'address:' of martlet.yml, or else with the address of the
    request.

    Besides the pages, it serves:

    \(Self.addresses)

    /api/v1/openapi.json lists the rest, such as the API and live logs, which a browser or 'curl -N' follows. Errors are
    RFC 9457 problems. Answers have an ETag; pages, logs and files can be requested in ranges. A request has at most 24
    KiB of headers, 256 KiB of body, and 20 seconds to arrive.
    """
  }

  /// Reads the value of a bot's secret, afresh each time; an unreadable file has none.
  private static func secrets(of configuration: Configuration) -> (_ bot: String, _ name: String) -> String? {
    { bot, name in (try? SecretsFile.read(at: configuration.secretsFile(of: bot), user: geteuid()))?[name] }
  }

  private static var addresses: String {
    HelpText.table(SiteServer.addresses.map { ($0.path.replacing("{bot}", with: "BOT"), $0.summary.lowercasedFirst) })
  }

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let signals = try SignalQueue()
    let listening =
      try arguments.value("--listen").map { try ServerAddress($0, currentFolder: context.currentFolder) } ?? .standard
    let home = try context.home(arguments)
    try home.requirePrivate()
    let configuration = try context.configuration()
    // An index that is missing, or from an older version of Martlet, is built now; after that it is only read.
    try PastIndex(of: home).prepare()
    let trusted = arguments.value("--trust-header")
    if trusted != nil, !listening.isPrivate {
      throw UsageError(
        "'--trust-header' goes with a Unix socket only: whoever reaches another address could say to be anybody. See 'martlet help serve'."
      )
    }
    if trusted == nil, arguments.has("--trust-scope") {
      throw UsageError("'--trust-scope' goes with '--trust-header' only. See 'martlet help serve'.")
    }
    let access = AccessGate(
      of: home, isPrivate: listening.isPrivate, trustedHeader: trusted,
      trustedScopes: try TokensCommand.scopes(arguments.value("--trust-scope"), help: "martlet help serve")
        ?? AccessToken.Scope.allCases)
    let site = SiteServer(
      home, version: Martlet.version, address: configuration.settingsAsFarAsRight().0.address,
      isBehindFront: listening.isPrivate, access: access, pages: try Site(arguments, home, context),
      door: WatcherDoor(to: home), hookSecrets: Self.secrets(of: configuration))
    try site.prepare()
    OpenFiles.allowMany()
    let server = try HTTPServer(listening, refuse: site.refusal) { site.answer($0) }
    site.connectionCount = { [unowned server] in server.connectionCount }
    try context.say(server.address.description)
    if let trouble = EventLibrary.trouble { context.remark("warning: \(trouble)") }
    try server.run(untilReadable: signals.descriptor)
    return ExitCode.success
  }
}
