import Model
import Parsing
import Processes

/// Where the test processes of an integration run, and with what.
struct TestSurroundings {
  /// The folder in which they start.
  let folder: String
  let environment: [String: String]
  let toolchain: Toolchain
  /// Their sandbox; nil if they can reach everything.
  private(set) var sandbox: Sandbox?
  /// The sanitizers with which they were built.
  let sanitizers: [Bot.Sanitizer]
  /// How they are observed from inside, if they are.
  let observation: Observation
  let counters: ContinuousCounters
  let paths: PackagePaths
  /// The turn that is passed on while a process sleeps; nil where none does, or nobody waits for it.
  let turn: TestTurn?
}

/// The time and the resources that the test processes of an integration may take, unless somebody cancels them.
struct TestAllowance {
  let limits: TestLimits
  let resources: ResourceLimits
  /// The folders on the disk that they can write to.
  let writable: [String]
  let cancellation: Cancellation
  let clock: Clock
  /// The time at which the step began, by the clock.
  let started: Double

  /// The seconds since the step began.
  func elapsed() -> Double { clock.seconds() - started }

  func timeLeft() -> Duration { limits.step - .seconds(elapsed()) }

  func limits(wallClock: Duration, silence: Duration? = nil) -> Limits {
    resources.limits(wallClock: wallClock, silence: silence, writing: writable)
  }

  /// The limits of a process that runs no test. That takes a moment; a test executable that needs minutes for it hangs.
  var limitsWithoutTests: Limits { limits(wallClock: min(.seconds(120), limits.step)) }
}

/// Where to keep what the test processes of an integration print and leave; only Martlet writes there, except for the
/// folders of the tests.
struct TestOutput {
  let log: StepLog
  let folders: TestFolders
  /// The folder for counters that came through the private channel.
  let proven: Folder
  /// The folder for the machine-readable output of libraries and the runtime.
  let results: Folder
  /// The folder of the integration's kept files.
  let kept: Folder
}

extension TestSurroundings {
  init(of run: IntegrationRun, _ tests: TestRun, in turn: TestTurn?) {
    self.turn = run.request.sanitize.contains(.thread) ? turn : nil
    folder = run.packageFolder.path
    environment = run.environment(for: .testing)
    toolchain = run.toolchain
    sandbox = run.sandbox(for: .testing)
    sanitizers = run.request.sanitize
    observation = tests.observation
    counters = run.continuousCounters
    paths = run.sourcePaths
    sandbox?.views = [tests.view].compactMap(\.self)
    if let observer = observation.observer { sandbox?.readable.append(observer.folder) }
  }
}

extension TestAllowance {
  /// The allowance of a step that begins now, by a clock.
  init(of run: IntegrationRun, by clock: Clock) {
    self.init(
      limits: run.request.tests.limits, resources: run.request.resources, writable: run.foldersWritten(by: .testing),
      cancellation: run.integrator.cancellation, clock: clock, started: clock.seconds())
  }
}

extension TestOutput {
  init(of run: IntegrationRun, _ log: StepLog) {
    self.init(
      log: log, folders: run.testFolders, proven: run.provenProfiles, results: run.results, kept: run.kept)
  }
}
