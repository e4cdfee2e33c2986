import CCurl
import Glibc
import Processes

/// A mail or an HTTP request sent through libcurl. Blocks its thread until the end.
struct Transfer {
  enum Kind {
    case mail(from: String, to: String)
    /// The headers, each `Name: value`, without line breaks.
    case post(headers: [String])
    case get(headers: [String])
  }

  var url: String
  var kind: Kind
  var body: [UInt8] = []
  var user: String?
  var password: String?
  /// A file of certificates to use instead of the machine's.
  var authorities: String?
  var timing: DeliveryTiming
  /// The number of bytes of a response to keep.
  var longestAnswer = 2048

  /// The result of the transfer; a server's refusal is a value too.
  struct Answer: Hashable {
    /// The server's last status; 0 if it sent none.
    var status: Int
    /// The beginning of an HTTP response, or the end of an SMTP dialogue.
    var words: String
    /// The seconds after which the server wants to be asked again; 0 if not specified.
    var retryAfter = 0
    /// The server's rate limits, by lowercase header name.
    var limits: [String: Int] = [:]
    /// The reason the transfer failed; nil if it completed.
    var failure: String?
    /// Whether any of an HTTP request was sent, so that the server may have acted on it even if the transfer failed.
    var isSent = false
  }

  /// - Throws: If libcurl is not installed on this machine.
  func perform(_ cancellation: Cancellation) throws(NotifyingError) -> Answer {
    if let trouble = CurlLibrary.trouble { throw NotifyingError("Cannot send anything: \(trouble)") }
    var texts = CTexts()
    var request = ccurl_request()
    request.url = texts.add(url)
    request.user = user.flatMap { texts.add($0) }
    request.password = password.flatMap { texts.add($0) }
    request.authorities = authorities.flatMap { texts.add($0) }
    var headers: [UnsafePointer<CChar>?] = []
    switch kind {
    case .mail(let from, let to):
      request.sender = texts.add(from)
      request.recipient = texts.add(to)
    case .post(let lines): headers = lines.map { texts.add($0) }
    case .get(let lines):
      headers = lines.map { texts.add($0) }
      request.is_get = true
    }
    // A password is only for the server in the settings, not for anyone listening on the way.
    request.needs_encryption = user != nil
    request.connect_milliseconds = timing.connecting.inMilliseconds
    request.milliseconds = timing.whole.inMilliseconds
    request.context = Unmanaged.passUnretained(cancellation).toOpaque()
    request.is_canceled = { context in
      context.map { Unmanaged<Cancellation>.fromOpaque($0).takeUnretainedValue().isCanceled } ?? false
    }
    var answer = ccurl_answer()
    let words = [UInt8](unsafeUninitializedCapacity: longestAnswer) { room, length in
      answer.words = UnsafeMutableRawPointer(room.baseAddress)?.assumingMemoryBound(to: CChar.self)
      answer.room = room.count
      body.withUnsafeBytes { bytes in
        request.body = bytes.bindMemory(to: CChar.self).baseAddress
        request.length = bytes.count
        (headers + [nil]).withUnsafeBufferPointer { headers in
          request.headers = headers.baseAddress
          withExtendedLifetime(cancellation) { ccurl_send(&request, &answer) }
        }
      }
      length = answer.length
    }
    texts.free()
    return Answer(
      status: answer.status, words: String(decoding: words, as: UTF8.self), retryAfter: answer.retry_after,
      limits: Self.limits(Self.text(answer.limits)), failure: answer.code == 0 ? nil : Self.text(answer.failure),
      isSent: answer.is_sent)
  }

  private static func limits(_ lines: String) -> [String: Int] {
    let fields = lines.split(whereSeparator: \.isNewline).compactMap { line -> (String, Int)? in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let number = Int(parts[1].filter { $0 != " " && $0 != "\t" }) else { return nil }
      return (parts[0].lowercased(), number)
    }
    // The last value belongs to the response itself; earlier ones belong to the steps leading to it.
    return Dictionary(fields) { $1 }
  }

  /// Returns the text in a C array, which Swift imports as a tuple.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// C strings that live for the duration of a call.
private struct CTexts {
  private var copies: [UnsafeMutablePointer<CChar>] = []

  mutating func add(_ text: String) -> UnsafePointer<CChar>? {
    guard let copy = strdup(text) else { return nil }
    copies.append(copy)
    return UnsafePointer(copy)
  }

  mutating func free() {
    for copy in copies { Glibc.free(copy) }
    copies = []
  }
}

extension Duration {
  /// Whole milliseconds; at least one, because libcurl takes zero to mean no limit.
  fileprivate var inMilliseconds: Int {
    max(1, Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000))
  }
}

/// The library that sends mail and webhooks, loaded on demand.
package enum CurlLibrary {
  /// The reason nothing can be sent, with the command that fixes it, as words that follow a colon; nil if sending is
  /// possible.
  package static var trouble: String? {
    ccurl_open().map { "\(String(cString: $0)). Run: apt-get install libcurl4" }
  }
}
