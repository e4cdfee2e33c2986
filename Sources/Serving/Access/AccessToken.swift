package import FoundationEssentials
import Glibc
package import Integrating
import Model

/// The rights at the server of anyone who has the token's text, which is stored nowhere.
package struct AccessToken: Hashable, Sendable, Codable {
  /// A right that a token can give.
  package enum Scope: String, CaseIterable, Sendable, Codable {
    /// Viewing pages, figures and feeds.
    case read
    /// Viewing the output of programs.
    case log
    /// Giving orders to the watcher.
    case ask
  }

  /// The public part, by which the token is listed and revoked.
  package let id: String
  package let name: String?
  package let scopes: [Scope]
  /// A glob for the bots that the token applies to.
  package let bots: String
  package let createdAt: Date
  package let expiresAt: Date
  /// The SHA-256 hash of the secret part, which is random and as long as the hash.
  let hash: String

  private static let prefix = "martlet_"

  static func text(_ id: String, _ secret: String) -> String { "\(prefix)\(id)_\(secret)" }

  /// Returns the public and secret parts of a text; nil if it is not the text of a token.
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

/// The tokens of a home. Each is a file in the folder `access`, so that removing the file revokes the token
/// immediately.
///
/// The modification time of a token's file is the time of its last use; 1970 if it was never used.
package struct AccessTokens: Sendable {
  private let folder: Folder
  private let path: String

  package init(of home: Home) {
    folder = home.folder.folder("access")
    path = folder.path
  }

  /// Whether a token was ever made, even if none is left: from then on, nobody without a token sees everything.
  package var wereMade: Bool {
    var status = stat()
    // If this cannot be determined, access stays closed.
    return lstat(path, &status) == 0 || errno != ENOENT
  }

  /// The most bytes of a token's file that are read.
  private static let longestFile = 4096

  /// Makes a token.
  ///
  /// - Returns: the token and its text, which cannot be retrieved again.
  package func make(
    name: String?, scopes: [AccessToken.Scope], bots: String, days: Int, at now: Date
  ) throws(IntegratingError) -> (text: String, token: AccessToken) {
    let (id, secret) = (Self.random(4).hexadecimal, Self.random(32).hexadecimal)
    let start = Date(timeIntervalSince1970: now.timeIntervalSince1970.rounded(.down))
    let token = AccessToken(
      id: id, name: name, scopes: AccessToken.Scope.allCases.filter(scopes.contains), bots: bots, createdAt: start,
      expiresAt: start.addingTimeInterval(Double(days) * 86_400), hash: Self.hash(secret))
    let bytes = JSONAnswer.bytes(of: token)
    guard bytes.count <= Self.longestFile else {
      throw IntegratingError(
        .request,
        "cannot make the token: its file would have \(bytes.count) bytes, and \(Self.longestFile) are the most. Shorten --name or --bots."
      )
    }
    try folder.create()
    try folder.write(bytes, to: "\(id).json")
    setUse(of: id, to: Date(timeIntervalSince1970: 0))
    return (AccessToken.text(id, secret), token)
  }

  /// Returns all stored tokens with their last uses, the oldest first.
  package func all() -> [(token: AccessToken, lastUse: Date?)] {
    folder.names().compactMap { name in
      guard name.hasSuffix(".json"), let token = token(String(name.dropLast(5))) else { return nil }
      return (token, lastUse(of: token.id))
    }.sorted { ($0.token.createdAt, $0.token.id) < ($1.token.createdAt, $1.token.id) }
  }

  /// Revokes a token; returns false if there is none with this id.
  package func revoke(_ id: String) -> Bool {
    AccessToken.isID(id) && unlink("\(path)/\(id).json") == 0
  }

  /// Returns the token with an id, whether or not it has expired; nil if there is none.
  func token(_ id: String) -> AccessToken? {
    guard AccessToken.isID(id), let bytes = folder.read("\(id).json", limit: Self.longestFile) else { return nil }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    // An incomplete token gives no access.
    guard let token = try? decoder.decode(AccessToken.self, from: Data(bytes)), token.id == id else { return nil }
    return token
  }

  private static let keyName = "key"

  /// The server's signing key; nil before anybody has logged in.
  var key: [UInt8]? { folder.read(Self.keyName, limit: 64).flatMap { $0.count == 32 ? $0 : nil } }

  /// Returns the signing key, made when it is first needed; throws if it cannot be stored.
  func madeKey() throws(IntegratingError) -> [UInt8] {
    if let key { return key }
    try folder.write(Self.random(32), to: Self.keyName)
    // Another server may have made one at the same time.
    guard let key else {
      throw IntegratingError(
        .service, "Cannot read the key for logins that was just written to \(path)/\(Self.keyName). Check the disk.")
    }
    return key
  }

  func matches(_ secret: String, _ token: AccessToken) -> Bool {
    SHA256.isSame(Array(Self.hash(secret).utf8), Array(token.hash.utf8))
  }

  /// Records the use of a token, at most once a minute.
  func noteUse(of id: String, at now: Date) {
    if let last = lastUse(of: id), abs(now.timeIntervalSince(last)) < 60 { return }
    setUse(of: id, to: now)
  }

  private func setUse(of id: String, to date: Date) {
    let seconds = Int(date.timeIntervalSince1970)
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    // The token is valid even if its use cannot be recorded, as on a full disk.
    _ = utimensat(AT_FDCWD, "\(path)/\(id).json", times, AT_SYMLINK_NOFOLLOW)
  }

  private func lastUse(of id: String) -> Date? {
    var status = stat()
    guard lstat("\(path)/\(id).json", &status) == 0, status.st_mtim.tv_sec > 0 else { return nil }
    return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
  }

  private static func hash(_ secret: String) -> String { SHA256.hash(Array(secret.utf8)).hexadecimal }

  /// Returns unpredictable random bytes.
  static func random(_ count: Int) -> [UInt8] {
    var source = SystemRandomNumberGenerator()
    return (0..<count).map { _ in source.next() }
  }
}
