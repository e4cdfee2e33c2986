import Integrating
import Model

/// The proof that a call comes from the forge that knows the bot's secret.
///
/// GitHub (https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries), Gitea and Forgejo
/// (https://forgejo.org/docs/latest/user/webhooks/) sign the body; GitLab
/// (https://docs.gitlab.com/user/project/integrations/webhooks/) sends the secret itself.
enum HookProof {
  private static let signatures = ["X-Hub-Signature-256", "X-Forgejo-Signature", "X-Gitea-Signature"]
  private static let token = "X-Gitlab-Token"

  /// Whether a request has a proof, and no wrong one.
  static func holds(_ request: HTTPRequest, secret: String) -> Bool {
    let signature = SHA256.authenticate(request.body, key: Array(secret.utf8)).hexadecimal
    var proofs = signatures.compactMap { request.header($0) }.map { said in
      isSame(said.hasPrefix("sha256=") ? String(said.dropFirst(7)) : said, signature)
    }
    if let said = request.header(token) { proofs.append(isSame(said, secret)) }
    return !proofs.isEmpty && !proofs.contains(false)
  }

  /// Whether the proof is the secret itself, which somebody may have chosen.
  static func canBeGuessed(_ request: HTTPRequest) -> Bool { request.header(token) != nil }

  /// Returns the id that distinguishes otherwise equal calls, such as GitLab's for a branch that was pushed forward,
  /// back and forward again. Empty for the other forges, whose bodies contain a time and whose signatures do not cover
  /// the id.
  static func sentID(_ request: HTTPRequest) -> String {
    request.header(token) == nil ? "" : request.header("Idempotency-Key") ?? ""
  }

  /// Compares hashes, whose length and order reveal nothing about the texts.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    SHA256.isSame(SHA256.hash(Array(one.utf8)), SHA256.hash(Array(other.utf8)))
  }
}

/// The bots that take calls, with what proves one.
///
/// The secrets of all of them are read together, and again after a second, whoever is called: what an answer takes tells
/// of no bot.
struct HookedBots {
  private struct Hook: Equatable {
    var bot: String
    var secret: String
    var repository: String
  }

  private var hooks: [Hook] = []
  private var known: [String: (secret: String, repository: String)] = [:]
  private var readAt = -Double.infinity
  /// What a call for another name is held against; nobody knows it.
  private let decoy = AccessTokens.random(32).hexadecimal

  /// Seconds for which the secrets are taken to be the same.
  private static let age = 1.0

  /// Reads the secrets again where it is time to.
  mutating func look(
    at state: WatchState?, now: Double, secret: (_ bot: String, _ name: String) -> String?
  ) {
    let hooks = (state?.bots ?? []).compactMap { bot in
      bot.hookSecret.map { Hook(bot: bot.name, secret: $0, repository: bot.repository) }
    }
    guard hooks != self.hooks || now - readAt >= Self.age else { return }
    (self.hooks, readAt, known) = (hooks, now, [:])
    for hook in hooks {
      guard let value = secret(hook.bot, hook.secret) else { continue }
      known[hook.bot] = (value, hook.repository)
    }
  }

  /// Where the repository of a bot lies whose call a request proves to be; nil where it takes none, or there is no proof.
  func repository(of bot: String, provedBy request: HTTPRequest) -> String? {
    let hook = known[bot]
    let isProved = HookProof.holds(request, secret: hook?.secret ?? decoy)
    return isProved ? hook?.repository : nil
  }
}

/// The calls that were taken, so that nobody can repeat one that was overheard: for each bot a file of the home with the
/// first 8 bytes of their digests, which outlives the server, and in which calls for others take no room.
struct TakenCalls {
  private let folder: Folder

  /// So many are remembered of a bot: what comes after as many pushes finds nothing new.
  static let most = 16_384
  private static let width = 8

  init(of home: Home) { folder = home.folder.folder("hooks") }

  private func file(_ bot: String) -> String { FileSystemName.fingerprint64(bot) }

  /// Notes a call; returns whether it was not taken before, and throws where it cannot be noted.
  func take(_ digest: [UInt8], of bot: String) throws(IntegratingError) -> Bool {
    let mark = digest.prefix(Self.width)
    var known = marks(of: bot)
    guard !known.contains(mark) else { return false }
    known.append(mark)
    try write(known, of: bot)
    return true
  }

  /// Forgets a call that came to nothing.
  func forget(_ digest: [UInt8], of bot: String) throws(IntegratingError) {
    let mark = digest.prefix(Self.width)
    try write(marks(of: bot).filter { $0 != mark }, of: bot)
  }

  func marks(of bot: String) -> [ArraySlice<UInt8>] {
    let bytes = folder.read(file(bot), limit: Self.most * Self.width) ?? []
    return stride(from: 0, to: bytes.count - Self.width + 1, by: Self.width).map { bytes[$0..<$0 + Self.width] }
  }

  private func write(_ marks: [ArraySlice<UInt8>], of bot: String) throws(IntegratingError) {
    try folder.create()
    try folder.write(Array(marks.suffix(Self.most).joined()), to: file(bot))
  }
}

extension SiteServer {
  /// The answer if there is no such bot, if it accepts no calls, or if the proof is wrong; these cases cannot be
  /// distinguished.
  private static let noHook = Problem(
    404,
    "No bot of this name takes such calls, or the secret or the signature is wrong. 'martlet help serve' tells more.")

  /// Has the watcher look at the repository of a bot, because a forge reports a change.
  func hook(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let (name, request) = (call.text("bot"), call.request)
    hookedBots.look(at: overviews.watchState, now: steadyClock(), secret: hookSecrets)
    let source = access.source(of: request) + "/hooks"
    // Nobody guesses a signature, and who tries must not lock out the forge, whose address others may have as well.
    if HookProof.canBeGuessed(request) { try access.refuseHurry(source) }
    guard let repository = hookedBots.repository(of: name, provedBy: request) else {
      try access.refuseHurry(source)
      access.noteWrong(source)
      throw Self.noHook
    }
    let digest = SHA256.hash(Array((name + "\0" + HookProof.sentID(request)).utf8) + [0] + request.body)
    // Noted first: the same call may come again before the watcher has answered.
    let isNew = try read { () throws(IntegratingError) in try takenCalls.take(digest, of: name) }
    guard isNew else { throw Problem(409, "This very call was taken before.") }
    return try carryOut(ControlRequest(.notify, repository: repository, bot: name), about: name, for: request) {
      [takenCalls] in
      // Where it stays noted, the forge's next call does what this one was to.
      try? takenCalls.forget(digest, of: name)
    }
  }
}
