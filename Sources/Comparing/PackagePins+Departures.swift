package import Model

extension PackagePins {
  /// Returns the pinned versions that were not used.
  ///
  /// Dependencies without a pin are ignored.
  ///
  /// - Parameter committed: the pins in the commit, before SwiftPM wrote to the file.
  package func departures(from committed: PackagePins) -> [Departure] {
    let used = Dictionary(uniqueKeysWithValues: pins.map { ($0.identity, $0) })
    return committed.pins.filter { used[$0.identity] != $0 }.map { Departure(pinned: $0, used: used[$0.identity]) }
  }
}
