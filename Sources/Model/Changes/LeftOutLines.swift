/// The lines that count in only one of two compared integrations because the other leaves them out on request.
///
/// Lines that moved along with their file are followed; all numbers are the current ones.
package struct LeftOutLines: Hashable, Sendable {
  /// Such lines of one file.
  package struct File: Hashable, Sendable, Codable {
    /// The current path.
    package var path: String
    /// The lines that ran where they count, ascending.
    package var ran: [Int]
    /// The lines that never ran where they count, ascending.
    package var neverRan: [Int]

    package init(path: String, ran: [Int], neverRan: [Int]) {
      self.path = path
      self.ran = ran
      self.neverRan = neverRan
    }

    package var count: Int { ran.count + neverRan.count }
  }

  /// Lines that counted before and are gone, replaced by code that is now left out.
  package struct Replaced: Hashable, Sendable, Codable {
    /// The current path.
    package var path: String
    /// The lines that replaced them, ascending; not all of them need to hold code.
    package var lines: [Int]
    /// The number of lines that counted before and whose replacement is left out.
    package var count: Int

    package init(path: String, lines: [Int], count: Int) {
      self.path = path
      self.lines = lines
      self.count = count
    }
  }

  /// Unchanged lines that counted in the earlier integration and are left out in the later one, sorted by path.
  package var hidden: [File] = []
  /// Unchanged lines that were left out in the earlier integration and count in the later one, sorted by path.
  package var shown: [File] = []
  /// Sorted by path.
  package var replaced: [Replaced] = []
  /// Files with left-out lines in either integration that could not be compared line by line, sorted.
  package var unknown: [String] = []
  /// The bounds for how many of the hidden lines, and of the lines that replaced others, run now.
  ///
  /// Only sums are known for left-out lines. Documents do not store this.
  package var runningNow = 0...0

  package init() {}

  package var isEmpty: Bool { hidden.isEmpty && shown.isEmpty && replaced.isEmpty && unknown.isEmpty }

  /// The number of lines that counted and are in no figure now, apart from those that were deleted for good.
  package var hiddenCount: Int {
    hidden.reduce(0) { $0 + $1.count } + replaced.reduce(0) { $0 + $1.count }
  }
}

extension LeftOutLines: Codable {
  private enum CodingKeys: CodingKey {
    case hidden, shown, replaced, unknown
  }
}

extension LeftOutLines {
  /// The unchanged lines that ran in the earlier integration and are left out now, by path and line.
  package var hiddenThatRan: [SourceLocation] {
    hidden.flatMap { file in file.ran.map { SourceLocation(file: file.path, line: $0) } }
  }
}
