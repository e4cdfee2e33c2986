import FoundationEssentials
import Glibc
import Model
import Testing

extension Integrations {
  /// A bot that builds and tests each commit in several ways.
  ///
  /// What was built for one test is there for the next one, as long as a bot of the same name has destinations of the
  /// same names and settings: each of these bots has its own.
  @Suite("Destinations")
  struct DestinationTests {
    static let bot = "Ways"
    /// The name of one whose second destination is measured as well.
    static let measured = "Measured"
    /// The name of one without a sandbox.
    static let uncontained = "Uncontained"
    let scratch: ScratchFolder
    let program: Program

    private static let shared = Result { try ScratchFolder("destinations") }

    init() throws {
      scratch = try Self.shared.get()
      try scratch.beginAnew()
      program = Program(scratch: scratch)
    }

    static let files = [
      "Package.swift": SmallManifest.tested("Ways"),
      "Sources/Ways/Ways.swift": "public func twice(_ number: Int) -> Int { number * 2 }\n",
      "Tests/WaysTests/WaysTests.swift": """
      import Testing
      import Ways
      @Test func doubles() { #expect(twice(2) == 4) }
      @Test func builds() {
        #if NEWER
        #expect(twice(1) == 3)
        #endif
      }

      """,
    ]

    /// Wrong in a release build, unlike that of `files`.
    private static let wrongInRelease = """
      public func twice(_ number: Int) -> Int {
        #if DEBUG
        number * 2
        #else
        number
        #endif
      }

      """

    /// The folder of the toolchain on the search path.
    private func realToolchain() throws -> String {
      let run = try Program.run(
        "/bin/sh", ["-c", "dirname \"$(dirname \"$(readlink -f \"$(command -v swift)\")\")\""],
        environment: program.variables,
        in: scratch.path)
      return String(try #require(run.output.split(separator: "\n").first))
    }

    /// A toolchain like the one on the search path, of another name, whose builds can be told to be newer, or to make
    /// nothing. It compiles no observer of XCTest, of which the package has no tests: that takes longer than all else.
    func toolchain(isNewer: Bool, name: String, isBroken: Bool = false) throws -> String {
      let real = try realToolchain()
      let folder = scratch.file("other")
      let script = """
        set -e
        rm -rf '\(folder)'; mkdir -p '\(folder)/usr/bin'
        for part in '\(real)'/*; do [ "$(basename "$part")" = bin ] || ln -s "$part" '\(folder)/usr/'; done
        for program in '\(real)/bin'/*; do ln -s "$program" '\(folder)/usr/bin/'; done
        rm '\(folder)/usr/bin/swiftc' '\(folder)/usr/bin/swift-build'
        cat > '\(folder)/usr/bin/swiftc' <<'END'
        #!/bin/sh
        case "$*" in
        *XCTestObserver.swift*) exec '\(real)/bin/clang' -shared -x c /dev/null -o xctest.so;;
        *-print-target-info*)
          '\(real)/bin/swiftc' "$@" | sed -e 's#swift-[0-9.]*-RELEASE#\(name)#' -e 's#\(real)/lib#\(folder)/usr/lib#'; exit;;
        esac
        exec '\(real)/bin/swiftc' "$@"
        END
        cat > '\(folder)/usr/bin/swift-build' <<'END'
        #!/bin/sh
        \(isBroken ? "exit 0" : "exec '\(real)/bin/swift-build' \"$@\" \(isNewer ? "-Xswiftc -DNEWER" : "")")
        END
        chmod +x '\(folder)/usr/bin/swiftc' '\(folder)/usr/bin/swift-build'

        """
      try #require(
        try Program.run("/bin/sh", ["-c", script], environment: program.variables, in: scratch.path).status == 0)
      return folder
    }

    func carryOut(
      _ number: Int, _ bot: Bot, _ repository: GitFolder, cause: Cause = .commit, includesIdle: Bool? = nil
    ) throws -> Integrated {
      var order = IntegrationOrder(
        bot: bot, number: number, commit: try repository.head, branch: "main", cause: cause,
        queuedAt: Date(timeIntervalSince1970: 1_790_000_000))
      order.includesIdle = includesIdle ?? (cause == .idle)
      return try program.integrate(order)
    }

    /// A bot whose builds see what lies outside, such as a toolchain whose programs are links to those of another one.
    func uncontainedBot(_ repository: GitFolder) -> Bot {
      var bot = Bot(name: repository.name, repository: repository.path)
      bot.sandbox.mode = .off
      return bot
    }

