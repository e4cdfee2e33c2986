import CProcess
import Glibc

/// The process that connected a socket of this machine, as the kernel knows it.
package struct ConnectedProcess: Hashable, Sendable {
  private let id: pid_t

  /// - Parameter socket: the accepted end; nil where the kernel does not say who is at the other one.
  package init?(at socket: Int32) {
    let found = cprocess_peer(socket)
    guard found > 0 else { return nil }
    id = found
  }

  /// The file of the program that it runs, as the process would name it; nil where that cannot be seen.
  package var program: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/\(id)/exe", &buffer, buffer.count)
    return count > 0 ? String(validating: buffer[..<count], as: UTF8.self) : nil
  }

  /// The list of its memory's parts, in the kernel's words; empty where that cannot be seen.
  package var mappings: [UInt8] { KernelFile.bytes("/proc/\(id)/maps") }
}
