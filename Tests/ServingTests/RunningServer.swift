import Foundation
import Glibc
import Synchronization

@testable import Serving

/// A server on a thread of its own, which ends with it.
final class RunningServer {
  let address: ServerAddress
  let source = TestSource()
  private let wake: Int32
  private let ended = DispatchSemaphore(value: 0)

  init(_ limits: HTTPServer.Limits, at address: ServerAddress = .loopback(isSix: false, port: 0)) throws {
    var pipes: [Int32] = [0, 0]
    guard pipe(&pipes) == 0 else { throw POSIXError(.EMFILE) }
    let (readable, source, ended) = (pipes[0], source, ended)
    wake = pipes[1]
    let made = Mutex<Result<ServerAddress, ServingError>?>(nil)
    let ready = DispatchSemaphore(value: 0)
    let shared = Shared(made)
    let thread = Thread {
      defer {
        close(readable)
        ended.signal()
      }
      do throws(ServingError) {
        let server = try HTTPServer(
          address, limits: limits, refuse: { problem, accepted in problem.answer(toReaderOf: accepted) },
          answer: { request in Self.answer(request, source) })
        shared.set(.success(server.address))
        ready.signal()
        try server.run(untilReadable: readable)
      } catch {
        shared.set(.failure(error))
        ready.signal()
      }
    }
    thread.start()
    ready.wait()
    switch shared.value {
    case .success(let address)?: self.address = address
    case .failure(let error)?:
      close(wake)
      throw error
    case nil: throw POSIXError(.EIO)
    }
  }

  deinit {
    close(wake)
    ended.wait()
  }

  private static func answer(_ request: HTTPRequest, _ source: TestSource) -> HTTPAnswer {
    switch request.path {
    case _ where request.method == .other: Problem(405, "Nobody is asked so.").answer(toReaderOf: nil)
    case ["stream"]: HTTPAnswer(status: 200, headers: [], body: .stream(TestPieces(source)))
    case ["long"]:
      HTTPAnswer(
        status: 200, headers: [("Content-Length", "3000000")],
        body: .stream(TestPieces(TestSource(String(repeating: "0123456789", count: 300_000)))))
    default: HTTPAnswer(type: "text/plain", body: Array("the path is \(request.path.joined(separator: "/"))\n".utf8))
    }
  }

  /// Sends something on a connection of its own, and reads until that is closed.
  func ask(_ text: String) throws -> String {
    let peer = try connect()
    peer.send(text)
    return peer.readAll()
  }

  func connect() throws -> SocketPeer { try SocketPeer(address) }
}

/// What the thread of a server says to the test's.
private final class Shared: Sendable {
  private let mutex: Mutex<Result<ServerAddress, ServingError>?>

  init(_ mutex: consuming Mutex<Result<ServerAddress, ServingError>?>) { self.mutex = mutex }

  var value: Result<ServerAddress, ServingError>? { mutex.withLock { $0 } }
  func set(_ value: Result<ServerAddress, ServingError>) { mutex.withLock { $0 = value } }
}

/// What a stream sends; a test adds to it while it is sent.
final class TestSource: Sendable {
  struct State {
    var bytes: [UInt8] = []
    var isOver = false
    var isTorn = false
  }

  let state = Mutex(State())

  init() {}

  /// All there will be.
  init(_ text: String) {
    state.withLock { ($0.bytes, $0.isOver) = (Array(text.utf8), true) }
  }

  func add(_ text: String) { state.withLock { $0.bytes += Array(text.utf8) } }
  func finish() { state.withLock { $0.isOver = true } }
  func tear() { state.withLock { $0.isTorn = true } }
}

/// One reader of a source.
private final class TestPieces: PieceSource {
  private let source: TestSource
  private var position = 0

  init(_ source: TestSource) { self.source = source }

  func next(atMost limit: Int) -> Piece {
    source.state.withLock { state in
      let piece = Array(state.bytes.dropFirst(position).prefix(limit))
      position += piece.count
      if !piece.isEmpty { return .bytes(piece) }
      return state.isTorn ? .broken : state.isOver ? .end : .nothingYet
    }
  }
}

/// A client's end of a connection.
final class SocketPeer {
  private var descriptor: Int32

  init(_ address: ServerAddress) throws {
    switch address {
    case .unix(let path):
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      try Self.connect(descriptor, &name)
    case .loopback(_, let port):
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_in()
      (name.sin_family, name.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      try Self.connect(descriptor, &name)
    }
  }

  deinit { end() }

  private static func connect<Name>(_ descriptor: Int32, _ name: inout Name) throws {
    let code = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
      }
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Sends a text; that the other side has hung up is no error.
  func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads until the other side hangs up.
  func readAll() -> String { read { _ in false } }

  /// Reads until what came ends so, or the other side hangs up.
  func read(until end: String) -> String { read { $0.contains(end) } }

  /// Whether there is something to read, or will be within so many milliseconds.
  func canBeRead(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  private func read(_ isEnough: (String) -> Bool) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
      if isEnough(String(decoding: bytes.suffix(4096), as: UTF8.self)) { return String(decoding: bytes, as: UTF8.self) }
    }
  }
}
