import FoundationEssentials
import Integrating
import Model
import Rendering
import Serving

struct TokensCommand: Subcommand {
  let name = "tokens"
  let summary = "create, list and revoke access tokens"
  let operands = "[new|list|revoke ID]"
  let options = [
    Option.value("--scope", "SCOPES", "read, log, ask, or several separated by commas (default: read,log)"),
    Option.value("--bots", "PATTERN", "only the bots whose names match this glob (default: all)"),
    Option.value("--days", "N", "how long the token is valid (default: 90)"),
    Option.value("--name", "TEXT", "a name for the list, such as the program that uses it"),
    Option.value("--home", "DIR", "the home that is served"),
    Option.flag("--json", "print the answer as JSON"),
  ]
  let discussion = """
    'new' prints a token once; only its hash is kept. Programs send it as 'Authorization: Bearer TOKEN' or as the
    password of Basic authentication; people log in with it at /login. The scope 'read' is for pages, figures and
    feeds, 'log' for logs, 'ask' to integrate, rerun, cancel, pin and silence. 'list' shows the tokens and when each
    was last used. 'revoke' ends one at once, also in a running server.

    From the first token on, a server on 127.0.0.1 shows bots that are not public only to those who have a token. To
    open it again, remove the folder 'access' in the home.
    """

  /// The longest validity of a token, in days.
  private static let mostDays = 3650

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try context.home(arguments)
    try home.requirePrivate()
    let tokens = AccessTokens(of: home)
    let word = arguments.operands.first ?? "list"
    if word != "new", let stray = ["--scope", "--bots", "--days", "--name"].first(where: arguments.has) {
      throw UsageError("'\(stray)' goes with 'martlet tokens new'. See 'martlet help tokens'.")
    }
    guard arguments.operands.count == (word == "revoke" ? 2 : min(arguments.operands.count, 1)) else {
      throw UsageError(
        word == "revoke"
          ? "the token's id is missing: martlet tokens revoke ID. 'martlet tokens list' has it."
          : "'martlet tokens \(word)' takes no name. See 'martlet help tokens'.")
    }
    switch word {
    case "new": try make(tokens, arguments, context)
    case "list": try list(tokens, asJSON: arguments.has("--json"), context)
    case "revoke": try revoke(arguments.operands[1], tokens, asJSON: arguments.has("--json"), context)
    default: throw UsageError.unknown("word", word, among: ["new", "list", "revoke"], help: "martlet help tokens")
    }
    return ExitCode.success
  }

  /// Reads a list of scopes; nil where none is said.
  static func scopes(_ text: String?, help: String) throws(UsageError) -> [AccessToken.Scope]? {
    try text?.split(separator: ",", omittingEmptySubsequences: false).map { word throws(UsageError) in
      guard let scope = AccessToken.Scope(rawValue: String(word)) else {
        let known = AccessToken.Scope.allCases.map(\.rawValue)
        throw UsageError.unknown("scope", String(word), among: known, help: help)
      }
      return scope
    }
  }

  private func make(_ tokens: AccessTokens, _ arguments: ParsedArguments, _ context: Context) throws {
    let scopes = try Self.scopes(arguments.value("--scope"), help: "martlet help tokens") ?? [.read, .log]
    let text = arguments.value("--days") ?? "90"
    guard let days = Int(text), (1...Self.mostDays).contains(days) else {
      throw UsageError(
        "'--days' is a whole number from 1 to \(Self.mostDays), not '\(text)'. See 'martlet help tokens'.")
    }
    let wasOpen = !tokens.wereMade
    let made = try tokens.make(
      name: arguments.value("--name"), scopes: scopes, bots: arguments.value("--bots") ?? "*", days: days, at: Date())
    if arguments.has("--json") {
      try context.say(Context.json(Line(made.token, lastUse: nil, text: made.text)))
    } else {
      try context.say(made.text)
    }
    if wasOpen { context.remark("From now on, only public bots are shown without a token.") }
  }

  private func list(_ tokens: AccessTokens, asJSON: Bool, _ context: Context) throws {
    let all = tokens.all()
    if asJSON { return try context.say(Context.json(["tokens": all.map { Line($0.token, lastUse: $0.lastUse) }])) }
    guard !all.isEmpty else { return try context.say("There are no tokens. Make one with: martlet tokens new") }
    let now = Date()
    for (token, lastUse) in all {
      let end = token.expiresAt > now ? "until \(Self.day(token.expiresAt))" : "expired \(Self.day(token.expiresAt))"
      let use = lastUse.map { "last used \(Self.day($0))" } ?? "never used"
      let scopes = token.scopes.map(\.rawValue).joined(separator: ",")
      let name = token.name.map { "  \($0)" } ?? ""
      try context.say(VisibleText.of("\(token.id)  \(scopes)  \(token.bots)  \(end), \(use)\(name)"))
    }
  }

  private func revoke(_ id: String, _ tokens: AccessTokens, asJSON: Bool, _ context: Context) throws {
    guard tokens.revoke(id) else {
      throw UsageError("there is no token '\(id)'. 'martlet tokens list' has those that there are.")
    }
    try context.say(asJSON ? Context.json(["revoked": id]) : "The token \(id) opens nothing any more.")
  }

  private static func day(_ date: Date) -> String { String(LocalTime.utc.machine(of: date).prefix(16)) + "Z" }

  /// A token in the output of `--json`.
  private struct Line: Encodable {
    var id: String
    var name: String?
    var scopes: [AccessToken.Scope]
    var bots: String
    var createdAt: Date
    var expiresAt: Date
    var lastUsedAt: Date?
    /// Included only when the token is created.
    var token: String?

    init(_ token: AccessToken, lastUse: Date?, text: String? = nil) {
      (id, name, scopes, bots) = (token.id, token.name, token.scopes, token.bots)
      (createdAt, expiresAt, lastUsedAt, self.token) = (token.createdAt, token.expiresAt, lastUse, text)
    }
  }
}
