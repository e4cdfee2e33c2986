import FoundationEssentials
import Model
import Testing

extension Histories {
  @Suite("Gates that were failed")
  struct GateHoldingTests {
    private func sentence(_ integrated: Integrated) -> String? { integrated.document.gates?.first?.sentence }

    /// Expects an exit status, or shows what was printed.
    private func expect(
      _ integrated: Integrated, _ status: Int32, at place: Testing.SourceLocation = #_sourceLocation
    ) {
      let run = integrated.run
      #expect(run.status == status, "\(run.errors)\(run.output)", sourceLocation: place)
    }

    @Test("What the first commit of all did not test is not let through with later ones")
    func firstCommit() throws {
      let story = try HeldGateStory.told.get()
      expect(story.first, 1)
      expect(story.held, 1)
      #expect(
        sentence(story.held)
          == "3 of 6 changed lines never ran: Sources/Shop/Shop.swift:5–7. Counted from the first commit, as it has not passed since."
      )
      #expect(story.held.document.gates?.map(\.base) == [.nothing])
      expect(story.passed, 0)
      #expect(sentence(story.passed) == "All 6 lines changed since the beginning ran.")
    }

    @Test("A gate that was failed stays failed, whatever other gate is asked for in between")
    func otherGate() throws {
      let story = try HeldGateStory.told.get()
      expect(story.first, 1)
      expect(story.other, 0)
      #expect(story.other.document.owedGates?.map(\.rule) == ["patch-fully-covered"])
      let issue = try #require(story.other.document.issues.first { $0.kind == .gate })
      #expect(issue.status == .unresolved && issue.carriedOver == true)
      expect(story.held, 1)
      expect(story.passed, 0)
      #expect(story.passed.document.issues.filter { $0.kind == .gate }.map(\.status) == [.resolved])
      let record = try #require(story.passed.document.issueMemory?.records.first { $0.kind == .gate })
      #expect(record.failedGate?.lines?.map(\.line) == [5, 6, 7])
      #expect(record.failedLines?.map { $0.lines.map(\.number) } == [Array(1...7)])
      #expect(record.failedLines?.first?.lines[4].text == "public func discount() -> Int {")
    }

    @Test("A silence takes what a gate failed for, and not what others leave untested later, for which they are named")
    func silenced() throws {
      let story = try AmendedGateStory.told.get()
      expect(story.till, 1)
      #expect(story.till.document.gates?.map(\.state) == [.passed, .failed])
      #expect(story.till.document.issues.first { $0.kind == .gate }?.suspects?.first?.name == "Ben")
      expect(story.cart, 1)
      let lines = story.cart.document.gates?.first?.lines?.map(\.file)
      #expect(Set(lines ?? []) == ["Sources/Shop/Cart.swift", "Sources/Shop/Till.swift"])
      #expect(story.page.contains("new since 4, counted by the gate"))
      let record = story.cart.document.issueMemory?.records.first { $0.kind == .gate && $0.isOpen }
      #expect(Set((record?.suspects ?? []).compactMap(\.name)) == ["Ben", "Cleo"])
      #expect(story.silencing.status == 0)
      expect(story.taken, 0)
      expect(story.coin, 1)
      #expect(Set(story.coin.document.gates?.first?.lines?.map(\.file) ?? []) == ["Sources/Shop/Coin.swift"])
      #expect(story.coin.document.issues.first { $0.kind == .gate }?.suspects?.map(\.name) == ["Dora"])
    }

    @Test("A silence is over with the next failure, also where that follows at once")
    func silencedAtOnce() throws {
      let story = try HeldGateStory.told.get()
      expect(story.lost, 1)
      #expect(story.silencing.status == 0)
      expect(story.silenced, 0)
      expect(story.lostMore, 1)
      #expect(story.lostMore.document.gates?.first?.lines?.map(\.line) == [1, 2, 3])
      #expect(story.lostMore.document.issues.first { $0.kind == .gate }?.status == .new)
    }

    @Test("No gate is passed by what the package's own file takes out of sight")
    func outOfSight() throws {
      let story = try HeldGateStory.told.get()
      let counted = " Gates also count files that the package's .martlet.yml leaves out: Sources/Shop/Shop.swift."
      let own = "The package's own .martlet.yml"
      let hidden = story.hidden
      expect(hidden, 0)
      #expect(sentence(hidden) == "Every unchanged line that ran in 4 still runs.\(counted)")
      #expect(hidden.document.reasons == ["\(own) leaves 1 file out of coverage: Sources/Shop/Shop.swift."])
      #expect(hidden.document.omissions == [PackageOmission(.coverageLeftOut, names: ["Sources/Shop/Shop.swift"])])
      #expect(hidden.coverage.files?.isEmpty ?? true)

      expect(story.lost, 1)
      #expect(
        sentence(story.lost) == "3 unchanged lines that ran in 5 no longer run: Sources/Shop/Shop.swift:5–7.\(counted)")

