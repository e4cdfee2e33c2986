import FoundationEssentials
import Model
import Testing

extension Histories {
  @Suite("Lines that run by chance")
  struct ChanceTests {
    private static let manifest = SmallManifest.tested("Dice")

    private static let dice = """
      public func call(_ isLucky: Bool) -> String {
        if isLucky {
          return "six"
        }
        return "again"
      }

      """

    private static let explained = dice.replacing("{\n    return", with: "{\n    // Rarely.\n    return")

    /// What no commit holds decides, as the time or the network would.
    private struct Story {
      static let told = Result { try Story() }

      let scratch: ScratchFolder
      let program: Program
      /// The second integration, of an explanation: a line ran only in the first one.
      let lost: Integrated
      /// The same commit once more, in which the line ran.
      let found: Integrated
      /// Of a change beside that line, which did not run.
      let known: Integrated
      /// Of another change, while a test is red that imports nothing of the package.
      let red: Integrated
      /// Without that test.
      let gone: Integrated

      private init() throws {
        scratch = try ScratchFolder("chance")
        let program = Program(scratch: scratch)
        self.program = program
        let repository = try GitFolder("Dice", in: scratch)
        let (luck, health) = (scratch.file("luck"), scratch.file("health"))
        try repository.commit("Throw", ChanceTests.files(luck: luck, health: health))
        func integrate(lucky: Bool, _ more: [String]) throws -> Integrated {
          if lucky {
            try Data().write(to: URL(filePath: luck))
          } else {
            try? FileManager.default.removeItem(atPath: luck)
          }
          return try program.integrate([repository.path, "--quiet", "--sandbox", "off"] + more, bot: "Dice")
        }
        let gates = ["--gate", "no-lost-coverage", "--gate", "patch-fully-covered"]
        try Data().write(to: URL(filePath: health))
        _ = try integrate(lucky: true, gates)
        try repository.commit("Explain", ["README.md": "Dice\n"])
        lost = try integrate(lucky: false, gates)
        found = try integrate(lucky: true, gates)
        try repository.commit("Explain more", ["Sources/Dice/Dice.swift": ChanceTests.explained])
        known = try integrate(lucky: false, gates)
        try FileManager.default.removeItem(atPath: health)
        try repository.commit(
          "Whisper", ["Sources/Dice/Dice.swift": ChanceTests.explained.replacing("again", with: "never")])
        red = try integrate(lucky: false, [])
        try FileManager.default.removeItem(atPath: "\(repository.path)/Tests/DiceTests/HealthTests.swift")
        try repository.commit("Rely on no health")
        gone = try integrate(lucky: false, [])
      }
    }

    /// - Parameters:
    ///   - luck: the file by which a line runs.
    ///   - health: the file by which a test passes.
    private static func files(luck: String, health: String) -> [String: String] {
      [
        "Package.swift": manifest, "Sources/Dice/Dice.swift": dice,
        "Tests/DiceTests/DiceTests.swift": """
        import Dice
        import Glibc
        import Testing

        @Test func throwing() {
          #expect(call(false).count == 5)
          if access("\(luck)", F_OK) == 0 { #expect(call(true) == "six") }
        }

        """,
        "Tests/DiceTests/HealthTests.swift": """
        import Glibc
        import Testing

        @Test func health() { #expect(access("\(health)", F_OK) == 0) }

        """,
      ]
    }

    @Test("A test whose file imports nothing of the package blames none of its lines, and to delete it mends nothing")
    func elsewhere() throws {
      let story = try Story.told.get()
      let red = story.red
      #expect(red.document.tests.failed == 1 && red.coverage.changes?.patch.lines?.covered == 1)
      let suspects = red.document.issues.first?.suspects ?? []
      #expect(suspects.map(\.name) == ["Mira"], "It is the only commit.")
      #expect(suspects.allSatisfy { $0.place == nil && $0.confidence != .high }, "\(suspects)")
      #expect(red.document.rhythm == .broke)
      #expect(story.gone.document.outcome == .succeeded && story.gone.document.rhythm == .redDeleted)
    }

    @Test("A line that integrations of one commit differ in is neither lost nor fails a gate")
    func chance() throws {
      let story = try Story.told.get()
      let (scratch, program) = (story.scratch, story.program)
      #expect(story.lost.run.status == 1)
      #expect(story.lost.coverage.changes?.files?.map(\.lost) == [[3]])
      #expect(story.found.run.status == 0)
      let known = story.known
      #expect(known.run.status == 0)
      let changes = try #require(known.coverage.changes)
      #expect(changes.baseline == 3 && changes.witnesses == [2])
      #expect(changes.lines?[.lost] == 1 && changes.files?.map(\.byChance) == [[4]])
      #expect(changes.files?.map(\.lost) == [nil])
      #expect(
        known.run.output.contains(
          """
          Chance    1 unchanged line runs by chance: integration 2, of the same commit as 3, differs in it: Sources/Dice/Dice.swift:4
          Gate      lost-coverage passed
          Gate      full patch passed
          """))
      let page = try known.report.text("coverage.html")
      #expect(page.contains("1 unchanged line runs by chance: integration 2, of the same commit as 3, differs in it"))
      #expect(page.contains("by chance: ran in 3, not here"))
      #expect(try known.report.text("index.html").contains("<dt>By chance</dt><dd>1 unchanged line runs <"))
      let mark = "<ins class=c title=\"runs by chance, ran 1× in 3\">~</ins>"
      #expect(try known.report.text("coverage/Sources-Dice-Dice.swift.html").contains(mark))
      let compared = try program.run(["compare", "Dice/3", "4"])
      #expect(compared.output.contains("  lost by chance: Sources/Dice/Dice.swift:4 (call(_:))\n"))
      #expect(compared.output.contains("ran in 3, no longer; by chance in 1 line\n"))
      #expect(!compared.output.contains("  lost: ") && !compared.output.contains("  new, never ran: "))
      // The two of one commit that are compared prove it themselves.
      let alike = try program.run(["compare", "Dice/2", "3", "--output", scratch.file("pages")]).output
      #expect(alike.contains("did not run in 2, runs now; by chance in 1 line\n"))
      #expect(alike.contains("  ran by chance: Sources/Dice/Dice.swift:3 (call(_:))\n"))
      #expect(
        try scratch.read("pages/index.html").contains("1 unchanged line: 2 and 3, of one commit, differ in it"))
      let back = try program.run(["compare", "Dice/3", "2"]).output
      #expect(back.contains("  lost by chance: Sources/Dice/Dice.swift:3 (call(_:))\n") && !back.contains("  lost: "))
    }
  }
}
