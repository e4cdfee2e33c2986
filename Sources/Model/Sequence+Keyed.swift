extension Sequence {
  /// Returns the elements by a key; of several with the same one, the first.
  @inlinable
  package func keyed<Key: Hashable>(by key: (Element) -> Key) -> [Key: Element] {
    keyed(by: key) { $0 }
  }

  /// Returns a value of each element by a key; of several elements with the same one, that of the first.
  @inlinable
  package func keyed<Key: Hashable, Value>(by key: (Element) -> Key, _ value: (Element) -> Value) -> [Key: Value] {
    Dictionary(map { (key($0), value($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the elements in groups with a common key, in the order of their first elements.
  @inlinable
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
    var groups: [[Element]] = []
    var indices: [Key: Int] = [:]
    for element in self {
      let index = indices[key(element), default: groups.count]
      if index == groups.count {
        indices[key(element)] = index
        groups.append([])
      }
      groups[index].append(element)
    }
    return groups
  }
}
