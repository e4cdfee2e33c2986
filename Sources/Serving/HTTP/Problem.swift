import FoundationEssentials
import Rendering

/// The reason why a request failed, in the form for programs (https://www.rfc-editor.org/rfc/rfc9457).
package struct Problem: Error, Hashable, Sendable, Encodable {
  package let status: Int
  /// Sentences that say what went wrong, on what, and what to do next.
  package let detail: String
  /// Additional headers of the answer, besides those that every answer with this status has.
  private let headers: [String: String]

  package init(_ status: Int, _ detail: String, headers: [String: String] = [:]) {
    self.status = status
    self.detail = detail
    self.headers = headers
  }

  private enum CodingKeys: String, CodingKey {
    case type, title, status, detail
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("about:blank", forKey: .type)
    try container.encode(HTTPStatus.phrase(of: status), forKey: .title)
    try container.encode(status, forKey: .status)
    try container.encode(detail, forKey: .detail)
  }

  /// Returns the answer that reports the problem: a page for readers of pages, and a document for programs.
  ///
  /// - Parameter offersLogin: whether logging in may give access to more.
  func answer(toReaderOf accepted: String?, offersLogin: Bool = false) -> HTTPAnswer {
    guard accepted?.contains("text/html") == true else {
      return HTTPAnswer(
        status: status, type: "application/problem+json", body: JSONAnswer.bytes(of: self), headers: others)
    }
    let login: [ServerPage.Part] =
      offersLogin && [401, 403, 404].contains(status) ? ["<p><a href=/login>Log in</a></p>\n"] : []
    let page = ServerPage.bytes(
      title: HTTPStatus.phrase(of: status), ["<p>", .text(VisibleText.of(detail)), "</p>\n"] + login)
    return HTTPAnswer(status: status, type: ContentType.page, body: page, headers: others)
  }

  /// The additional headers that the status requires.
  private var others: [(name: String, value: String)] {
    let own = headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    return switch status {
    case 503: [("Retry-After", "5")]
    default: own
    }
  }
}

/// The statuses of answers (https://www.rfc-editor.org/rfc/rfc9110#section-15).
enum HTTPStatus {
  static func phrase(of status: Int) -> String {
    switch status {
    case 200: "OK"
    case 202: "Accepted"
    case 206: "Partial Content"
    case 303: "See Other"
    case 304: "Not Modified"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 421: "Misdirected Request"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 503: "Service Unavailable"
    default: "Internal Server Error"
    }
  }
}

/// The JSON encoding of the API.
enum JSONAnswer {
  /// Encodes a value with sorted keys, and dates in the format of RFC 3339.
  static func bytes(of value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only numbers that are not finite cannot be encoded, and documents contain none.
    return ((try? encoder.encode(value)).map { [UInt8]($0) } ?? Array("{}".utf8)) + [UInt8(ascii: "\n")]
  }
}
