/// The versions of a package's dependencies as pinned in a `Package.resolved`.
package struct PackagePins: Hashable, Sendable {
  /// A dependency that was not used as pinned.
  package struct Departure: Hashable, Sendable {
    package var pinned: Pin
    /// Nil if the dependency was not used at all.
    package var used: Pin?

    package init(pinned: Pin, used: Pin?) {
      self.pinned = pinned
      self.used = used
    }
  }

  /// The pinned state of one dependency.
  package struct Pin: Hashable, Sendable {
    /// SwiftPM's identity of the dependency, such as `swift-log`.
    package var identity: String
    package var version: String?
    package var branch: String?
    /// The full name of the commit; nil for a dependency from a registry.
    package var revision: String?

    package init(_ identity: String, version: String? = nil, branch: String? = nil, revision: String? = nil) {
      self.identity = identity
      self.version = version
      self.branch = branch
      self.revision = revision
    }

    /// The version or the branch; nil for a dependency that is pinned only to a commit.
    package var name: String? { version ?? branch }

    /// The version or the branch with the first seven digits of the commit, such as `1.2.2, 1a2b3c4`.
    package var words: String {
      [name, revision.map { String($0.prefix(7)) }].compactMap(\.self).joined(separator: ", ")
    }
  }

  /// Sorted by identity, without duplicates.
  package let pins: [Pin]

  package init(_ pins: [Pin]) {
    var seen: Set<String> = []
    self.pins = pins.sorted { $0.identity < $1.identity }.filter { seen.insert($0.identity).inserted }
  }
}

extension PackagePins {
  /// Returns the pins as circumstances of an integration, marked as committed if the commit pins exactly the same.
  ///
  /// - Parameter committed: the pins in the commit; nil if it has none.
  package func circumstances(committed: PackagePins?) -> [Circumstance] {
    let own = Set(committed?.pins ?? [])
    return pins.map { pin in
      var one = Circumstance(Circumstance.dependency + pin.identity, pin.words)
      if own.contains(pin) { one.committed = true }
      return one
    }
  }
}
