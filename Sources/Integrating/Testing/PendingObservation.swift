import Processes

/// How test processes will be observed, while the observer is being made.
struct PendingObservation {
  fileprivate let answer: Worker<Observation>
  fileprivate let cancellation: Cancellation

  /// Waits for the decision.
  func observation() throws(IntegrationStop) -> Observation {
    return try stopping(unless: cancellation) { try answer.join() }
  }

  /// Waits for the worker to end, which must not outlive the integration; without tests, the answer is of no use.
  func forget() { _ = try? answer.join() }
}

extension IntegrationRun {
  /// Starts to make the observer, or finds it made, while the package is built.
  func askForObserver() throws(IntegrationStop) -> PendingObservation {
    let cancellation = integrator.cancellation
    var bubblewrap: String?
    if case .contained(let program, _) = containment { bubblewrap = program }
    let build = ObserverBuild(
      toolchain: toolchain, folder: integrator.home.toolchains,
      environment: ChildEnvironment.building(from: integrator.environment, toolchain: toolchain),
      bubblewrap: bubblewrap)
    return try stopping {
      PendingObservation(
        answer: try Worker { build.make(cancellation: cancellation) }, cancellation: cancellation)
    }
  }
}
