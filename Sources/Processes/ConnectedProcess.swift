import CProcess
import Glibc

/// The process that connected to a local socket, as identified by the kernel.
package struct ConnectedProcess: Hashable, Sendable {
  private let id: pid_t

  /// - Parameter socket: The accepted end. The result is nil if the kernel does not identify the peer.
  package init?(at socket: Int32) {
    let found = cprocess_peer(socket)
    guard found > 0 else { return nil }
    id = found
  }

  /// The path of the executable as the process would name it; nil if it is not visible.
  package var program: String? { KernelFile.target("/proc/\(id)/exe") }

  /// The process's memory mappings, in the kernel's format; empty if they are not visible.
  package var mappings: [UInt8] { KernelFile.bytes("/proc/\(id)/maps") }
}
