import FoundationEssentials
import Glibc
import Processes

/// What happened last to each of a bot's workspaces, by branch, stored in a small file next to them.
///
/// The file may be lost along with them, in which case it counts as never: they are cleaned once more, and audited a day
/// later.
struct WorkspaceMarks<Mark: Codable> {
  private let path: String
  var marks: [String: Mark] = [:]

  init(at path: String) {
    self.path = path
    guard let data = FileManager.default.contents(atPath: path) else { return }
    marks = (try? JSONDecoder().decode([String: Mark].self, from: data)) ?? [:]
  }

  /// Rewrites the file. A failure means one cleaning or audit too many.
  func write() {
    guard let data = try? JSONEncoder().encode(marks), let slash = path.lastIndex(of: "/") else { return }
    try? WatchHome.makeFolder(String(path[..<slash]))
    try? PrivateFile.write(Array(data), to: path)
  }
}
