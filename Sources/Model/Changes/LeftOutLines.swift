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
  /// What is said of lines, and where they are.
  package struct Remark: Hashable, Sendable {
    /// A clause without a full stop, such as `1 line that counted in 2 is left out now, and it ran then`.
    package var words: String
    package var places: LinePlaces

    /// The clause with the first places, and how many lines they leave unsaid.
    package func text(first count: Int) -> String {
      let left = places.lineCount(behind: count)
      return "\(words): \(places.text(first: count))" + (left > 0 ? " and \(left) more" : "")
    }
  }

  /// What counted before and does not now; empty when there is nothing of the kind.
  ///
  /// - Parameters:
  ///   - before: what the earlier integration is called.
  ///   - now: where it is left out; `in 3` where the text is not about the later integration.
  ///   - number: how numbers are written.
  package func hiding(
    since before: String, now: String = "now", number: (Int) -> String = { "\($0)" }
  ) -> [Remark] {
    var remarks: [Remark] = []
    let (ran, all) = (hidden.reduce(0) { $0 + $1.ran.count }, hidden.reduce(0) { $0 + $1.count })
    if all > 0 {
      let be = all == 1 ? "is" : "are"
      remarks.append(
        Remark(
          words: "\(number(all)) line\(all == 1 ? "" : "s") that counted in \(before) \(be) left out \(now), "
            + Self.share(ran, of: all, number), places: Self.places(hidden)))
    }
    let gone = replaced.reduce(0) { $0 + $1.count }
    if gone > 0 {
      let words =
        gone == 1 ? "1 line that counted in \(before) was" : "\(number(gone)) lines that counted in \(before) were"
      remarks.append(
        Remark(
          words: "\(words) replaced by what is left out \(now)",
          places: LinePlaces(replaced.flatMap { file in file.lines.map { SourceLocation(file: file.path, line: $0) } }))
      )
    }
    return remarks
  }

  /// What counts now and did not before; empty when there is nothing of the kind.
  package func showing(
    since before: String, now: String = "now", number: (Int) -> String = { "\($0)" }
  ) -> [Remark] {
    let all = shown.reduce(0) { $0 + $1.count }
    guard all > 0 else { return [] }
    let words = all == 1 ? "1 line that was" : "\(number(all)) lines that were"
    return [
      Remark(
        words: "\(words) left out in \(before) \(all == 1 ? "counts" : "count") \(now)", places: Self.places(shown))
    ]
  }

  /// The unchanged lines that ran in the earlier integration and are left out now, by path and line.
  package var hiddenThatRan: [SourceLocation] {
    hidden.flatMap { file in file.ran.map { SourceLocation(file: file.path, line: $0) } }
  }

  /// The files in which something counted and does not now.
  package var hidingPaths: [String] { hidden.map(\.path) + replaced.map(\.path) }

  private static func share(_ ran: Int, of all: Int, _ number: (Int) -> String) -> String {
    if all == 1 { return ran == 1 ? "and it ran then" : "and it had never run" }
    let some = ran == 0 ? "none" : ran == all ? "all" : number(ran)
    return "\(some) of which ran then"
  }

  private static func places(_ files: [File]) -> LinePlaces {
    LinePlaces(
      files.flatMap { file in (file.ran + file.neverRan).sorted().map { SourceLocation(file: file.path, line: $0) } })
  }
}
