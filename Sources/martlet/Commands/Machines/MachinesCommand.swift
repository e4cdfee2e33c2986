import FoundationEssentials
import Keeping
import Model
import Rendering

struct MachinesCommand: Subcommand {
  let name = "machines"
  let summary = "show the machines to integrate on, and what each does"
  let options = [
    Option.homeOfWatcher,
    Option.flag("--json", "print the machines as JSON"),
  ]
  let discussion = """
    Other machines are named under 'machines' in martlet.yml ('martlet help martlet.yml'). The watcher reaches them over
    ssh, copies this program there, and checks what 'martlet doctor' checks. It hands integrations out to them and keeps
    all results; an integration keeps running even if the watcher stops or the connection drops.

    A branch is integrated where it was last, since its build is there, unless another machine would be done sooner. A
    machine that lacks something is unavailable. If it stays out of reach for 15 minutes, its integrations are queued
    again. With 'slurm', each integration is a Slurm job, on a node that shares the folder; what Slurm loses is
    submitted again.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let answer = try ControlClient(arguments, context).ask(ControlRequest(.status))
    guard let machines = answer.status?.machines else {
      throw KeepingError(.service, "The watcher knows nothing of machines. Use the martlet that started it.")
    }
    try context.say(
      arguments.has("--json") ? Context.json(machines) : MachinesText(machines, now: Date()).description)
    return ExitCode.success
  }
}

struct MachinesText: CustomStringConvertible {
  private var lines: [String] = []

  init(_ machines: [MachineState], now: Date) {
    for machine in machines { add(machine, now) }
  }

  /// The text, made safe for terminals: other machines say some of it.
  var description: String { VisibleText.of(lines.joined(separator: "\n")) }

  private mutating func add(_ machine: MachineState, _ now: Date) {
    if !lines.isEmpty { lines.append("") }
    let labels = machine.labels.isEmpty ? "" : ", \(machine.labels.joined(separator: ", "))"
    let slots = CountText.counted(machine.slots, "slot")
    lines.append("\(machine.name)  \(MachineWords.way(to: machine)), \(slots)\(labels)")
    if let trouble = machine.trouble { lines.append("  unavailable: \(trouble)") }
    for one in machine.running {
      lines.append("  \(one.bot) \(one.number)  \(MachineWords.activity(one.step, one.waits))")
    }
    if machine.running.isEmpty, machine.trouble == nil { lines.append("  \(MachineWords.idle(machine))") }
    let facts =
      [
        machine.toolchain, machine.architecture, machine.cores.map { CountText.counted($0, "core") },
        machine.free.map { "\(ByteText.short($0)) free" },
      ].compactMap(\.self)
    if !facts.isEmpty { lines.append("  \(facts.joined(separator: ", "))") }
    if machine.host != nil || machine.slurm != nil {
      lines.append(machine.heardAt == nil ? "  never heard of" : "  heard of \(StatusText.ago(machine.heardAt, now))")
    }
  }
}
