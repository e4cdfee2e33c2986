import Foundation
import Glibc
import Processes
import Synchronization

/// A server on the loopback that serves one connection after the other, on a thread of its own.
final class LoopbackPeer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let worker: Worker<Void>

  /// - Parameter serve: talks on the n-th connection, from 0, which is closed afterwards.
  init(_ serve: @escaping @Sendable (Int, LoopbackConnection) -> Void) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard isListening else { throw CocoaError(.featureUnsupported) }
    listener = descriptor
    port = UInt16(bigEndian: address.sin_port)
    worker = try Worker {
      for number in 0... {
        let connection = Self.uninterrupted { accept(descriptor, nil, nil) }
        guard connection >= 0 else { return }
        serve(number, LoopbackConnection(descriptor: connection))
        close(connection)
      }
    }
  }

  /// Calls again for as long as a signal to the test process cuts the call off.
  static func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// Serves nobody any more; called by the owner, because a thread that waits for a connection keeps it alive.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    _ = try? worker.join()
    close(listener)
  }
}

/// One side of a conversation in lines.
struct LoopbackConnection {
  let descriptor: Int32

  func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// A line without its end; nil when the other side has gone.
  func line() -> String? {
    var bytes: [UInt8] = []
    while let byte = self.bytes(1).first {
      if byte == 0x0A { return String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes[...], as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  /// As many bytes, or fewer when the other side has gone.
  func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { bytes in
        LoopbackPeer.uninterrupted { recv(descriptor, bytes.baseAddress?.advanced(by: filled), count - filled, 0) }
      }
      guard got > 0 else { break }
      filled += got
    }
    return Array(bytes.prefix(filled))
  }
}

/// A mail server that does as it is told.
final class SMTPPeer: Sendable {
  /// What the server says to a command, by its first word; `hang up` and `silence` are deeds. `.` is the end of a mail.
  typealias Manners = [String: String]

  struct Mail: Equatable {
    var from: String
    var to: [String]
    var lines: [String]
  }

  /// What was heard, shared with the thread that hears it.
  private final class Box: Sendable {
    let mails = Mutex<[Mail]>([])
    let commands = Mutex<[String]>([])
  }

  private let box = Box()
  private let peer: LoopbackPeer
  let url: String

  /// - Parameter manners: for each connection; the last also for those that follow.
  init(_ manners: [Manners] = [[:]]) throws {
    peer = try LoopbackPeer { [box] number, connection in
      SMTPPeer.talk(connection, manners[min(number, manners.count - 1)], box)
    }
    url = "smtp://127.0.0.1:\(peer.port)"
  }

  deinit { peer.stop() }

  /// The mails that were taken.
  var mails: [Mail] { box.mails.withLock(\.self) }
  var commands: [String] { box.commands.withLock(\.self) }

  private static func talk(_ connection: LoopbackConnection, _ manners: Manners, _ box: Box) {
    var mail = Mail(from: "", to: [], lines: [])
    func answer(_ key: String, _ usual: String) -> Bool {
      let words = manners[key] ?? usual
      if words == "hang up" { return false }
      if words == "silence" {
        while connection.line() != nil {}
        return false
      }
      connection.say("\(words)\r\n")
      return true
    }
    guard answer("greeting", "220 ready") else { return }
    while let line = connection.line() {
      box.commands.withLock { $0.append(line) }
      let verb = line.split(separator: " ").first?.uppercased() ?? ""
      switch verb {
      case "EHLO": guard answer(verb, "250 peer") else { return }
      case "MAIL":
        mail = Mail(from: address(in: line), to: [], lines: [])
        guard answer(verb, "250 fine") else { return }
      case "RCPT":
        mail.to.append(address(in: line))
        guard answer(verb, "250 fine") else { return }
      case "DATA":
        guard answer(verb, "354 go on") else { return }
        guard manners[verb] == nil else { continue }
        while let line = connection.line(), line != "." {
          mail.lines.append(line.hasPrefix("..") ? String(line.dropFirst()) : line)
        }
        guard answer(".", "250 2.0.0 kept") else { return }
        if manners["."] == nil { box.mails.withLock { $0.append(mail) } }
      case "QUIT":
        connection.say("221 bye\r\n")
        return
      default: connection.say("502 what?\r\n")
      }
    }
  }

  private static func address(in line: String) -> String {
    String(line.split(separator: "<").last?.prefix { $0 != ">" } ?? "")
  }
}

/// A web server that gives the answers it is told to, one a connection.
final class HTTPPeer: Sendable {
  struct Request: Equatable {
    var line: String
    /// Names in small letters.
    var headers: [String: String]
    var body: [UInt8]
  }

  private final class Box: Sendable {
    let requests = Mutex<[Request]>([])
  }

  private let box = Box()
  private let peer: LoopbackPeer
  let url: String

  /// - Parameter answers: each a status with its word, `hang up` or `silence`, and on lines of their own headers and, behind
  ///   an empty one, the body; the last also for those that follow.
  init(_ answers: [String]) throws {
    peer = try LoopbackPeer { [box] number, connection in
      guard let request = HTTPPeer.request(connection) else { return }
      box.requests.withLock { $0.append(request) }
      switch answers[min(number, answers.count - 1)] {
      case "hang up": return
      case "silence": while connection.line() != nil {}
      case let answer:
        let parts = answer.split(separator: "\n\n", maxSplits: 1)
        let head = parts[0].replacing("\n", with: "\r\n")
        let body = parts.count > 1 ? parts[1] : "noted"
        connection.say(
          "HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\nLocation: /other\r\nConnection: close\r\n\r\n\(body)"
        )
      }
    }
    url = "http://127.0.0.1:\(peer.port)/hook?token=1"
  }

  deinit { peer.stop() }

  var requests: [Request] { box.requests.withLock(\.self) }

  private static func request(_ connection: LoopbackConnection) -> Request? {
    guard let first = connection.line() else { return nil }
    var headers: [String: String] = [:]
    while let line = connection.line(), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    return Request(line: first, headers: headers, body: connection.bytes(Int(headers["content-length"] ?? "") ?? 0))
  }
}
