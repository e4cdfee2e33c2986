/// The lines that count in one of two compared integrations only, because the other one leaves them out on request.
///
/// Lines that moved along with their file are followed; all numbers are those of now.
package struct LeftOutLines: Hashable, Sendable {
  /// Such lines of one file.
  package struct File: Hashable, Sendable, Codable {
    /// The path now.
    package var path: String
    /// Those that ran where they count, ascending.
    package var ran: [Int]
    /// Those that never ran where they count, ascending.
    package var neverRan: [Int]

    package init(path: String, ran: [Int], neverRan: [Int]) {
      self.path = path
      self.ran = ran
      self.neverRan = neverRan
    }

    package var count: Int { ran.count + neverRan.count }
  }

  /// Lines that counted before and are gone, where what is left out now stands in their place.
  package struct Replaced: Hashable, Sendable, Codable {
    /// The path now.
    package var path: String
    /// What stands in their place, ascending; not each of them need hold code.
    package var lines: [Int]
    /// How many lines counted before and have a successor that is left out.
    package var count: Int

    package init(path: String, lines: [Int], count: Int) {
      self.path = path
      self.lines = lines
      self.count = count
    }
  }

  /// Unchanged lines that counted in the earlier one and are left out in the later one, sorted by path.
  package var hidden: [File] = []
  /// Unchanged lines that were left out in the earlier one and count in the later one, sorted by path.
  package var shown: [File] = []
  /// Sorted by path.
  package var replaced: [Replaced] = []
  /// Files with something that is left out in either, which could not be compared line by line; sorted.
  package var unknown: [String] = []
  /// How many of the hidden lines, and of those that replaced others, run now: not less and not more.
  ///
  /// Of what is left out only sums are known. A document does not keep them.
  package var runningNow = 0...0

  package init() {}

  package var isEmpty: Bool { hidden.isEmpty && shown.isEmpty && replaced.isEmpty && unknown.isEmpty }

  /// How many lines that counted are in no figure now, apart from those that were deleted for good.
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
