extension RandomAccessCollection {
  /// The first place whose element, and all behind it, fulfil a condition, found by halving; the end when none does.
  ///
  /// The elements that do not fulfil it must all stand before those that do, as in a sorted collection. The name is that
  /// of Swift Algorithms (https://github.com/apple/swift-algorithms/blob/main/Guides/Partition.md).
  @inlinable
  package func partitioningIndex(where belongsBehind: (Element) -> Bool) -> Index {
    var low = startIndex
    var length = count
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if belongsBehind(self[middle]) {
        length = half
      } else {
        low = index(after: middle)
        length -= half + 1
      }
    }
    return low
  }
}
