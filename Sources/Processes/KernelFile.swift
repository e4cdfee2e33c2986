import Glibc

/// A file that the kernel generates on reading, or another that describes the machine's configuration.
enum KernelFile {
  /// Returns up to the first megabyte of a file, or an empty array if it cannot be read.
  static func bytes(_ path: String) -> [UInt8] {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return [] }
    let file = Descriptor(owning: number)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < 1 << 20, case .bytes(let count) = file.read(into: &buffer) { bytes += buffer[..<count] }
    return bytes
  }

  package static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }
}
