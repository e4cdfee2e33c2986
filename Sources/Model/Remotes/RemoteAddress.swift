/// The address of a repository on another machine, as git understands it
/// (https://git-scm.com/docs/git-fetch#_git_urls); it never contains a password.
package struct RemoteAddress: Hashable, Sendable, Codable {
  package enum Scheme: String, Hashable, Sendable, Codable {
    case https, http, ssh
  }

  package var scheme: Scheme
  /// The user name for ssh; nil for other schemes, and if the address does not contain one.
  package var user: String?
  /// In lowercase, without the brackets of an IPv6 address.
  package var host: String
  package var port: Int?
  /// The text after the host, without the separator.
  package var path: String
  /// The address as written, which is passed to git.
  package var text: String

  /// Why a text cannot be the address of a repository, as a clause that may be shown.
  package struct Refusal: Error, Hashable, Sendable {
    package var words: String
    /// Whether the text contains something that must not be shown.
    package var isSecret = false
  }

  /// The maximum length of an address, in bytes.
  package static let longest = 1000

  /// Returns whether a text names another machine, or a way to reach one, rather than a folder on this one.
  package static func isMeant(by text: String) -> Bool {
    let start = text.prefix { $0 != "/" }
    return text.contains("://") || start.contains("::") || (start.contains("@") && start.contains(":"))
  }

  package init(_ text: String) throws(Refusal) {
    guard text.utf8.count <= Self.longest else {
      throw Refusal(words: "an address is at most \(Self.longest) bytes long")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
      throw Refusal(
        words:
          "an address holds neither spaces nor control characters, '\\' or letters outside ASCII; write those as %20")
    }
    self.text = text
    guard let end = text.firstRange(of: "://") else {
      let start = text.prefix { $0 != "/" }
      if let helper = start.firstRange(of: "::") {
        throw Refusal(
          words:
            "'\(start[..<helper.lowerBound])::' would have git run a program; use https://, ssh:// or git@host:path")
      }
      (scheme, port) = (.ssh, nil)
      (user, host, path) = try Self.short(text)
      try check()
      return
    }
    scheme = try Self.scheme(text[..<end.lowerBound])
    let rest = text[end.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    path = String(rest.dropFirst(authority.count + 1))
    user = try Self.user(authority, of: scheme)
    (host, port) = try Self.place(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "")
    try check()
  }
}

extension RemoteAddress {
  /// A key that is the same for all spellings of an address.
  private var key: String {
    let usual: Int =
      switch scheme {
      case .https: 443
      case .http: 80
      case .ssh: 22
      }
    var path = path[...]
    while path.hasPrefix("/") { path = path.dropFirst() }
    while path.hasSuffix("/") { path = path.dropLast() }
    if path.hasSuffix(".git") { path = path.dropLast(4) }
    return "\(scheme.rawValue)://\(host):\(port ?? usual)/\(path)"
  }

  /// Returns whether two addresses refer to the same repository, regardless of spelling and user name.
  package func isSame(as other: RemoteAddress) -> Bool { key == other.key }

  /// Whether the host is this machine, by name or by number.
  package var isLoopback: Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
    return host == "localhost" || host == "::1" || (numbers.count == 4 && numbers[0] == 127 && host.utf8.count <= 15)
  }

  /// A folder name made from the host and the path.
  var folderName: String {
    let plain = "\(host)-\(path)".map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" }
    return String(plain.split(separator: "-").joined(separator: "-").prefix(60))
  }

  /// The last component of the path, which people use as the name of the repository.
  package var name: String {
    let last = path.split(whereSeparator: { $0 == "/" || $0 == ":" }).last.map(String.init) ?? host
    return last.hasSuffix(".git") && last.count > 4 ? String(last.dropLast(4)) : last
  }

  private static func scheme(_ text: Substring) throws(Refusal) -> Scheme {
    if let scheme = Scheme(rawValue: text.lowercased()) { return scheme }
    switch text.lowercased() {
    case "file": throw Refusal(words: "'file://' names a folder of this machine; write its path")
    case "git": throw Refusal(words: "'git://' does not prove who answers; use https:// or ssh://")
    default:
      throw Refusal(words: "an address begins with https:// or ssh://, or is written git@host:path")
    }
  }

  private static func user(_ authority: Substring, of scheme: Scheme) throws(Refusal) -> String? {
    let parts = authority.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let user = parts.first else { return nil }
    guard scheme == .ssh, !user.contains(":") else {
      throw Refusal(
        words: "an address holds no login; write it under 'credentials', such as credentials: {token: FORGE_TOKEN}",
        isSecret: true)
    }
    return String(user)
  }

  /// Parses `user@host:path`, in which the path is relative to the user's home.
  private static func short(_ text: String) throws(Refusal) -> (String?, String, String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let names = (parts.first ?? "").split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, names.count == 2 else {
      throw Refusal(words: "an address begins with https:// or ssh://, or is written git@host:path")
    }
    return (String(names[0]), names[1].lowercased(), String(parts[1]))
  }

  private static func place(_ text: Substring) throws(Refusal) -> (String, Int?) {
    let bracket = text.hasPrefix("[") ? text.firstIndex(of: "]") : nil
    let host = bracket.map { text[text.startIndex..<$0].dropFirst() } ?? text.prefix { $0 != ":" }
    let rest = bracket.map { text[$0...].dropFirst() } ?? text.dropFirst(host.count)
    guard !rest.isEmpty else { return (host.lowercased(), nil) }
    guard rest.first == ":", rest.count > 1, rest.dropFirst().allSatisfy(\.isNumber),
      let port = Int(rest.dropFirst()), (1...65_535).contains(port)
    else { throw Refusal(words: "the port of an address is a number from 1 to 65535") }
    return (host.lowercased(), port)
  }

  /// Rejects anything that a program could mistake for something other than a name.
  private func check() throws(Refusal) {
    let isHost = host.utf8.allSatisfy {
      0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == 0x5F
        || $0 == UInt8(ascii: ":")
    }
    if host.isEmpty || !isHost { throw Refusal(words: "the address has no name of a machine, such as example.org") }
    let isUser = user?.utf8.allSatisfy {
      0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "._-+".utf8.contains($0)
    }
    if user?.isEmpty == true || isUser == false {
      throw Refusal(words: "the user of an address is a plain name such as git", isSecret: true)
    }
    if let part = [host, user, path].compactMap(\.self).first(where: { $0.hasPrefix("-") }) {
      throw Refusal(words: "'\(part.prefix(40))' begins with '-', as an option of a program does")
    }
    if path.allSatisfy({ $0 == "/" }) { throw Refusal(words: "the address names a machine and no repository on it") }
    if path.contains("?") || path.contains("#") {
      throw Refusal(words: "the address of a repository holds neither '?' nor '#'", isSecret: true)
    }
    if scheme == .http, !isLoopback {
      throw Refusal(
        words: "'http://' is not protected on its way; use https://, since http:// is for this machine alone")
    }
  }
}
