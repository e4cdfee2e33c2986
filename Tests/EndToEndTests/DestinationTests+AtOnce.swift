import FoundationEssentials
import Glibc
import Model
import Testing

extension Integrations.DestinationTests {
  /// Whether this machine builds two destinations at once.
  private static let buildsAtOnce =
    MachineAbilities.canContain && ProcessInfo.processInfo.activeProcessorCount > 1
    && ProcessInfo.processInfo.physicalMemory >= 6 << 30

  /// A package whose manifest does something when SwiftPM reads it.
  private func files(_ deed: String) -> [String: String] {
    let manifest = Self.files["Package.swift", default: ""].replacing(
      "import PackageDescription\n", with: "import Glibc\nimport PackageDescription\n\(deed)\n")
    return Self.files.merging(["Package.swift": manifest]) { $1 }
  }

  @Test(
    "Two are built at once and tested one after the other, and the step is told once",
    .enabled(if: buildsAtOnce, "bubblewrap works here, with two processors and 6 GiB"))
  func atOnce() throws {
    // Each waits for the other, and does not build without it.
    let meeting = """
      let folder = Context.environment["TMPDIR", default: "/tmp"]
      mkdir(folder + "/" + Context.environment["MINE", default: ""], 0o755)
      var looks = 0
      while access(folder + "/" + Context.environment["OTHER", default: ""], F_OK) != 0 {
        looks += 1
        if looks > 6000 { exit(1) }
        usleep(10_000)
      }
      """
    let repository = try GitFolder("Together", in: scratch)
    try repository.commit("Begin", files(meeting))
    var bot = Bot(name: repository.name, repository: repository.path)
    var (first, release) = (Destination(), Destination())
    (first.name, release.name, release.configuration) = ("first", "release", "release")
    first.environment = ["MINE": "one", "OTHER": "two"]
    release.environment = ["MINE": "two", "OTHER": "one"]
    bot.destinations = Destinations([first, release])
    let head = try repository.head
    let (news, status) = try program.carryOut(
      IntegrationOrder(
        bot: bot, number: 1, commit: head, branch: "main", cause: .commit,
        queuedAt: Date(timeIntervalSince1970: 1_790_000_000)))
    let integrated = try program.integrated(
      1, of: bot.name, run: Program.Run(status: status, output: "", errors: ""))

    #expect(outcomes(integrated) == [.succeeded, .succeeded])
    let document = integrated.document
    for steps in [document.steps, document.cells?.first?.steps ?? []] {
      #expect(steps.filter { $0.name == .building }.map(\.exitStatus) == [0])
      #expect(steps.filter { $0.name == .testing }.count == 1)
    }
    #expect(document.cells?.map(\.duration) == document.cells?.map(\.steps.duration))
    let told = news.compactMap { if case .step(let step) = $0 { step } else { nil } }
    #expect(told.filter { $0 == .building }.count == 1)
    #expect(told.filter { $0 == .testing }.count == 2)
  }

  @Test(
    "What is canceled while two are built ends both builds",
    .enabled(
      if: buildsAtOnce && Program.buildSystem != .swiftbuild,
      "bubblewrap works here, with two processors and 6 GiB; Swift Build first reads the manifest, which never ends"))
  func canceledAtOnce() throws {
    let repository = try GitFolder("Endless", in: scratch)
    try repository.commit("Begin", files("while getpid() > 0 { sleep(1000) }"))
    let running = try RunningProgram(
      program, ["run", repository.path, "--configuration", "debug", "--configuration", "release"])
    #expect(try running.waits(for: "For debug and release:"))
    // The first one does not end by itself, so that it still runs when there is the second one.
    let builds = "\(program.home)/workspaces/\(repository.name)/main/\(Program.buildFolder)"
    #expect(ProcessList.shows("swift-build", naming: "\(builds) "))
    #expect(ProcessList.shows("swift-build", naming: "\(builds)@"))
    running.send(SIGINT)
    let run = try running.end()
    #expect(run.status == 130, "\(run.errors)\(run.output)")
    #expect(run.output.contains(": canceled, "))
    #expect(ProcessList.remaining(naming: scratch.path) == [])
  }

  /// Two threads outlive the tests, and add to one number while the process sleeps before it ends.
  private static let lateRace = """
    import Glibc
    import Testing
    import Ways
    final class Box: @unchecked Sendable { var number = 0 }
    let box = Box()
    @Test func doubles() {
      #expect(twice(2) == 4)
      for _ in 0..<2 {
        var thread = pthread_t()
        pthread_create(
          &thread, nil,
          { _ in
            usleep(200_000)
            box.number += 1
            return nil
          }, nil)
        pthread_detach(thread)
      }
    }

    """

  @Test(
    "While tests under the thread sanitizer wait for late races, the next destination is tested, and both find theirs",
    .enabled(if: buildsAtOnce, "bubblewrap works here, with two processors and 6 GiB"))
  func turns() throws {
    let repository = try GitFolder("Turns", in: scratch)
    try repository.commit("Begin", Self.files.merging(["Tests/WaysTests/WaysTests.swift": Self.lateRace]) { $1 })
    let integrated = try program.integrate(
      repository.path, "--configuration", "debug", "--configuration", "release", "--sanitize", "thread", bot: "Turns")
    #expect(outcomes(integrated) == [.testFailures, .testFailures])
    #expect(integrated.document.issues.map(\.message) == ["ThreadSanitizer: Swift access race"])
    // They are those of all.
    #expect(integrated.document.issues.map(\.destinations) == [nil])
    let lines = integrated.run.errors.split(separator: "\n").drop { $0 != "For debug:" }
    #expect(
      Array(lines) == [
        "For debug:", "Testing", "For release:", "Testing", "For debug:", "Processing results",
      ])
  }
}
