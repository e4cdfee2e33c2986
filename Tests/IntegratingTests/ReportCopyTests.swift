import FoundationEssentials
import Model
import Testing

@testable import Integrating

@Suite("The copy of a report")
struct ReportCopyTests {
  private let scratch: Scratch
  private let finished: FinishedIntegration

  init() throws {
    scratch = try Scratch()
    let report = try scratch.folder.folder("site/Shop/1").create()
    try report.write("new", to: "index.html")
    try report.write("{}", to: "integration.json")
    try report.write("", to: "style.css")
    try report.folder("log").create()
    try report.folder("log").write("built", to: "building.html")
    let commit = Commit(
      id: CommitID(rawValue: String(repeating: "a", count: 40)), summary: "Begin", author: "Mira",
      date: Date(timeIntervalSince1970: 0))
    finished = FinishedIntegration(
      integration: Integration(
        bot: "Shop", number: 1, repository: "/r", branch: nil, commit: commit, cause: .person, toolchain: "",
        configuration: "debug", sandbox: "off", queuedAt: Date(timeIntervalSince1970: 0), repeatCommand: ""),
      document: Array("{}".utf8), report: report)
  }

  @Test("Holds everything that the report holds, in a folder that is made with those above it")
  func first() throws {
    let copy = try ReportCopy(to: scratch.file("a/b/report/"))
    #expect(copy.page == scratch.file("a/b/report/index.html"))
    try copy.publish(finished)
    let folder = scratch.folder.folder("a/b/report")
    #expect(folder.names() == finished.report.names())
    #expect(scratch.text("a/b/report/log/building.html") == "built")
    #expect(scratch.folder.folder("a/b").names() == ["report"])
  }

  @Test("Neither leads to nor loads what only the site has")
  func withoutSite() throws {
    for name in ["newest.css", "newest.html", "next.html", "previous.html"] { try finished.report.write("", to: name) }
    let page = """
      <link rel=stylesheet href=../style.css>
      <link rel=stylesheet class=up href=../newest.css>
      <li><a class="up" href="../../index.html">Shop</a> <a href="tests.html">Tests</a>
      <p class="turn onward"><a href="../previous.html">previous</a> <a class="up" href="../newest.html">newest</a></p>
      <p class="turn">compared with 1</p>

      """
    try finished.report.folder("log").write(page, to: "building.html")
    try ReportCopy(to: scratch.file("report")).publish(finished)
    #expect(scratch.folder.folder("report").names() == ["index.html", "integration.json", "log", "style.css"])
    #expect(
      scratch.text("report/log/building.html") == """
        <link rel=stylesheet href=../style.css>
        <li><a>Shop</a> <a href="tests.html">Tests</a>
        <p class="turn">compared with 1</p>

        """)
    #expect(scratch.text("site/Shop/1/log/building.html") == page)
  }

  @Test("Replaces an earlier copy as a whole, and leaves what else lies there alone")
  func second() throws {
    let folder = scratch.folder.folder("report")
    try ReportCopy(to: folder.path).publish(finished)
    try folder.write("stale", to: "tests-2.html")
    try folder.write("stale", to: "mutants.json")
    try folder.folder("issues").create().write("stale", to: "e-1.html")
    try folder.write("mine", to: "notes.md")
    try folder.write("old", to: "index.html")
    try ReportCopy(to: folder.path).publish(finished)
    #expect(scratch.text("report/index.html") == "new")
    #expect(folder.names() == ["index.html", "integration.json", "log", "notes.md", "style.css"])
    #expect(scratch.text("report/notes.md") == "mine")
    #expect(scratch.folder.names() == ["report", "site"])
  }

  @Test("The folder itself stays the same one, because somebody may stand in it or have mounted it")
  func sameFolder() throws {
    let folder = try scratch.folder.folder("report").create()
    func node() throws -> UInt64? {
      try FileManager.default.attributesOfItem(atPath: folder.path)[.systemFileNumber] as? UInt64
    }
    let before = try #require(try node())
    try ReportCopy(to: folder.path + "/.").publish(finished)
    try ReportCopy(to: folder.path).publish(finished)
    #expect(try node() == before)
  }

  @Test("What a copy that was killed half-way left aside does not stand in the way")
  func killed() throws {
    let folder = try scratch.folder.folder("report").create()
    let left = try folder.folder(".martlet.999999999.old").create()
    try left.write("old", to: "index.html")
    try left.write("old", to: "style.css")
    try folder.write("{}", to: "integration.json")
    try folder.write("new", to: "style.css")
    var gone = finished
    gone.report = scratch.folder.folder("site/Shop/none")
    #expect(throws: IntegratingError.self) { try ReportCopy(to: folder.path).publish(gone) }
    #expect(scratch.text("report/index.html") == "old")
    #expect(scratch.text("report/style.css") == "new")
    try ReportCopy(to: folder.path).publish(finished)
    #expect(folder.names() == ["index.html", "integration.json", "log", "style.css"])
  }

  @Test("An empty folder may be used")
  func empty() throws {
    try scratch.folder.folder("report").create()
    try ReportCopy(to: scratch.file("report")).publish(finished)
    #expect(scratch.text("report/index.html") == "new")
  }

  @Test("A folder that cannot be made is refused before anything is built")
  func unmakeable() {
    #expect(throws: IntegratingError.self) {
      do {
        _ = try ReportCopy(to: "/proc/report")
      } catch {
        #expect(
          "\(error)"
            == "cannot copy the report to /proc/report: no folder can be made there. Choose another one with --output.")
        throw error
      }
    }
  }

  @Test(
    "A folder with other files is refused and not touched",
    arguments: [
      ["notes.txt"], ["index.html", "style.css"], [".martlet.yml"], [".martlet.yml", "archive"], [".martlet.x.old"],
    ])
  func foreign(names: [String]) throws {
    let folder = try scratch.folder.folder("mine").create()
    for name in names { try folder.write("mine", to: name) }
    #expect(
      throws: IntegratingError(
        .request,
        "cannot copy the report to \(folder.path): the folder holds other files, and no earlier copy. Name a new or an empty folder with --output."
      )
    ) {
      try ReportCopy(to: folder.path)
    }
    #expect(folder.names() == names)
  }

  @Test("A file is refused")
  func file() throws {
    try scratch.folder.write("x", to: "file")
    #expect(
      throws: IntegratingError(
        .request, "cannot copy the report to \(scratch.file("file")): it is a file. Name a folder with --output.")
    ) {
      try ReportCopy(to: scratch.file("file"))
    }
  }

  @Test("A copy that fails leaves the earlier one whole and nothing half-written")
  func failure() throws {
    let folder = scratch.folder.folder("report")
    let copy = try ReportCopy(to: folder.path)
    try copy.publish(finished)
    var gone = finished
    gone.report = scratch.folder.folder("site/Shop/none")
    #expect {
      try copy.publish(gone)
    } throws: { "\($0)".hasPrefix("cannot copy the report to \(folder.path): ") }
    #expect(scratch.text("report/index.html") == "new")
    #expect(scratch.folder.names() == ["report", "site"])
  }
}
