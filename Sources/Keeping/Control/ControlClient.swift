import FoundationEssentials
import Glibc
package import Model
import Processes

/// A client of a home's control socket, for asking its watcher from another process.
package struct ControlClient: Sendable {
  private let home: WatchHome

  package init(_ home: WatchHome) {
    self.home = home
  }

  /// Sends a request and waits for the answer.
  ///
  /// - Parameter hear: Receives the news that the watcher reports before it answers.
  /// - Throws: An `absent` error if no watcher is running, or the watcher's refusal.
  package func ask(
    _ request: ControlRequest, hear: (_ news: String, _ step: Step?) -> Void = { _, _ in }
  ) throws(KeepingError) -> ControlAnswer {
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
      hear(news, answer.step)
    }
    // A child that has not executed its program yet holds the socket slightly longer than a killed watcher. In that
    // case this reports that no watcher is running.
    close(try connect())
    throw KeepingError(
      .service, "The watcher of \(home.path) ended before it answered. See what it wrote, and start it again.")
  }

  /// Returns the next line, or nil at the end.
  ///
  /// - Parameter received: The bytes received but not consumed yet.
  static func line(from connection: Int32, _ received: inout [UInt8]) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var searched = 0
    while true {
      if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeFirst(end + 1) }
        return Array(received[..<end])
      }
      searched = received.count
      let count = recv(connection, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      received += buffer[..<count]
    }
  }

  private func connect() throws(KeepingError) -> Int32 {
    let absent = KeepingError(
      .absent,
      "No watcher runs on \(home.path). Start one with 'martlet watch'; for the system service, see 'martlet help service'."
    )
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

  /// The error for a user who does not own the home. If not even its owner can be seen, it is that of a folder around
  /// it.
  private var forbidden: KeepingError {
    var status = stat()
    var place = home.path[...]
    while stat(String(place), &status) != 0, let slash = place.lastIndex(of: "/") { place = place[..<slash] }
    guard !place.isEmpty, let owner = getpwuid(status.st_uid).map({ String(cString: $0.pointee.pw_name) }) else {
      return .system("reach the watcher of", home.path, errno: EACCES)
    }
    return KeepingError(
      .request,
      "Only the user \(owner) may ask the watcher of \(home.path). Without sudo, see 'martlet help service'; with it, run: sudo -u \(owner) martlet … --home \(home.path)"
    )
  }

  private func send(_ request: ControlRequest, over connection: Int32) throws(KeepingError) {
    // A request consisting of names and numbers can always be encoded.
    var bytes = (try? JSONEncoder().encode(request)).map { [UInt8]($0) } ?? []
    guard bytes.count < ControlSocket.longestRequest else {
      let (count, most) = (CountText.plain(bytes.count), CountText.plain(ControlSocket.longestRequest))
      throw KeepingError(.request, "The request has \(count) bytes, and the watcher takes at most \(most). Shorten it.")
    }
    bytes.append(UInt8(ascii: "\n"))
    while !bytes.isEmpty {
      let count = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .system("reach the watcher of", home.path, errno: errno) }
      bytes.removeFirst(count)
    }
  }
}
