import Model

extension CoverageTree {
  /// What a row says about this change.
  struct Change: Sendable {
    /// Touched lines that hold code, those of them that ran, and those that did only partly.
    var patch = LineTally()
    /// Unchanged lines that stopped to run.
    var lost = 0

    static func + (one: Change, other: Change) -> Change {
      Change(patch: one.patch + other.patch, lost: one.lost + other.lost)
    }

    /// By what rows are sorted: touched lines that never ran, and among as many of those the lines that were lost.
    var sortKey: Int { patch.uncovered * 1_000_000 + lost }

    /// `2 of 7`, how many ran partly, and what was lost; nil when the change touched nothing here.
    var words: String? {
      let touched =
        patch.total > 0 ? "\(CountText.plain(patch.uncovered)) of \(CountText.plain(patch.total))" : nil
      let partly = patch.partial > 0 ? "\(CountText.plain(patch.partial)) partly" : nil
      let parts = [touched, partly, lost > 0 ? "\(CountText.plain(lost)) lost" : nil].compactMap { $0 }
      return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
  }

  /// The changes of files by path; empty when nothing is known of them.
  static func changes(_ changes: CoverageChanges?) -> [String: Change] {
    var found: [String: Change] = [:]
    if let patch = changes?.patch.value, patch.origin != .nothing {
      for file in patch.files {
        found[file.path] = Change(patch: file.tally)
      }
    }
    for file in changes?.comparison.value?.files ?? [] {
      let lost = file.lines(.lost).count
      if lost > 0 { found[file.path, default: Change()].lost = lost }
    }
    return found
  }
}
