import FoundationEssentials
import Integrating
import Model
import Testing

extension Histories {
  @Suite("A package in a folder")
  struct CornersTests {
    private let story: CornersStory

    init() throws {
      story = try CornersStory.told.get()
    }

    @Test("Is built with the package beside it, its submodule and its CRLF sources")
    func plain() throws {
      let plain = story.plain
      #expect(plain.run.status == 0, "\(plain.run.errors)\(plain.run.output)")
      #expect(plain.document.outcome == .succeeded)
      #expect(plain.document.package == "Packages/Corner")
      #expect(plain.document.tests.listed == 3)
      #expect(plain.document.tests.passed == 3)
      #expect(plain.document.branch == "main")
      #expect(plain.document.workingTree == nil)
    }

    @Test("Counts the lines of its own sources, by paths relative to the package")
    func coverage() throws {
      let plain = story.plain
      #expect(
        plain.coverage.files?.map(\.path) == [
          "Sources/Corner/Greeting.swift", "Sources/Corner/Unused.swift", "Vendored/Sources/Farewell.swift",
        ])
      let gutter = try plain.report.gutter("coverage/Sources-Corner-Greeting.swift.html")
      #expect(gutter[5] == "3")
      #expect(gutter[6] == "1")
      #expect(gutter[8] == "2")
      let page = try plain.report.text("coverage/Sources-Corner-Greeting.swift.html")
      #expect(!page.contains("\r") && !page.contains("\u{240D}"))
    }

    @Test("Shows the text of a submodule's sources")
    func submoduleSource() throws {
      let words = try story.plain.report.words("coverage/Vendored-Sources-Farewell.swift.html")
      let broken = try story.plain.report.brokenLinks()
      #expect(words.contains("\"Bye\""))
      #expect(broken == [])
    }

