/// Which functions an integration tries without their bodies.
package enum MutationScope: String, Codable, CaseIterable, Sendable {
  case off
  /// The functions of which the integrated commits touched a line.
  case changed
  /// All functions that tests ran.
  case all

  /// Returns the scope required if the given gates are to be judged, too.
  package func needed(by gates: [CoverageGate]) -> MutationScope {
    self == .off && gates.contains(.noUncheckedChanges) ? .changed : self
  }
}
