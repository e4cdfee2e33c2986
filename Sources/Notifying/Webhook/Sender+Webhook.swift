import Model
import Processes

extension Sender {
  /// The additional headers of a call, in GitHub's format, which receivers know.
  package static let signatureHeader = "X-Martlet-Signature-256"
  package static let eventHeader = "X-Martlet-Event"
  package static let keyHeader = "Idempotency-Key"

  func post(_ delivery: Delivery, _ url: String, event: String, key: String?, authorities: String?)
    throws(NotifyingError) -> Attempt
  {
    let body = [UInt8](delivery.content)
    var headers = [
      "Content-Type: application/json", "User-Agent: Martlet", "\(Self.eventHeader): \(event)",
      "\(Self.keyHeader): \(delivery.id)",
      // Otherwise libcurl waits for the server's permission to send a long body.
      "Expect:",
    ]
    if let key {
      let code = SHA256.authenticate(body, key: Array(key.utf8)).hexadecimal
      headers.append("\(Self.signatureHeader): sha256=\(code)")
    }
    let transfer = Transfer(
      url: url, kind: .post(headers: headers), body: body, authorities: authorities, timing: timing)
    return Self.judge(call: try transfer.perform(cancellation))
  }

  /// Retries what the receiver reports as its own trouble or asks to do later; other refusals are final.
  static func judge(call answer: Transfer.Answer) -> Attempt {
    let words = answer.words.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(300)
    let said = "\(answer.status)\(Self.tail(String(words)))"
    if let failure = answer.failure {
      return .failed(reason: answer.status == 0 ? failure : "\(failure) (\(said))", isReached: answer.status != 0)
    }
    switch answer.status {
    case 200..<300: return .accepted(words: said)
    case 300..<400:
      return .refused(reason: "it answers \(answer.status), which sends the caller elsewhere; name that address")
    case 408, 425, 429, 500..<600: return .failed(reason: "it answers \(said)", isReached: true)
    default: return .refused(reason: "it answers \(said)")
    }
  }
}
