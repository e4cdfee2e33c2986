import BotFiles
import Glibc
import Integrating
import Model
import Processes
import Rendering
import Serving

/// `martlet serve`: serves the pages, and requests from programs, over HTTP.
struct ServeCommand: Subcommand {
  let name = "serve"
  let summary = "serve the pages, feeds and an API over HTTP, on this machine"
  let operands = ""
  let operandLimit = 0
  let options = [
    Option.value(
      "--listen", "ADDRESS", "127.0.0.1:PORT, [::1]:PORT or unix:PATH; 127.0.0.1:8410 unless said, port 0 for any"),
    Option.value("--trust-header", "NAME", "on a Unix socket, who sends a request, as the front before it says"),
    Option.value(
      "--trust-scope", "SCOPES", "what those may do whom the front names, with commas; read,log,ask unless said"),
    Option.value("--home", "DIR", "the folder of workspaces, integrations and reports"),
    Option.value("--templates", "DIR", "templates that stand before the program's own"),
  ]
  var discussion: String {
    """
    The first line that it prints is its address. It is a process of its own, reads the home, and passes on to the watcher
    what is asked of it. It and the watcher outlive each other; 'martlet watch --serve' starts both. SIGTERM ends it.

    On 127.0.0.1 every user of this machine sees everything until the first token is made ('martlet help tokens'), and the
    one who started the server may ask, too. From then on, and always on a Unix socket, strangers see only bots with 'visibility: public', and cannot tell that there
    are others. Programs send a token as Bearer, or as the password of Basic; people log in with one at /login. A web
    server before the socket can also say who comes, in the header that --trust-header names; it must never pass that
    header on from outside. Those whom it names see all bots, and may ask unless --trust-scope leaves that out. Who has the scope 'ask' may integrate, rerun, cancel, pin and silence, from 'Actions' on
    the pages or by the API.

    /hooks/BOT takes the webhooks of GitHub, GitLab, Forgejo and Gitea. Give the forge the secret that 'hook-secret' of
    the bot's file names; any event will do. A call is taken once. GitHub, Forgejo and Gitea sign what they send, so one
    that was overheard is worth nothing; GitLab sends the secret itself, so let it come by TLS only.

    To be reached from other machines, let a web server with TLS stand before the Unix socket; no other address is taken.
    Links in feeds begin with 'address:' of martlet.yml, or else with the address of the request.

    For nginx, with passwords that 'htpasswd' wrote:

      server {
        listen 443 ssl http2;
        server_name ci.example.org;
        ssl_certificate /etc/nginx/martlet.crt;
        ssl_certificate_key /etc/nginx/martlet.key;
        auth_basic "Martlet";
        auth_basic_user_file /etc/nginx/martlet.passwords;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Connection "";
        proxy_set_header Authorization "";
        proxy_set_header X-Martlet-User $remote_user;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_read_timeout 1h;
        location / {
          proxy_pass http://unix:/run/martlet/serve.sock:;
        }
        location /hooks/ {
          auth_basic off;
          proxy_pass http://unix:/run/martlet/serve.sock:;
        }
      }

    and martlet serve --listen unix:/run/martlet/serve.sock --trust-header X-Martlet-User. Where another program logs people in,
    put 'auth_request /its/place;' and 'auth_request_set $user $upstream_http_x_user;' in place of the two lines with
    'auth_basic', 'auth_request off' in the second location, and $user in place of $remote_user. What goes on as it comes,
    logs and events, says 'X-Accel-Buffering: no', which nginx heeds by itself.

    Beside the pages there are:

    \(Self.endpoints)

    /api/v1/openapi.json describes them for programs; errors are RFC 9457 problems. Answers have an ETag; pages, logs and
    other files are sent in ranges, too. 'curl -N' follows the log of a running integration, and so does a browser. The head
    of a request has up to 24 KiB, its body up to 256 KiB, and 20 seconds to come.
    """
  }

  /// Reads the value of a bot's secret, afresh each time; an unreadable file has none.
  private static func secrets(of configuration: Configuration) -> (_ bot: String, _ name: String) -> String? {
    { bot, name in (try? SecretsFile.read(at: configuration.secretsFile(of: bot), user: geteuid()))?[name] }
  }

  private static var endpoints: String {
    SiteServer.endpoints.map { path, summary in "  \(path)\n      \(summary)" }.joined(separator: "\n")
  }

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let signals = try SignalQueue()
    let listening =
      try arguments.value("--listen").map { try ServerAddress($0, currentFolder: context.currentFolder) } ?? .standard
    let home = try Home.locate(
      option: arguments.value("--home"), environment: context.environment, currentFolder: context.currentFolder)
    try home.requirePrivate()
    let configuration = try Configuration.locate(
      environment: context.environment, currentFolder: context.currentFolder)
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
    if let trouble = EventLibrary.trouble { context.writeError("warning: \(trouble)\n") }
    try server.run(untilReadable: signals.descriptor)
    return ExitCode.success
  }
}
