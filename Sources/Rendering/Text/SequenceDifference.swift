enum SequenceDifference {
  /// A stretch of both sequences that is the same, or was replaced.
  struct Run: Hashable {
    var first: Range<Int>
    var second: Range<Int>
    var isSame: Bool
  }

  /// Returns the runs in order, alternating between same and replaced, by the longest common subsequence.
  ///
  /// If the parts between the common beginning and end are too long to compare, they count as replaced.
  static func runs<Element: Hashable>(_ first: [Element], _ second: [Element], limit: Int = 1_000_000) -> [Run] {
    var start = 0
    while start < min(first.count, second.count), first[start] == second[start] { start += 1 }
    var end = 0
    while end < min(first.count, second.count) - start, first[first.count - 1 - end] == second[second.count - 1 - end] {
      end += 1
    }
    let middle = (first: start..<(first.count - end), second: start..<(second.count - end))
    var pairs = (0..<start).map { ($0, $0) }
    if middle.first.count * middle.second.count <= limit {
      pairs += commonPairs(Array(first[middle.first]), Array(second[middle.second])).map {
        ($0.0 + start, $0.1 + start)
      }
    }
    pairs += (0..<end).map { (first.count - end + $0, second.count - end + $0) }
    return runs(along: pairs, firstCount: first.count, secondCount: second.count)
  }

  private static func runs(along pairs: [(Int, Int)], firstCount: Int, secondCount: Int) -> [Run] {
    var runs: [Run] = []
    var at = (first: 0, second: 0)
    for (one, other) in pairs + [(firstCount, secondCount)] {
      if one > at.first || other > at.second {
        runs.append(Run(first: at.first..<one, second: at.second..<other, isSame: false))
      }
      guard one < firstCount, other < secondCount else { break }
      if let last = runs.last, last.isSame {
        runs[runs.count - 1].first = last.first.lowerBound..<(one + 1)
        runs[runs.count - 1].second = last.second.lowerBound..<(other + 1)
      } else {
        runs.append(Run(first: one..<(one + 1), second: other..<(other + 1), isSame: true))
      }
      at = (one + 1, other + 1)
    }
    return runs
  }

  /// Returns the index pairs of a longest common subsequence, ascending.
  private static func commonPairs<Element: Hashable>(_ first: [Element], _ second: [Element]) -> [(Int, Int)] {
    guard !first.isEmpty, !second.isEmpty else { return [] }
    let width = second.count + 1
    var lengths = [Int32](repeating: 0, count: (first.count + 1) * width)
    for one in stride(from: first.count - 1, through: 0, by: -1) {
      for other in stride(from: second.count - 1, through: 0, by: -1) {
        lengths[one * width + other] =
          first[one] == second[other]
          ? lengths[(one + 1) * width + other + 1] + 1
          : max(lengths[(one + 1) * width + other], lengths[one * width + other + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var at = (first: 0, second: 0)
    while at.first < first.count, at.second < second.count {
      if first[at.first] == second[at.second] {
        pairs.append((at.first, at.second))
        at = (at.first + 1, at.second + 1)
      } else if lengths[(at.first + 1) * width + at.second] >= lengths[at.first * width + at.second + 1] {
        at.first += 1
      } else {
        at.second += 1
      }
    }
    return pairs
  }
}
