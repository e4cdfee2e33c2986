import FoundationEssentials
import Glibc

/// The disk space used by files.
package enum DiskUse {
  /// Returns the bytes used by all regular files in a folder. Files that disappear in the meantime count as zero, and
  /// links are not followed.
  package static func bytes(of folder: String) -> Int {
    // A folder that cannot be read has nothing to count.
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.reduce(0) { sum, path in
      var status = stat()
      guard lstat("\(folder)/\(path)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return sum }
      return sum + Int(status.st_blocks) * 512
    }
  }
}
