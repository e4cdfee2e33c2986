/// The address at which a home's site is served, for links in mails and webhooks.
package struct SiteAddress: Hashable, Sendable, Codable {
  /// Without a trailing slash.
  private let url: String

  /// - Parameter url: an `http` or `https` address.
  package init(_ url: String) {
    var url = url
    while url.hasSuffix("/") { url.removeLast() }
    self.url = url
  }

  /// Returns the address of the first page of an integration's report, or of a bot.
  package func page(of bot: String, _ number: Int? = nil) -> String {
    "\(url)/\(Self.encoded(bot))/\(number.map { "\($0)/" } ?? "")index.html"
  }

  /// Returns the address of another file of the site, by its path; of the site's first page if the path is empty.
  package func file(_ path: String) -> String { "\(url)/\(path)" }

  /// Encodes a name as one component of a path (https://www.rfc-editor.org/rfc/rfc3986#section-2.3).
  package static func encoded(_ name: String) -> String {
    name.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
      if isLetter || "-._~".unicodeScalars.contains(scalar) { return String(scalar) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%\(digits.count < 2 ? "0" : "")\(digits)"
    }.joined()
  }
}
