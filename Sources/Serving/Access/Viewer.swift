import Glibc
import Model

/// Who sends a request, and what that one may do.
struct Viewer {
  /// The bots that somebody has rights to.
  enum Reach: Hashable {
    case none, all
    case matching(String)
  }

  /// How the viewer is known.
  enum Proof: Hashable {
    /// Not at all; where nobody is, all may be seen by whoever is on this machine.
    case nothing(isOpen: Bool)
    /// By a token that the program sends.
    case token(id: String)
    /// By a cookie that was given for a token, good until so many seconds since 1970.
    case session(id: String, expiry: Int)
    /// By the front, which says the name.
    case front(name: String)
  }

  let proof: Proof
  /// What the viewer may do with the bots beside what everybody may.
  let scopes: Set<AccessToken.Scope>
  let reach: Reach
  /// What the viewer is called; nil for nobody who is known.
  let name: String?
  private let glob: Glob?

  init(_ proof: Proof, scopes: Set<AccessToken.Scope>, reach: Reach, name: String?) {
    (self.proof, self.scopes, self.reach, self.name) = (proof, scopes, reach, name)
    if case .matching(let pattern) = reach { glob = Glob(pattern) } else { glob = nil }
  }

  /// Nobody who is known.
  static func nobody(isOpen: Bool) -> Viewer {
    Viewer(.nothing(isOpen: isOpen), scopes: isOpen ? [.read, .log] : [], reach: isOpen ? .all : .none, name: nil)
  }

  /// Who runs the server, from a program on the same machine, before a token was made: that one can ask the watcher anyway.
  static var owner: Viewer {
    let name = getpwuid(geteuid()).flatMap { $0.pointee.pw_name.map { String(cString: $0) } }
    return Viewer(.nothing(isOpen: true), scopes: Set(AccessToken.Scope.allCases), reach: .all, name: name)
  }

  /// Whoever has a token, or a session that was begun with it.
  init(_ token: AccessToken, _ proof: Proof) {
    self.init(
      proof, scopes: Set(token.scopes), reach: ["*", "**"].contains(token.bots) ? .all : .matching(token.bots),
      name: token.name ?? token.id)
  }

  /// Whether the viewer may do something with a bot.
  func may(_ scope: AccessToken.Scope, _ bot: String, isPublic: Bool) -> Bool {
    if isPublic, scope != .ask { return true }
    guard scopes.contains(scope) else { return false }
    switch reach {
    case .none: return false
    case .all: return true
    case .matching: return glob?.matches(bot) == true
    }
  }

  /// Whether the viewer sees everything that there is.
  var seesAll: Bool { reach == .all && scopes.contains(.read) }

  /// What pages are told apart by that differ by what their readers see.
  var sight: Reach { scopes.contains(.read) ? reach : .none }
}
