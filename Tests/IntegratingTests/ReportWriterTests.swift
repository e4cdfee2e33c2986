import FoundationEssentials
import Glibc
import Model
import Processes
import Rendering
import Testing

@testable import Integrating

@Suite("The writing of reports")
struct ReportWriterTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func report(_ number: Int, text: String = "let a = 1\n", count: UInt64 = 1) -> Report {
    let commit = Commit(
      id: CommitID(rawValue: String(repeating: "a", count: 40)), summary: "Begin", author: "Mira",
      date: Date(timeIntervalSince1970: Double(number)))
    var integration = Integration(
      bot: "Shop", number: number, repository: "/r", branch: nil, commit: commit, cause: .person, toolchain: "Swift",
      configuration: "debug", sandbox: "off", queuedAt: Date(timeIntervalSince1970: Double(number)),
      repeatCommand: "martlet run")
    let files = (1...40).map { index in
      FileCoverage(
        path: "Sources/Shop/File\(index).swift", target: "Shop",
        lines: [LineCoverage(line: 1, count: index == 7 ? count : 1, state: .ran)], deadStretches: [], functions: [],
        totals: CoverageTotals(lines: LineTally(total: 1, covered: 1)), llvmLines: Tally(total: 1, covered: 1))
    }
    integration.coverage = .available(Coverage(files: files))
    let sources = Dictionary(
      uniqueKeysWithValues: files.map { ($0.path, Array(($0.path.contains("File9.") ? text : "let a = 1\n").utf8)) })
    return Report(integration: integration, logs: [], sources: sources)
  }

  private func renderer(_ changed: String? = nil) throws -> ReportRenderer {
    let templates = try templates(changed)
    return ReportRenderer(templates: templates.library, assets: templates.assets)
  }

  /// - Parameter changed: stands in for the template of pages about source.
  private func templates(_ changed: String? = nil) throws -> ReportTemplates {
    let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let own = try changed.map { text in
      let folder = try scratch.folder.folder("own").create()
      try folder.create("source.mustache", Array(text.utf8))
      return folder.path
    }
    return try ReportTemplates(folder: checkout.appending(path: "templates").path, over: own)
  }

  private func write(_ report: Report, sharing earlier: Folder? = nil, threads: Int = 3) throws -> Folder {
    let renderer = try renderer()
    let folder = try scratch.folder.folder("\(report.integration.number)-\(threads)").create()
    try ReportWriter(to: folder, sharing: earlier, workers: WorkerThreads(threads: threads)).write(
      renderer.parts(of: report))
    return folder
  }

  /// What tells a file on disk from others, by path in the folder.
  private func files(_ folder: Folder, _ names: [String]) throws -> [UInt64?] {
    try names.map { name in
      try FileManager.default.attributesOfItem(atPath: folder.file(name))[.systemFileNumber] as? UInt64
    }
  }

  private let pages = (1...40).map { "coverage/Sources-Shop-File\($0).swift.html" }

  @Test("However many threads write it, a report has the same bytes")
  func threads() throws {
    let one = try write(report(1), threads: 1)
    let several = try write(report(1), threads: 4)
    #expect(one.names() == several.names() && one.folder("coverage").names().count == 40)
    for name in pages + ["index.html", "coverage.html", "tests.html", "facts.css"] {
      #expect(one.read(name) != nil && one.read(name) == several.read(name), "\(name)")
    }
  }

  @Test("A report that cannot be made costs no results, and it is said why there is none")
  func failing() throws {
    let home = Home(scratch.file("home"))
    try home.prepare()
    let kept = try home.integration(1, of: "Shop").create()
    let made = report(1)
    let publisher = Publisher(home: home, kept: kept, templates: try templates("{{.}}"), time: .utc)
    let finished = try publisher.publish(made.integration) { () throws(IntegratingError) in made }
    let template = scratch.file("own/source.mustache")
    #expect(
      (finished.failure as? TemplateError)?.words
        == "the template \(template):1:1: \".\" is a record and cannot be put in as text. Open it with {{#.}} and put in what it holds."
    )
    #expect(kept.read(StoredIntegration.fileName) == finished.document && !finished.report.exists)
    #expect(try PastIndex(of: home).integrations(of: "Shop").map(\.number) == [1])
    #expect(
      throws: IntegratingError(
        .service,
        """
        Template \(template):1:1: "." is a record and cannot be put in as text.
          {{.}}
          ^
        Open it with {{#.}} and put in what it holds.
        Only the report could not be made; 'martlet show Shop/1' tells the results.
        """)
    ) { try finished.requireReport() }
  }

  @Test("Pages that say the same as in the report before are the same files, others are written")
  func sharing() throws {
    let first = try write(report(1))
    let second = try write(report(2, text: "let b = 2\n", count: 5), sharing: first)
    let (old, new) = (try files(first, pages), try files(second, pages))
    #expect(zip(pages, zip(old, new)).filter { $1.0 != $1.1 }.map(\.0) == [pages[6], pages[8]])
    #expect(try files(first, ["index.html"]) != files(second, ["index.html"]))
    #expect(scratchText(second, pages[8])?.contains("<b>let</b> b") == true)
    #expect(scratchText(first, pages[8])?.contains("<b>let</b> a") == true)
  }

  @Test("A report keeps its pages when the one that it shares them with is removed")
  func removal() throws {
    let first = try write(report(1))
    let second = try write(report(2), sharing: first)
    let before = pages.map { second.read($0) }
    try first.remove()
    #expect(pages.map { second.read($0) } == before && !before.contains(nil))
  }

  @Test("A link in the place of an earlier page is not followed")
  func links() throws {
    let first = try write(report(1))
    try FileManager.default.moveItem(atPath: first.file(pages[0]), toPath: scratch.file("elsewhere"))
    try scratch.link("1-3/\(pages[0])", to: scratch.file("elsewhere"))
    let second = try write(report(2), sharing: first)
    #expect(try files(second, [pages[0]]) != files(scratch.folder, ["elsewhere"]))
    #expect(second.read(pages[0]) == scratch.folder.read("elsewhere"))
  }

  private let seed = PageHash.Seed(3, 4)

  /// Writes a report with keys, and returns it with them.
  private func writeKeyed(
    _ report: Report, after earlier: (folder: Folder, keys: PageKeys)? = nil, program: String = "1",
    templates changed: String? = nil
  ) throws -> (folder: Folder, keys: PageKeys) {
    let folder = try scratch.folder.folder("\(report.integration.number)-keys").create()
    let writer = ReportWriter(to: folder, sharing: earlier?.folder, keys: earlier.flatMap { PageKeys($0.keys.bytes) })
    let parts = try renderer(changed).parts(of: report)
    let keys = try #require(try writer.write(parts, keys: PageKeys(seed: seed, program: program)))
    return (folder, keys)
  }

  /// Changes a page without changing its size, as nobody does: it shows whether the page is made again.
  private func forge(_ page: String, in report: Folder) throws {
    let bytes = try #require(report.read(page))
    try report.create(page, bytes.reversed())
  }

  @Test("A page that would be the same is not even made")
  func skipping() throws {
    let first = try writeKeyed(report(1))
    try forge(pages[3], in: first.folder)
    let forged = first.folder.read(pages[3])
    let second = try writeKeyed(report(2, text: "let b = 2\n", count: 5), after: first)
    #expect(second.folder.read(pages[3]) == forged)
    let (old, new) = (try files(first.folder, pages), try files(second.folder, pages))
    #expect(zip(pages, zip(old, new)).filter { $1.0 != $1.1 }.map(\.0) == [pages[6], pages[8]])
    // The keys of what was skipped are handed on.
    let third = try writeKeyed(report(3, text: "let b = 2\n", count: 5), after: second)
    #expect(try files(third.folder, pages) == new)
  }

  @Test("Another program, another seed and another template make all pages again")
  func again() throws {
    let first = try writeKeyed(report(1))
    for page in pages { try forge(page, in: first.folder) }
    let same = pages.map { first.folder.read($0) }
    let unchanged = try writeKeyed(report(2), after: first).folder
    #expect(pages.map { unchanged.read($0) } == same)
    for (number, other) in [
      try writeKeyed(report(3), after: first, program: "2").folder,
      try writeKeyed(report(4), after: first, templates: "{{<layout}}{{$content}}{{heading}}{{/content}}{{/layout}}")
        .folder,
      try write(report(5), sharing: first.folder),
    ].enumerated() {
      let made = pages.map { other.read($0) }
      #expect(zip(made, same).allSatisfy { $0 != $1 }, "\(number)")
    }
  }

  @Test("A page that lost its end, or is gone, is made again")
  func damaged() throws {
    let first = try writeKeyed(report(1))
    let whole = pages.map { first.folder.read($0) }
    try first.folder.create(pages[2], Array((whole[2] ?? []).dropLast()))
    unlink(first.folder.file(pages[5]))
    let second = try writeKeyed(report(2), after: first)
    #expect(pages.map { second.folder.read($0) } == whole)
    #expect(first.folder.read(pages[2])?.count == (whole[2]?.count ?? 0) - 1, "the earlier report is as it was")
  }

  @Test("Keys are read as they were written, and anything else is no keys")
  func reading() throws {
    let keys = try writeKeyed(report(1)).keys
    let read = try #require(PageKeys(keys.bytes))
    #expect(read.entries == keys.entries && read.entries.count == 40)
    #expect(read.seed == seed && read.program == "1")
    #expect(PageKeys([]) == nil && PageKeys(Array("martlet.page-keys/1\n1\n\n".utf8)) == nil)
    #expect(PageKeys(keys.bytes.dropLast(3)) == nil)
    #expect(PageKeys(keys.bytes + [0xFF, 0x0A]) == nil)
  }

  @Test("Where several parts fail, the failure of the first one is told")
  func failures() throws {
    struct Failure: Error, Equatable { var piece: Int }
    #expect(throws: Failure(piece: 3)) {
      try WorkerThreads(threads: 4).carryOut(50) { if $0 >= 3 { throw Failure(piece: $0) } }
    }
    #expect(try WorkerThreads(threads: 4).map(100) { $0 * 2 } == (0..<100).map { $0 * 2 })
    #expect(try WorkerThreads(threads: 4).map(0) { $0 } == [])
  }

  private func scratchText(_ folder: Folder, _ name: String) -> String? {
    folder.read(name).map { String(decoding: $0, as: UTF8.self) }
  }
}
