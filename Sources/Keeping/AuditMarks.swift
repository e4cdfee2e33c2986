import FoundationEssentials
import Glibc
import Model
import Scheduling

/// When the workspaces of a bot were audited last, by branch; a small file beside them.
///
/// It may be lost with them: then a day begins anew.
struct AuditMarks {
  private let path: String
  var marks: [RefName: AuditMark] = [:]

  init(at path: String) {
    self.path = path
    guard let data = FileManager.default.contents(atPath: path) else { return }
    // What cannot be read counts as not known.
    let texts = (try? JSONDecoder().decode([String: AuditMark].self, from: data)) ?? [:]
    marks = Dictionary(uniqueKeysWithValues: texts.map { (RefName(rawValue: $0.key), $0.value) })
  }

  /// Writes the file anew; a failure means one audit too many, or one a day later.
  func write() {
    let texts = Dictionary(uniqueKeysWithValues: marks.map { ($0.key.rawValue, $0.value) })
    guard let data = try? JSONEncoder().encode(texts), let slash = path.lastIndex(of: "/") else { return }
    try? WatchHome.makeFolder(String(path[..<slash]))
    try? PrivateFile.write(Array(data), to: path)
  }
}

/// The audits of workspaces: one at a time, while nothing else is to be done.
struct Audits {
  /// The child that runs, with the integration whose build it looks at.
  var running: (child: any RunningIntegration, entry: QueueEntry)?
  /// When to look again whether one is due, on the steady clock; nil until an integration ends.
  var nextTime: Double? = 0

  var descriptors: [Int32] { running?.child.descriptors ?? [] }
}