      expect(story.built, 1)
      #expect(
        sentence(story.built)
          == "No coverage. \(own) turns the tests off. Counted from integration 7, as it has not passed since."
      )
      #expect(story.built.document.omissions == [PackageOmission(.testsNotRun)])
      expect(story.skipped, 1)
      #expect(story.skipped.document.reasons.contains("\(own) skips 1 test: ShopTests.sells()."))
    }

    @Test("What an amended commit does not test any more is lost, and what it was is told when it is gone")
    func amended() throws {
      let story = try AmendedGateStory.told.get()
      let first = story.first
      #expect(
        sentence(first) == "No earlier integration has complete coverage to compare with.",
        "\(first.run.errors)\(first.run.output)")
      expect(first, 0)
      expect(story.lost, 1)
      #expect(
        sentence(story.lost) == "3 unchanged lines that ran in 1 no longer run: Sources/Shop/Shop.swift:5–7.")
      // The commits are told from the history, which has nothing of it.
      let changes = try #require(story.lost.coverage.changes)
      #expect(changes.baseline == 1 && changes.patch.since == "nothing")
      #expect(story.brokenLinks == [])

      expect(story.gone, 1)
      #expect(
        sentence(story.gone)
          == "It could not be judged. The commit \(first.document.commit.id.short) of integration 1 is no longer in the repository, so what changed since then is not known. Look yourself at the lines that never ran, then integrate again: the gate begins anew."
      )
      #expect(story.gone.document.gates?.map(\.base) == [nil])
      // Whether it is the same commit or the next one.
      expect(story.again, 0)
      #expect(
        sentence(story.again) == "No earlier integration with complete coverage can be compared with this one.")
      #expect(story.till.document.gates?.first?.state == .passed)
      #expect(sentence(story.till) == "Every unchanged line that ran in 4 still runs.")
    }

    @Test("A bot's gates are red once when what they are judged against is gone, and the ratchet goes by the totals")
    func goneFromBot() throws {
      let shop = try GateShop()
      try shop.scratch.write(
        """
        repository: \(shop.repository.path)
        sandbox: {mode: off}
        coverage: {gates: [patch-fully-covered, no-lost-coverage, ratchet]}

        """, to: "bots/Shop.yml")
      func watch() throws -> [GateResult] {
        let run = try shop.program.run("watch", "--once", "--bots", shop.scratch.file("bots"))
        guard let number = shop.program.numbers(of: "Shop").max() else { throw NoIntegration(run: run) }
        return try #require(try shop.program.integrated(number, of: "Shop", run: run).document.gates)
      }
      try shop.begin(GateShop.rich)
      #expect(try watch().map(\.state) == [.passed, .notJudged, .notJudged])
      try shop.amend(GateShop.rich, andForget: true)
      let gone = try watch()
      #expect(gone.map(\.state) == [.failed, .failed, .passed])
      #expect(gone[0].sentence == gone[1].sentence && gone[0].sentence.contains("of integration 1 is no longer in"))
      #expect(gone[2].sentence == "6 of 6 lines ran; in integration 1 it was 6 of 6.")
      try shop.test("Test less", GateShop.poor)
      let red = try watch()
      #expect(red.map(\.state) == [.passed, .failed, .failed])
      #expect(red.map(\.base?.number) == [2, 2, 2])
      // All of it is gone, and covered again.
      try shop.repository.git("checkout", "--quiet", "--orphan", "anew")
      try shop.repository.commit("Begin anew", ["README.md": "Shop\n"])
      try shop.repository.git("branch", "--move", "--force", "anew", "main")
      try shop.amend(GateShop.rich, andForget: true)
      #expect(try watch().map(\.state) == [.failed, .failed, .passed])
      try shop.repository.commit("Explain", ["README.md": "Shop\n"])
      #expect(try watch().map(\.state) == [.passed, .passed, .passed])
    }

    @Test("A gate is not met where what it is judged against is out of reach, in a shallow clone or removed")
    func outOfReach() throws {
      let shop = try GateShop()
      try shop.begin(GateShop.rich)
      let clone = shop.scratch.file("clone/Shop")
      func fetch() throws {
        try? FileManager.default.removeItem(atPath: clone)
        try shop.repository.git("clone", "--quiet", "--depth", "1", "file://\(shop.repository.path)", clone)
      }
      try fetch()
      #expect(try shop.integrate("ratchet", in: clone).run.status == 0)
      try shop.test("Test less", GateShop.poor)
      try fetch()
      let shallow = try shop.integrate("ratchet", in: clone)
      #expect(shallow.run.status == 1, "\(shallow.run.errors)\(shallow.run.output)")
      #expect(
        sentence(shallow)
          == "It could not be judged. Shallow clone: no commit to compare with. Fetch more of it, as with `git fetch --unshallow`."
      )
      try shop.repository.git("-C", clone, "fetch", "--quiet", "--unshallow")
      let whole = try shop.integrate("ratchet", in: clone)
      #expect(whole.run.status == 1, "\(whole.run.errors)\(whole.run.output)")
      #expect(whole.document.gates?.map(\.base?.number) == [1])

      try FileManager.default.removeItem(atPath: shop.scratch.file("home/integrations/Shop/1"))
      try shop.repository.git("-C", clone, "commit", "--quiet", "--allow-empty", "--message", "Explain")
      let removed = try shop.integrate("ratchet", in: clone)
      #expect(removed.run.status == 1, "\(removed.run.errors)\(removed.run.output)")
      #expect(
        sentence(removed)
          == "It could not be judged. Integration 1 was removed or cannot be read. Silence the issue of this gate to begin anew. Counted from integration 1, as it has not passed since."
      )
    }
  }
}
