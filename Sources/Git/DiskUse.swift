import FoundationEssentials
import Glibc

/// What files take on the disk.
package enum DiskUse {
  /// The bytes of all regular files of a folder; those that go meanwhile take nothing, and links are not followed.
  package static func bytes(of folder: String) -> Int {
    // A folder that cannot be read has nothing that could be counted.
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.reduce(0) { sum, path in
      var status = stat()
      guard lstat("\(folder)/\(path)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return sum }
      return sum + Int(status.st_blocks) * 512
    }
  }
}
