package import Model

/// The words for machines to integrate on, in pages and on the terminal.
package enum MachineWords {
  /// Returns the way to a machine, such as `ci@big.example.org, Slurm --partition=ci`.
  package static func way(to machine: MachineState) -> String {
    let parts = [machine.host, machine.slurm.map { (["Slurm"] + $0).joined(separator: " ") }].compactMap(\.self)
    return parts.isEmpty ? "this machine" : parts.joined(separator: ", ")
  }

  /// Returns what an integration does.
  ///
  /// - Parameters:
  ///   - step: The name of its step.
  ///   - waits: Why Slurm has not begun it yet.
  package static func activity(_ step: String?, _ waits: String?) -> String {
    waits.map { "waits in Slurm's queue: \($0)" }
      ?? step.map { Step(rawValue: $0).map(StepWords.phrase) ?? $0 } ?? "running"
  }

  /// Returns what a machine does that carries nothing out.
  package static func idle(_ machine: MachineState) -> String { machine.slots > 0 ? "idle" : "only hands out work" }
}
