import Model
import Testing

@testable import Rendering

@Suite("The lists of files in one order")
struct FileListTests {
  private func names(_ order: FileList.Order, _ files: [FileCoverage]) throws -> [String] {
    let rows = FileRows(CoverageTree(Coverage(files: files), baseline: nil)) {
      "coverage/\($0).html"
    }
    let list = FileList(rows, by: order)
    guard case .html(let html)? = list.record["rows"] else { return [] }
    return PageMarkup(String(decoding: html.bytes, as: UTF8.self)).values(of: "href").map {
      String($0.split(separator: "/")[1].prefix(1))
    }
  }

  private func files() -> [FileCoverage] {
    // Uncovered of all lines, the last one partly run, and never called of all functions.
    let figures = [("C", 3, 9, 0, 2), ("A", 2, 2, 1, 1), ("B", 0, 4, 2, 9), ("D", 1, 3, 0, 0)]
    return figures.map { name, never, total, uncalled, functions in
      file(
        name,
        lines: (1...total).map {
          LineCoverage(line: $0, count: 1, state: $0 <= never ? .neverRan : $0 == 4 ? .partlyRan : .ran)
        }, functions: (0..<functions).map { CoverageSample.function("f\($0)", 1...1, count: $0 < uncalled ? 0 : 1) })
    }
  }

  @Test("Files come by name, by lines, by the share that never ran, and by functions that were never called")
  func orders() throws {
    #expect(try names(.name, files()) == ["A", "B", "C", "D"])
    // C and D have the same share, and B and C as many lines that partly ran.
    #expect(try names(.share, files()) == ["A", "C", "D", "B"])
    #expect(try names(.functions, files()) == ["B", "A", "C", "D"])
    #expect(try names(.uncovered, files()) == ["C", "A", "D", "B"])
    #expect(try names(.lines, files()) == ["C", "B", "D", "A"])
    #expect(try names(.partly, files()) == ["B", "C", "A", "D"])
  }

  @Test("Files come by the regions that never ran")
  func regions() throws {
    var files = files()
    for (index, uncovered) in [2, 0, 5, 3].enumerated() {
      files[index].totals.regions = Tally(total: 9, covered: 9 - uncovered)
    }
    #expect(try names(.regions, files) == ["B", "D", "C", "A"])
  }

  @Test("A file has its folder beside its name, and a bar beside its share")
  func folders() throws {
    let files = [
      file("Sources/A/Index.swift", lines: []), file("Sources/B/Index.swift", lines: []), file("C.swift", lines: []),
    ]
    let rows = FileRows(CoverageTree(Coverage(files: files + self.files()), baseline: nil)) { _ in nil }
    let list = FileList(rows, by: .name)
    guard case .html(let html)? = list.record["rows"] else { throw Unexpected() }
    let text = String(decoding: html.bytes, as: UTF8.self)
    #expect(text.contains("<th scope=row>Index.swift <span class=faint>Sources/<wbr>A</span><td>"))
    #expect(text.contains("<th scope=row>C.swift<td>"))
    #expect(text.contains("</svg>100%<td>") && text.contains("<td>no code<td>"))
  }

  @Test("Beside each count stands its change against the baseline, as in the tree")
  func changes() throws {
    var now = files()[0]
    now.totals.regions = Tally(total: 9, covered: 5)
    var before = now.totals
    before.lines = LineTally(total: 8, covered: 6, partial: 0)
    before.functions = Tally(total: 2, covered: 1)
    before.regions = Tally(total: 9, covered: 4)
    var baseline = Baseline(
      number: 41, commit: CommitID(rawValue: ""), outcome: .succeeded, tests: TestCounts(), totals: before,
      files: [now.path: before], duration: 0, warnings: 0, states: [:])
    baseline.targets = [now.path: now.target]
    let row = try #require(FileRows(CoverageTree(Coverage(files: [now]), baseline: baseline)) { _ in nil }.html.first)
    let text = String(decoding: row.bytes, as: UTF8.self)
    #expect(text.contains("<td>3 <span class=\"d worse\">+1</span><td>9 <span class=\"d \">+1</span><td><svg "))
    #expect(text.contains("<td>1 <span class=\"d worse\">+1</span><td>0 of 2 <span class=\"d better\">−1</span>"))
    #expect(text.contains("</svg>33.3%<td>"))
    #expect(text.contains("<td>4 of 9 <span class=\"d better\">−1</span>"))
  }

  private struct Unexpected: Error {}

