/// An integration other than the baseline that a report is compared with, on a page of its own.
package enum OtherReference: CaseIterable, Sendable {
  /// Where the branch came from.
  case branchPoint
  /// What its coverage is compared with, if the baseline did not build.
  case built
}

/// Everything needed to create the pages of one integration.
package struct Report: Sendable {
  /// The log of one step.
  package struct Log: Sendable {
    package var step: Step
    /// The bytes as written by the tools.
    package var bytes: [UInt8]
    /// The location of the sources while the step ran, which the log's page removes from paths. Empty if unknown.
    package var folder: String

    package init(step: Step, bytes: [UInt8], folder: String = "") {
      self.step = step
      self.bytes = bytes
      self.folder = folder
    }
  }

  package var integration: Integration
  package var logs: [Log]
  /// The text of the sources shown on pages, as in the commit, by path relative to the package.
  package var sources: [String: [UInt8]]
  /// The comparison with the baseline; nil without one.
  package var comparison: IntegrationComparison?
  /// The comparisons with other integrations than the baseline.
  package var otherComparisons: [OtherReference: IntegrationComparison] = [:]
  /// What the commit changed in its parent; nil if there is a comparison, and if it is unknown.
  package var parentChange: CommitChange?
  /// Who wrote the lines of counted sources, by path; empty unless requested.
  package var origins: [String: [LineOrigin]] = [:]
  /// The reports of the other destinations, in the order of the integration's cells.
  package var cells: [Report] = []

  package init(integration: Integration, logs: [Log], sources: [String: [UInt8]]) {
    self.integration = integration
    self.logs = logs
    self.sources = sources
  }
}
