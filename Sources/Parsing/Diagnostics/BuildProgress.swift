/// The current activity of a build, for a live status line.
package struct BuildProgress: Hashable, Sendable {
  /// The number of completed tasks in this phase; nil outside the counted phases.
  package var done: Int?
  /// The number of tasks in this phase so far; it may grow, and starts over with each phase.
  package var total: Int?
  /// The activity, in the tool's words.
  package var words: String
}

extension BuildProgress {
  /// Reads a line such as `[12/40] Compiling Core Calculator.swift` or `Fetching https://…`; returns nil for other
  /// lines.
  init?(line: String) {
    if let counted = Self.counted(line) {
      self = counted
    } else if Self.stages.contains(where: line.hasPrefix) {
      self = Self.tasks(line[...]) ?? BuildProgress(words: line)
    } else if Self.phases.contains(where: line.hasPrefix) {
      self.init(words: line)
    } else {
      return nil
    }
  }

  /// Whether something is being fetched from elsewhere.
  var isFetching: Bool {
    done == nil && ["Fetching ", "Cloning ", "Updating ", "Downloading "].contains(where: words.hasPrefix)
  }

  private static func counted(_ line: String) -> BuildProgress? {
    guard line.utf8.first == UInt8(ascii: "["), let end = line.firstIndex(of: "]") else { return nil }
    let numbers = line[..<end].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    let words = line[end...].dropFirst(2)
    guard numbers.count == 2, let done = number(numbers[0]), let total = number(numbers[1]) else { return nil }
    return tasks(words) ?? BuildProgress(done: done, total: total, words: String(words))
  }

  private static func number(_ text: Substring) -> Int? {
    Int(text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Reads the tasks at the end of a line. Before Swift 6.4, Swift Build prints the percentage first and the tasks
  /// last, as in `[57/100] Tiny 44 / 76`, with thin spaces around the last slash.
  private static func tasks(_ words: Substring) -> BuildProgress? {
    let parts = words.split(whereSeparator: \.isWhitespace)
    guard parts.count >= 3, parts[parts.count - 2] == "/", let total = number(parts[parts.count - 1]),
      let done = number(parts[parts.count - 3])
    else { return nil }
    return BuildProgress(done: done, total: total, words: parts.dropLast(3).joined(separator: " "))
  }

  /// The beginnings of the lines with which Swift Build reports the progress of its plan, followed by the tasks.
  private static let stages = [
    "Computing dependencies", "Pre-planning ", "Planning deferred tasks", "Finalizing plan", "Constructing ",
    "Creating build graph",
  ]

  /// The beginnings of the lines with which the package manager announces its next action.
  private static let phases = [
    "Building for ", "Build complete!", "Build of ", "Planning build", "Compiling plugin ", "Fetching ", "Fetched ",
    "Updating ", "Updated ", "Cloning ", "Computing version for ", "Computed ", "Creating working copy ",
    "Working copy of ", "Resolving ", "Resolved ", "Downloading ", "Downloaded ", "Restoring ",
  ]
}
