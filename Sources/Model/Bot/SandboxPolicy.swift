/// How the code under test is to be contained, as the bot or the command line says.
package struct SandboxPolicy: Sendable, Hashable, Codable {
  package enum Mode: String, Sendable, CaseIterable, Codable {
    /// Contained where the machine can do it; the report says where it cannot.
    case auto
    /// Contained, or there is no integration.
    case on
    case off
  }

  /// A part of the kernel that contained programs do without, unless a bot allows it.
  package enum Feature: String, Sendable, CaseIterable, Codable {
    case keyrings, vsock
    /// Sockets of other families than Unix, the internet's, and that of routes.
    case sockets
    case ioUring = "io_uring"
    case bpf, perf, userfaultfd
    /// Making files and folders with the setuid, setgid or sticky bit.
    case setuid
  }

  package var mode: Mode
  /// Whether tests reach the machine's network.
  package var network: Bool
  /// Absolute paths outside the workspace that builds and tests can read.
  package var read: [String]
  /// Absolute paths of folders outside the workspace that builds and tests can write.
  package var write: [String]
  /// What of the kernel builds and tests have in spite of the sandbox.
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

  /// What is allowed of the kernel, as the end of a phrase; empty for nothing.
  package var allowance: String {
    allow.isEmpty ? "" : ", allowing \(allow.map(\.rawValue).joined(separator: ", "))"
  }
}
