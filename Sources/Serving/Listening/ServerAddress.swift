import Glibc
import Model

/// The address at which the server listens.
package enum ServerAddress: Hashable, Sendable {
  /// A port of the loopback.
  case loopback(isSix: Bool, port: UInt16)
  /// A socket in the file system.
  case unix(String)

  /// The default address.
  package static let standard = ServerAddress.loopback(isSix: false, port: 8410)

  /// Parses `HOST:PORT` or `unix:PATH`.
  ///
  /// - Parameter currentFolder: the folder that a relative path starts at.
  package init(_ text: String, currentFolder: String) throws(ServingError) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard !path.isEmpty else { throw Self.unreadable(text) }
      self = .unix(path.hasPrefix("/") ? path : "\(currentFolder)/\(path)")
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[text.index(after: colon)...]) else {
      throw Self.unreadable(text)
    }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host == "localhost" { host = "127.0.0.1" }
    switch (Self.isLoopback(four: host), Self.isLoopback(six: host)) {
    case (true, _): self = .loopback(isSix: false, port: port)
    case (_, true): self = .loopback(isSix: true, port: port)
    case (nil, nil): throw Self.unreadable(text)
    default:
      throw ServingError(
        .request,
        "cannot listen on \(text): the connection would not be encrypted, so tokens and pages could be read on their way. Listen on a Unix socket, --listen unix:PATH, and put a web server with TLS before it; 'martlet help nginx' has an example."
      )
    }
  }

  /// The address as it is written in a browser or with `--listen`.
  package var description: String {
    switch self {
    case .loopback(let isSix, let port): "http://\(isSix ? "[::1]" : "127.0.0.1"):\(port)/"
    case .unix(let path): "unix:\(path)"
    }
  }

  /// Whether only programs that may open a file can connect.
  package var isPrivate: Bool {
    if case .unix = self { true } else { false }
  }

  /// The rule for the names by which a request may address the server.
  var hostRule: HostRule {
    isPrivate ? .any : .loopback
  }

  private static func unreadable(_ text: String) -> ServingError {
    ServingError(
      .request,
      "'\(text)' is not an address to listen on: write it as 127.0.0.1:8410, [::1]:8410 or unix:PATH. See 'martlet help serve'."
    )
  }

  private static func port(_ text: Substring) -> UInt16? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt16(text) : nil
  }

  /// Returns nil for anything but an IPv4 address; only the usual loopback address is accepted, as others may be in
  /// use.
  private static func isLoopback(four host: String) -> Bool? {
    var address = in_addr()
    guard inet_pton(AF_INET, host, &address) == 1 else { return nil }
    return UInt32(bigEndian: address.s_addr) == 0x7F00_0001
  }

  private static func isLoopback(six host: String) -> Bool? {
    var address = in6_addr()
    guard inet_pton(AF_INET6, host, &address) == 1 else { return nil }
    return withUnsafeBytes(of: &address) { bytes in bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1 }
  }
}

/// An error that prevents serving, in words that say what to do next.
package struct ServingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, by which a caller may decide what to do.
  package enum Kind: Sendable {
    /// The request cannot be fulfilled as it was made.
    case request
    /// Martlet could not do its job.
    case service
  }

  package let kind: Kind
  package let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// Returns the error of a system call that has just failed with `number`.
  static func system(_ what: String, errno number: Int32, next: String) -> ServingError {
    ServingError(.service, "cannot \(what): \(SystemReason.words(of: number)). \(next)")
  }
}
