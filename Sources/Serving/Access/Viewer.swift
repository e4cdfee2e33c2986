import Glibc
import Model

/// The sender of a request, with its rights.
struct Viewer {
  /// The bots that a viewer has rights to.
  enum Reach: Hashable {
    case none, all
    case matching(String)
  }

  /// The proof of a viewer's identity.
  enum Proof: Hashable {
    /// None; with `isOpen`, everybody on this machine may see everything.
    case nothing(isOpen: Bool)
    /// A token that the program sends.
    case token(id: String)
    /// A cookie that was issued for a token, with its expiry in seconds since 1970.
    case session(id: String, expiry: Int)
    /// The front, which states the name.
    case front(name: String)
  }

  let proof: Proof
  /// The viewer's rights to the bots, in addition to everybody's.
  let scopes: Set<AccessToken.Scope>
  let reach: Reach
  /// The viewer's name; nil if unknown.
  let name: String?
  private let glob: Glob?

  init(_ proof: Proof, scopes: Set<AccessToken.Scope>, reach: Reach, name: String?) {
    (self.proof, self.scopes, self.reach, self.name) = (proof, scopes, reach, name)
    if case .matching(let pattern) = reach { glob = Glob(pattern) } else { glob = nil }
  }

  static func nobody(isOpen: Bool) -> Viewer {
    Viewer(.nothing(isOpen: isOpen), scopes: isOpen ? [.read, .log] : [], reach: isOpen ? .all : .none, name: nil)
  }

  /// Who runs the server, from a program on the same machine, before a token was made: that one can ask the watcher anyway.
  static let owner = Viewer(
    .nothing(isOpen: true), scopes: Set(AccessToken.Scope.allCases), reach: .all,
    name: getpwuid(geteuid()).flatMap { $0.pointee.pw_name.map { String(cString: $0) } })

  /// Whoever has a token, or a session that was begun with it.
  init(_ token: AccessToken, _ proof: Proof) {
    self.init(
      proof, scopes: Set(token.scopes), reach: ["*", "**"].contains(token.bots) ? .all : .matching(token.bots),
      name: token.name ?? token.id)
  }

  func may(_ scope: AccessToken.Scope, _ bot: String, isPublic: Bool) -> Bool {
    if isPublic, scope != .ask { return true }
    guard scopes.contains(scope) else { return false }
    switch reach {
    case .none: return false
    case .all: return true
    case .matching: return glob?.matches(bot) == true
    }
  }

  var seesAll: Bool { reach == .all && scopes.contains(.read) }

  /// The key that distinguishes versions of pages whose content depends on the reader's rights.
  var sight: Reach { scopes.contains(.read) ? reach : .none }
}
