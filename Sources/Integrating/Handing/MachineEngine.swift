import Glibc
import Model
import Processes

/// What runs the process of an integration that was handed out: its folder is there already, and its result is a file.
protocol MachineEngine: Sendable {
  /// Whether the process runs on the machine that takes the order, so that it is this one that has to be checked.
  var runsHere: Bool { get }

  /// Has a process begin that carries an order out; does nothing if that was done before.
  func start(_ handed: HandoverFolder, _ order: IntegrationOrder, by program: CarryingProgram) throws

  /// Whether the order was taken, so that its end is known some day.
  func hasTaken(_ handed: HandoverFolder) -> Bool

  /// Returns what tells how it is with an integration, to be asked again and again until it is over, each time with the
  /// time in seconds on a steady clock.
  func watch(_ handed: HandoverFolder) -> (_ now: Double) throws -> CarryingState

  /// Ends the process, has none begin any more, and returns whether nothing runs.
  func end(_ handed: HandoverFolder) throws -> Bool

  /// Why nothing can begin here, as a sentence; nil if it can.
  var trouble: String? { get }
}

enum CarryingState: Hashable, Sendable {
  case runs
  /// Its process has not begun, for a reason in the words of what is to run it.
  case waits(String)
  /// Its process is gone; whether there is a result is seen in its folder.
  case over
  /// It will not begin; the reason is a sentence.
  case unplaced(String)

  var isEnd: Bool {
    switch self {
    case .runs, .waits: false
    case .over, .unplaced: true
    }
  }
}

/// This program as it carries integrations out that were handed to it.
package struct CarryingProgram: Sendable {
  /// The path of the program's file.
  var path: String
  /// The home, and whatever else it has to know.
  var options: [String]
  var environment: [String: String]

  package init(path: String, options: [String], environment: [String: String]) {
    (self.path, self.options, self.environment) = (path, options, environment)
  }

  func arguments(_ id: String) -> [String] { ["carry-out", "--handed", id] + options }
}

/// An engine whose processes run on the machine itself, and go on when the connection is cut.
struct DetachedEngine: MachineEngine {
  let runsHere = true

  func start(_ handed: HandoverFolder, _ order: IntegrationOrder, by program: CarryingProgram) throws {
    let claim = open(handed.folder.file(HandoverFolder.claim), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard claim >= 0 else {
      throw IntegratingError.storage("lock", handed.folder.file(HandoverFolder.claim), errno: errno)
    }
    defer { close(claim) }
    guard flock(claim, LOCK_EX | LOCK_NB) == 0, !hasTaken(handed) else { return }
    try handed.folder.write("\(order.bot.name)/\(order.number)", to: HandoverFolder.place)
    let output = open(handed.folder.file(HandoverFolder.news), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard output >= 0 else {
      throw IntegratingError.storage("write", handed.folder.file(HandoverFolder.news), errno: errno)
    }
    defer { close(output) }
    let input = try order.jsonLine
    try handed.folder.write([], to: HandoverFolder.started)
    do throws(ProcessError) {
      try DetachedProgram.start(
        program.path, program.arguments(handed.id), environment: program.environment, input: input, output: output,
        held: claim)
    } catch {
      // Otherwise it would count as begun, and its process as dead.
      unlink(handed.folder.file(HandoverFolder.started))
      throw error
    }
  }

  func hasTaken(_ handed: HandoverFolder) -> Bool { handed.folder.holds(HandoverFolder.started) }

  func watch(_ handed: HandoverFolder) -> (_ now: Double) throws -> CarryingState {
    return { _ in handed.isClaimed ? .runs : .over }
  }

  func end(_ handed: HandoverFolder) throws -> Bool {
    guard handed.folder.exists else { return true }
    // Without it, the process cannot begin any more; one that is beginning is found by its claim.
    if hasTaken(handed) { try kill(handed) }
    return true
  }

  /// How often it is looked whether a process has ended, twenty milliseconds apart.
  private static let patience = 250

  private func kill(_ handed: HandoverFolder) throws {
    for round in 0..<Self.patience {
      guard handed.isClaimed else { return }
      if round % 50 == 0, let text = handed.folder.text(of: HandoverFolder.process),
        let process = pid_t(text.filter(\.isNumber)), process > 1
      {
        // It is the one that holds the claim. All that it runs ends with it.
        Glibc.kill(process, SIGKILL)
      }
      usleep(20_000)
    }
    throw IntegratingError(.service, "the process of \(handed.folder.path) cannot be ended.")
  }

  var trouble: String? { nil }
}
