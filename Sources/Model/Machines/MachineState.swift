package import FoundationEssentials

/// What a machine to integrate on does, and what is known of it.
package struct MachineState: Hashable, Sendable, Codable {
  /// An integration that it carries out.
  package struct Running: Hashable, Sendable, Codable {
    package var bot: String
    package var number: Int
    package var step: String?
    /// Why Slurm has not begun it yet, in the words of Slurm.
    package var waits: String?

    package init(bot: String, number: Int, step: String?, waits: String? = nil) {
      (self.bot, self.number, self.step, self.waits) = (bot, number, step, waits)
    }
  }

  package var name: String
  /// The login for ssh; nil for the machine of the watcher.
  package var host: String?
  /// The arguments for sbatch; nil without Slurm.
  package var slurm: [String]?
  package var slots: Int
  package var labels: [String]
  package var running: [Running]
  /// The reason it is unavailable, as a sentence.
  package var trouble: String?
  package var toolchain: String?
  package var architecture: String?
  package var cores: Int?
  /// The free space on its disk, in bytes.
  package var free: Int?
  /// When it last answered; nil for never, and for the machine of the watcher.
  package var heardAt: Date?

  /// Creates the state of the machine of the watcher.
  package init(own slots: Int, running: [Running]) {
    (name, self.slots, labels, self.running) = (MachineSettings.ownName, slots, [], running)
  }

  /// Creates the state of another machine.
  ///
  /// - Parameters:
  ///   - report: What was found when it was last looked at.
  ///   - trouble: Why it is unavailable, as a sentence.
  package init(
    _ settings: MachineSettings, _ report: MachineReport?, running: [Running], trouble: String?, heardAt: Date?
  ) {
    (name, host, slurm) = (settings.name, settings.host, settings.slurm)
    (slots, labels) = (settings.slots, settings.labels)
    (self.running, self.trouble, self.heardAt) = (running, trouble, heardAt)
    (toolchain, architecture, cores, free) = (report?.toolchain, report?.architecture, report?.cores, report?.free)
  }
}
