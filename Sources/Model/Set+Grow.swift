extension Set {
  /// Adds what a function finds from the elements so far, again and again, until nothing is new.
  @inlinable
  package mutating func grow<Found: Sequence<Element>>(_ find: (Set) -> Found) {
    var known = -1
    while known != count {
      known = count
      formUnion(find(self))
    }
  }
}
