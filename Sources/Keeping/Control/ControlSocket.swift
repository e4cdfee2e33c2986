import FoundationEssentials
import Glibc
import Model
import Processes

/// The socket in the home through which commands reach the watcher; only the home's owner may use it.
///
/// A connection carries one request and one answer, each one line of JSON. Nothing here waits.
final class ControlSocket {
  typealias Connection = Int32

  private struct Peer {
    var received: [UInt8] = []
    var toSend: [UInt8] = []
    /// How much of that is sent.
    var sent = 0
    /// Whether the request is complete and has been passed on.
    var hasAsked = false
    var isAnswered = false
  }

  /// The most connections to accept at once whose request is not complete.
  static let mostPeers = 64
  /// The most that await an answer, which may take hours. They do not count among the others: nobody else could ask.
  static let mostAwaiting = 512
  static let longestRequest = 65_536

  private let folder: Int32
  private let listener: Int32
  private var peers: [Connection: Peer] = [:]

  /// Opens the socket, replacing one left by a dead watcher. The home must be locked.
  init(_ home: WatchHome) throws(KeepingError) {
    let place = "\(home.path)/\(home.socket)"
    folder = open(home.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    listener = socket(AF_UNIX, flags, 0)
    guard folder >= 0, listener >= 0, var name = SocketAddress(home.socket, inFolder: folder) else {
      throw .system("make the socket", place, errno: errno)
    }
    unlinkat(folder, home.socket, 0)
    // The socket file takes its mode from this call, so the umask of the whole process is left alone.
    guard fchmod(listener, 0o600) == 0, name.withPointer({ bind(listener, $0, $1) }) == 0 else {
      throw .system("make the socket", place, errno: errno)
    }
    if listen(listener, 64) != 0 { throw .system("listen on the socket", place, errno: errno) }
  }

  deinit {
    for peer in peers.keys { close(peer) }
    close(listener)
    close(folder)
  }

  /// The descriptors to poll: for reading, or for writing if an answer has not been sent completely.
  var polled: [pollfd] {
    (accepts ? [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)] : [])
      + peers.map { pollfd(fd: $0.key, events: Int16($0.value.toSend.isEmpty ? POLLIN : POLLOUT), revents: 0) }
  }

  /// Whether there is room for another connection.
  private var accepts: Bool { peers.values.count { !$0.hasAsked } < Self.mostPeers }

  /// Handles ready descriptors. Returns the requests that are now complete.
  func serve(_ ready: Set<Int32>) -> [(Connection, Result<ControlRequest, KeepingError>)] {
    if ready.contains(listener) { acceptAll() }
    var requests: [(Connection, Result<ControlRequest, KeepingError>)] = []
    for connection in peers.keys.sorted() where ready.contains(connection) {
      if let request = receive(connection) { requests.append((connection, request)) }
      send(connection)
    }
    return requests
  }

  /// Answers a request and closes the connection once the answer is sent. A peer that has disconnected is ignored.
  func answer(_ connection: Connection, _ answer: ControlAnswer) {
    peers[connection]?.isAnswered = true
    tell(connection, answer)
  }

  /// Sends a line to a peer that expects more.
  func tell(_ connection: Connection, _ answer: ControlAnswer) {
    guard peers[connection] != nil else { return }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Names and figures can always be encoded.
    let bytes = (try? encoder.encode(answer)).map { [UInt8]($0) } ?? Array("{}".utf8)
    peers[connection]?.toSend += bytes + [UInt8(ascii: "\n")]
    send(connection)
  }

  /// Returns whether a peer is still waiting for the answer.
  func isOpen(_ connection: Connection) -> Bool { peers[connection] != nil }

  private func acceptAll() {
    while accepts {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      // Children of the watcher close every descriptor they inherit, so the gap before this call is harmless.
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      _ = fcntl(connection, F_SETFL, O_NONBLOCK)
      peers[connection] = Peer()
    }
  }

  private func receive(_ connection: Connection) -> Result<ControlRequest, KeepingError>? {
    let hasEnded = !receiveBytes(connection)
    guard let peer = peers[connection], !peer.hasAsked, let end = peer.received.firstIndex(of: UInt8(ascii: "\n"))
    else {
      if hasEnded { drop(connection) }
      return nil
    }
    peers[connection]?.hasAsked = true
    peers[connection]?.received = []
    guard peers.values.count(where: \.hasAsked) <= Self.mostAwaiting else {
      return .failure(KeepingError(.service, "\(Self.mostAwaiting) others wait for the watcher. Ask again later."))
    }
    do {
      return .success(try JSONDecoder().decode(ControlRequest.self, from: Data(peer.received[..<end])))
    } catch {
      return .failure(
        KeepingError(.request, "The watcher does not understand the request. Use the martlet that started it."))
    }
  }

  /// Reads what is available. Returns false if nothing more will come, or if there is too much.
  private func receiveBytes(_ connection: Connection) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return true }
      guard count > 0 else { return false }
      if peers[connection]?.hasAsked == false { peers[connection]?.received += buffer[..<count] }
      if (peers[connection]?.received.count ?? 0) > Self.longestRequest { return false }
    }
  }

  private func send(_ connection: Connection) {
    while let peer = peers[connection], peer.sent < peer.toSend.count {
      let count = peer.toSend[peer.sent...].withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return }
      guard count > 0 else { return drop(connection) }
      peers[connection]?.sent += count
    }
    peers[connection]?.toSend = []
    peers[connection]?.sent = 0
    if peers[connection]?.isAnswered == true { drop(connection) }
  }

  private func drop(_ connection: Connection) {
    peers[connection] = nil
    close(connection)
  }
}
