import Model

/// The machines to integrate on, and what each does.
struct MachinesPage {
  static let path = "machines.html"

  private let machines: [MachineState]
  private let time: LocalTime

  init(_ machines: [MachineState], time: LocalTime) {
    (self.machines, self.time) = (machines, time)
  }

  /// How many machines the headline names.
  private static let mostNamed = 3

  var title: String {
    let troubled = machines.filter { $0.trouble != nil }
    guard !troubled.isEmpty else { return "\(CountText.counted(machines.count, "machine")) ready" }
    let names =
      troubled.count <= Self.mostNamed
      ? CountText.list(troubled.map(\.name)) : "\(troubled.count) of \(machines.count) machines"
    return "\(names) \(CountText.agreeing(troubled.count, "is", "are")) unavailable"
  }

  /// How many of the machines' slots are taken, in words.
  private var slots: String {
    let usable = machines.filter { $0.trouble == nil }
    let taken = usable.reduce(0) { $0 + $1.running.count }
    return "\(taken) of \(CountText.counted(usable.reduce(0) { $0 + $1.slots }, "slot")) busy"
  }

  var record: [String: TemplateValue] {
    [
      "glyph": .text(machines.contains { $0.trouble != nil } ? "warning" : "passed"), "sentence": .shown(title),
      "slots": .text(slots), "rows": .list(machines.map(record(of:))),
    ]
  }

  private func record(of machine: MachineState) -> TemplateValue {
    let glyph = machine.trouble != nil ? "warning" : machine.running.isEmpty ? "not-run" : "running"
    return .record([
      "glyph": .text(glyph), "name": .shown(machine.name), "host": .shown(MachineWords.way(to: machine)),
      "labels": .shown(ifAny: machine.labels.isEmpty ? nil : machine.labels.joined(separator: ", ")),
      "trouble": .shown(ifAny: machine.trouble),
      "running": .list(
        machine.running.map { running in
          .record([
            "bot": .shown(running.bot), "number": .text("\(running.number)"),
            "activity": .shown(MachineWords.activity(running.step, running.waits)),
          ])
        }),
      "idle": machine.trouble == nil && machine.running.isEmpty ? .text(MachineWords.idle(machine)) : .missing,
      "slots": .text("\(machine.slots)"),
      "toolchain": .shown(ifAny: machine.toolchain.map(ToolchainName.short)),
      "kind": .shown(ifAny: kind(of: machine)), "free": .optional(machine.free.map(ByteText.short)),
      "heard": .optional(machine.heardAt.map { time.minute(of: $0) }),
      "machineDate": .optional(machine.heardAt.map { time.machine(of: $0) }),
    ])
  }

  /// Its processor, such as `x86_64, 8 cores`.
  private func kind(of machine: MachineState) -> String? {
    let parts = [machine.architecture, machine.cores.map { CountText.counted($0, "core") }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