    func outcomes(_ integrated: Integrated) -> [Outcome?] {
      ([integrated.document] + (integrated.document.cells ?? [])).map(\.destination?.outcome)
    }

    @Test("What breaks in one of them is found there, and a toolchain's failure is no commit's")
    func matrix() throws {
      let repository = try GitFolder(Self.uncontained, in: scratch)
      try repository.commit("Begin", Self.files)
      var bot = uncontainedBot(repository)
      var (first, release, other, newer) = (Destination(), Destination(), Destination(), Destination())
      (first.name, release.name, release.configuration) = ("first", "release", "release")
      (other.name, other.toolchain) = ("other", try toolchain(isNewer: false, name: "old"))
      (newer.name, newer.when, newer.arguments) = ("newer", .idle, ["-Xswiftc", "-DNEWER"])
      bot.destinations = Destinations([first, release, other, newer])

      let begin = try carryOut(1, bot, repository)
      #expect(begin.document.outcome == .succeeded)
      #expect(outcomes(begin) == [.succeeded, .succeeded, .succeeded, nil])
      #expect(begin.document.destinationNames == ["first", "release", "other", "newer"])
      #expect(begin.document.cells?.map(\.tests.passed) == [2, 2, 0])
      #expect(begin.document.coverage.available)
      #expect(begin.document.cells?.first?.coverage.reason == "Coverage is measured for first.")

      try repository.commit("Break", ["Sources/Ways/Ways.swift": Self.wrongInRelease])
      let broken = try carryOut(2, bot, repository)
      try expectFoundInRelease(broken, of: repository.head)

      // The same sources; what changes is the toolchain, and nothing waits.
      _ = try toolchain(isNewer: true, name: "new")
      let blamed = try carryOut(3, bot, repository, includesIdle: true)
      #expect(outcomes(blamed) == [.succeeded, .testFailures, .testFailures, .testFailures])
      #expect(
        Set(blamed.document.issues.map { "\($0.status) \($0.destinations ?? [])" }) == [
          "unresolved [\"release\"]", "new [\"other\", \"newer\"]",
        ])
      let suspect = try #require(blamed.document.issues.first { $0.status == .new }?.suspects?.first)
      #expect(suspect.name == "the toolchain")
      #expect(suspect.commit == nil)
      #expect(suspect.reason.hasSuffix("the sources are the same."))

      try repository.commit("Mend", Self.files.mapValues { $0.replacing("twice(1) == 3", with: "twice(1) == 2") })
      let mended = try carryOut(4, bot, repository)
      #expect(outcomes(mended) == [.succeeded, .succeeded, .succeeded, nil])
      #expect(mended.document.outcome == .succeeded)
      // Nobody looked at what waits for idle time, which keeps its issue open.
      #expect(
        Set(mended.document.issues.map { "\($0.status) \($0.destinations ?? [])" }) == [
          "resolved [\"release\"]", "unresolved [\"newer\"]",
        ])
      #expect(begin.document.cells?.last?.destination?.lastBuilt == DestinationResult.neverBuilt)
      #expect(mended.document.cells?.map(\.destination?.lastBuilt) == [nil, nil, 3])

