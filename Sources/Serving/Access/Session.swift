import FoundationEssentials
import Model

/// A browser's cookie for a person who has logged in (https://www.rfc-editor.org/rfc/rfc6265): the token it was begun
/// with and its expiry, signed. The session ends with the token.
struct Session {
  static let cookieName = "martlet-session"
  /// The longest duration of a session, in seconds.
  static let longest = 7.0 * 86_400

  /// The id of the token that the session was begun with.
  let id: String
  /// The expiry, in seconds since 1970.
  let expiry: Int
  let text: String

  init(id: String, expiry: Int, signedWith key: [UInt8]) {
    (self.id, self.expiry) = (id, expiry)
    let code = SHA256.authenticate(Array("session \(id) \(expiry)".utf8), key: key)
    text = "\(id).\(expiry).\(code.hexadecimal)"
  }

  /// Returns nil if the text was not signed with the key.
  init?(_ text: String, signedWith key: [UInt8]) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, AccessToken.isID(parts[0]), let expiry = Int(parts[1]) else { return nil }
    self.init(id: String(parts[0]), expiry: expiry, signedWith: key)
    guard SHA256.isSame(Array(text.utf8), Array(self.text.utf8)) else { return nil }
  }

  /// Returns the header that makes a browser store a session, or delete it if it is nil.
  ///
  /// - Parameter isSecure: whether the browser reached the server over TLS.
  static func cookie(_ session: Session?, isSecure: Bool, now: Date) -> (name: String, value: String) {
    let age = session.map { max(0, $0.expiry - Int(now.timeIntervalSince1970)) } ?? 0
    let rest = "Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    return ("Set-Cookie", "\(cookieName)=\(session?.text ?? ""); \(rest)")
  }
}
