/// How local time follows from universal time in one time zone.
///
/// Made from the bytes of a TZif file, such as `/usr/share/zoneinfo/Europe/Berlin`, in version 2 or later
/// (https://www.rfc-editor.org/rfc/rfc9636). Instants are seconds since 1970 in universal time; local times are counted
/// likewise, as if the zone's clock showed universal time.
package struct ZoneRules: Hashable, Sendable {
  /// Instants from which an offset holds, ascending.
  let transitions: [Int]
  /// The offset from each of them on.
  let offsets: [Int]
  /// The offset before the first of them.
  let firstOffset: Int
  /// What holds after the last of them; nil for its offset, for ever.
  let footer: ZoneFooter?

  /// Universal time.
  package static let utc = ZoneRules(transitions: [], offsets: [], firstOffset: 0, footer: nil)

  /// Seconds to add to universal time for the local time at an instant.
  package func offset(at instant: Int) -> Int {
    guard let first = transitions.first, let last = transitions.last else {
      return footer?.offset(at: instant) ?? firstOffset
    }
    if instant < first { return firstOffset }
    if instant >= last, let footer { return footer.offset(at: instant) }
    var low = 0
    var high = transitions.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if transitions[middle] <= instant { low = middle } else { high = middle }
    }
    return offsets[low]
  }

  /// What clocks show at an instant.
  package func local(at instant: Int) -> Int { instant + offset(at: instant) }

  /// The instants at which clocks show a local time, ascending: one as a rule, two in an hour that is repeated, none in one
  /// that is left out.
  package func instants(ofLocal local: Int) -> [Int] {
    let all = Set(offsets + [firstOffset] + (footer?.offsets ?? []))
    return all.map { local - $0 }.filter { $0 + offset(at: $0) == local }.sorted()
  }

  /// The first instant after a stretch of local time that is left out and holds `local`.
  func endOfGap(around local: Int) -> Int {
    // Two days hold the longest gap there ever was, a whole day in Samoa.
    var low = local - 2 * 86_400
    var high = local + 2 * 86_400
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.local(at: middle) > local { high = middle } else { low = middle }
    }
    return high
  }

  /// The day that clocks show at an instant, as days since 1970-01-01.
  func day(at instant: Int) -> Int { local(at: instant).flooredDivision(by: 86_400) }
}