      // It is remembered where it was last built for, whatever becomes of those in between.
      bot.destinations = Destinations([first, newer])
      _ = try carryOut(5, bot, repository)
      try FileManager.default.removeItem(atPath: "\(program.home)/integrations/\(bot.name)/4")
      let later = try carryOut(6, bot, repository)
      #expect(later.document.issues.map { "\($0.status) \($0.destinations ?? [])" } == ["unresolved [\"newer\"]"])
    }

    private func expectFoundInRelease(_ broken: Integrated, of commit: CommitID) throws {
      #expect(outcomes(broken) == [.succeeded, .testFailures, .succeeded, nil])
      #expect(broken.document.outcome == .testFailures)
      #expect(broken.document.reasons == ["release: 1 test failed."])
      let issue = try #require(broken.document.issues.first)
      #expect(broken.document.issues.count == 1)
      #expect(issue.status == .new)
      #expect(issue.destinations == ["release"])
      #expect(issue.suspects?.first?.commit == commit)
      #expect(try broken.report.text("index.html").contains("release: doubles() failed"))
      #expect(try broken.report.text("cells/\(cellFolder(broken, "release"))/index.html").contains("doubles() failed"))
    }

    @Test("Merged, a line ran where it ran for one of them, and a gate is on all of them together")
    func merged() throws {
      let repository = try GitFolder(Self.measured, in: scratch)
      let source = """
        public func half(_ number: Int) -> Int {
          #if DEBUG
          let sign = number < 0 ? -1 : 1
          return sign * (abs(number) / 2)
          #else
          return number / 2
          #endif
        }
        public func never() -> Int {
          1
        }

        """
      let tests = """
        import Testing
        import Ways
        @Test func halves() { #expect(half(4) == 2) }

        """
      try repository.commit(
        "Begin",
        Self.files.merging(["Sources/Ways/Ways.swift": source, "Tests/WaysTests/WaysTests.swift": tests]) { $1 })
      let integrated = try program.integrate(
        repository.path, "--configuration", "debug", "--configuration", "release", "--merge-coverage", "--gate",
        "patch-fully-covered", "--quiet", bot: Self.measured)
      let document = integrated.document
      #expect(document.coverage.destinations == ["debug", "release"])
      #expect(document.coverage.lines == LineTally(total: 8, covered: 5, partial: 1))
      #expect(document.coverage.functions == Tally(total: 2, covered: 1))
      #expect(document.cells?.first?.coverage.lines == LineTally(total: 6, covered: 3, partial: 0))
      #expect(outcomes(integrated) == [.succeeded, .succeeded])
      #expect(document.outcome == .testFailures)
      #expect(document.onlyGatesFailed == true)
      #expect(document.issues.map(\.destinations) == [nil])
      #expect(document.own?.issues == [])
      #expect(document.steps.filter { $0.name == .processing }.count == 1)
      #expect(try integrated.report.words("index.html").contains("--configuration release --merge-coverage"))
      #expect(try integrated.report.words("coverage.html").contains("a line ran if it ran in debug or release"))
      let tried = try program.run(
        "run", repository.path, "--configuration", "debug", "--configuration", "release", "--merge-coverage", "--gate",
        "no-unchecked-changes")
      #expect(tried.status == 2)
      #expect(
        tried.errors
          == "error: --merge-coverage goes with neither --mutants nor the gate no-unchecked-changes: functions are tried without their bodies in one build, and this coverage is of several. Leave out one of the two. See 'martlet help run'.\n"
      )
      #expect(integrated.run.output.contains("Full patch gate: 3 of 8 changed lines never ran"))
      let alone = try program.run("run", repository.path, "--merge-coverage")
      #expect(alone.status == 2)
      #expect(
        alone.errors
          == "error: --merge-coverage needs several combinations; give --configuration, --toolchain, --sanitize, --build-system or --traits twice. See 'martlet help run'.\n"
      )
    }

    func cellFolder(_ integrated: Integrated, _ name: String) throws -> String {
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(integrated.report.path)/cells")
      return try #require(names.first { $0.hasPrefix("\(name)-") })
    }

    @Test("From the shell every combination is built, and a red one spares no other")
    func shell() throws {
      let repository = try GitFolder(Self.bot, in: scratch)
      let wrong = Self.wrongInRelease.replacing("#if DEBUG", with: "#if !DEBUG")
      try repository.commit("Begin", Self.files.merging(["Sources/Ways/Ways.swift": wrong]) { $1 })
      let integrated = try program.integrate(
        repository.path, "--configuration", "debug", "--configuration", "release", "--quiet", bot: Self.bot)
      #expect(integrated.run.status == 1)
      #expect(integrated.document.destinationNames == ["debug", "release"])
      #expect(outcomes(integrated) == [.testFailures, .succeeded])
      #expect(
        integrated.run.output.contains(
          "debug: test-failures, 1 of 2 tests passed\nrelease: succeeded, 2 of 2 tests passed\n"))
      let show = try program.run("show", "\(Self.bot)/1:release")
      #expect(show.output.hasPrefix("\(Self.bot) 1: succeeded, "))
      let compare = try program.run("compare", "\(Self.bot)/1:release", "1:debug")
      #expect(compare.output.hasPrefix("\(Self.bot) 1:release → 1:debug: doubles() went red\n"))
      let junit = try program.run("export", "\(Self.bot)/1", "--format", "junit").output
      #expect(junit.contains("<property name=\"destination\" value=\"release\"/>"))
      #expect(junit.contains("tests=\"4\" failures=\"1\""))
      let badge = try program.run("export", "\(Self.bot)/1:release", "--format", "badge", "--badge", "tests")
      #expect(badge.output.contains("<title>tests release: 2 passed</title>"))
      let unknown = try program.run("show", "\(Self.bot)/1:nope")
      #expect(unknown.status == 2)
      #expect(unknown.errors == "error: \(Self.bot)/1 has no destination 'nope'. It has debug and release.\n")
    }

    /// Two threads add to one number, which only the thread sanitizer sees.
    private static let race = """
      import Glibc
      import Testing
      import Ways
      final class Box: @unchecked Sendable { var number = 0 }
      @Test func doubles() { #expect(twice(2) == 4) }
      @Test func races() {
        let box = Box()
        var other = pthread_t()
        pthread_create(
          &other, nil,
          { pointer in
            Unmanaged<Box>.fromOpaque(pointer!).takeUnretainedValue().number += 1
            return nil
          }, Unmanaged.passUnretained(box).toOpaque())
        box.number += 1
        withExtendedLifetime(box) { _ = pthread_join(other, nil) }
      }

      """

    @Test("Of all combinations but one, a race is found by the sanitizer alone, and what is optional only informs")
    func sanitizer() throws {
      let repository = try GitFolder(Self.bot, in: scratch)
      try repository.commit(
        "Begin",
        Self.files.merging([
          "Sources/Ways/Ways.swift": Self.wrongInRelease, "Tests/WaysTests/WaysTests.swift": Self.race,
        ]) { $1 })
      let integrated = try program.integrate(
        repository.path, "--configuration", "debug", "--configuration", "release", "--sanitize", "none", "--sanitize",
        "thread", "--exclude", "release+thread", "--optional", "release", "--quiet", bot: Self.bot)
      #expect(integrated.document.destinationNames == ["debug", "debug+thread", "release"])
      #expect(outcomes(integrated) == [.succeeded, .testFailures, .testFailures])
      #expect(integrated.document.outcome == .testFailures)
      #expect(integrated.document.reasons == ["debug+thread: 1 test failed."])
      #expect(integrated.document.issues.map(\.destinations) == [["debug+thread"]])
      #expect(integrated.document.issues.map(\.message) == ["ThreadSanitizer: Swift access race"])
      #expect(try integrated.report.words("index.html").contains("ThreadSanitizer: Swift access race"))
      let junit = try program.run("export", "\(Self.bot)/1", "--format", "junit").output
      #expect(junit.contains("tests=\"6\" failures=\"1\" errors=\"0\" skipped=\"1\""))

      let informing = try program.integrate(
        repository.path, "--configuration", "debug", "--configuration", "release", "--optional", "release", "--quiet",
        bot: Self.bot)
      #expect(outcomes(informing) == [.succeeded, .testFailures])
      #expect(informing.document.outcome == .succeeded)
      #expect(informing.run.status == 0)
      let unknown = try program.run(
        "run", repository.path, "--configuration", "debug", "--configuration", "release", "--exclude", "nope")
      #expect(unknown.status == 2)
      #expect(
        unknown.errors
          == "error: --exclude: no combination is called 'nope'. There are debug and release. See 'martlet help run'.\n"
      )
    }

    @Test("The coverage is that of the destination that the bot names, and gates are on it")
    func namedCoverage() throws {
      let repository = try GitFolder(Self.measured, in: scratch)
      try repository.commit("Begin", Self.files.merging(["Sources/Ways/Ways.swift": Self.wrongInRelease]) { $1 })
      var bot = Bot(name: Self.measured, repository: repository.path)
      bot.coverage.gates = [.patchFullyCovered]
      var (first, release) = (Destination(), Destination())
      (first.name, release.name, release.configuration, release.isRequired) = ("first", "release", "release", false)
      bot.destinations = Destinations([first, release], stopsEarly: true)
      bot.destinations?.coverage = .init(rawValue: "release")
      let integrated = try carryOut(1, bot, repository)
      #expect(outcomes(integrated) == [.succeeded, .testFailures])
      #expect(integrated.document.outcome == .succeeded)
      #expect(integrated.document.coverage.destinations == ["release"])
      #expect(integrated.document.coverage.lines == integrated.document.cells?.first?.coverage.lines)
      #expect(integrated.document.gates?.map(\.state) == [.passed])
      #expect(try integrated.report.words("coverage.html").contains("measured in release"))
    }
  }
}
