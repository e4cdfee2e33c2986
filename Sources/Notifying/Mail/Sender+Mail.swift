import FoundationEssentials
import Glibc
import Model
import Processes

extension Sender {
  func smtp(_ delivery: Delivery, _ url: String, from: String, to: String, by mailAccount: MailAccount)
    throws(NotifyingError) -> Attempt
  {
    // libcurl takes its greeting from the URL's path; the sender's domain is a name that servers can look up.
    let domain = from.split(separator: "@").last.map(String.init) ?? "localhost"
    let transfer = Transfer(
      url: "\(url)/\(domain)", kind: .mail(from: from, to: to), body: [UInt8](delivery.content),
      user: mailAccount.login?.user, password: mailAccount.login?.password, authorities: mailAccount.server.authorities,
      timing: timing)
    return Self.judge(mail: try transfer.perform(cancellation))
  }

  /// Judges the result of sending a mail. A mail is refused by a status of 500 or above
  /// (https://www.rfc-editor.org/rfc/rfc5321#section-4.2.1). A failed login or connection is not the mail's fault, and
  /// can be fixed before the next attempt.
  static func judge(mail answer: Transfer.Answer) -> Attempt {
    let lines = answer.words.split(whereSeparator: \.isNewline)
    // A polite server says goodbye after refusing.
    let last = (lines.last { $0.hasPrefix("\(answer.status)") } ?? lines.last).map(String.init) ?? ""
    guard let failure = answer.failure else { return .accepted(words: last) }
    let isLogin = answer.status == 535 || answer.status == 530 || answer.status == 534
    if (500..<600).contains(answer.status), !isLogin { return .refused(reason: last.isEmpty ? failure : last) }
    let words = (400..<600).contains(answer.status) && !last.isEmpty ? "\(failure) (\(last))" : failure
    return .failed(reason: words, isReached: answer.status != 0)
  }

  /// Exit statuses that permanently concern the mail itself
  /// (https://man7.org/linux/man-pages/man3/sysexits.h.3head.html). All others, such as for an unknown host, a failed
  /// login or wrong settings, can be fixed before the next attempt.
  private static let refusing: Set<Int32> = [EX_USAGE, EX_DATAERR, EX_NOUSER]

  func sendmail(_ delivery: Delivery, _ path: String, from: String, to: String) throws(NotifyingError) -> Attempt {
    let file = "\(outbox.path)/.\(delivery.id).mail"
    // Programs expect the line endings of their own machine.
    let message = delivery.content.filter { $0 != 0x0D }
    do {
      try message.write(to: URL(filePath: file))
    } catch {
      return .failed(reason: "\(file) cannot be written: \(error)", isReached: false)
    }
    defer { unlink(file) }
    let command = Command(
      path, ["-i", "-f", from, "--", to], environment: environment, workingDirectory: "/", standardInput: file)
    do {
      let output = try command.collect(
        limits: Limits(wallClock: timing.whole), cancellation: cancellation, limit: 1 << 16)
      let words =
        String(decoding: output.standardError + output.standardOutput, as: UTF8.self)
        .split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
      switch output.result.end {
      case .exited(0): return .accepted(words: words)
      case .exited(let status) where Self.refusing.contains(status):
        return .refused(reason: "\(path) ended with exit status \(status)\(Self.tail(words))")
      default: return .failed(reason: "\(path) did not take it\(Self.tail(words))", isReached: false)
      }
    } catch {
      return .failed(reason: "\(error)", isReached: false)
    }
  }
}
