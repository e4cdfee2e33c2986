package import Model

extension PackagePins {
  /// How many dependencies a sentence names at most.
  private static let mostNamed = 5

  /// Says which of the versions that were pinned are not those that were used; nil where all are.
  ///
  /// A dependency that was not pinned departs from nothing.
  ///
  /// - Parameters:
  ///   - committed: what the file said before SwiftPM wrote to it.
  ///   - owner: whose file it is, such as `the commit`.
  package func departures(from committed: PackagePins, of owner: String) -> String? {
    let used = Dictionary(uniqueKeysWithValues: pins.map { ($0.identity, $0) })
    let phrases = committed.pins.compactMap { pin -> String? in
      let now = used[pin.identity]
      return now == pin ? nil : Self.phrase(pin, now)
    }
    guard !phrases.isEmpty else { return nil }
    let rest = phrases.count - Self.mostNamed
    let named = phrases.prefix(Self.mostNamed) + (rest > 0 ? ["and \(rest) more"] : [])
    return "Package.resolved of \(owner) was not followed: \(named.joined(separator: ", "))."
  }

  private static func phrase(_ pin: Pin, _ now: Pin?) -> String {
    guard let now else { return "\(pin.identity) \(pin.name ?? pin.words) → not used" }
    // One name of two commits: a tag was moved, or a branch went on.
    guard let old = pin.name, let new = now.name, old != new else {
      return "\(pin.identity) \(pin.words) → \(now.words)"
    }
    return "\(pin.identity) \(old) → \(new)"
  }
}
