import FoundationEssentials
import Glibc

/// Everything that can be seen of a folder and what is beneath it, to prove that nobody has touched it.
struct FolderSnapshot: Equatable {
  /// Kind and mode, size, time of the last change and content, by relative path.
  let entries: [String: String]

  init(_ path: String) throws {
    var entries: [String: String] = [:]
    for name in [""] + (try FileManager.default.subpathsOfDirectory(atPath: path)) {
      let file = name.isEmpty ? path : "\(path)/\(name)"
      var status = stat()
      guard lstat(file, &status) == 0 else { continue }
      var words = "\(status.st_mode) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
      if status.st_mode & S_IFMT == S_IFREG {
        words += " \(status.st_size) \(try Data(contentsOf: URL(filePath: file)).hashValue)"
      }
      entries[name] = words
    }
    self.entries = entries
  }

  /// The relative paths that differ, sorted.
  func differences(from other: FolderSnapshot) -> [String] {
    Set(entries.keys).union(other.entries.keys).filter { entries[$0] != other.entries[$0] }.sorted()
  }
}
