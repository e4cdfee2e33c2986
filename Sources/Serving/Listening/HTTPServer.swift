import CEvent
import Glibc
import Processes

/// A server that answers requests on one socket, on the thread that runs it, within fixed limits of memory and time.
package final class HTTPServer {
  /// The limits of a server.
  package struct Limits: Sendable {
    /// The number of open connections; further ones wait outside.
    package var connections = 2048
    /// The number of connections with endless answers, so that there is room for others.
    package var streams = 1024
    /// The size of a request's head, in bytes.
    package var head = 24_576
    /// The size of a request's body, in bytes; a forge's report of a push takes some tens of thousands.
    package var body = 262_144
    /// How many times its limit a head or a body may be and be answered with a problem. The library refuses what is
    /// longer with a page of its own, which it lets nobody change.
    package var refused = 2
    /// The seconds until the head of a request must be complete, and between two requests of a connection.
    package var patience = 20.0
    /// The seconds that a client may take to receive a piece.
    package var pieceTime = 30.0
    /// The interval at which waiting answers are checked, in microseconds.
    package var tick = 30_000

    package init() {}
  }

  /// The address at which the server listens.
  package var address: ServerAddress { socket.address }
  /// The number of open connections.
  package var connectionCount: Int { connections.count }

  private let answer: (HTTPRequest) -> HTTPAnswer
  private let refuse: (Problem, _ accepted: String?) -> HTTPAnswer
  private let limits: Limits
  private let seconds = Clock.system.seconds
  private let socket: ServerSocket
  private var engine: EventEngine
  private var listener: OpaquePointer?
  /// A timer that is set while any answer waits for more content.
  private var waiting: OpaquePointer?
  private var connections: [OpaquePointer: HTTPConnection] = [:]
  /// The buffers of connections that have not been adopted yet.
  private var arrived: [OpaquePointer] = []
  /// The event that triggers their adoption.
  private var arrival: OpaquePointer?

  /// Starts listening; requests are not answered before `run`.
  ///
  /// - Parameters:
  ///   - refuse: returns the answer to a request that cannot be understood.
  ///   - answer: returns the answer to any other request.
  package init(
    _ address: ServerAddress, limits: Limits = Limits(), refuse: @escaping (Problem, _ accepted: String?) -> HTTPAnswer,
    answer: @escaping (HTTPRequest) -> HTTPAnswer
  ) throws(ServingError) {
    self.limits = limits
    self.answer = answer
    self.refuse = refuse
    socket = try ServerSocket(address)
    engine = try EventEngine()
    let context = Unmanaged.passUnretained(self).toOpaque()
    evhttp_set_max_headers_size(engine.http, limits.head * limits.refused)
    evhttp_set_max_body_size(engine.http, limits.body * limits.refused)
    // Methods that are not allowed get an answer of our own.
    evhttp_set_allowed_methods(engine.http, .max)
    evhttp_set_bevcb(engine.http, { _, context in HTTPServer.of(context).buffers() }, context)
    evhttp_set_gencb(engine.http, { request, context in HTTPServer.of(context).take(request) }, context)
    engine.call(every: 1_000_000, context) { _, _, context in HTTPServer.of(context).sweep() }
    arrival = engine.timer(context) { _, _, context in HTTPServer.of(context).adopt() }
    waiting = engine.timer(context) { _, _, context in HTTPServer.of(context).tick() }
  }

  /// Answers requests until a descriptor becomes readable, such as that of a `SignalQueue`.
  package func run(untilReadable descriptor: Int32) throws(ServingError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    engine.watch(descriptor, context) { _, _, context in
      event_base_loopbreak(HTTPServer.of(context).engine.base)
    }
    // The library closes the descriptor that it is given.
    let copy = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0, let bound = evhttp_accept_socket_with_handle(engine.http, copy) else {
      throw .system("listen on \(address.description)", errno: errno, next: "Name another address with --listen.")
    }
    listener = evhttp_bound_socket_get_listener(bound)
    // A client that stops reading is reported by an error on its connection.
    signal(SIGPIPE, SIG_IGN)
    event_base_dispatch(engine.base)
    // Open connections are freed with the library's handles, without further callbacks.
    for connection in connections.keys { evhttp_connection_set_closecb(connection, nil, nil) }
    connections = [:]
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPServer {
    // The context is this very object, which owns the library's handles and so outlives them.
    guard let context else { preconditionFailure("libevent lost what it was given") }
    return Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  }
}

private struct HTTPConnection {
  /// The time on the steady clock at which it is closed, whatever it is doing.
  var deadline: Double
  var peer: PeerUser?
  /// The long answer that is sent on it.
  var stream: AnswerStream?
  var pending: PendingAnswer?
}

extension HTTPServer {
  private var now: Double { seconds() }

  /// Makes the buffers of a new connection. The library then makes the connection around them, which is adopted as soon
  /// as that is done, and before any data arrives on it.
  private func buffers() -> OpaquePointer? {
    guard let made = bufferevent_socket_new(engine.base, -1, 0) else { return nil }
    // Whatever a client sends during an answer waits outside. The library accepts a body only once it is complete.
    bufferevent_setwatermark(made, Int16(EV_READ), 0, (limits.head + limits.body) * limits.refused)
    arrived.append(made)
    if let arrival { event_active(arrival, Int32(EV_TIMEOUT), 0) }
    return made
  }

  /// Adopts the connections that were made.
  private func adopt() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    for buffers in arrived {
      var found: UnsafeMutableRawPointer?
      // The connection is the context of the buffers' callbacks; otherwise, the library reports none before a whole
      // request.
      bufferevent_getcb(buffers, nil, nil, nil, &found)
      guard let found else { continue }
      let connection = OpaquePointer(found)
      connections[connection] = HTTPConnection(
        deadline: now + limits.patience, peer: PeerUser(ofSocket: bufferevent_getfd(buffers)))
      evhttp_connection_set_closecb(connection, { HTTPServer.of($1).closed($0) }, context)
    }
    arrived = []
    if connections.count >= limits.connections, let listener { evconnlistener_disable(listener) }
  }

  /// Forgets a closed connection, and ends the answer on it.
  private func closed(_ connection: OpaquePointer?) {
    guard let connection, let known = connections.removeValue(forKey: connection) else { return }
    if connections.count < limits.connections, let listener { evconnlistener_enable(listener) }
    // A request that has lost its connection is freed by ending its reply.
    if let pending = known.pending { evhttp_send_reply_end(pending.request) }
    guard let stream = known.stream, !stream.isClosed else { return }
    stream.isClosed = true
    evhttp_send_reply_end(stream.request)
  }

  /// Closes connections whose deadline has passed.
  private func sweep() {
    let now = now
    for (connection, known) in connections where known.deadline < now { close(connection) }
  }

  /// Closes a connection as if its client had been silent for too long, once it is not otherwise in use.
  private func close(_ connection: OpaquePointer) {
    guard let buffers = evhttp_connection_get_bufferevent(connection) else { return }
    bufferevent_trigger_event(
      buffers, Int16(BEV_EVENT_TIMEOUT | BEV_EVENT_READING), Int32(BEV_OPT_DEFER_CALLBACKS.rawValue))
  }

  /// Checks the answers that wait for more content.
  private func tick() {
    for stream in connections.values.compactMap(\.stream) where stream.isWaiting { pump(stream) }
    for (connection, pending) in connections.compactMap({ key, value in value.pending.map { (key, $0) } }) {
      guard let answer = pending.make() else {
        if let waiting { EventEngine.set(waiting, to: limits.tick) }
        continue
      }
      connections[connection]?.pending = nil
      send(answer, to: pending.request, withBody: true)
    }
  }
}

