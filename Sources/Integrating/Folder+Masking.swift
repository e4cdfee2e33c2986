import Glibc
import Processes

extension Folder {
  private static let piece = 1 << 16

  /// Takes the secrets out of every file beneath; does nothing without secrets.
  ///
  /// Links, pipes and the like go, and so does a file that cannot be read or whose copy cannot be written. What has a
  /// name that is no text stays: nothing of Martlet's reads it.
  func maskFiles(with mask: SecretMask) throws(IntegratingError) {
    guard !mask.isEmpty else { return }
    // Beside the folder, where no program of the integration can have put anything, and the name is never too long.
    let aside = "\(path).masked"
    defer { unlink(aside) }
    for name in entriesBeneath() where !put(name, masked: mask, by: aside) {
      guard unlink(file(name)) == 0 || errno == ENOENT else { throw .storage("remove", file(name), errno: errno) }
    }
  }

  /// The relative paths of all that is beneath and no folder.
  private func entriesBeneath() -> [String] {
    names().flatMap { name -> [String] in
      var status = stat()
      guard lstat(file(name), &status) == 0 else { return [] }
      guard status.st_mode & S_IFMT == S_IFDIR else { return [name] }
      return folder(name).entriesBeneath().map { "\(name)/\($0)" }
    }
  }

  /// Puts a copy without secrets in the place of a plain file; one without any stays as it is.
  ///
  /// - Parameter aside: where the copy is written.
  private func put(_ name: String, masked mask: SecretMask, by aside: String) -> Bool {
    let source = open(file(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard source >= 0 else { return false }
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    unlink(aside)
    let target = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard target >= 0 else { return false }
    defer { close(target) }
    return switch Self.pass(source, to: target, mask) {
    case .same: true
    case .masked: Glibc.rename(aside, file(name)) == 0
    case .broken: false
    }
  }

  /// What copying a file came to.
  private enum Copy {
    case same, masked, broken
  }

  private static func pass(_ source: Int32, to target: Int32, _ mask: SecretMask) -> Copy {
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
      if count < 0 { return .broken }
      if count == 0 { break }
      stream.feed(buffer[..<count], put)
    }
    stream.finish(put)
    return !isWhole ? .broken : stream.hasReplaced ? .masked : .same
  }
}
