import Glibc

extension OpenFolder {
  /// Copies a file or a link, where there is none yet, and gives it the time of its content. The folders on the way
  /// must be there. Other kinds of files are left out, and so is a file that has vanished meanwhile.
  func copy(_ file: RelativePath, from source: borrowing OpenFolder) throws(GitError) {
    guard let status = try source.status(of: file) else { return }
    if status.isLink {
      try copyLink(file, from: source)
    } else if status.isFile {
      let mode: mode_t = status.st_mode & 0o100 == 0 ? 0o666 : 0o777
      try copyBytes(of: file, mode: mode, from: source)
      try setTime(FileTime(of: try ObjectID(hashing: file, in: self)), of: file)
    }
  }

  private func copyLink(_ file: RelativePath, from source: borrowing OpenFolder) throws(GitError) {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlinkat(source.descriptor, file.characters, &target, Int(PATH_MAX))
    if count < 0 { throw GitError(errno: errno, doing: "Cannot read the link \(source.describe(file))") }
    if symlinkat(target, descriptor, file.characters) != 0 {
      throw GitError(errno: errno, doing: "Cannot make the link \(describe(file))")
    }
    let path = target.prefix(count).map { UInt8(bitPattern: $0) }
    try setTime(FileTime(of: ObjectID(hashing: path)), of: file)
  }

  private func copyBytes(of file: RelativePath, mode: mode_t, from source: borrowing OpenFolder) throws(GitError) {
    // Not to block on a pipe that has just taken the file's place.
    let input = openat(source.descriptor, file.characters, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    if input < 0 { throw GitError(errno: errno, doing: "Cannot read \(source.describe(file))") }
    defer { close(input) }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let output = openat(descriptor, file.characters, flags, mode)
    if output < 0 { throw GitError(errno: errno, doing: "Cannot write \(describe(file))") }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var failure: GitError?
    while failure == nil {
      let count = read(input, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { failure = GitError(errno: errno, doing: "Cannot read \(source.describe(file))") }
      if count <= 0 { break }
      failure = write(buffer[..<count], to: output, file)
    }
    if close(output) != 0, failure == nil { failure = GitError(errno: errno, doing: "Cannot write \(describe(file))") }
    if let failure { throw failure }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to output: Int32, _ file: RelativePath) -> GitError? {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return GitError(errno: errno, doing: "Cannot write \(describe(file))") }
      rest = rest.dropFirst(count)
    }
    return nil
  }
}