extension HTTPServer {
  private static let methods: [(UInt32, String)] = [
    (EVHTTP_REQ_GET.rawValue, "GET"), (EVHTTP_REQ_POST.rawValue, "POST"), (EVHTTP_REQ_HEAD.rawValue, "HEAD"),
    (EVHTTP_REQ_PUT.rawValue, "PUT"), (EVHTTP_REQ_DELETE.rawValue, "DELETE"),
    (EVHTTP_REQ_OPTIONS.rawValue, "OPTIONS"), (EVHTTP_REQ_TRACE.rawValue, "TRACE"),
    (EVHTTP_REQ_CONNECT.rawValue, "CONNECT"), (EVHTTP_REQ_PATCH.rawValue, "PATCH"),
  ]

  private func take(_ request: OpaquePointer?) {
    guard let request else { return }
    var headers: [(name: String, value: String)] = []
    var next = shim_first_header(evhttp_request_get_input_headers(request))
    while let header = next {
      headers.append((String(cString: header.pointee.key), String(cString: header.pointee.value)))
      next = shim_next_header(header)
    }
    let command = evhttp_request_get_command(request).rawValue
    let target = evhttp_request_get_uri(request).map { String(cString: $0) } ?? ""
    let method = Self.methods.first { $0.0 == command }?.1 ?? "?"
    do throws(Problem) {
      try require(target: target, headers)
      let asked = try HTTPRequest(
        method: method, target: target, headers: headers, body: try body(of: request), host: address.hostRule,
        peer: evhttp_request_get_connection(request).flatMap { connections[$0]?.peer })
      let answer = answer(asked)
      send(asked.isLast ? answer.closing() : answer, to: request, withBody: asked.method != .head)
    } catch {
      let accepted = headers.first { $0.name.lowercased() == "accept" }?.value
      // Other programs may see the end of the request elsewhere.
      send(refuse(error, accepted).closing(), to: request, withBody: method != "HEAD")
    }
  }

