import FoundationEssentials
import Glibc

/// The other end of the control socket: asks the watcher of a home, from another process.
package struct ControlClient: Sendable {
  private let home: WatchHome

  package init(_ home: WatchHome) {
    self.home = home
  }

  /// Asks and waits for the answer.
  ///
  /// - Parameter hear: takes what the watcher tells before it answers.
  /// - Throws: an `absent` error when no watcher runs, or what the watcher refuses.
  package func ask(_ request: ControlRequest, hear: (String) -> Void = { _ in }) throws(KeepingError) -> ControlAnswer {
    let connection = try connect()
    defer { close(connection) }
    try send(request, over: connection)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    var received: [UInt8] = []
    while let line = Self.line(from: connection, &received) {
      guard let answer = try? decoder.decode(ControlAnswer.self, from: Data(line)) else { break }
      if let error = answer.error { throw KeepingError(answer.kind ?? .service, error) }
      guard let news = answer.news else { return answer }
      hear(news)
    }
    // A child on its way to its program holds the socket for a moment longer than a killed watcher: then this says that
    // there is none.
    close(try connect())
    throw KeepingError(
      .service, "The watcher of \(home.path) ended before it answered. See what it wrote, and start it again.")
  }

  /// The next line; nil when there is none any more.
  ///
  /// - Parameter received: what was received and not taken yet.
  private static func line(from connection: Int32, _ received: inout [UInt8]) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeFirst(end + 1) }
        return Array(received[..<end])
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      received += buffer[..<count]
    }
  }

  /// Says that a repository moved, and does not wait for anything.
  package func tell(_ request: ControlRequest) throws(KeepingError) {
    let connection = try connect()
    defer { close(connection) }
    try send(request, over: connection)
  }

  private func connect() throws(KeepingError) -> Int32 {
    let absent = KeepingError(.absent, "No watcher runs on \(home.path). Start one with `martlet watch`.")
    let folder = open(home.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw errno == EACCES ? forbidden : absent }
    defer { close(folder) }
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard connection >= 0, var name = SocketAddress(home.socket, inFolder: folder) else {
      throw .system("reach the watcher of", home.path, errno: errno)
    }
    guard name.withPointer({ Glibc.connect(connection, $0, $1) }) == 0 else {
      let number = errno
      close(connection)
      if number == ENOENT || number == ECONNREFUSED { throw absent }
      if number == EACCES { throw forbidden }
      throw .system("reach the watcher of", home.path, errno: number)
    }
    return connection
  }

  /// The error for somebody whom the home does not belong to.
  private var forbidden: KeepingError {
    var status = stat()
    let owner =
      stat(home.path, &status) == 0 ? getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } : nil
    guard let owner else { return .system("reach the watcher of", home.path, errno: EACCES) }
    return KeepingError(
      .request,
      "Only the user \(owner) may ask the watcher of \(home.path). Run the command as that user: sudo -u \(owner) MARTLET_HOME=\(home.path) martlet …"
    )
  }

  private func send(_ request: ControlRequest, over connection: Int32) throws(KeepingError) {
    // A request of names and numbers always encodes.
    var bytes = (try? JSONEncoder().encode(request)).map { [UInt8]($0) } ?? []
    bytes.append(UInt8(ascii: "\n"))
    while !bytes.isEmpty {
      let count = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .system("reach the watcher of", home.path, errno: errno) }
      bytes.removeFirst(count)
    }
  }
}
