import Processes

extension IntegrationRun {
  /// Starts to make the observer, or finds it made, while the package is built.
  func prepareObserver() throws(IntegrationStop) {
    guard request.usesObserver else { return }
    var bubblewrap: String?
    if case .contained(let program, _) = containment { bubblewrap = program }
    let build = ObserverBuild(
      toolchain: toolchain, folder: integrator.home.folder.folder("toolchains"),
      environment: ChildEnvironment.building(from: integrator.environment, toolchain: toolchain),
      bubblewrap: bubblewrap)
    let cancellation = integrator.cancellation
    do {
      observationAnswer = try Worker { build.make(cancellation: cancellation) }
    } catch {
      throw IntegrationStop(error)
    }
  }

  /// Waits until it is decided how test processes are followed.
  func awaitObservation() throws(IntegrationStop) -> Observation {
    do {
      return try observationAnswer?.join() ?? .none(why: "it was not asked for")
    } catch {
      throw integrator.cancellation.isCanceled ? .canceled : IntegrationStop(error)
    }
  }
}
