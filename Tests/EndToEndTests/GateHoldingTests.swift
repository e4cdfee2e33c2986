import FoundationEssentials
import Model
import Testing

extension Histories {
  @Suite("Gates that were failed")
  struct GateHoldingTests {
    private static let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Shop",
        targets: [.target(name: "Shop"), .testTarget(name: "ShopTests", dependencies: ["Shop"])])

      """

    private static let source = """
      public func price() -> Int {
        3
      }

      public func discount() -> Int {
        1
      }

      """

    private static func tests(_ line: String) -> String {
      "import Testing\nimport Shop\n\n@Test func sells() {\n  \(line)\n}\n"
    }

    private static let poor = tests("#expect(price() == 3)")
    private static let rich = tests("#expect(price() + discount() == 4)")

    private let scratch: ScratchFolder
    private let repository: GitFolder
    private let program: Program

    private static let shared = Result { try ScratchFolder("holding") }

    init() throws {
      scratch = try Self.shared.get()
      try scratch.beginAnew()
      repository = try GitFolder("Shop", in: scratch)
      program = Program(scratch: scratch)
    }

    /// Commits a package, with all of its lines tested or not.
    private func begin(_ tests: String) throws {
      try repository.commit(
        "Begin",
        [
          "Package.swift": Self.manifest, "Sources/Shop/Shop.swift": Self.source,
          "Tests/ShopTests/ShopTests.swift": tests,
        ])
    }

    /// Puts other tests into the last commit, and clears away what the commit was.
    private func amend(_ tests: String, andForget forgets: Bool) throws {
      try repository.write(tests, to: "Tests/ShopTests/ShopTests.swift")
      try repository.git("commit", "--quiet", "--all", "--amend", "--allow-empty", "--message", "Other")
      guard forgets else { return }
      try repository.git("reflog", "expire", "--expire=now", "--all")
      try repository.git("gc", "--quiet", "--prune=now")
    }

    private func integrate(_ gate: String, in path: String? = nil) throws -> Integrated {
      let run = try program.run(
        ["run", path ?? repository.path, "--quiet", "--sandbox", "off", "--gate", gate])
      guard let number = program.numbers(of: "Shop").max() else { throw NoIntegration(run: run) }
      return try program.integrated(number, of: "Shop", run: run)
    }

    private func sentence(_ integrated: Integrated) -> String? { integrated.document.gates?.first?.sentence }

    @Test("What the first commit of all did not test is not let through with the second")
    func firstCommit() throws {
      try begin(Self.poor)
      #expect(try integrate("patch-fully-covered").run.status == 1)
      try repository.commit("Explain", ["README.md": "Shop\n"])
      let held = try integrate("patch-fully-covered")
      #expect(held.run.status == 1, "\(held.run.errors)\(held.run.output)")
      #expect(
        sentence(held)
          == "3 of 6 changed lines never ran: Sources/Shop/Shop.swift:5–7. Counted from the first commit, as it has not passed since."
      )
      #expect(held.document.gates?.map(\.base) == [.nothing])
      try repository.commit("Test", ["Tests/ShopTests/ShopTests.swift": Self.rich])
      let passed = try integrate("patch-fully-covered")
      #expect(passed.run.status == 0, "\(passed.run.errors)\(passed.run.output)")
      #expect(sentence(passed) == "All 6 lines changed since the beginning ran.")
    }

    @Test("A gate that was failed stays failed, whatever other gate is asked for in between")
    func otherGate() throws {
      try begin(Self.poor)
      #expect(try integrate("patch-fully-covered").run.status == 1)
      try repository.commit("Explain", ["README.md": "Shop\n"])
      let other = try integrate("patch=0")
      #expect(other.run.status == 0, "\(other.run.errors)\(other.run.output)")
      #expect(other.document.owedGates?.map(\.rule) == ["patch-fully-covered"])
      let issue = try #require(other.document.issues.first { $0.kind == .gate })
      #expect(issue.status == .unresolved && issue.carriedOver == true)
      try repository.commit("Explain more", ["README.md": "A shop\n"])
      let held = try integrate("patch-fully-covered")
      #expect(held.run.status == 1, "\(held.run.errors)\(held.run.output)")
      #expect(sentence(held)?.hasSuffix("Counted from the first commit, as it has not passed since.") == true)
      try repository.commit("Test", ["Tests/ShopTests/ShopTests.swift": Self.rich])
      let passed = try integrate("patch-fully-covered")
      #expect(passed.run.status == 0, "\(passed.run.errors)\(passed.run.output)")
      #expect(passed.document.issues.filter { $0.kind == .gate }.map(\.status) == [.resolved])
      let record = try #require(passed.document.issueMemory?.records.first { $0.kind == .gate })
      #expect(record.failedGate?.lines?.map(\.line) == [5, 6, 7])
      #expect(record.failedLines?.map { $0.lines.map(\.number) } == [Array(1...7)])
      #expect(record.failedLines?.first?.lines[4].text == "public func discount() -> Int {")
    }

    @Test("A silence takes what a gate failed for, and not what others leave untested later, for which they are named")
    func silenced() throws {
      let gate = "patch-fully-covered"
      func add(_ name: String, by author: String) throws {
        try repository.commit(
          "Add \(name)", ["Sources/Shop/\(name).swift": "public func \(name.lowercased())() -> Int {\n  2\n}\n"],
          as: author)
      }
      try begin(Self.rich)
      #expect(try integrate(gate).run.status == 0)
      try add("Till", by: "Ben")
      let first = try integrate(gate)
      #expect(first.run.status == 1 && first.document.issues.first?.suspects?.first?.name == "Ben")
      try add("Cart", by: "Cleo")
      let second = try integrate(gate)
      let lines = second.document.gates?.first?.lines?.map(\.file)
      #expect(second.run.status == 1 && Set(lines ?? []) == ["Sources/Shop/Cart.swift", "Sources/Shop/Till.swift"])
      let till = try second.report.text("coverage/Sources-Shop-Till.swift.html")
      #expect(till.contains("new since 1, counted by the gate"))
      let suspects = second.document.issueMemory?.records.first { $0.kind == .gate }?.suspects ?? []
      #expect(Set(suspects.compactMap(\.name)) == ["Ben", "Cleo"])
      let issue = try #require(second.document.issues.first { $0.kind == .gate })
      #expect(try program.run(["silence", issue.id, "--reason", "taken as it is"]).status == 0)
      try repository.commit("Explain", ["README.md": "Shop\n"])
      let taken = try integrate(gate)
      #expect(taken.run.status == 0, "\(taken.run.output)")
      try add("Coin", by: "Dora")
      let third = try integrate(gate)
      #expect(third.run.status == 1, "\(third.run.output)")
      #expect(Set(third.document.gates?.first?.lines?.map(\.file) ?? []) == ["Sources/Shop/Coin.swift"])
      #expect(third.document.issues.first { $0.kind == .gate }?.suspects?.map(\.name) == ["Dora"])
    }

    @Test("A silence is over with the next failure, also where that follows at once")
    func silencedAtOnce() throws {
      let gate = "no-lost-coverage"
      try begin(Self.rich)
      #expect(try integrate(gate).run.status == 0)
      try repository.commit("Test less", ["Tests/ShopTests/ShopTests.swift": Self.poor])
      let lost = try integrate(gate)
      let issue = try #require(lost.document.issues.first { $0.kind == .gate })
      #expect(lost.run.status == 1)
      #expect(try program.run(["silence", issue.id, "--reason", "taken as it is"]).status == 0)
      #expect(try integrate(gate).run.status == 0)
      try repository.commit("Test nothing", ["Tests/ShopTests/ShopTests.swift": Self.tests("#expect(Bool(true))")])
      let again = try integrate(gate)
      #expect(again.run.status == 1, "\(again.run.output)")
      #expect(again.document.gates?.first?.lines?.map(\.line) == [1, 2, 3])
      #expect(again.document.issues.first { $0.kind == .gate }?.status == .new)
    }

    @Test("No gate is passed by what the package's own file takes out of sight")
    func outOfSight() throws {
      try begin(Self.rich)
      #expect(try integrate("no-lost-coverage").run.status == 0)
      let counted = " Gates count Sources/Shop/Shop.swift as well, which the package's .martlet.yml leaves out."
      let own = "The package's own .martlet.yml"
      try repository.commit("Hide", [".martlet.yml": "coverage: {exclude: [\"**\"]}\n"])
      let hidden = try integrate("no-lost-coverage")
      #expect(hidden.run.status == 0, "\(hidden.run.errors)\(hidden.run.output)")
      #expect(sentence(hidden) == "Every unchanged line that ran in 1 still runs.\(counted)")
      #expect(hidden.document.reasons == ["\(own) leaves 1 file out of coverage: Sources/Shop/Shop.swift."])
      #expect(hidden.document.omissions == [PackageOmission(.coverageLeftOut, names: ["Sources/Shop/Shop.swift"])])
      #expect(hidden.coverage.files?.isEmpty ?? true)

      try repository.commit("Test less", ["Tests/ShopTests/ShopTests.swift": Self.poor])
      let lost = try integrate("no-lost-coverage")
      #expect(lost.run.status == 1, "\(lost.run.errors)\(lost.run.output)")
      #expect(
        sentence(lost) == "3 unchanged lines that ran in 2 no longer run: Sources/Shop/Shop.swift:5–7.\(counted)")

      try repository.commit("Build alone", [".martlet.yml": "actions: [build]\n"])
      let built = try integrate("no-lost-coverage")
      #expect(built.run.status == 1, "\(built.run.errors)\(built.run.output)")
      #expect(
        sentence(built)
          == "No coverage. \(own) turns the tests off. Counted from integration 2, as it has not passed since."
      )
      #expect(built.document.omissions == [PackageOmission(.testsNotRun)])
      try repository.commit("Leave it out", [".martlet.yml": "tests: {skip: [sells]}\n"])
      let skipped = try integrate("no-lost-coverage")
      #expect(skipped.run.status == 1, "\(skipped.run.errors)\(skipped.run.output)")
      #expect(skipped.document.reasons.contains("\(own) skips 1 test: ShopTests.sells()."))
    }

    @Test("What an amended commit does not test any more is lost, and what it was is told when it is gone")
    func amended() throws {
      try begin(Self.rich)
      let first = try integrate("no-lost-coverage")
      #expect(
        sentence(first) == "No earlier integration has complete coverage to compare with.",
        "\(first.run.errors)\(first.run.output)")
      #expect(first.run.status == 0, "\(first.run.errors)\(first.run.output)")
      try amend(Self.poor, andForget: false)
      let lost = try integrate("no-lost-coverage")
      #expect(lost.run.status == 1, "\(lost.run.errors)\(lost.run.output)")
      #expect(
        sentence(lost) == "3 unchanged lines that ran in 1 no longer run: Sources/Shop/Shop.swift:5–7.")
      // The commits are told from the history, which has nothing of it.
      #expect(lost.coverage.changes?.baseline == 1 && lost.coverage.changes?.patch.since == "nothing")
      #expect(try lost.report.brokenLinks() == [])

      try amend(Self.poor, andForget: true)
      let gone = try integrate("no-lost-coverage")
      #expect(gone.run.status == 1, "\(gone.run.errors)\(gone.run.output)")
      #expect(
        sentence(gone)
          == "It could not be judged. The commit \(first.document.commit.id.short) of integration 1 is no longer in the repository, so what changed since then is not known. Look yourself at the lines that never ran, then integrate again: the gate begins anew."
      )
      #expect(gone.document.gates?.map(\.base) == [nil])
      // Whether it is the same commit or the next one.
      let again = try integrate("no-lost-coverage")
      #expect(again.run.status == 0, "\(again.run.errors)\(again.run.output)")
      #expect(
        sentence(again) == "No earlier integration with complete coverage can be compared with this one.")
      try repository.commit("Explain", ["README.md": "Shop\n"])
      let next = try integrate("no-lost-coverage")
      #expect(next.run.status == 0, "\(next.run.errors)\(next.run.output)")
      #expect(sentence(next) == "Every unchanged line that ran in 4 still runs.")
    }

    @Test("A bot's gates are red once when what they are judged against is gone, and the ratchet goes by the totals")
    func goneFromBot() throws {
      try scratch.write(
        """
        repository: \(repository.path)
        sandbox: {mode: off}
        coverage: {gates: [patch-fully-covered, no-lost-coverage, ratchet]}

