/// The versions of a package's dependencies, as a `Package.resolved` pins them.
package struct PackagePins: Hashable, Sendable {
  /// A dependency that was used otherwise than it was pinned.
  package struct Departure: Hashable, Sendable {
    package var pinned: Pin
    /// Nil where it was not used at all.
    package var used: Pin?

    package init(pinned: Pin, used: Pin?) {
      self.pinned = pinned
      self.used = used
    }
  }

  /// What is used of one dependency.
  package struct Pin: Hashable, Sendable {
    /// What SwiftPM calls the dependency, such as `swift-log`.
    package var identity: String
    package var version: String?
    package var branch: String?
    /// The whole name of the commit; nil for what a registry gave.
    package var revision: String?

    package init(_ identity: String, version: String? = nil, branch: String? = nil, revision: String? = nil) {
      self.identity = identity
      self.version = version
      self.branch = branch
      self.revision = revision
    }

    /// The version or the branch; nil for what is pinned to a commit alone.
    package var name: String? { version ?? branch }

    /// The version or the branch with the first seven digits of the commit, such as `1.2.2, 1a2b3c4`.
    package var words: String {
      [name, revision.map { String($0.prefix(7)) }].compactMap(\.self).joined(separator: ", ")
    }
  }

  /// Ordered by identity, one of each.
  package let pins: [Pin]

  package init(_ pins: [Pin]) {
    var seen: Set<String> = []
    self.pins = pins.sorted { $0.identity < $1.identity }.filter { seen.insert($0.identity).inserted }
  }
}

extension PackagePins {
  /// What an integration depends on beside its commit; marked as the commit's own where the commit pins the very same.
  ///
  /// - Parameter committed: the pins that the commit has; nil where it has none.
  package func circumstances(committed: PackagePins?) -> [Circumstance] {
    let own = Set(committed?.pins ?? [])
    return pins.map { pin in
      var one = Circumstance(Circumstance.dependency + pin.identity, pin.words)
      if own.contains(pin) { one.committed = true }
      return one
    }
  }
}