    @Test("--working-tree integrates what was changed, added and deleted, and tells it everywhere")
    func workingTree() throws {
      let dirty = story.uncommitted
      #expect(dirty.run.status == 0, "\(dirty.run.errors)\(dirty.run.output)")
      #expect(
        dirty.document.workingTree
          == WorkingTreeChanges(
            modified: [
              "Packages/Corner/Sources/Corner/Greeting.swift", "Packages/Inner/Sources/Inner/Name.swift",
            ],
            added: ["Packages/Corner/Tests/CornerTests/Added.swift"],
            deleted: ["Packages/Corner/Sources/Corner/Unused.swift"]))
      #expect(dirty.document.tests.listed == 4)
      #expect(dirty.test("added()")?.state == .passed)
      #expect(dirty.coverage.files?.contains { $0.path.hasSuffix("Unused.swift") } == false)
      #expect(dirty.run.output.contains("\n  With uncommitted changes: 4 files.\n"))
      let words = try dirty.report.words("index.html")
      #expect(words.contains("Greeting.swift"))
      #expect(words.contains("Added.swift"))
      #expect(words.contains("Unused.swift"))
      #expect(try dirty.report.words("coverage/Sources-Corner-Greeting.swift.html").contains("Hi \\(name)"))
      #expect(dirty.document.baseline == story.linked.document.number)
    }

    @Test("Changed lines of the package beside it do not count, are told, and are on a page with their text")
    func beside() throws {
      let dirty = story.uncommitted
      let path = "../Inner/Sources/Inner/Name.swift"
      #expect(
        dirty.coverage.changes?.patch.uncounted == [
          UncountedPatchFile(
            path: path, package: "Packages/Inner", lines: LineTally(total: 3), neverRan: [2, 3, 4])
        ])
      #expect(
        dirty.run.output.contains(
          "\nUncounted changed lines of \(path) do not count: they are of another package of this repository, which a bot with `package: Packages/Inner` would count\n"
        ))
      let page = try dirty.report.words("package-sources/Inner-Sources-Inner-Name.swift.html")
      #expect(page.contains("unheard()") && page.contains("a bot with `package: Packages/Inner` would count"))
      #expect(try dirty.report.brokenLinks() == [])
      #expect(try !dirty.report.text("coverage.html").contains("/workspaces/"))
    }

    @Test("The next run without it is clean, and not compared with the uncommitted one")
    func cleanAgain() throws {
      let clean = story.cleanAgain
      #expect(clean.document.workingTree == nil)
      #expect(clean.document.tests.listed == 3)
      #expect(clean.coverage.files == story.plain.coverage.files)
      #expect(try clean.report.words("coverage/Sources-Corner-Greeting.swift.html").contains("Hello \\(name)"))
      #expect(clean.document.baseline == story.linked.document.number)
    }

    @Test("A crash in another package of the repository has its line there, and is that commit's that changed it")
    func crashBeside() throws {
      let issue = try #require(story.crashed.document.issues.first { $0.kind == .crash })
      #expect(issue.file == "../Inner/Sources/Inner/Wish.swift")
      #expect(issue.line == 2)
      #expect(issue.suspects?.map(\.commit?.rawValue) == [story.guilty])
    }

    @Test("A linked work tree belongs to its repository and shares the workspace")
    func linked() {
      #expect(story.linked.document.bot == CornersStory.bot)
      #expect(story.linked.document.repository == story.scratch.file("linked"))
      #expect(story.linked.step(.building)?.exitStatus == 0 || story.linked.step(.building)?.exitStatus == nil)
      #expect(story.linked.document.tests.passed == 3)
      #expect(story.linked.document.commit == story.plain.document.commit)
    }

    @Test("Nothing is written to the repository, its submodule or its linked work tree")
    func untouched() {
      #expect(story.touched == [])
    }

    @Test("--filter and --skip choose tests of both libraries, and the others are counted apart")
    func selection() {
      #expect(
        Set(story.filtered.document.tests.cases.map(\.id.description)) == [
          "CornerTests.XCTests/test_greets", "CornerTests.greets()",
        ])
      #expect(story.filtered.document.tests.filteredOut == 1)
      #expect(story.filtered.document.outcome == .succeeded)
      #expect(story.skipped.document.tests.cases.map(\.id.name).sorted() == ["greets()", "saysFarewell()"])
      #expect(story.skipped.document.tests.filteredOut == 1)
      #expect(
        story.skipped.document.reasons == ["No test matches the skip 'farewell', so it leaves out nothing."])
      #expect(story.filtered.run.output.contains("Tests     2 listed: 2 passed; 1 filtered out\n"))
    }

    @Test("The coverage of selected tests says how many they are, and that none is compared which had others")
    func selectedCoverage() throws {
      #expect(story.plain.coverage.changes?.reason == "There is no earlier integration to compare with.")
      #expect(
        story.filtered.coverage.changes?.reason == "There is no earlier integration with the same selection of tests.")
      #expect(try story.filtered.report.text("coverage.html").contains("<span>only 2 of 3 tests were selected</span>"))
      #expect(try !story.plain.report.text("coverage.html").contains("selected</span>"))
    }

    @Test("A filter that matches nothing proves nothing")
    func nothingSelected() throws {
      let empty = story.nothingSelected
      #expect(empty.run.status == 1)
      #expect(empty.document.outcome == .incomplete)
      #expect(empty.document.reasons == ["No test matches the filter; 3 tests were left out."])
      #expect(empty.document.tests.listed == 0)
      #expect(empty.document.tests.filteredOut == 3)
      #expect(!empty.coverage.available)
      #expect(empty.coverage.reason == "No test process left its counters.")
      #expect(try empty.report.brokenLinks() == [])
    }

    @Test("--output holds the report of the last run, whole")
    func output() throws {
      let copy = ReportFolder(path: story.scratch.file("out/report"))
      // What leads to the neighbours of a report is of use in the site only.
      let steps = ["newest.css", "newest.html", "next.html", "previous.html"]
      #expect(try copy.files() == story.filtered.report.files().filter { !steps.contains($0) })
      #expect(try copy.brokenLinks(isCopy: true) == [])
      #expect(try copy.text("integration.json") == story.filtered.report.text("integration.json"))
      #expect(story.scratch.names(in: "out") == ["report"])
      #expect(story.scratch.names(in: "out/report").allSatisfy(ReportCopy.isOfReport))
      #expect(story.filtered.run.output.hasSuffix("\nReport    \(story.scratch.file("out/report"))/index.html\n"))
    }

    @Test("--output refuses a folder with other files before anything is done")
    func foreignOutput() throws {
      try story.scratch.write("mine", to: "documents/letter.txt")
      let program = Program(scratch: story.scratch)
      let before = program.numbers(of: CornersStory.bot)
      let run = try program.run(
        "run", story.scratch.file(CornersStory.bot), "--package", "Packages/Corner", "--output",
        story.scratch.file("documents"))
      #expect(run.status == 2)
      #expect(
        run.errors
          == "error: cannot copy the report to \(story.scratch.file("documents")): the folder holds other files, and no earlier copy. Name a new or an empty folder with --output.\n"
      )
      #expect(run.output.isEmpty)
      #expect(story.scratch.names(in: "documents") == ["letter.txt"])
      #expect(program.numbers(of: CornersStory.bot) == before)
    }
  }
}
