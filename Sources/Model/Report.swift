/// Everything that the pages of one integration are made from.
package struct Report: Sendable {
  /// A log of one step.
  package struct Log: Sendable {
    package var step: Step
    /// The bytes as the tools wrote them.
    package var bytes: [UInt8]
    /// Where the sources lay while the step ran; its page leaves that out of their paths. Empty where it is not known.
    package var folder: String

    package init(step: Step, bytes: [UInt8], folder: String = "") {
      self.step = step
      self.bytes = bytes
      self.folder = folder
    }
  }

  package var integration: Integration
  package var logs: [Log]
  /// The text of the sources that pages show, by path relative to the package, as the commit has them.
  package var sources: [String: [UInt8]]
  /// Which target a test source belongs to, by path relative to the package.
  package var testSources: [String: String]
  /// The integration against its baseline; nil without one.
  package var comparison: IntegrationComparison?
  /// Who wrote the lines of counted sources, by path; empty unless that was asked for.
  package var origins: [String: [LineOrigin]] = [:]
  /// Those of the other destinations, in the order of the integration's cells.
  package var cells: [Report] = []

  package init(
    integration: Integration, logs: [Log], sources: [String: [UInt8]], testSources: [String: String] = [:]
  ) {
    self.integration = integration
    self.logs = logs
    self.sources = sources
    self.testSources = testSources
  }
}
