import Glibc

extension Folder {
  /// Whether a regular file of the folder holds exactly these bytes.
  func holds(_ name: String, _ bytes: [UInt8]) -> Bool {
    let descriptor = open(file(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == bytes.count
    else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
      var compared = 0
      while compared < bytes.count {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0, count <= bytes.count - compared else { return false }
        let isEqual = bytes.withUnsafeBytes { bytes in
          guard let start = bytes.baseAddress, let found = buffer.baseAddress else { return false }
          return memcmp(start + compared, found, count) == 0
        }
        guard isEqual else { return false }
        compared += count
      }
      return true
    }
  }

  /// Gives a file of another folder a second name in this one; false where the file system does not do that.
  func share(_ name: String, of other: Folder) -> Bool {
    Glibc.link(other.file(name), file(name)) == 0
  }
}
