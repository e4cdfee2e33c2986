import Comparing
import Model
import Testing

@testable import Rendering

@Suite("The pages of directories that are left out of a long tree")
struct DirectoryPagesTests {
  /// A report about files, each with so many lines that never ran of four.
  private func report(_ files: [(path: String, target: String, uncovered: Int)]) -> Report {
    var report = CoverageSample.report
    report.integration.coverage = .available(
      Coverage(
        files: files.map { path, target, uncovered in
          let lines = (1...4).map { LineCoverage(line: $0, count: 1, state: $0 <= uncovered ? .neverRan : .ran) }
          return file(path, target: target, lines: lines)
        }))
    return report
  }

  private func many(_ count: Int, folders: Int) -> Report {
    report((0..<count).map { ("Sources/Big/Folder\($0 % folders)/File\($0).swift", "Big", $0 % 4) })
  }

  /// The pages about all files and about directories.
  private func pages(_ report: Report, longest: Int = TreeCut.longestPage) throws -> [String: String] {
    let pages = try CoverageSite.pages(report, longestTree: longest)
    let files = try [pages.overview()] + pages.directories.flatMap { try $0.files() }
    return Dictionary(uniqueKeysWithValues: files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
  }

  /// The numbers of the files that have rows with links.
  private func numbers(_ page: String) -> [Int] {
    PageMarkup(page).values(of: "href").compactMap { link in
      guard link.hasSuffix(".swift.html") else { return nil }
      return link.dropLast(11).split(separator: "e").last.flatMap { Int($0) }
    }
  }

  @Test("A tree that fits on one page has no others")
  func short() throws {
    #expect(try pages(many(100, folders: 3)).keys.sorted() == ["coverage.html"])
  }

  @Test("No page of a package with very many files is too long")
  func veryLong() throws {
    let pages = try pages(many(3000, folders: 30))
    #expect(pages.count > 20)
    #expect(pages.values.allSatisfy { $0.utf8.count < 700_000 })
    #expect((pages["coverage.html"] ?? "").utf8.count > 400_000)
  }

  @Test("Where only files that ran whole do not fit, none of them is in the tree, and a link leads to the list of all")
  func whole() throws {
    let files = (0..<60).map {
      (path: "Sources/Big/Folder\($0 % 6)/File\($0).swift", target: "Big", uncovered: $0 < 6 ? 2 : 0)
    }
    let overview = try #require(try pages(report(files), longest: 12_000)["coverage.html"])
    #expect(
      overview.contains(
        "<p class=\"small more-rows\">54 more files that ran whole are in <a href=\"files-by-uncovered.html\">the list</a>.</p>"
      ))
    let tree = String(
      try #require(overview.split(separator: "id=\"h-tree\"").last?.split(separator: "</section>").first))
    #expect(Set(numbers(tree)) == Set(0..<6))
    #expect(overview.contains(#"id="c-folders" class="show-folders" checked>"#))
    #expect(!overview.contains("c-all"), "It would show no more than those with gaps.")
    #expect(
      overview.contains(
        #" data-none="No file with gaps matches" data-all="search all 60">"#))
    let fits = try #require(try pages(report(files))["coverage.html"])
    #expect(fits.contains(#"id="c-all" checked>"#) && !fits.contains("data-none"))
  }

  @Test("Where not even the list has room for all files, their directories have them")
  func veryMany() throws {
    let overview = try #require(try pages(many(4000, folders: 30))["coverage.html"])
    #expect(overview.contains(" more files are on the pages of their directories.</p>"))
    #expect(overview.contains(#" data-none="No file in this tree matches">"#))
  }

  @Test("A long tree keeps the worst files, and each directory leads to a page with all of its files")
  func long() throws {
    let pages = try pages(many(60, folders: 6), longest: 12_000)
    let overview = try #require(pages["coverage.html"])
    let tree = String(
      try #require(overview.split(separator: "id=\"h-tree\"").last?.split(separator: "</section>").first))
    let kept = numbers(tree)
    #expect(kept.count > 3 && kept.allSatisfy { $0 % 4 == 3 })
    #expect(
      overview.contains(
        "<p class=\"small more-rows\">\(60 - kept.count) more files are in <a href=\"files-by-uncovered.html\">the list</a>.</p>"
      ))
    #expect(
      tree.contains("<a href=\"directories/Sources-Big-Folder4.html\">Folder4/</a> <small class=faint>10 files</small>")
    )
    let directories = tree.split(separator: "<tr class=\"dir l1").dropFirst().map(String.init)
    #expect(directories.count == 6)
    for directory in directories {
      #expect(directory.firstMatch(of: /(\d+) files</)?.1 == "10")
      let (listed, left) = (numbers(directory).count, directory.firstMatch(of: /(\d+) more files?</)?.1)
      #expect(listed == 0 ? left == nil : listed + (left.flatMap { Int($0) } ?? 0) == 10)
    }
    let folder = try #require(pages["directories/Sources-Big-Folder4.html"])
    #expect(numbers(folder).sorted() == (0..<10).map { $0 * 6 + 4 })
    #expect(folder.contains("<h1>Folder4: 10 of 40 lines never ran</h1>"))
    #expect(folder.contains("<a href=\"../coverage/Sources-Big-Folder4-File4.swift.html\">"))
    #expect(folder.contains("<th scope=\"col\">Name</th>"))
    // Its sums come first, and nothing is there for a change that did not touch it.
    let sums = try #require(folder.firstRange(of: "All of Folder4/")),
      first = try #require(folder.firstRange(of: "File4."))
    #expect(sums.lowerBound < first.lowerBound && !folder.contains("c-change"))
  }

  @Test(
    "The tree and the page of a directory look as accepted", arguments: ["coverage", "directories/Sources-Big-Folder1"])
  func golden(_ name: String) throws {
    let report = changed(many(12, folders: 3))
    let page = try #require(try pages(report, longest: 5000)["\(name).html"])
    let tree = try #require(page.split(separator: "<main id=\"content\">\n").last?.split(separator: "</main>").first)
    try GoldenFile("coverage-directories/\(name.split(separator: "/").last ?? "").html").compare(with: String(tree))
  }

  /// Returns a report in which the first line of one file is new, the third of another ran before, and two files are new.
  private func changed(_ report: Report) -> Report {
    // As the compiler counts: each line is a function.
    let files = (report.integration.coverage.coverage?.files ?? []).map { counted in
      let lines = counted.lines.map { line in
        LineCoverage(line: line.line, count: line.state == .ran ? 1 : 0, state: line.state)
      }
      let functions = lines.map { CoverageSample.function("f\($0.line)()", $0.line...$0.line, count: $0.count) }
      return file(counted.path, target: counted.target, lines: lines, functions: functions)
    }
    let folder = "Sources/Big/Folder1"
    let before = files.dropLast(2).map { counted in
      var lines = counted.lines
      if counted.path == "\(folder)/File1.swift" {
        lines = lines.dropFirst().map { LineCoverage(line: $0.line - 1, count: $0.count, state: $0.state) }
      }
      if counted.path == "\(folder)/File7.swift" { lines[2] = LineCoverage(line: 3, count: 2, state: .ran) }
      let functions = lines.map { CoverageSample.function("f\($0.line)()", $0.line...$0.line, count: $0.count) }
      return file(counted.path, target: counted.target, lines: lines, functions: functions)
    }
    let new = files.suffix(2).map {
      FileDifference(status: .added, oldPath: nil, newPath: $0.path, lines: .allNew)
    }
    let modified = FileDifference(
      status: .modified, oldPath: "\(folder)/File1.swift", newPath: "\(folder)/File1.swift",
      lines: LineMap(hunks: [.init(old: 1..<1, new: 1..<2)]))
    let difference = SourceDifference([modified] + new)
    let (coverage, earlier) = (Coverage(files: files), Coverage(files: before))
    var report = report
    report.integration.coverage = .available(coverage)
    report.integration.baseline?.totals = earlier.totals
    report.integration.baseline?.files = before.keyed(by: \.path, \.totals)
    report.integration.baseline?.targets = before.keyed(by: \.path, \.target)
    report.integration.changes = CoverageChanges(
      comparison: .known(CoverageComparison(of: coverage, with: earlier, baseline: 41, difference: difference)),
      patch: .known(PatchCoverage(of: coverage, touchedBy: difference, origin: .integration(41))))
    return report
  }

  @Test("The page of a directory names what the change lost and left uncovered in it, and leads to the next ones")
  func heading() throws {
    let report = changed(many(12, folders: 3))
    let pages = try pages(report, longest: 5000)
    let page = try #require(pages["directories/Sources-Big-Folder1.html"])
    #expect(page.contains("<h1>Folder1: 6 lines never ran, 1 of them lost</h1>"))
    #expect(page.contains("<span>1 of 1 changed line never ran</span>"))
    #expect(page.contains("<title>Greeter: Folder1: 6 lines never ran, 1 of them lost"))
    // Of directories with equal counts the one that changed is the first.
    #expect(!page.contains("<a rel=prev"))
    let ways = try #require(pages["directories/Sources-Big-Folder2.html"]).matches(
      of: /<a rel=(prev|next) href="([^"]*)">/
    ).map { "\($0.1) \($0.2)" }
    #expect(ways.count == 2 && ways.allSatisfy { $0.contains(" ../directories/Sources-Big-Folder") })
    #expect(!ways.contains { $0.contains("Folder2") })
  }

  @Test("That a directory is new as a whole is said once, not of each of its files")
  func newFolder() throws {
    var report = many(12, folders: 3)
    let page = try #require(try pages(report, longest: 5000)["directories/Sources-Big-Folder1.html"])
    #expect(page.contains("<span>new in this integration</span>") && !page.contains("<span class=d>new</span>"))
    report.integration.baseline?.files["Sources/Big/Folder1/File4.swift"] = CoverageTotals()
    let known = try #require(try pages(report, longest: 5000)["directories/Sources-Big-Folder1.html"])
    #expect(!known.contains("new in this integration") && known.contains("<span class=d>new</span>"))
  }

  @Test("The page of a file leads to that of its directory, if there is one")
  func way() throws {
    func page(_ longest: Int) throws -> String {
      let parts = try CoverageSite.pages(many(60, folders: 6), longestTree: longest).parts
      let files = try parts.flatMap { try $0.files() }
      let file = try #require(files.first { $0.path == "coverage/Sources-Big-Folder4-File4.swift.html" })
      return String(decoding: file.bytes, as: UTF8.self)
    }
    #expect(try page(12_000).contains("<a href=\"../directories/Sources-Big-Folder4.html\">Folder4</a>"))
    #expect(try !page(TreeCut.longestPage).contains("Folder4</a>"))
  }

  @Test("A directory that is too long for one page has several")
  func parts() throws {
    let pages = try pages(many(60, folders: 1), longest: 12_000)
    // The folder that all files of a target are in is that target.
    let names = ["", ".2", ".3"].map { "directories/Sources-Big-Folder0\($0).html" }
    #expect(pages.keys.sorted() == (["coverage.html"] + names).sorted())
    #expect(names.flatMap { numbers(pages[$0] ?? "") }.sorted() == Array(0..<60))
    let first = try #require(pages[names[0]])
    #expect(first.contains("<nav class=\"pager\" aria-label=\"Pages of the files\">"))
    #expect(first.contains("<a href=\"../directories/Sources-Big-Folder0.2.html\">2</a>"))
  }

  @Test("A target with more directories than fit has a page with all of them")
  func directories() throws {
    var files = (0..<40).map { (path: "Sources/Big/Folder\($0)/File\($0).swift", target: "Big", uncovered: $0 % 4) }
    files.append(("Sources/Small/A.swift", "Small", 4))
    let pages = try pages(report(files), longest: 12_000)
    let overview = try #require(pages["coverage.html"])
    #expect(
      overview.contains(
        "<a href=\"directories/Sources-Big.html\"><b>Big</b></a> <small class=faint>40 directories</small>"))
    #expect(overview.contains("<b>Small</b>"))
    #expect(overview.contains(" more directories</a>"))
    let big = pages.filter { $0.key.hasPrefix("directories/Sources-Big.") }
    let links = big.values.flatMap { page -> [String] in
      PageMarkup(page).values(of: "href").filter { $0.contains("Sources-Big-Folder") }
    }
    #expect(Set(links).count == 40)
    #expect(links.allSatisfy { pages[String($0.dropFirst(3))] != nil })
  }

  @Test("What a change touched goes before what has more lines uncovered")
  func changed() throws {
    let tree = CoverageTree(
      Coverage(
        files: [("A", 4), ("B", 3), ("C", 1)].map { name, uncovered in
          file(
            "Sources/\(name)/\(name).swift", target: "T",
            lines: (1...uncovered).map { LineCoverage(line: $0, count: 0, state: .neverRan) })
        }), baseline: nil, changes: changes(of: "Sources/C/C.swift"))
    let target = try #require(tree.targets.first)
    let cut = TreeCut(tree, longest: 2300)
    #expect(target.children.filter { cut.shows($0, in: target) }.map(\.name) == ["A/", "C/"])
    #expect(target.files.filter { cut.shows($0, in: target) }.map(\.name) == [])
    #expect(cut.branches.map(\.node.name) == ["T", "A/", "B/", "C/"])
    let wider = TreeCut(tree, longest: 3300)
    #expect(target.files.filter { wider.shows($0, in: target) }.map(\.name) == ["C.swift"])
  }

  private func changes(of path: String) -> CoverageChanges {
    let file = PatchCoverage.File(path: path, ran: [], partlyRan: [], neverRan: [1])
    let patch = PatchCoverage(origin: .parent, files: [file])
    return CoverageChanges(
      comparison: .unknown(reason: "There is nothing to compare with."), patch: .known(patch))
  }

  @Test("What has no row of its own is summed up with what the baseline says about it")
  func rest() throws {
    let files = (1...9).map { number in
      file("Sources/T/F\(number).swift", target: "T", lines: [LineCoverage(line: 1, count: 0, state: .neverRan)])
    }
    var baseline = Baseline(
      number: 41, commit: CommitID(rawValue: ""), outcome: .succeeded, tests: TestCounts(), totals: CoverageTotals(),
      files: Dictionary(
        uniqueKeysWithValues: files.dropLast().map { ($0.path, CoverageTotals(lines: LineTally(total: 1, covered: 1))) }
      ),
      duration: 0, warnings: 0, states: [:])
    baseline.targets = baseline.files.mapValues { _ in "T" }
    let tree = CoverageTree(Coverage(files: files), baseline: baseline)
    let bodies = tree.bodies(TreeCut(tree, longest: 3000)) { _ in nil }
    guard case .list(let targets) = bodies, case .record(let body)? = targets.first,
      case .list(let rows)? = body["rows"],
      case .record(let last)? = rows.last
    else { throw Unexpected() }
    #expect(last["uncovered"] == "5")
    #expect(rows.count == 6)
  }

  private struct Unexpected: Error {}
}