  /// Throws for a head that is too long.
  private func require(target: String, _ headers: [(name: String, value: String)]) throws(Problem) {
    guard target.utf8.count <= limits.head else {
      throw Problem(414, "The address is longer than \(limits.head) bytes. Ask for less at once.")
    }
    // With the colon, the space and the end of the line.
    let length = headers.reduce(target.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    guard length <= limits.head else {
      throw Problem(431, "The head of the request is longer than \(limits.head) bytes. Send fewer or shorter fields.")
    }
  }

  private func body(of request: OpaquePointer) throws(Problem) -> [UInt8] {
    guard let buffer = evhttp_request_get_input_buffer(request) else { return [] }
    let count = evbuffer_get_length(buffer)
    guard count > 0 else { return [] }
    guard count <= limits.body else {
      throw Problem(413, "The body of the request is longer than \(limits.body) bytes. Send a shorter one.")
    }
    return [UInt8](unsafeUninitializedCapacity: count) { bytes, length in
      length = max(0, evbuffer_copyout(buffer, bytes.baseAddress, count))
    }
  }

  private func send(_ answer: HTTPAnswer, to request: OpaquePointer, withBody: Bool) {
    guard let connection = evhttp_request_get_connection(request) else { return }
    if case .later(let make) = answer.body {
      connections[connection]?.pending = PendingAnswer(request: request, make: make)
      connections[connection]?.deadline = now + limits.patience
      if let waiting { EventEngine.set(waiting, to: limits.tick) }
      return
    }
    if answer.length == nil, withBody,
      connections.values.count(where: { $0.stream?.isEndless == true }) >= limits.streams
    {
      let problem = Problem(503, "Too many follow what goes on just now. Try again later, or read the pages.")
      return send(refuse(problem, nil), to: request, withBody: true)
    }
    let answer = withBody ? answer.read(upTo: Self.pieceLength) : answer
    guard let piece = evbuffer_new() else { return }
    defer { evbuffer_free(piece) }
    let head = evhttp_request_get_output_headers(request)
    for (name, value) in answer.headers { evhttp_add_header(head, name, value) }
    if let length = answer.length, answer.status != 304 { evhttp_add_header(head, "Content-Length", "\(length)") }
    let phrase = HTTPStatus.phrase(of: answer.status)
    let context = Unmanaged.passUnretained(self).toOpaque()
    evhttp_request_set_on_complete_cb(
      request, { request, context in HTTPServer.of(context).finished(request) }, context)
    if case .bytes(let bytes) = answer.body {
      connections[connection]?.deadline = now + limits.pieceTime + Double(bytes.count) / 16_384
      if withBody { evbuffer_add(piece, bytes, bytes.count) }
      evhttp_send_reply(request, Int32(answer.status), phrase, piece)
      return
    }
    guard withBody, let source = answer.source else {
      connections[connection]?.deadline = now + limits.pieceTime
      evhttp_send_reply(request, Int32(answer.status), phrase, piece)
      return
    }
    if answer.length == nil { evhttp_add_header(head, "Connection", "close") }
    let stream = AnswerStream(
      request: request, connection: connection, source: source, isEndless: answer.length == nil, server: self)
    connections[connection]?.stream = stream
    // The stream may be silent for long; clients that do not read are detected by the deadline.
    if let buffers = evhttp_connection_get_bufferevent(connection) { bufferevent_set_timeouts(buffers, nil, nil) }
    evhttp_send_reply_start(request, Int32(answer.status), phrase)
    pump(stream)
  }

  /// Handles the end of an answer; the connection waits for the next request.
  private func finished(_ request: OpaquePointer?) {
    guard let request, let connection = evhttp_request_get_connection(request) else { return }
    connections[connection]?.deadline = now + limits.patience
  }
}

extension HTTPServer {
  /// The maximum length of a piece of a long answer in memory, in bytes.
  private static let pieceLength = 65_536

