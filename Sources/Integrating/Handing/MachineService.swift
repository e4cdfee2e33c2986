import Glibc
import Model
import Processes
import Watching

/// What a machine does for another one, which asks for one thing after another over a single connection.
package struct MachineService {
  private let run: MachineRun
  private let program: CarryingProgram
  private let input: Int32
  private let write: ([UInt8]) throws -> Void

  /// How long nothing is looked for, in milliseconds, unless a file arrives. Other files grow, processes die, and what
  /// other machines do in a shared folder is not told.
  private static let pause: Int32 = 100

  /// - Parameters:
  ///   - program: what carries integrations out.
  ///   - input: the descriptor on which requests come.
  ///   - write: takes the answers.
  package init(
    _ run: MachineRun, program: CarryingProgram, input: Int32 = STDIN_FILENO, write: @escaping ([UInt8]) throws -> Void
  ) {
    (self.run, self.program, self.input, self.write) = (run, program, input, write)
  }

  /// Answers until the other one hangs up.
  ///
  /// - Throws: the first error; whoever asked sees it from the end of this process.
  package func serve() throws {
    let reader = SessionReader { [input] in try Self.read(input) }
    while let request = try reader.value(MachineRequest.self) {
      switch request {
      case .inventory(let bot): try say(.inventory(try run.inventory(of: bot)))
      case .receive(let id):
        try run.receive(id) { try reader.files(into: $0) }
        try say(.received)
      case .start(let id, let order, let logs):
        try run.start(id, order, by: program)
        try follow(id, logs, reader)
      case .follow(let id, let logs): try follow(id, logs, reader)
      case .fetch(let id, let paths): try run.fetch(id, paths, write: write)
      case .release(let id, let files):
        try run.release(id, files)
        try say(.released)
      }
    }
  }

  private func say(_ reply: MachineReply) throws { try write(try reply.jsonLine) }

  private func follow(_ id: String, _ sizes: [String: Int], _ reader: SessionReader) throws {
    // Without it, looking again and again is enough.
    let arrivals = try? FolderWatch(onlyArrivals: true)
    arrivals?.watch([HandoverFolder(id, in: run.home).folder.path])
    try run.follow(id, of: sizes) {
      var polled = [input, arrivals?.descriptor ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), Self.pause) > 0 else { return true }
      _ = arrivals?.takeNews()
      return try polled[0].revents == 0 || reader.fill()
    } tell: {
      try say(.news($0))
    }
  }

  private static func read(_ input: Int32) throws(IntegratingError) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = Glibc.read(input, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .storage("read", "standard input", errno: errno) }
      return count == 0 ? nil : Array(buffer[..<count])
    }
  }
}