  @Test("A list that is too long for a page says how many files are not in it, and where they are")
  func long() throws {
    let files = files()
    let rows = FileRows(CoverageTree(Coverage(files: files), baseline: nil)) { _ in nil }
    let room = try #require(rows.byName.first.map { rows.html[$0].bytes.count })
    let list = FileList(rows, by: .name, longest: room)
    #expect(list.record["more"] == "and 3 more files")
    guard case .html(let html)? = list.record["rows"] else { throw Unexpected() }
    #expect(String(decoding: html.bytes, as: UTF8.self).contains(">A<td>"))
    #expect(html.bytes.count == room)
    let page = try PageSite.templates().render(
      "coverage-files",
      .record(list.frame(ReportFacts(CoverageSample.report.integration)).record(with: list.record)))
    #expect(
      String(decoding: page, as: UTF8.self).contains(
        "<p class=\"faint\">and 3 more files; <a href=\"coverage.html#h-tree\">the tree</a> leads to all of them</p>"))
    #expect(FileList(rows, by: .name).record["more"] == .missing)
  }

  @Test("Each list says by the head of a column how it is sorted, and the other heads lead to the other lists")
  func listHeads() throws {
    var report = CoverageSample.report
    report.integration.coverage = .available(Coverage(files: files()))
    let tree = CoverageTree(Coverage(files: files()), baseline: nil)
    let list = FileList(FileRows(tree) { _ in nil }, by: .lines)
    let page = try PageSite.templates().render(
      "coverage-files", .record(list.frame(ReportFacts(report.integration)).record(with: list.record)))
    let text = String(decoding: page, as: UTF8.self)
    #expect(text.contains("<th scope=\"col\" aria-sort=\"descending\">Lines</th>"))
    #expect(text.contains("<p class=\"facts screen\"><span class=\"narrow-on faint\">Sort by</span>"))
    // Its heading says how it is sorted, which then stays so.
    #expect(text.contains(" files by lines</h1>") && !text.contains("data-sort"))
    for order in FileList.Order.shown(for: tree.totals) where order != .lines {
      #expect(text.contains("<th scope=\"col\"><a href=\"\(order.path)\">\(order.head)</a></th>"))
    }
  }

  @Test("The list has its total, and beside each file how many of its changed lines never ran, as the tree")
  func changedLines() throws {
    let integration = ChangeSample(
      before: ["1|a()", "3|b()"], now: ["1|a()", "3|b()", "0|new()", "0|new()", "7|new()"],
      hunks: [.init(old: 3..<3, new: 3..<6)]
    ).report.integration
    let coverage = try #require(integration.coverage.coverage)
    let tree = CoverageTree(coverage, baseline: integration.baseline, changes: integration.changes)
    let rows = FileRows(tree) { _ in nil }
    let row = String(decoding: try #require(rows.html.first).bytes, as: UTF8.self)
    #expect(row.contains("<td data-l=\"this change\">2 of 3 never ran\n"), "\(row)")
    let record = FileList(rows, by: .name).record
    #expect(record["total"] == "2 of 5 lines never ran" && record["hasChanges"] == true)
    #expect(row.hasPrefix("<tr class=\"changed\"><th "))
  }

  @Test("A file without a gap can be filtered out, as in the tree")
  func gaps() {
    let whole = file("E", lines: [LineCoverage(line: 1, count: 1, state: .ran)])
    let rows = FileRows(CoverageTree(Coverage(files: files() + [whole]), baseline: nil)) { _ in nil }.html
    let texts = rows.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(texts.count { $0.hasPrefix("<tr class=\"whole\"><th scope=row>E<") } == 1)
    #expect(texts.count { $0.hasPrefix("<tr><th scope=row>") } == 4)
  }

  @Test("A file says how many more of its lines are uncovered than in the baseline, where that changed")
  func moreUncovered() throws {
    let report = CoverageSample.report
    let page = try #require(try CoverageSite.render(report)["files-by-name.html"])
    let cells = page.matches(
      of: /<th scope=row>(?:<a[^>]*>)?([^<]*)(?:<\/a>)?(?: <span class=faint>.*?<\/span>)?<td>(.*?)<td>/
    ).map {
      "\($0.1): \($0.2)"
    }
    #expect(
      cells == [
        "Greeter.swift: 4 <span class=\"d worse\">+3</span>", "Tool.c: 1", "Words.swift: 0 <span class=d>new</span>",
      ])
  }

  @Test("The heads of the tree lead to the lists, unless there is only one file")
  func heads() throws {
    func overview(_ files: [FileCoverage]) throws -> String {
      var report = CoverageSample.report
      report.integration.coverage = .available(Coverage(files: files))
      let pages = CoveragePages(
        report, facts: ReportFacts(report.integration), library: try PageSite.templates(), testPage: { _ in nil })
      return String(decoding: try pages.overview().bytes, as: UTF8.self)
    }
    let page = try overview(files())
    #expect(page.contains("<th scope=\"col\"><a href=\"files-by-name.html\">Name</a></th>"))
    #expect(page.contains(" aria-sort=\"descending\"><a href=\"files-by-uncovered.html\">"), "The worst are first.")
    #expect(try overview([file("A", lines: [])]).contains("files-by") == false)
  }
}