        """, to: "bots/shop.yml")
      func watch() throws -> [GateResult] {
        let run = try program.run("watch", "--once", "--bots", scratch.file("bots"))
        guard let number = program.numbers(of: "shop").max() else { throw NoIntegration(run: run) }
        return try #require(try program.integrated(number, of: "shop", run: run).document.gates)
      }
      try begin(Self.rich)
      #expect(try watch().map(\.state) == [.passed, .notJudged, .notJudged])
      try amend(Self.rich, andForget: true)
      let gone = try watch()
      #expect(gone.map(\.state) == [.failed, .failed, .passed])
      #expect(gone[0].sentence == gone[1].sentence && gone[0].sentence.contains("of integration 1 is no longer in"))
      #expect(gone[2].sentence == "6 of 6 lines ran; in 1 it was 6 of 6.")
      try repository.commit("Test less", ["Tests/ShopTests/ShopTests.swift": Self.poor])
      let red = try watch()
      #expect(red.map(\.state) == [.passed, .failed, .failed])
      #expect(red.map(\.base?.number) == [2, 2, 2])
      // All of it is gone, and covered again.
      try repository.git("checkout", "--quiet", "--orphan", "anew")
      try repository.commit("Begin anew", ["README.md": "Shop\n"])
      try repository.git("branch", "--move", "--force", "anew", "main")
      try amend(Self.rich, andForget: true)
      #expect(try watch().map(\.state) == [.failed, .failed, .passed])
      try repository.commit("Explain", ["README.md": "Shop\n"])
      #expect(try watch().map(\.state) == [.passed, .passed, .passed])
    }

    @Test("A gate is not met where what it is judged against is out of reach, in a shallow clone or removed")
    func outOfReach() throws {
      try begin(Self.rich)
      let clone = scratch.file("clone/Shop")
      func fetch() throws {
        try? FileManager.default.removeItem(atPath: clone)
        try repository.git("clone", "--quiet", "--depth", "1", "file://\(repository.path)", clone)
      }
      try fetch()
      #expect(try integrate("ratchet", in: clone).run.status == 0)
      try repository.commit("Test less", ["Tests/ShopTests/ShopTests.swift": Self.poor])
      try fetch()
      let shallow = try integrate("ratchet", in: clone)
      #expect(shallow.run.status == 1, "\(shallow.run.errors)\(shallow.run.output)")
      #expect(
        sentence(shallow)
          == "It could not be judged. Shallow clone: no commit to compare with. Fetch more of it, as with `git fetch --unshallow`."
      )
      try repository.git("-C", clone, "fetch", "--quiet", "--unshallow")
      let whole = try integrate("ratchet", in: clone)
      #expect(whole.run.status == 1, "\(whole.run.errors)\(whole.run.output)")
      #expect(whole.document.gates?.map(\.base?.number) == [1])

      try FileManager.default.removeItem(atPath: scratch.file("home/integrations/Shop/1"))
      try repository.git("-C", clone, "commit", "--quiet", "--allow-empty", "--message", "Explain")
      let removed = try integrate("ratchet", in: clone)
      #expect(removed.run.status == 1, "\(removed.run.errors)\(removed.run.output)")
      #expect(
        sentence(removed)
          == "It could not be judged. Integration 1 was removed or cannot be read. Silence the issue of this gate to begin anew. Counted from integration 1, as it has not passed since."
      )
    }
  }
}
