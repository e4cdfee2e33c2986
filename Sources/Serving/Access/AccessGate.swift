package import FoundationEssentials
import Glibc
package import Integrating
import Model
import Processes

/// A gate that identifies the sender of a request: a program with a token, a person with a session or named by the
/// front, or nobody known.
package final class AccessGate {
  let tokens: AccessTokens
  private let isPrivate: Bool
  private let trustedHeader: String?
  private let trustedScopes: Set<AccessToken.Scope>
  private let clock: () -> Date
  private var throttle = Throttle()
  /// A monotonic clock, in seconds.
  var steadyClock: () -> Double = Clock.system.seconds

  /// - Parameters:
  ///   - isPrivate: whether only a front can send requests, over a Unix socket.
  ///   - trustedHeader: the header in which that front says who sends a request; nil where it says nothing.
  ///   - trustedScopes: what those may do whom it names.
  package init(
    of home: Home, isPrivate: Bool, trustedHeader: String?,
    trustedScopes: [AccessToken.Scope] = AccessToken.Scope.allCases,
    clock: @escaping () -> Date = { Date() }
  ) {
    self.trustedScopes = Set(trustedScopes)
    tokens = AccessTokens(of: home)
    (self.isPrivate, self.trustedHeader, self.clock) = (isPrivate, isPrivate ? trustedHeader : nil, clock)
  }

  /// Whether everybody on this machine sees everything, as long as no token has been made.
  var isOpen: Bool { !isPrivate && !tokens.wereMade }

  /// Returns the sender of a request; throws if it has an invalid token.
  func viewer(of request: HTTPRequest) throws(Problem) -> Viewer {
    if let text = Self.credential(request.header("Authorization")) {
      let token = try token(text, from: request)
      return Viewer(token, .token(id: token.id))
    }
    if let name = trustedHeader.flatMap({ request.header($0) }), !name.isEmpty {
      return Viewer(.front(name: name), scopes: trustedScopes, reach: .all, name: name)
    }
    if let cookie = request.cookie(Session.cookieName), let viewer = viewer(of: cookie) { return viewer }
    let isOpen = isOpen
    return isOpen && request.isOfOwner ? .owner : .nobody(isOpen: isOpen)
  }

  /// Whether a viewer's proof is still valid; checked while a long answer is sent.
  func stillHolds(_ viewer: Viewer) -> Bool {
    switch viewer.proof {
    case .nothing(let isOpen): isOpen == self.isOpen
    case .front: true
    case .token(let id): valid(id) != nil
    case .session(let id, let expiry): valid(id) != nil && Double(expiry) > clock().timeIntervalSince1970
    }
  }

  /// Returns the token that a text represents.
  ///
  /// - Throws: if there is none or, without checking, if there were too many wrong texts recently.
  private func token(_ text: String, from request: HTTPRequest) throws(Problem) -> AccessToken {
    let parts = AccessToken.parts(of: text)
    let known = parts.flatMap { tokens.token($0.id) }
    // Guessing the secret of one token must not lock out the users of others.
    let source = self.source(of: request) + (known.map { "/\($0.id)" } ?? "")
    guard let parts, let known, tokens.matches(parts.secret, known), known.expiresAt > clock() else {
      try refuseHurry(source)
      noteWrong(source)
      throw Problem(
        401, "The token is wrong, expired or revoked. 'martlet tokens new' makes another.",
        headers: ["WWW-Authenticate": "Bearer realm=\"Martlet\", error=\"invalid_token\""])
    }
    tokens.noteUse(of: known.id, at: clock())
    return known
  }

  /// Refuses further attempts from a source with too many recent failures.
  func refuseHurry(_ source: String) throws(Problem) {
    guard let seconds = throttle.wait(source, now: steadyClock()) else { return }
    throw Problem(
      429, "Too many wrong tokens or signatures came from there. Wait \(seconds) seconds.",
      headers: ["Retry-After": "\(seconds)"])
  }

  func noteWrong(_ source: String) { throttle.note(source, now: steadyClock()) }

  /// Returns the source of a request: the last address that the front added, or this machine.
  func source(of request: HTTPRequest) -> String {
    guard isPrivate, let last = request.header("X-Forwarded-For")?.split(separator: ",").last else { return "here" }
    return Self.network(of: String(last.filter { $0 != " " }.prefix(64)))
  }

  /// Returns the network of an address; in IPv6, a single person has every address with the same first 64 bits.
  static func network(of address: String) -> String {
    var bytes = in6_addr()
    guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
    return withUnsafeBytes(of: bytes) { Array($0.prefix(8)).hexadecimal }
  }

  /// Begins a session with the token that a text represents.
  func session(by text: String, from request: HTTPRequest) throws(Problem) -> Session {
    let token = try token(text, from: request)
    let end = min(clock().addingTimeInterval(Session.longest), token.expiresAt)
    do throws(IntegratingError) {
      return Session(id: token.id, expiry: Int(end.timeIntervalSince1970), signedWith: try tokens.madeKey())
    } catch {
      throw Problem(503, error.description.capitalizedFirst)
    }
  }

  private func viewer(of cookie: String) -> Viewer? {
    guard let key = tokens.key, let session = Session(cookie, signedWith: key),
      Double(session.expiry) > clock().timeIntervalSince1970, let token = valid(session.id)
    else { return nil }
    tokens.noteUse(of: token.id, at: clock())
    return Viewer(token, .session(id: token.id, expiry: session.expiry))
  }

  private func valid(_ id: String) -> AccessToken? {
    tokens.token(id).flatMap { $0.expiresAt > clock() ? $0 : nil }
  }

  /// Returns the token sent with the Bearer scheme, or as the password of the Basic scheme, which more programs
  /// support. Nil for a password that is not a token, which the front may have requested for itself.
  private static func credential(_ header: String?) -> String? {
    guard let header else { return nil }
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    switch words[0].lowercased() {
    case "bearer": return String(words[1])
    case "basic":
      guard let data = Data(base64Encoded: String(words[1])), let text = String(validating: data, as: UTF8.self),
        let colon = text.firstIndex(of: ":")
      else { return nil }
      let password = String(text[text.index(after: colon)...])
      return AccessToken.parts(of: password) == nil ? nil : password
    default: return nil
    }
  }
  /// Rejects requests that a page of another site has a browser send, which may include the user's credentials by
  /// itself (https://www.w3.org/TR/fetch-metadata/).
  static func refuseForeign(_ request: HTTPRequest) throws(Problem) {
    let site = request.header("Sec-Fetch-Site") ?? "none"
    let host = request.header("Host")?.lowercased() ?? ""
    let isOwn =
      request.header("Origin").map { ["http://\(host)", "https://\(host)"].contains($0.lowercased()) } ?? true
    guard ["same-origin", "none"].contains(site), isOwn else {
      throw Problem(403, "The request comes from a page of another site.")
    }
  }
}
