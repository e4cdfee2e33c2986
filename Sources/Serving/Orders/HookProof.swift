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

/// The recently accepted calls, so that nobody can replay one that was intercepted.
struct TakenCalls {
  private var known: Set<[UInt8]> = []
  private var order: [[UInt8]] = []

  /// The number of calls to remember.
  static let most = 1024

  var count: Int { order.count }

  func contains(_ digest: [UInt8]) -> Bool { known.contains(digest) }

  mutating func remove(_ digest: [UInt8]) {
    guard known.remove(digest) != nil else { return }
    order.removeAll { $0 == digest }
  }

  mutating func add(_ digest: [UInt8]) {
    guard known.insert(digest).inserted else { return }
    order.append(digest)
    if order.count > Self.most { known.remove(order.removeFirst()) }
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
    let source = access.source(of: request) + "/hooks"
    try access.refuseHurry(source)
    let bot = overviews.watchState?.bots.first { $0.name == name }
    let secret = bot?.hookSecret.flatMap { hookSecrets(name, $0) }
    let isProved = HookProof.holds(request, secret: secret ?? "")
    guard let bot, let secret, !secret.isEmpty, isProved else {
      access.noteWrong(source)
      throw Self.noHook
    }
    let digest = SHA256.hash(Array((name + "\0" + HookProof.sentID(request)).utf8) + [0] + request.body)
    guard !takenCalls.contains(digest) else { throw Problem(409, "This very call was taken before.") }
    // The same call may come again before the watcher has answered.
    takenCalls.add(digest)
    return try carryOut(WatcherOrder(.notify, bot: name, repository: bot.repository), for: request) { [unowned self] in
      takenCalls.remove(digest)
    }
  }
}
