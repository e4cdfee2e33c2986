import Model
import Processes

extension TestSession {
  /// Counters of a test process in which no test ran.
  struct StartUp {
    /// The beginning of the names of its files.
    var prefix: String
    /// How many processes of the same kind ran tests.
    var times: Int
  }

  /// Runs the executable once for each library that ran tests, without any test, and leaves the counters in a folder.
  ///
  /// - Throws: a sentence, when a process does not come to its end by itself.
  func runEmpty(countersIn handed: HandedFolder) throws -> [StartUp] {
    try TestLibrary.allCases.compactMap { library -> StartUp? in
      guard let times = tracedProcesses[library], times > 0 else { return nil }
      let startUp = StartUp(prefix: "\(number)-\(library == .xctest ? "x" : "s")-", times: times)
      // Neither library has a way to say "no test": a name that no test can have matches none.
      let arguments =
        library == .xctest
        ? ["No Module.No Class/no test"] : ["--testing-library", "swift-testing", "--filter", "^no test, never$"]
      let environment = ChildEnvironment.testing(
        from: environment, profiles: handed.folder.file("\(startUp.prefix)\(counters.areUsed ? "%c" : "")%m.%p.profraw")
      )
      let output = try command(arguments, environment: environment, handing: handed).collect(
        limits: resources.limits(wallClock: min(.seconds(120), limits.step), writing: writable),
        cancellation: cancellation,
        limit: 16 << 20)
      guard output.result.why == .byItself, case .exited = output.result.end,
        handed.folder.names().contains(where: { $0.hasPrefix(startUp.prefix) })
      else {
        throw CoverageFailure(
          description:
            "A process of \(library.rawValue) without any test did not end as it should, or left no counters.")
      }
      return startUp
    }
  }
}
