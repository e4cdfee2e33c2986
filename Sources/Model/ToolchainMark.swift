/// What tells the toolchain of one integration from that of another.
package struct ToolchainMark: Hashable, Sendable {
  /// The version line.
  package var name: String
  /// What tells it from others of the same version on its machine; nil if unknown.
  package var stamp: String?
  /// The machine as in `Circumstance.machine`.
  package var machine: String?

  package init(name: String, stamp: String?, machine: String?) {
    self.name = name
    self.stamp = stamp
    self.machine = machine
  }

  /// Whether the toolchains are known to be different ones; the stamps of two machines tell nothing.
  package func differs(from other: ToolchainMark) -> Bool {
    if name != other.name { return true }
    guard machine == other.machine, let stamp, let otherStamp = other.stamp else { return false }
    return stamp != otherStamp
  }
}

extension IntegrationRecord {
  /// What tells its toolchain from others.
  package var toolchainMark: ToolchainMark {
    ToolchainMark(name: toolchain, stamp: toolchainStamp, machine: circumstances?.machine)
  }
}

extension Integration {
  /// What tells its toolchain from others.
  package var toolchainMark: ToolchainMark {
    ToolchainMark(name: toolchain, stamp: toolchainStamp, machine: circumstances.machine)
  }
}
