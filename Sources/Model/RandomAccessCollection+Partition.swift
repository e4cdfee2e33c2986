extension RandomAccessCollection {
  /// Returns the start of the partition of elements that satisfy a condition, found by binary search; the end index if
  /// there are none.
  ///
  /// All elements that do not satisfy the condition must come before those that do, as in a sorted collection. The name
  /// is that of Swift Algorithms (https://github.com/apple/swift-algorithms/blob/main/Guides/Partition.md).
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

  /// Returns the first of the elements that satisfy a condition, found by binary search; nil if there are none.
  ///
  /// All elements that do not satisfy the condition must come before those that do.
  @inlinable
  package func firstSorted(where belongsBehind: (Element) -> Bool) -> Element? {
    let index = partitioningIndex(where: belongsBehind)
    return index < endIndex ? self[index] : nil
  }
}
