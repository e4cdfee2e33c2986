/// What a build is doing, for a live line.
package struct BuildProgress: Hashable, Sendable {
  /// How many tasks of this phase are done; nil outside the counted phases.
  package var done: Int?
  /// How many tasks this phase has so far; it may grow, and starts anew with each phase.
  package var total: Int?
  /// What is being done, in the tool's words.
  package var words: String

  package init(done: Int? = nil, total: Int? = nil, words: String) {
    self.done = done
    self.total = total
    self.words = words
  }

  /// Reads a line such as `[12/40] Compiling Core Calculator.swift` or `Fetching https://…`; nil for other lines.
  init?(line: String) {
    if let counted = Self.counted(line) {
      self = counted
    } else if Self.phases.contains(where: line.hasPrefix) {
      self.init(words: line)
    } else {
      return nil
    }
  }

  /// Whether something is being brought from elsewhere.
  var isFetching: Bool {
    done == nil && ["Fetching ", "Cloning ", "Updating ", "Downloading "].contains(where: words.hasPrefix)
  }

  private static func counted(_ line: String) -> BuildProgress? {
    guard line.utf8.first == UInt8(ascii: "["), let end = line.firstIndex(of: "]") else { return nil }
    let numbers = line[..<end].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    let words = line[end...].dropFirst(2)
    guard numbers.count == 2, let done = Int(numbers[0]), let total = Int(numbers[1]), done >= 0, total >= 0 else {
      return nil
    }
    return BuildProgress(done: done, total: total, words: String(words))
  }

  /// How the lines begin with which the package manager tells what it does next.
  private static let phases = [
    "Building for ", "Build complete!", "Build of ", "Planning build", "Compiling plugin ", "Fetching ", "Fetched ",
    "Updating ", "Updated ", "Cloning ", "Computing version for ", "Computed ", "Creating working copy ",
    "Working copy of ", "Resolving ", "Resolved ", "Downloading ", "Downloaded ", "Restoring ",
  ]
}
