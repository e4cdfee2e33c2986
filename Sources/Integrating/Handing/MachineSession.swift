import FoundationEssentials
import Processes

/// A session with another machine: one command there that answers request after request.
///
/// It begins with the first request, which also installs the program where it is not there. Whoever catches an error ends
/// it, and the next request begins it anew.
final class MachineSession {
  private let connection: MachineConnection
  private let folder: Folder
  /// How long to wait for a sign of life; nil for any time.
  var patience: Duration? { didSet { process?.patience = patience } }
  private var process: Coprocess?
  private var reader: SessionReader?
  /// The first request and the version of the program that is to answer it, until there is an answer.
  private var opening: (line: [UInt8], key: String)?

  static let otherAnswer = MachineConnection.Failure.refused("it answers something else than it was asked for")

  /// - Parameter folder: where the pipe lies through which the command gets its input.
  init(_ connection: MachineConnection, pipeIn folder: Folder) {
    (self.connection, self.folder) = (connection, folder)
  }

  func send(_ request: MachineRequest) throws {
    let line = try request.jsonLine
    if let process { return try process.write(line) }
    let key = try connection.program.key()
    opening = (line, key)
    reader = SessionReader { [unowned self] in try more() }
    try begin(line, key)
  }

  /// Sends a part of the files that follow a request.
  func send(_ bytes: [UInt8]) throws { try process?.write(bytes) }

  /// Waits for the next answer.
  func reply() throws -> MachineReply {
    do {
      if let reply = try reader?.value(MachineReply.self) { return reply }
    } catch let error as IntegratingError {
      throw MachineConnection.Failure.refused("\(error)")
    }
    throw MachineConnection.Failure.unreachable("nothing was asked for")
  }

  /// Waits for the files that are the answer, and writes them.
  ///
  /// - Parameter hear: called for each piece that comes.
  func files(into folder: Folder, hear: () -> Void) throws { try reader?.files(into: folder, hear: hear) }

  /// Ends the session; nobody waits for an answer any more.
  func end() { (process, reader, opening) = (nil, nil, nil) }

  private func begin(_ line: [UInt8], _ key: String) throws {
    let begun = try Coprocess(
      connection.session(key), pipe: folder.create().file("session"), patience: patience)
    process = begun
    try begun.write(line)
  }

  private func more() throws -> [UInt8]? {
    guard let process else { return nil }
    if let bytes = try process.read() {
      opening = nil
      return bytes
    }
    guard let end = process.end else { return nil }
    guard let (line, key) = opening, MachineConnection.isNotInstalled(end) else {
      throw connection.failure(end, process.errors)
    }
    opening = nil
    try connection.install(key, cancellation: try Cancellation())
    try begin(line, key)
    return try more()
  }
}
