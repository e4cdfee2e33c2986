import CProcess
import Glibc

/// A folder in which untrusted code may have put anything, read without being led out of it.
package struct UntrustedFolder: Hashable, Sendable {
  /// The result of reading a file.
  package enum Reading: Hashable, Sendable {
    case bytes([UInt8])
    /// There is nothing with this name.
    case absent
    /// The file must not or cannot be read; the reason is the middle of a sentence.
    case refused(String)
  }

  /// The path of the folder itself, which is trusted: links in it are followed.
  package let path: String
  /// Whether to avoid openat2, which older kernels lack.
  let isStepwise: Bool

  package init(_ path: String) {
    self.init(path, isStepwise: false)
  }

  init(_ path: String, isStepwise: Bool) {
    self.path = path
    self.isStepwise = isStepwise
  }

  /// Reads a regular file at a relative path. No link on the way is followed.
  package func read(_ name: String, limit: Int = 1 << 30) -> Reading {
    let descriptor = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return Self.reading(of: errno) }
    let file = Descriptor(owning: descriptor)
    if let reason = Self.refusal(of: file, limit: limit) { return .refused(reason) }
    return Self.readWhole(file, limit: limit)
  }

  /// Returns the reason the file at a relative path must not be read, as the middle of a sentence, or nil if it may be.
  package func refusal(of name: String) -> String? {
    let descriptor = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return Self.reason(errno) }
    return Self.refusal(of: Descriptor(owning: descriptor), limit: .max)
  }

  /// Returns the sorted names in the folder at a relative path, `.` for this one, or an empty array if it cannot be
  /// listed.
  package func names(of name: String = ".") -> [String] {
    var names: [String] = []
    Descriptor.eachName(closing: open(name, O_RDONLY | O_DIRECTORY)) { bytes in
      // A name that is not valid UTF-8 belongs neither to Martlet nor to a tool.
      if let name = String(validating: bytes.dropLast(), as: UTF8.self) { names.append(name) }
      return true
    }
    return names.sorted()
  }

  /// Removes a file or link at a relative path, if there is one. No link on the way is followed.
  ///
  /// - Returns: Whether something was removed.
  @discardableResult
  package func remove(_ name: String) -> Bool {
    let parts = name.split(separator: "/")
    guard let last = parts.last else { return false }
    let parent = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
    let descriptor = open(parent, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return false }
    let folder = Descriptor(owning: descriptor)
    return unlinkat(folder.number, String(last), 0) == 0
  }

  /// Opens whatever is at a relative path for reading. No link on the way is followed.
  package func open(_ name: String) -> Opening {
    let descriptor = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return .none }
    let file = Descriptor(owning: descriptor)
    var status = stat()
    guard fstat(file.number, &status) == 0 else { return .none }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file(OpenedFile(file, status))
    case S_IFDIR: return .folder
    default: return .none
    }
  }

  private func open(_ name: String, _ flags: Int32) -> Int32 {
    let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return folder }
    defer {
      let code = errno
      close(folder)
      errno = code
    }
    return cprocess_open_beneath(folder, name, flags, isStepwise)
  }

  private static func reading(of code: Int32) -> Reading {
    code == ENOENT || code == ENOTDIR ? .absent : .refused(reason(code))
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case ELOOP: "it is a link, or behind one"
    case EXDEV: "it leads out of its folder"
    default: ProcessError.reason(code)
    }
  }

  private static func refusal(of file: borrowing Descriptor, limit: Int) -> String? {
    var status = stat()
    guard fstat(file.number, &status) == 0 else { return reason(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a regular file" }
    return status.st_size > limit ? "it is longer than \(limit) bytes" : nil
  }

  private static func readWhole(_ file: borrowing Descriptor, limit: Int) -> Reading {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      switch file.read(into: &buffer) {
      case .bytes(let count):
        bytes += buffer[..<count]
        // A file that grows while it is read must not exhaust the memory.
        if bytes.count > limit { return .refused("it is longer than \(limit) bytes") }
      case .nothingYet, .end:
        return .bytes(bytes)
      }
    }
  }
}

/// The result of opening a requested path.
package enum Opening: ~Copyable {
  case file(OpenedFile)
  case folder
  /// There is nothing that may be read.
  case none
}

/// A regular file that is open for reading, closed when its owner is destroyed.
package struct OpenedFile: ~Copyable {
  private let descriptor: Descriptor
  /// The length in bytes when the file was opened.
  package let firstLength: Int
  /// Identifies the file's state when it was opened: it changes with the file or its modification time.
  package let stamp: String

  init(_ descriptor: consuming Descriptor, _ status: stat) {
    self.descriptor = descriptor
    firstLength = Int(status.st_size)
    let time = status.st_mtim
    stamp = [Int(status.st_ino), time.tv_sec, time.tv_nsec, firstLength].map { String($0, radix: 16) }.joined(
      separator: "-")
  }

  /// The current length in bytes.
  package var length: Int {
    var status = stat()
    return fstat(descriptor.number, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Reads up to `limit` bytes; fewer at the end of the file, and none if it cannot be read.
  package func read(from position: Int, atMost limit: Int) -> [UInt8] {
    descriptor.bytes(from: position, atMost: limit)
  }
}
