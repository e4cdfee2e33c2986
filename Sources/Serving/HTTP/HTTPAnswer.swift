/// The answer to a request.
package struct HTTPAnswer {
  /// The content after the head.
  package enum Body {
    case bytes([UInt8])
    /// A range of a file, sent piece by piece.
    case file(ServedFile, Range<Int>)
    /// Pieces that are produced while they are sent, in unknown number.
    case stream(any PieceSource)
    /// An answer that is not available yet; the closure returns it as soon as it is.
    case later(() -> HTTPAnswer?)
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body

  package init(status: Int = 200, type: String, body: [UInt8], headers: [(name: String, value: String)] = []) {
    self.init(status: status, headers: [("Content-Type", type)] + headers, body: .bytes(body))
  }

  package init(status: Int, headers: [(name: String, value: String)], body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The length of the body; nil if unknown.
  package var length: Int? {
    switch body {
    case .bytes(let bytes): bytes.count
    case .file(_, let range): range.count
    case .stream, .later: nil
    }
  }

  /// Returns an answer whose content is not available yet.
  static func later(_ make: @escaping () -> HTTPAnswer?) -> HTTPAnswer {
    HTTPAnswer(status: 202, headers: [], body: .later(make))
  }

  /// Returns the answer with a header that closes the connection after it.
  func closing() -> HTTPAnswer {
    var answer = self
    answer.headers.append(("Connection", "close"))
    return answer
  }

  /// Returns the value of a header of the answer.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// A source of the pieces of a long answer.
package protocol PieceSource: AnyObject {
  /// Returns the next bytes, at most `limit`.
  func next(atMost limit: Int) -> Piece
}

/// The state of a source, with its bytes if it has any.
package enum Piece: Equatable {
  case bytes([UInt8])
  /// More bytes will come; ask again.
  case nothingYet
  case end
  /// The rest of the promised bytes is unavailable: the answer must break off, so that it is not taken for complete.
  case broken
}

extension HTTPAnswer {
  /// Returns the answer with the headers that every answer has.
  ///
  /// Pages load nothing from elsewhere and nobody may frame them; other content cannot pass for a page.
  func dressed() -> HTTPAnswer {
    var answer = self
    func add(_ name: String, _ value: String) {
      if answer.header(name) == nil { answer.headers.append((name, value)) }
    }
    add("Content-Security-Policy", Self.policy)
    add("X-Content-Type-Options", "nosniff")
    add("Referrer-Policy", "same-origin")
    add("Cross-Origin-Resource-Policy", "same-origin")
    add("Cache-Control", "no-cache")
    return answer
  }

  /// The policy in the pages themselves, plus the rule on framing, which only a header can contain. Pages that follow
  /// events allow that in their own policy; the policy of all others forbids it.
  static let policy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"
}

extension HTTPAnswer {
  /// Returns the answer for a client that may already have the content, or requests only a part of it.
  func fitted(to request: HTTPRequest) -> HTTPAnswer {
    guard status == 200, let length else { return self }
    if let tag = header("ETag"), let known = request.header("If-None-Match"), EntityTag.matches(known, tag) {
      // Caches adopt the headers of this answer.
      let kept = headers.filter { !["Content-Type", "Content-Length"].contains($0.name) }
      return HTTPAnswer(status: 304, headers: kept, body: .bytes([]))
    }
    guard request.method == .get, header("Accept-Ranges") != nil, let wanted = request.header("Range"), isFresh(request)
    else { return self }
    switch ByteRange.asked(wanted, of: length) {
    case .whole: return self
    case .part(let range):
      var part = self
      part.status = 206
      part.headers.append(("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"))
      switch body {
      case .bytes(let bytes): part.body = .bytes(Array(bytes[range]))
      case .file(let file, _): part.body = .file(file, range)
      case .stream, .later: return self
      }
      return part
    case .none:
      var answer = Problem(416, "The file has \(length) bytes.").answer(toReaderOf: nil)
      answer.headers.append(("Content-Range", "bytes */\(length)"))
      return answer
    }
  }

  /// Whether the request is for a part of this very state (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5).
  private func isFresh(_ request: HTTPRequest) -> Bool {
    guard let condition = request.header("If-Range") else { return true }
    return condition == header("ETag")
  }
}
