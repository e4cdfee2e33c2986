package import FoundationEssentials
import Glibc
package import Integrating
import Model

/// What somebody may do at the server who has the text that belongs to it, which is kept nowhere.
package struct AccessToken: Hashable, Sendable, Codable {
  /// One thing that somebody may do.
  package enum Scope: String, CaseIterable, Sendable, Codable {
    /// See pages, figures and feeds.
    case read
    /// See what programs print.
    case log
    /// Have the watcher do something.
    case ask
  }

  /// Its public part, by which it is listed and revoked.
  package let id: String
  package let name: String?
  package let scopes: [Scope]
  /// The bots that it is for, as a glob.
  package let bots: String
  package let createdAt: Date
  package let expiresAt: Date
  /// The SHA-256 of the secret part: it is random, and as long as the hash.
  let hash: String

  private static let prefix = "martlet_"

  /// The text that stands for a token.
  static func text(_ id: String, _ secret: String) -> String { "\(prefix)\(id)_\(secret)" }

  /// The public and the secret part of a text; nil where it is no token's.
  static func parts(of text: String) -> (id: String, secret: String)? {
    guard text.utf8.count == prefix.utf8.count + 8 + 1 + 64, text.hasPrefix(prefix) else { return nil }
    let parts = text.dropFirst(prefix.count).split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, isID(parts[0]), parts[1].utf8.count == 64 else { return nil }
    return (String(parts[0]), String(parts[1]))
  }

  static func isID(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 8
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

/// The tokens of a home: a file for each in its folder `access`, so that taking one away ends it at once.
///
/// The file of a token was changed, for the file system, when the token was last used; in 1970 where it never was.
package struct AccessTokens: Sendable {
  private let folder: Folder
  private let path: String

  package init(of home: Home) {
    folder = home.folder.folder("access")
    path = folder.path
  }

  /// Whether a token was ever made, be it that none is left: then nobody sees everything any more who has none.
  package var wereMade: Bool {
    var status = stat()
    // What cannot be told does not open the door.
    return lstat(path, &status) == 0 || errno != ENOENT
  }

  /// Makes a token.
  ///
  /// - Returns: it, and the text that stands for it, which cannot be told again.
  package func make(
    name: String?, scopes: [AccessToken.Scope], bots: String, days: Int, at now: Date
  ) throws(IntegratingError) -> (text: String, token: AccessToken) {
    try folder.create()
    let (id, secret) = (Self.random(4).hexadecimal, Self.random(32).hexadecimal)
    let start = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
    let token = AccessToken(
      id: id, name: name, scopes: AccessToken.Scope.allCases.filter(scopes.contains), bots: bots, createdAt: start,
      expiresAt: start.addingTimeInterval(Double(days) * 86_400), hash: Self.hash(secret))
    try folder.write(JSONAnswer.bytes(of: token), to: "\(id).json")
    setUse(of: id, to: Date(timeIntervalSince1970: 0))
    return (AccessToken.text(id, secret), token)
  }

  /// All that are kept, with when each was last used, the oldest first.
  package func all() -> [(token: AccessToken, lastUse: Date?)] {
    folder.names().compactMap { name in
      guard name.hasSuffix(".json"), let token = token(String(name.dropLast(5))) else { return nil }
      return (token, lastUse(of: token.id))
    }.sorted { ($0.token.createdAt, $0.token.id) < ($1.token.createdAt, $1.token.id) }
  }

  /// Takes a token away; false where there is none of that id.
  package func revoke(_ id: String) -> Bool {
    AccessToken.isID(id) && unlink("\(path)/\(id).json") == 0
  }

  /// The token of an id, whether or not its time is over; nil where there is none.
  func token(_ id: String) -> AccessToken? {
    guard AccessToken.isID(id), let bytes = folder.read("\(id).json", limit: 4096) else { return nil }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    // What is no whole token opens nothing.
    guard let token = try? decoder.decode(AccessToken.self, from: Data(bytes)), token.id == id else { return nil }
    return token
  }

  private static let keyName = "key"

  /// What the server signs with; nil before somebody logged in.
  var key: [UInt8]? { folder.read(Self.keyName, limit: 64).flatMap { $0.count == 32 ? $0 : nil } }

  /// The same, made when it is first needed.
  ///
  /// - Throws: where it cannot be kept.
  func madeKey() throws(IntegratingError) -> [UInt8] {
    if let key { return key }
    try folder.write(Self.random(32), to: Self.keyName)
    // Another server may have made one at the same time.
    return key ?? []
  }

  /// Whether a secret is that of a token.
  func matches(_ secret: String, _ token: AccessToken) -> Bool {
    SHA256.isSame(Array(Self.hash(secret).utf8), Array(token.hash.utf8))
  }

  /// Notes that a token is used, once in a minute.
  func noteUse(of id: String, at now: Date) {
    if let last = lastUse(of: id), abs(now.timeIntervalSince(last)) < 60 { return }
    setUse(of: id, to: now)
  }

  private func setUse(of id: String, to date: Date) {
    let seconds = Int(date.timeIntervalSince1970)
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    // Where this cannot be noted, as on a full disk, the token is as good.
    _ = utimensat(AT_FDCWD, "\(path)/\(id).json", times, AT_SYMLINK_NOFOLLOW)
  }

  private func lastUse(of id: String) -> Date? {
    var status = stat()
    guard lstat("\(path)/\(id).json", &status) == 0, status.st_mtim.tv_sec > 0 else { return nil }
    return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
  }

  private static func hash(_ secret: String) -> String { SHA256.hash(Array(secret.utf8)).hexadecimal }

  /// So many bytes that nobody can foretell.
  static func random(_ count: Int) -> [UInt8] {
    var source = SystemRandomNumberGenerator()
    return (0..<count).map { _ in source.next() }
  }
}
