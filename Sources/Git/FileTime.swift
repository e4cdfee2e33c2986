import Glibc

/// The modification time that a workspace file is given according to its content.
///
/// The build system looks only at time and size, and the compiler driver only at whole seconds, so equal contents must
/// have equal times however often a tree is checked out, and different contents must differ in the seconds. Thirty bits
/// of the object's name determine the seconds, from January 1987 to January 2021, and the next thirty-four the
/// nanoseconds: two contents of a file share a second once in 2^30 times. All times are in the past, before anything
/// built from the files. The time of a Swift source depends on what it may import, too (`ImportedFiles`).
struct FileTime: Hashable, Sendable {
  /// Seconds since 1970.
  var seconds: Int
  var nanoseconds: Int

  init(seconds: Int, nanoseconds: Int) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(_ time: timespec) {
    self.init(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
  }

  /// - Parameters:
  ///   - content: the name of the file's content.
  ///   - path: the file's path.
  ///   - imported: the name of the imported files of the same tree; nil if there are none.
  init(of content: ObjectID, at path: RelativePath, beside imported: ObjectID?) {
    let isSwift = path.bytes.suffix(6).elementsEqual(".swift".utf8)
    let bits = content.firstBits ^ (isSwift ? imported?.firstBits ?? 0 : 0)
    self.init(seconds: 1 << 29 + Int(bits >> 34), nanoseconds: Int(bits & (1 << 34 - 1)) % 1_000_000_000)
  }

  var timespec: timespec { .init(tv_sec: seconds, tv_nsec: nanoseconds) }
}

extension ObjectID {
  fileprivate var firstBits: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
