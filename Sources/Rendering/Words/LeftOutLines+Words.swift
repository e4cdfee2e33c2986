package import Model

extension LeftOutLines {
  /// A statement about lines, with their places.
  package struct Remark: Hashable, Sendable {
    /// A clause without a full stop, such as `1 line that counted in 2 is left out now, and it ran then`.
    package var words: String
    package var places: LinePlaces

    /// Returns the clause with the first places, and the number of remaining lines.
    package func text(first count: Int) -> String {
      let left = places.lineCount(behind: count)
      return "\(words): \(places.text(first: count))" + (left > 0 ? " and \(left) more" : "")
    }
  }

  /// Returns remarks on lines that counted before but do not now; empty if there are none.
  ///
  /// - Parameters:
  ///   - before: the name of the earlier integration.
  ///   - now: where the lines are left out; `in 3` if the text is not about the later integration.
  ///   - number: formats a number.
  package func hiding(
    since before: String, now: String = "now", number: (Int) -> String = { "\($0)" }
  ) -> [Remark] {
    var remarks: [Remark] = []
    let (ran, all) = (hidden.reduce(0) { $0 + $1.ran.count }, hidden.reduce(0) { $0 + $1.count })
    if all > 0 {
      let be = CountText.agreeing(all, "is", "are")
      remarks.append(
        Remark(
          words:
            "\(number(all)) \(CountText.agreeing(all, "line", "lines")) that counted in \(before) \(be) left out \(now), "
            + Self.share(ran, of: all, number), places: Self.places(hidden)))
    }
    let gone = replaced.reduce(0) { $0 + $1.count }
    if gone > 0 {
      let words =
        gone == 1 ? "1 line that counted in \(before) was" : "\(number(gone)) lines that counted in \(before) were"
      remarks.append(
        Remark(
          words: "\(words) replaced by lines that are left out \(now)",
          places: LinePlaces(replaced.flatMap { file in file.lines.map { SourceLocation(file: file.path, line: $0) } }))
      )
    }
    return remarks
  }

  /// Returns remarks on lines that count now but did not before; empty if there are none.
  package func showing(
    since before: String, now: String = "now", number: (Int) -> String = { "\($0)" }
  ) -> [Remark] {
    let all = shown.reduce(0) { $0 + $1.count }
    guard all > 0 else { return [] }
    let words = all == 1 ? "1 line that was" : "\(number(all)) lines that were"
    return [
      Remark(
        words: "\(words) left out in \(before) \(CountText.agreeing(all, "counts", "count")) \(now)",
        places: Self.places(shown))
    ]
  }

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
