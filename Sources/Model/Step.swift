/// The stages of an integration, in the order in which they are reached.
package enum Step: String, Codable, CaseIterable, Sendable {
  case pending
  case checkout
  case beforeTriggers = "before-triggers"
  case resolving
  case building
  case analyzing
  case testing
  /// An incremental build is compared with a clean one before anything is archived.
  case auditing
  case archiving
  case processing
  /// Functions are tried without their bodies.
  case mutating
  case afterTriggers = "after-triggers"
  case completed
}

/// The cost of one step of an integration, and how its process ended.
package struct StepRecord: Hashable, Sendable, Codable {
  package var name: Step
  /// Wall-clock time in seconds.
  package var duration: Double
  /// The exit status of the step's process, of several that run tests the worst, unless all that failed passed when it ran
  /// again; absent if it was ended by a signal, or if no process ran.
  package var exitStatus: Int32?
  /// The signal that ended the step's process, or the first one of several that run tests.
  package var signal: Int32?
  /// Processor time in seconds, user and system, of the step's processes.
  package var cpu: Double?
  /// The largest resident size of any single process of the step, in bytes.
  package var peakMemory: Int?
  /// Whether a build was incremental; absent if unknown, and for other steps.
  package var warm: Bool?
  /// The last comparison of the basis of an incremental build with a clean build, or in the step auditing that of the
  /// build itself; absent if there was none.
  package var audited: BuildAudit?

  package init(
    name: Step, duration: Double, exitStatus: Int32? = nil, cpu: Double? = nil,
    peakMemory: Int? = nil, warm: Bool? = nil
  ) {
    self.name = name
    self.duration = duration
    self.exitStatus = exitStatus
    self.cpu = cpu
    self.peakMemory = peakMemory
    self.warm = warm
  }
}

extension StepRecord {
  /// Whether it had something to do: a process ran, or a millisecond went by.
  fileprivate var isBusy: Bool {
    cpu != nil || exitStatus != nil || signal != nil || duration.roundedToMilliseconds > 0
  }
}

extension [StepRecord] {
  /// Those that had something to do.
  package var busy: Self { filter(\.isBusy) }

  /// The seconds that all of them took together, as documents have them.
  package var duration: Double { reduce(0) { $0 + $1.duration.roundedToMilliseconds }.roundedToMilliseconds }

  /// Whether the build was incremental; nil if there was no build, or if it is unknown.
  package var isBuildWarm: Bool? { first { $0.name == .building }?.warm }
}

/// Why an integration exists.
package enum Cause: String, Codable, Sendable {
  case commit
  case schedule
  case person
  case toolchain
  case rerun
  /// Nothing else was waiting.
  case idle
}
