import FoundationEssentials
import Glibc
import Model
import Scheduling

/// The last audits of a bot's workspaces by branch, stored in a small file next to them.
///
/// The file may be lost along with them, in which case a new day begins.
struct AuditMarks {
  private let path: String
  var marks: [RefName: AuditMark] = [:]

  init(at path: String) {
    self.path = path
    guard let data = FileManager.default.contents(atPath: path) else { return }
    // An unreadable file counts as unknown.
    let texts = (try? JSONDecoder().decode([String: AuditMark].self, from: data)) ?? [:]
    marks = Dictionary(uniqueKeysWithValues: texts.map { (RefName(rawValue: $0.key), $0.value) })
  }

  /// Rewrites the file. A failure means one audit too many, or one a day later.
  func write() {
    let texts = Dictionary(uniqueKeysWithValues: marks.map { ($0.key.rawValue, $0.value) })
    guard let data = try? JSONEncoder().encode(texts), let slash = path.lastIndex(of: "/") else { return }
    try? WatchHome.makeFolder(String(path[..<slash]))
    try? PrivateFile.write(Array(data), to: path)
  }
}

/// The audits of workspaces, which run one at a time while there is nothing else to do.
struct Audits {
  /// The running child, with the integration whose build it audits.
  var running: (child: any RunningIntegration, entry: QueueEntry)?
  /// The time of the next check for a due audit, on the steady clock; nil until an integration ends.
  var nextTime: Double? = 0

  var descriptors: [Int32] { running?.child.descriptors ?? [] }
}
