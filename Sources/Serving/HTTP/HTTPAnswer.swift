/// What a request is answered with.
package struct HTTPAnswer {
  /// What follows the head.
  package enum Body {
    case bytes([UInt8])
    /// Some bytes of a file, sent piece by piece.
    case file(ServedFile, Range<Int>)
    /// Pieces that come while they are sent; nobody knows how many.
    case stream(any PieceSource)
    /// Somebody else is still asked: gives the answer that takes the place of this one as soon as there is one.
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

  /// How long the body is; nil where nobody knows.
  package var length: Int? {
    switch body {
    case .bytes(let bytes): bytes.count
    case .file(_, let range): range.count
    case .stream, .later: nil
    }
  }

  /// An answer that is still to come.
  static func later(_ make: @escaping () -> HTTPAnswer?) -> HTTPAnswer {
    HTTPAnswer(status: 202, headers: [], body: .later(make))
  }

  /// The answer, with nothing read behind its request.
  func closing() -> HTTPAnswer {
    var answer = self
    answer.headers.append(("Connection", "close"))
    return answer
  }

  /// The value of a header of the answer.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Where the pieces of a long answer come from.
package protocol PieceSource: AnyObject {
  /// The next bytes, at most as many as asked for.
  func next(atMost limit: Int) -> Piece
}

/// What a source has just now.
package enum Piece: Equatable {
  case bytes([UInt8])
  /// There will be more; ask again.
  case nothingYet
  case end
  /// What was promised cannot be given: the answer is to break off, so that nobody takes it for whole.
  case broken
}

extension HTTPAnswer {
  /// The answer with what every answer says.
  ///
  /// Pages load nothing from elsewhere and nobody may frame them; what is no page cannot pass for one.
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

  /// The policy that stands in the pages, and who may frame them, which only a header can say. Those that follow events
  /// say so themselves; in the others their own policy forbids it.
  static let policy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'none'"
}

extension HTTPAnswer {
  /// The answer to a request for what may be there already, or of which only a part is wanted.
  func fitted(to request: HTTPRequest) -> HTTPAnswer {
    guard status == 200, let length else { return self }
    if let tag = header("ETag"), let known = request.header("If-None-Match"), EntityTag.matches(known, tag) {
      // Caches take over what a header of this says.
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

  /// Whether the part is wanted of just this (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5).
  private func isFresh(_ request: HTTPRequest) -> Bool {
    guard let condition = request.header("If-Range") else { return true }
    return condition == header("ETag")
  }
}
