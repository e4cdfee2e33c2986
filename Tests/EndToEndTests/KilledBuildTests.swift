import Model
import Testing

extension Misbehaviors {
  /// Builds that somebody else kills, as the kernel does where memory runs out.
  @Suite("Killed builds")
  struct KilledBuildTests {
    private let scratch: ScratchFolder
    private let program: Program

    init() throws {
      scratch = try ScratchFolder("killed")
      program = Program(scratch: scratch)
    }

    /// A package whose manifest kills the program that reads it.
    private func package(killsIf condition: String, with signal: String = "SIGKILL") -> [String: String] {
      [
        "Package.swift": """
        // swift-tools-version: 6.0
        import Glibc
        import PackageDescription
        let mark = Context.environment["TMPDIR", default: "/tmp"] + "/was-here-\(signal)"
        if \(condition) { kill(getppid(), \(signal)) }
        let package = Package(name: "Prey", targets: [.target(name: "Prey")])

        """,
        "Sources/Prey/Prey.swift": "public let isAlive = true\n",
      ]
    }

    @Test("A build that was killed is run once more, and told as failed when it is killed again")
    func killed() throws {
      let repository = try GitFolder("Prey", in: scratch)
      for signal in ["SIGKILL", "SIGTERM"] {
        try repository.commit("Die once of \(signal)", package(killsIf: "mkdir(mark, 0o755) == 0", with: signal))
        let once = try program.integrate(repository.path, bot: "Prey")
        #expect(once.step(.building)?.exitStatus == 0, "\(signal)")
        #expect(once.document.outcome == .incomplete, "\(once.run)")
      }

      try repository.commit("Die always", package(killsIf: "true"))
      let always = try program.integrate(repository.path, bot: "Prey")
      #expect(always.run.status == 1, "\(always.run.errors)\(always.run.output)")
      #expect(always.document.outcome == .buildErrors)
      let message = "error: swift-build was ended by signal 9 (SIGKILL) without giving a reason.\n"
      #expect(always.run.output.contains(message), "\(always.run.output)")
    }

    @Test("A commit is not blamed for a build that somebody told to end each time")
    func toldToEnd() throws {
      let repository = try GitFolder("Prey", in: scratch)
      try repository.commit("End always", package(killsIf: "true", with: "SIGTERM"))
      let ended = try program.integrate(repository.path, bot: "Prey")
      #expect(ended.document.outcome == .internalError, "\(ended.run)")
      #expect(
        ended.document.reasons == [
          "Every attempt ended early: swift-build was ended by signal 15 (SIGTERM) 3 times, and not by Martlet. Find out who ends it, such as a guard of this machine's memory, and integrate again."
        ])
    }
  }
}
