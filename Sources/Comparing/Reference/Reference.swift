package import Model

/// The earlier integration that coverage is compared with, or why there is none.
package struct Reference: Hashable, Sendable {
  /// What the branch leads to for a bot, and the history of the commit for everybody else.
  package enum Nearest: Hashable, Sendable {
    /// The nearest one with complete coverage.
    case found(IndexedIntegration)
    /// None has complete coverage. `firstUnjudged` is the oldest one in the history that no green one followed: nobody has
    /// judged what changed since the commit before it.
    case none(firstUnjudged: IndexedIntegration?)
    /// There may be one, but it cannot be told which.
    case unknown(ReferenceDoubt)
  }

  package var nearest: Nearest
  /// Where the history leads to none, the last one on the same branch, as after a commit was amended.
  package var onBranch: IndexedIntegration?
  /// The one that would be the nearest, were its commit still in the repository.
  package var vanished: IndexedIntegration?
  /// The one that would be `onBranch`, were its commit still in the repository.
  package var vanishedOnBranch: IndexedIntegration?

  /// The nearest one; what the commits changed since then is what they touched.
  package var found: IndexedIntegration? {
    if case .found(let integration) = nearest { integration } else { nil }
  }

  /// The one that coverage is compared with.
  package var compared: IndexedIntegration? { found ?? onBranch }

  /// Why it is not known which one is the nearest.
  package var doubt: ReferenceDoubt? {
    if case .unknown(let doubt) = nearest { doubt } else { nil }
  }

  /// The one that a gate is judged against, and whose failed gates are judged again.
  ///
  /// - Parameter ofPatch: whether the gate asks about touched lines, which `onBranch` cannot tell.
  package func judged(ofPatch: Bool) -> IndexedIntegration? {
    vanished ?? found ?? (ofPatch ? nil : vanishedOnBranch ?? onBranch)
  }
}

/// What is known of the coverage of an earlier integration.
package enum KnownCoverage: Hashable, Sendable {
  case complete
  /// There was none, or not all of it.
  case incomplete
  /// It may have been complete.
  case unknown(ReferenceDoubt)
}
