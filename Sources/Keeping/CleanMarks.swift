import FoundationEssentials
import Glibc

/// The times at which a bot's workspaces were last cleaned, by branch, stored in a small file next to them.
///
/// The file may be lost along with them, in which case they are cleaned once more.
struct CleanMarks {
  private let path: String
  var times: [String: Date] = [:]

  init(at path: String) {
    self.path = path
    guard let data = FileManager.default.contents(atPath: path) else { return }
    // An unreadable file counts as never cleaned.
    times = (try? JSONDecoder().decode([String: Date].self, from: data)) ?? [:]
  }

  /// Rewrites the file. A failure means one cleaning too many.
  func write() {
    guard let data = try? JSONEncoder().encode(times), let slash = path.lastIndex(of: "/") else { return }
    try? WatchHome.makeFolder(String(path[..<slash]))
    try? PrivateFile.write(Array(data), to: path)
  }
}
