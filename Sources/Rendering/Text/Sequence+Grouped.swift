extension Sequence {
  /// Returns the elements in groups with a common key, in the order of their first elements.
  func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
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
