/// How to contain the code under test, as requested by the bot or the command line.
package struct SandboxPolicy: Sendable, Hashable, Codable {
  package enum Mode: String, Sendable, CaseIterable, Codable {
    /// Contained if the machine supports it; the report says if it does not.
    case auto
    /// Contained, or there is no integration.
    case on
    case off
  }

  /// A part of the kernel that contained programs cannot use unless a bot allows it.
  package enum Feature: String, Sendable, CaseIterable, Codable {
    case keyrings, vsock
    /// Sockets of families other than Unix, internet and routing.
    case sockets
    case ioUring = "io_uring"
    case bpf, perf, userfaultfd
    /// Creating files and folders with the setuid, setgid or sticky bit.
    case setuid
  }

  package var mode: Mode
  /// Whether tests can reach the machine's network.
  package var network: Bool
  /// Absolute paths outside the workspace that builds and tests can read.
  package var read: [String]
  /// Absolute paths of folders outside the workspace that builds and tests can write to.
  package var write: [String]
  /// The kernel features that builds and tests may use in spite of the sandbox.
  package var allow: [Feature]

  package init(
    mode: Mode = .auto, network: Bool = false, read: [String] = [], write: [String] = [], allow: [Feature] = []
  ) {
    self.mode = mode
    self.network = network
    self.read = read
    self.write = write
    self.allow = allow
  }

  /// The allowed kernel features, as the end of a phrase; empty if there are none.
  package var allowance: String {
    allow.isEmpty ? "" : ", allowing \(allow.map(\.rawValue).joined(separator: ", "))"
  }
}
