/// A stage of one integration, in the order in which they are reached.
package enum Step: String, Codable, CaseIterable, Sendable {
  case pending
  case checkout
  case beforeTriggers = "before-triggers"
  case resolving
  case building
  case analyzing
  case testing
  case archiving
  case processing
  /// Functions are tried without their bodies.
  case mutating
  case afterTriggers = "after-triggers"
  case completed
}

/// What one step of an integration cost, and how its process ended.
package struct StepRecord: Hashable, Sendable, Codable {
  package var name: Step
  /// Wall-clock seconds.
  package var duration: Double
  /// The exit status of the step's process; absent when a signal ended it or no process ran.
  package var exitStatus: Int32?
  /// The signal that ended the step's process.
  package var signal: Int32?
  /// Processor seconds, user and system, of the step's processes.
  package var cpu: Double?
  /// The largest resident size of any one process of the step, in bytes.
  package var peakMemory: Int?
  /// Whether a build went on from what an earlier one had made; absent where that is not known, and for other steps.
  package var warm: Bool?
  /// When what a warm build goes on from was last held against a build from nothing; absent where it never was.
  package var audited: BuildAudit?

  package init(
    name: Step, duration: Double, exitStatus: Int32? = nil, signal: Int32? = nil, cpu: Double? = nil,
    peakMemory: Int? = nil, warm: Bool? = nil
  ) {
    self.name = name
    self.duration = duration
    self.exitStatus = exitStatus
    self.signal = signal
    self.cpu = cpu
    self.peakMemory = peakMemory
    self.warm = warm
  }
}

extension [StepRecord] {
  /// Whether the build went on from an earlier one; nil where there was none, or that is not known.
  package var isBuildWarm: Bool? { first { $0.name == .building }?.warm }
}

/// Why an integration exists.
package enum Cause: String, Codable, Sendable {
  case commit
  case schedule
  case person
  case toolchain
  case rerun
  /// Nothing else waited.
  case idle
}
