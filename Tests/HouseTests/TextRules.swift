/// What may not stand in any file, or not without a word beside it.
enum TextRules {
  /// Folders that exist on somebody's machine; put together here, so that this file passes its own rule.
  private static let machineFolders = ["work", "root", "home", "opt/swift", "tmp/wt"].map { "/" + $0 + "/" }
  /// Ways around the compiler; each needs its reason in a comment beside it.
  private static let dangers = ["try!", "fatalError(", "@unchecked Sendable", "nonisolated(unsafe)"]
  private static let reminder = "TO" + "DO"

  /// Absolute paths of a machine, in any file of text.
  static func machinePaths(in path: String, _ text: String) -> [Violation] {
    // Most files name none of them, and a whole text is searched quicker than its lines.
    let folders = machineFolders.filter { text.has($0) }
    return numbered(folders.isEmpty ? "" : text).flatMap { line, number in
      folders.filter { folder in startsPath(folder, in: line) }.map {
        Violation(file: path, line: number, rule: "'\($0)' is a path of one machine")
      }
    }
  }

  /// Whether a folder stands where an absolute path begins: not inside a longer path, a word or an address.
  private static func startsPath(_ folder: String, in line: Substring) -> Bool {
    line.ranges(of: folder).contains { range in
      guard range.lowerBound > line.startIndex else { return true }
      let before = line[line.index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber && !"_-./~}>)".contains(before)
    }
  }

  /// Ways around the compiler without a comment on the same or the preceding line.
  static func unexplainedDangers(in text: SwiftText) -> [Violation] {
    text.code.indices.flatMap { line in
      dangers.filter { text.code[line].has($0) && !text.isExplained(line) }.map {
        Violation(file: text.path, line: line + 1, rule: "'\($0)' needs its reason in a comment beside it")
      }
    }
  }

  /// Reminders that do not say when they are due.
  static func openReminders(in text: SwiftText) -> [Violation] {
    text.comments.indices.filter { line in
      let comment = text.comments[line]
      guard comment.has(reminder) else { return false }
      return comment.ranges(of: reminder).contains { !comment[$0.upperBound...].hasPrefix("(when ") }
    }.map {
      Violation(file: text.path, line: $0 + 1, rule: "a reminder must say when it is due: \(reminder)(when …)")
    }
  }

  private static func numbered(_ text: String) -> [(line: Substring, number: Int)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0.element, $0.offset + 1) }
  }
}
