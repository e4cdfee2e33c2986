import Glibc
import Processes

extension Folder {
  private static let piece = 1 << 16

  /// Takes the secrets out of every file beneath; does nothing without secrets.
  ///
  /// What is no plain file that can be read goes, and so does whatever cannot be written anew: nothing stays unseen.
  func maskFiles(with mask: SecretMask) throws(IntegratingError) {
    guard !mask.isEmpty else { return }
    for name in filesBeneath() {
      guard !copy(name, with: mask) else { continue }
      guard unlink(file(name)) == 0 || errno == ENOENT else { throw .storage("remove", file(name), errno: errno) }
    }
  }

  /// Puts a copy without secrets in the place of a file; a file without any stays as it is.
  private func copy(_ name: String, with mask: SecretMask) -> Bool {
    let source = open(file(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard source >= 0 else { return false }
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    let aside = file("\(name).masked")
    let target = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard target >= 0 else { return false }
    let isWhole = Self.pass(source, to: target, mask)
    close(target)
    if isWhole, Glibc.rename(aside, file(name)) == 0 { return true }
    unlink(aside)
    return false
  }

  private static func pass(_ source: Int32, to target: Int32, _ mask: SecretMask) -> Bool {
    var stream = MaskedStream(mask)
    var buffer = [UInt8](repeating: 0, count: piece)
    var isWhole = true
    func put(_ bytes: ArraySlice<UInt8>) {
      var rest = bytes
      while isWhole, !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        isWhole = count > 0
        rest = rest.dropFirst(max(0, count))
      }
    }
    while isWhole {
      let count = Glibc.read(source, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return false }
      if count == 0 { break }
      stream.feed(buffer[..<count], put)
    }
    stream.finish(put)
    return isWhole
  }
}
