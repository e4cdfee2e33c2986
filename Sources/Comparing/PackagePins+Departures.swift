package import Model

extension PackagePins {
  /// Which of the versions that were pinned are not those that were used.
  ///
  /// A dependency that was not pinned departs from nothing.
  ///
  /// - Parameter committed: what the file said before SwiftPM wrote to it.
  package func departures(from committed: PackagePins) -> [Departure] {
    let used = Dictionary(uniqueKeysWithValues: pins.map { ($0.identity, $0) })
    return committed.pins.filter { used[$0.identity] != $0 }.map { Departure(pinned: $0, used: used[$0.identity]) }
  }
}
