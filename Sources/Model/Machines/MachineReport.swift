package import FoundationEssentials

/// What was found when another machine was looked at.
package struct MachineReport: Hashable, Sendable, Codable {
  package var date: Date
  /// Why the machine cannot be used, as a sentence; nil if it can.
  package var trouble: String?
  /// The version line of its toolchain; nil if unknown.
  package var toolchain: String?
  /// The free space on the disk of its folder, in bytes; nil if unknown.
  package var free: Int?
  package var cores: Int?
  /// The architecture, such as `x86_64`; nil if unknown.
  package var architecture: String?
  /// The integrations that were ended and removed there because nobody wants their results.
  package var dropped: [String] = []

  package init(date: Date, trouble: String? = nil) {
    (self.date, self.trouble) = (date, trouble)
  }
}

/// An order to look at another machine.
package struct MachineLook: Hashable, Sendable, Codable {
  package var machine: MachineSettings
  /// The integrations to end and remove there.
  package var dropped: [String]

  package init(_ machine: MachineSettings, dropped: [String] = []) {
    (self.machine, self.dropped) = (machine, dropped)
  }
}
