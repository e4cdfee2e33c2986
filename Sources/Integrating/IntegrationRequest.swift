package import FoundationEssentials
package import Model

/// What a person asked to have integrated.
package struct IntegrationRequest: Sendable {
  /// Which state of the repository.
  package enum Subject: Sendable, Hashable {
    /// The commit that HEAD points to.
    case head
    /// The tip of a branch.
    case branch(String)
    /// A revision in git's notation, and the branch it is reported under.
    case revision(String, branch: String?)
    /// HEAD's commit with the uncommitted changes.
    case workingTree
  }

  /// A path inside the repository.
  package var repository: String
  package var subject: Subject
  /// The folder of the package, relative to the repository; `.` for its root.
  package var package: String
  /// Regular expressions of the tests to run and to leave out; empty for all.
  package var filter: [String]
  package var skip: [String]
  /// `debug` or `release`.
  package var configuration: String
  package var sandbox: SandboxPolicy
  package var cause: Cause
  /// How long tests may take.
  package var limits: TestLimits
  /// How much of the machine it may take.
  package var resources = ResourceLimits()
  /// Values that must be in no log and on no page.
  package var secrets: [String] = []
  /// When it was asked for.
  package var queuedAt: Date

  package init(
    repository: String, subject: Subject = .head, package: String = ".", filter: [String] = [], skip: [String] = [],
    configuration: String = "debug", sandbox: SandboxPolicy = SandboxPolicy(), cause: Cause = .person,
    limits: TestLimits = TestLimits(), queuedAt: Date
  ) {
    self.repository = repository
    self.subject = subject
    self.package = package
    self.filter = filter
    self.skip = skip
    self.configuration = configuration
    self.sandbox = sandbox
    self.cause = cause
    self.limits = limits
    self.queuedAt = queuedAt
  }
}