  /// Sends the next piece, if there is one.
  private func pump(_ stream: AnswerStream) {
    guard !stream.isClosed else { return }
    switch stream.source.next(atMost: Self.pieceLength) {
    case .bytes(let bytes):
      stream.isWaiting = false
      connections[stream.connection]?.deadline = now + limits.pieceTime
      guard let piece = evbuffer_new() else { return close(stream.connection) }
      defer { evbuffer_free(piece) }
      evbuffer_add(piece, bytes, bytes.count)
      evhttp_send_reply_chunk_with_cb(
        stream.request, piece, { _, context in AnswerStream.of(context).server?.pump(AnswerStream.of(context)) },
        Unmanaged.passUnretained(stream).toOpaque())
    case .nothingYet:
      stream.isWaiting = true
      if let waiting { EventEngine.set(waiting, to: limits.tick) }
      connections[stream.connection]?.deadline = .infinity
    case .end:
      stream.isClosed = true
      connections[stream.connection]?.stream = nil
      evhttp_send_reply_end(stream.request)
    case .broken:
      stream.isWaiting = false
      close(stream.connection)
    }
  }
}

/// An answer that is not available yet.
private struct PendingAnswer {
  let request: OpaquePointer
  let make: () -> HTTPAnswer?
}

/// A long answer in progress.
final class AnswerStream {
  let request: OpaquePointer
  let connection: OpaquePointer
  let source: any PieceSource
  /// Whether the length of the answer is unknown.
  let isEndless: Bool
  weak var server: HTTPServer?
  /// Whether the source had nothing to send when it was last asked.
  var isWaiting = false
  var isClosed = false

  init(
    request: OpaquePointer, connection: OpaquePointer, source: any PieceSource, isEndless: Bool, server: HTTPServer
  ) {
    self.request = request
    self.connection = connection
    self.source = source
    self.isEndless = isEndless
    self.server = server
  }

  static func of(_ context: UnsafeMutableRawPointer?) -> AnswerStream {
    // The server holds the stream as long as the library may call back.
    guard let context else { preconditionFailure("libevent lost what it was given") }
    return Unmanaged<AnswerStream>.fromOpaque(context).takeUnretainedValue()
  }
}

extension HTTPAnswer {
  /// Returns the answer with its file read into memory, if it is short enough to be sent at once.
  fileprivate func read(upTo limit: Int) -> HTTPAnswer {
    guard case .file(let file, let range) = body, range.count <= limit else { return self }
    let bytes = file.read(from: range.lowerBound, atMost: range.count)
    // A file that has become shorter is detected when its pieces are sent.
    guard bytes.count == range.count else { return self }
    var answer = self
    answer.body = .bytes(bytes)
    return answer
  }

  /// The source of a long body's pieces.
  fileprivate var source: (any PieceSource)? {
    switch body {
    case .bytes, .later: nil
    case .file(let file, let range): FilePieces(file, range)
    case .stream(let source): source
    }
  }
}
