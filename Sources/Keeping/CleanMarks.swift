import FoundationEssentials
import Glibc

/// When the workspaces of a bot were cleaned last, by branch; a small file beside them.
///
/// It may be lost with them: then they are cleaned once more.
struct CleanMarks {
  private let path: String
  var times: [String: Date] = [:]

  init(at path: String) {
    self.path = path
    guard let data = FileManager.default.contents(atPath: path) else { return }
    // What cannot be read counts as never cleaned.
    times = (try? JSONDecoder().decode([String: Date].self, from: data)) ?? [:]
  }

  /// Writes the file anew; a failure means one cleaning too many.
  func write() {
    guard let data = try? JSONEncoder().encode(times), let slash = path.lastIndex(of: "/") else { return }
    try? WatchHome.makeFolder(String(path[..<slash]))
    try? PrivateFile.write(Array(data), to: path)
  }
}
