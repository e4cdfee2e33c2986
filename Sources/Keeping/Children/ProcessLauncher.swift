import FoundationEssentials
import Glibc
package import Model
import Processes

/// A launcher that runs `martlet` itself again for each integration.
package struct ProcessLauncher: Launching {
  /// The variable by which the next watcher of a home recognizes the processes of a dead one.
  static let mark = "MARTLET_WATCHER"

  private let home: WatchHome
  private let program: String
  private let options: [String]
  private let environment: [String: String]

  /// - Parameters:
  ///   - program: The program file that carries out orders.
  ///   - options: Options for the commands `carry-out`, `deliver` and `publish`.
  package init(_ home: WatchHome, program: String, options: [String] = [], environment: [String: String]) {
    self.home = home
    self.program = program
    self.options = options + ["--home", home.path]
    self.environment = environment.merging([Self.mark: home.path]) { $1 }
  }

  /// Starts a command of `martlet`, and hands it an order through a named pipe.
  private func start<Child>(
    _ words: [String], _ order: some Encodable, named name: String,
    as child: (RunningCommand, consuming InputPipe) -> Child
  ) throws -> Child {
    try WatchHome.makeFolder(home.orders)
    let line = [UInt8](try JSONEncoder().encode(order)) + [UInt8(ascii: "\n")]
    let orders = try InputPipe.make(line, at: "\(home.orders)/\(name)")
    let command = Command(program, words, environment: environment, workingDirectory: "/", standardInput: orders.path)
    return child(try RunningCommand(command), orders)
  }

  package func launch(_ order: IntegrationOrder, entry: QueueEntry.ID) throws -> any RunningIntegration {
    try start(["carry-out"] + options, order, named: "\(entry)") { ProcessIntegration($0, orders: $1) }
  }

  package func handOut(_ order: HandOutOrder, entry: QueueEntry.ID) throws -> any RunningIntegration {
    try start(["hand-out"] + options, order, named: "\(entry)") { ProcessIntegration($0, orders: $1) }
  }

  package func look(at look: MachineLook) throws -> any AnsweringTask<MachineReport> {
    try start(["look-at-machine"] + options, look, named: "look-\(look.machine.name)") {
      AnsweringProcess($0, orders: $1)
    }
  }

  package func connect(to machine: MachineSettings) throws -> (any RunningTask)? {
    let socket = "\(home.machines)/\(machine.name)"
    guard MachineSettings.canShare(socket), var words = machine.login(socket: socket, isMaster: true) else {
      return nil
    }
    try WatchHome.makeFolder(home.machines)
    // One that a killed connection left is in the way of the next.
    unlink(socket)
    words.insert("-N", at: 0)
    return TaskProcess(try RunningCommand(Command("ssh", words, environment: environment, workingDirectory: "/")))
  }

  package func publish(_ change: SiteChange) throws -> (any RunningTask)? {
    let bots = change.bots.union(change.integrations.keys).sorted()
    // Without names, the pages of all bots would be written; the index is written along with any bot's pages.
    let command = Command(
      program, ["publish"] + options + ["--index"] + bots, environment: environment, workingDirectory: "/")
    return TaskProcess(try RunningCommand(command))
  }

  package func deliver(_ order: SendingOrder) throws -> any AnsweringTask<SendingResult> {
    try start(["deliver"] + options, order, named: "post") { AnsweringProcess($0, orders: $1) }
  }

  package func fetch(_ order: FetchOrder) throws -> any AnsweringTask<FetchResult> {
    let name = order.mirror.split(separator: "/").last ?? ""
    return try start(["fetch-mirror", "--home", home.path], order, named: "\(name)") {
      AnsweringProcess($0, orders: $1)
    }
  }

  package func remove(_ folder: String) throws -> any RunningTask {
    // Tests may have left folders in their workspace that not even their owner may list.
    let script = #"rm -rf -- "$1" 2> /dev/null || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }"#
    let command = Command("sh", ["-c", script, "sh", folder], environment: environment, workingDirectory: "/")
    return TaskProcess(try RunningCommand(command))
  }
}
