/// How the code under test is to be contained, as the bot or the command line says.
package struct SandboxPolicy: Sendable, Hashable, Codable {
  package enum Mode: String, Sendable, CaseIterable, Codable {
    /// Contained where the machine can do it; the report says where it cannot.
    case auto
    /// Contained, or there is no integration.
    case on
    case off
  }

  package var mode: Mode
  /// Whether tests reach the machine's network.
  package var network: Bool
  /// Absolute paths outside the workspace that builds and tests can read.
  package var read: [String]
  /// Absolute paths of folders outside the workspace that builds and tests can write.
  package var write: [String]

  package init(mode: Mode = .auto, network: Bool = false, read: [String] = [], write: [String] = []) {
    self.mode = mode
    self.network = network
    self.read = read
    self.write = write
  }
}
