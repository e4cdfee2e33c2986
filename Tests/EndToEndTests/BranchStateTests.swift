import FoundationEssentials
import Model
import Testing

extension Histories {
  /// A branch that a commit turned red.
  @Suite("How a branch stands")
  struct BranchStateTests {
    private static let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Tiny", targets: [.target(name: "Tiny"), .testTarget(name: "TinyTests", dependencies: ["Tiny"])])

      """

    private static let tests = """
      import Testing
      import Tiny
      @Test func doubles() { #expect(twice(2) == 4) }
      @Test func stands() {}

      """

    private let scratch: ScratchFolder
    private let repository: GitFolder
    private let program: Program

    private static let shared = Result { try ScratchFolder("standing") }

    init() throws {
      scratch = try Self.shared.get()
      try scratch.beginAnew()
      repository = try GitFolder("Tiny", in: scratch)
      program = Program(scratch: scratch)
      try repository.commit(
        "Begin",
        [
          "Package.swift": Self.manifest, "Tests/TinyTests/TinyTests.swift": Self.tests,
          "Sources/Tiny/Tiny.swift": "public func twice(_ number: Int) -> Int { 2 * number }\n",
        ])
    }

    private func run(_ arguments: String...) throws -> Int32? {
      try program.run(["run", repository.path, "--sandbox", "off", "--quiet"] + arguments).status
    }

    private func badge() throws -> String { try program.run("export", "Tiny", "--format", "badge").output }

    @Test("Neither an older commit that is integrated again nor tests that are chosen say that it is green")
    func red() throws {
      #expect(try run() == 0)
      try repository.commit(
        "Break it", ["Sources/Tiny/Tiny.swift": "public func twice(_ number: Int) -> Int { 3 * number }\n"])
      #expect(try run() == 1)
      #expect(try run("--commit", "HEAD~1") == 0)
      #expect(try run("--filter", "stands") == 0)
      #expect(try badge().contains("<title>Tiny: test failures</title>"))
      let issues = try program.run("issues", "Tiny").output
      #expect(issues.hasPrefix("Tiny 2 on main, "))
      #expect(issues.contains("1 new\n"))
      let index = try String(contentsOfFile: scratch.file("home/site/index.html"), encoding: .utf8)
      #expect(index.contains("Tiny is red"))
      // What is red in a choice of tests is red, and known are still the issues of all.
      #expect(try run("--filter", "doubles") == 1)
      #expect(try badge().contains("<title>Tiny: test failures</title>"))
      #expect(try program.run("issues", "Tiny").output.hasPrefix("Tiny 2 on main, "))
      // What comes next is compared with the commit before it, not with what was looked at again.
      try repository.commit(
        "Mend it", ["Sources/Tiny/Tiny.swift": "public func twice(_ number: Int) -> Int { number + number }\n"])
      #expect(try run() == 0)
      let mended = try program.integrated(6, of: "Tiny", run: Program.Run(status: 0, output: "", errors: "")).document
      #expect(mended.baseline == 2)
      #expect(mended.issues.map(\.status) == [.resolved])
      #expect(try badge().contains("<title>Tiny: succeeded</title>"))
    }

    @Test("What a branch changes since it was begun has a page, beside that of its last commit")
    func sinceBranchPoint() throws {
      #expect(try run() == 0)
      try repository.git("switch", "--quiet", "--create", "topic")
      try repository.commit(
        "Break it", ["Sources/Tiny/Tiny.swift": "public func twice(_ number: Int) -> Int { 3 * number }\n"])
      #expect(try run() == 1)
      #expect(!scratch.exists("home/site/Tiny/2/compare-branch.html"), "Its other page compares it with that.")
      try repository.commit("Explain", ["README.md": "Tiny\n"])
      #expect(try run() == 1)
      let page = try String(contentsOfFile: scratch.file("home/site/Tiny/3/compare-branch.html"), encoding: .utf8)
      #expect(page.contains("<h1>Tiny 1 → 3: doubles() went red</h1>"))
      #expect(page.contains(">2 commits by ") && page.contains(#"<a href="compare.html">compare with 2</a>"#))
      #expect(page.contains("Tiny.swift") && page.contains(">1</a>, the branch point: "))
      let report = ReportFolder(path: scratch.file("home/site/Tiny/3"))
      #expect(try report.brokenLinks() == [])
      let other = try String(contentsOfFile: scratch.file("home/site/Tiny/3/compare.html"), encoding: .utf8)
      #expect(other.contains(#"<a href="compare-branch.html">compare with 1, the branch point</a>"#))
      let branch = try String(contentsOfFile: scratch.file("home/site/Tiny/branch-topic.html"), encoding: .utf8)
      #expect(branch.contains(#"<a class="vs" href="3/compare-branch.html" title="Compare with the branch point">"#))
    }

    @Test("What is red in a commit that is run once more is as old as its first run")
    func again() throws {
      #expect(try run() == 0)
      try repository.commit(
        "Break it", ["Sources/Tiny/Tiny.swift": "public func twice(_ number: Int) -> Int { 3 * number }\n"])
      #expect(try run() == 1)
      #expect(try run() == 1)
      let again = try program.integrated(3, of: "Tiny", run: Program.Run(status: 1, output: "", errors: ""))
      #expect(again.document.issues.map(\.status) == [.unresolved])
      #expect(again.document.issues.map(\.life?.streakStart) == [2])
      #expect(try again.report.words("index.html").contains("since 2"))
      #expect(try program.run("show", "Tiny/3").output.contains("\n  since 2, probably Mira (Tiny.swift:1)\n"))
      #expect(try program.run("issues", "Tiny").output.contains("; since 2\n"))
    }

    @Test("A bot that waits for its first result is not called unknown")
    func waiting() throws {
      #expect(try run() == 0)
      let state = WatchState(asOf: Date(), bots: [WatchState.BotState(name: "Later", repository: repository.path)])
      try JSONEncoder().encode(state).write(to: URL(fileURLWithPath: scratch.file("home/\(WatchState.fileName)")))
      let show = try program.run("show", "Later")
      #expect(show.status == 2)
      #expect(
        show.errors
          == "error: Later has no finished integration yet. 'martlet status' shows what runs and what waits.\n")
    }
  }
}
