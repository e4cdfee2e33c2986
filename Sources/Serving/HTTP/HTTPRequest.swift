/// A parsed and checked request (https://www.rfc-editor.org/rfc/rfc9112#section-3).
package struct HTTPRequest: Sendable {
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    /// A method that no endpoint here uses.
    case other
  }

  package let method: Method
  /// The content after the head.
  package let body: [UInt8]
  /// Whether nothing after the request may be read, because it has an unexpected body, which libevent would take for
  /// the next request.
  package let isLast: Bool
  /// The decoded components of the path; the last one is empty if the path ends with a slash.
  package let path: [String]
  /// The decoded parameters after the question mark, in their original order.
  package let query: [(name: String, value: String)]
  private let headers: [(name: String, value: String)]
  /// Whose program sent it; nil where nobody can tell.
  private let peer: PeerUser?

  /// Whether a program of this very user sent it, and not in somebody else's name.
  var isOfOwner: Bool {
    let passedOn = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"]
    return !headers.contains { passedOn.contains($0.name.lowercased()) } && peer?.isOwn == true
  }

  /// The length of the longest accepted target, in bytes.
  static let longestTarget = 8192

  /// - Parameters:
  ///   - target: the path and the query, as received.
  ///   - headers: the headers in their original order.
  package init(
    method: String, target: String, headers: [(name: String, value: String)], body: [UInt8] = [], host rule: HostRule,
    peer: PeerUser? = nil
  ) throws(Problem) {
    (self.headers, self.body, self.peer) = (headers, body, peer)
    self.method = Method(rawValue: method) ?? .other
    guard target.utf8.count <= Self.longestTarget else {
      throw Problem(400, "The address is longer than \(Self.longestTarget) bytes.")
    }
    guard target.hasPrefix("/"), !target.contains("#") else {
      throw Problem(400, "The target of a request begins with a slash and has no fragment.")
    }
    let lengths = try Self.lengths(headers)
    let hasBody = lengths.contains { !$0.allSatisfy { $0 == "0" } }
    isLast = hasBody && self.method != .post
    try rule.check(headers.filter { $0.name.lowercased() == "host" }.map(\.value))
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = try parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      part throws(Problem) in
      try Self.decoded(part)
    }
    query = try Self.query(parts.count > 1 ? parts[1] : "")
  }

  /// Returns the declared lengths of the body. Rejects anything that programs on the way may interpret differently from
  /// libevent, which takes a body with an unknown coding for the next request.
  private static func lengths(_ headers: [(name: String, value: String)]) throws(Problem) -> [String] {
    guard headers.allSatisfy({ !$0.name.isEmpty && $0.name.utf8.allSatisfy(isOfToken) }) else {
      throw Problem(400, "The name of a header has a character that none has.")
    }
    let lengths = headers.filter { $0.name.lowercased() == "content-length" }.map(\.value)
    guard lengths.count <= 1, !headers.contains(where: { $0.name.lowercased() == "transfer-encoding" }) else {
      throw Problem(
        400, "A request says once, with Content-Length, how long its body is; Transfer-Encoding is not taken.")
    }
    return lengths
  }

  /// Whether a byte may occur in a token (https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2).
  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  /// Returns the value of a header; nil if there is none, or if there are several.
  package func header(_ name: String) -> String? {
    let values = headers.filter { $0.name.lowercased() == name.lowercased() }
    return values.count == 1 ? values[0].value : nil
  }

  /// Returns the value of a cookie; nil if there is none.
  func cookie(_ name: String) -> String? {
    header("Cookie")?.split(separator: ";").lazy.map { $0.drop { $0 == " " } }
      .first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// Returns the fields of a submitted form (https://url.spec.whatwg.org/#application/x-www-form-urlencoded); empty if
  /// there is no body.
  package func fields() throws(Problem) -> [(name: String, value: String)] {
    guard !body.isEmpty else { return [] }
    let type = header("Content-Type")?.split(separator: ";").first?.lowercased()
    guard type == "application/x-www-form-urlencoded", let text = String(validating: body, as: UTF8.self) else {
      throw Problem(415, "Say the parameters in the address, or send them as application/x-www-form-urlencoded.")
    }
    return try Self.query(Substring(text))
  }

  private static func query(_ text: Substring) throws(Problem) -> [(name: String, value: String)] {
    try text.split(separator: "&").map { pair throws(Problem) in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // Forms use plus signs for spaces (https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
      func side(_ index: Int) throws(Problem) -> String {
        guard index < sides.count else { return "" }
        return try decoded(Substring(sides[index].replacing("+", with: " ")))
      }
      return (try side(0), try side(1))
    }
  }

  /// Decodes the percent-encoding of a text (https://www.rfc-editor.org/rfc/rfc3986#section-2.1).
  static func decoded(_ text: Substring) throws(Problem) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
        throw Problem(400, "A percent sign in an address is followed by two hexadecimal digits.")
      }
      bytes.append(high << 4 | low)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw Problem(400, "The address is not UTF-8.")
    }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}

/// The names by which a request may address this server.
///
/// A page of another site can point a host name of its own at this machine, have a browser send requests here, and read
/// the answers (https://owasp.org/www-community/attacks/DNS_Rebinding); it cannot make the browser call that name
/// `localhost`.
package enum HostRule: Hashable, Sendable {
  /// Only names of the loopback, with any port, because a tunnel has a port of its own.
  case loopback
  /// Any name: only programs that may open the socket can connect, and browsers cannot.
  case any

  func check(_ hosts: [String]) throws(Problem) {
    guard hosts.count == 1 else {
      throw Problem(400, "A request says once, with Host, whom it asks.")
    }
    guard hosts[0].utf8.allSatisfy(Self.isPlain) else {
      throw Problem(400, "The Host is not the name of a machine.")
    }
    guard self == .loopback else { return }
    guard Self.loopbackNames.contains(Self.name(of: hosts[0])) else {
      throw Problem(421, "This server answers to 127.0.0.1, [::1] and localhost only.")
    }
  }

  private static let loopbackNames = ["127.0.0.1", "[::1]", "localhost"]

  /// Returns the host without its port.
  private static func name(of host: String) -> String {
    let end = host.hasPrefix("[") ? host.firstIndex(of: "]").map(host.index(after:)) : host.firstIndex(of: ":")
    let (name, port) = (host[..<(end ?? host.endIndex)], host[(end ?? host.endIndex)...])
    let isPort = port.isEmpty || (port.first == ":" && port.dropFirst().allSatisfy { $0.isASCII && $0.isNumber })
    return isPort ? name.lowercased() : host
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._:[]".utf8.contains(byte)
    }
  }
}
