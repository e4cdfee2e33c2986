import FoundationEssentials
import Model
import Testing

extension Histories {
  @Suite("Lines that run by chance")
  struct ChanceTests {
    private static let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Dice",
        targets: [.target(name: "Dice"), .testTarget(name: "DiceTests", dependencies: ["Dice"])])

      """

    private static let dice = """
      public func call(_ isLucky: Bool) -> String {
        if isLucky {
          return "six"
        }
        return "again"
      }

      """

    private let scratch: ScratchFolder
    private let repository: GitFolder
    private let program: Program

    private static let shared = Result { try ScratchFolder("chance") }

    init() throws {
      scratch = try Self.shared.get()
      try scratch.beginAnew()
      repository = try GitFolder("Dice", in: scratch)
      program = Program(scratch: scratch)
    }

    @Test("A test whose file imports nothing of the package blames none of its lines, and to delete it mends nothing")
    func elsewhere() throws {
      let luck = scratch.file("luck")
      try Data().write(to: URL(filePath: luck))
      try repository.commit(
        "Throw",
        [
          "Package.swift": Self.manifest, "Sources/Dice/Dice.swift": Self.dice,
          "Tests/DiceTests/DiceTests.swift": """
          import Dice
          import XCTest

          final class DiceTests: XCTestCase { func testCall() { XCTAssertEqual(call(false).count, 5) } }

          """,
          "Tests/DiceTests/LuckTests.swift": """
          import Foundation
          import XCTest

          final class LuckTests: XCTestCase {
            func testLuck() { XCTAssertTrue(FileManager.default.fileExists(atPath: "\(luck)")) }
          }

          """,
        ])
      _ = try program.integrate(repository.path, "--quiet", "--sandbox", "off", bot: "Dice")
      try FileManager.default.removeItem(atPath: luck)
      try repository.commit("Whisper", ["Sources/Dice/Dice.swift": Self.dice.replacing("again", with: "never")])
      let red = try program.integrate(repository.path, "--quiet", "--sandbox", "off", bot: "Dice")
      #expect(red.document.tests.failed == 1 && red.coverage.changes?.patch.lines?.covered == 1)
      let suspects = red.document.issues.first?.suspects ?? []
      #expect(suspects.map(\.name) == ["Mira"], "It is the only commit.")
      #expect(suspects.allSatisfy { $0.place == nil && $0.confidence != .high }, "\(suspects)")
      #expect(red.document.rhythm == .broke)
      try FileManager.default.removeItem(atPath: "\(repository.path)/Tests/DiceTests/LuckTests.swift")
      try repository.commit("Rely on no luck")
      let gone = try program.integrate(repository.path, "--quiet", "--sandbox", "off", bot: "Dice")
      #expect(gone.document.outcome == .succeeded && gone.document.rhythm == .redDeleted)
    }

    @Test("A line that integrations of one commit differ in is neither lost nor fails a gate")
    func chance() throws {
      let luck = scratch.file("luck")
      // What no commit holds decides, as the time or the network would.
      try repository.commit(
        "Throw",
        [
          "Package.swift": Self.manifest, "Sources/Dice/Dice.swift": Self.dice,
          "Tests/DiceTests/DiceTests.swift": """
          import Foundation
          import Testing
          import Dice

          @Test func throwing() {
            #expect(call(false) == "again")
            if FileManager.default.fileExists(atPath: "\(luck)") { #expect(call(true) == "six") }
          }

          """,
        ])
      func integrate(lucky: Bool) throws -> Integrated {
        if lucky {
          try Data().write(to: URL(filePath: luck))
        } else {
          try? FileManager.default.removeItem(atPath: luck)
        }
        let run = try program.run(
          [
            "run", repository.path, "--quiet", "--sandbox", "off", "--gate", "no-lost-coverage", "--gate",
            "patch-fully-covered",
          ])
        guard let number = program.numbers(of: "Dice").max() else { throw NoIntegration(run: run) }
        return try program.integrated(number, of: "Dice", run: run)
      }
      _ = try integrate(lucky: true)
      try repository.commit("Explain", ["README.md": "Dice\n"])
      let lost = try integrate(lucky: false)
      #expect(lost.run.status == 1)
      #expect(lost.coverage.changes?.files?.map(\.lost) == [[3]])
      // The same commit once more.
      let found = try integrate(lucky: true)
      #expect(found.run.status == 0)
      try repository.commit(
        "Explain more",
        ["Sources/Dice/Dice.swift": Self.dice.replacing("{\n    return", with: "{\n    // Rarely.\n    return")])
      let known = try integrate(lucky: false)
      #expect(known.run.status == 0)
      let changes = try #require(known.coverage.changes)
      #expect(changes.baseline == 3 && changes.witnesses == [2])
      #expect(changes.lines?[.lost] == 1 && changes.files?.map(\.byChance) == [[4]])
      #expect(changes.files?.map(\.lost) == [nil])
      #expect(
        known.run.output.contains(
          """
          Chance    1 unchanged line runs by chance: integration 2, of the same commit as 3, differs in it: Sources/Dice/Dice.swift:4
          Gate      lost coverage passed
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
