import CProcess
import FoundationEssentials
import Glibc

/// A file that the kernel makes up while it is read, or another one that says how the machine is set up.
package enum KernelFile {
  /// The beginning of it, at most a megabyte; empty when it cannot be read.
  static func bytes(_ path: String) -> [UInt8] {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return [] }
    let file = Descriptor(owning: number)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < 1 << 20, case .bytes(let count) = file.read(into: &buffer) { bytes += buffer[..<count] }
    return bytes
  }

  /// The names in a folder; none if it cannot be listed.
  static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// The path that a link leads to; nil if it is not visible.
  static func target(_ link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  package static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }
}

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
