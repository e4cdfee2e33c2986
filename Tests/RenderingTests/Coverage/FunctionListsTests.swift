import Model
import Testing

@testable import Rendering

@Suite("The functions of files in the tree of the coverage page")
struct FunctionListsTests {
  private func file(_ name: String, calls: [UInt64]) -> FileCoverage {
    let lines = calls.enumerated().map { LineCoverage(line: $0 + 1, count: $1, state: $1 > 0 ? .ran : .neverRan) }
    let functions = calls.enumerated().map { CoverageSample.function("f\($0)()", ($0 + 1)...($0 + 1), count: $1) }
    return RenderingTests.file("Sources/A/\(name)", lines: lines, functions: functions)
  }

  private func markup(_ lists: FunctionLists, _ name: String) -> String? {
    lists.html(of: "Sources/A/\(name)").map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private func lists(_ files: [FileCoverage], most: Int, changes: CoverageChanges? = nil) -> FunctionLists {
    FunctionLists(files, changes: changes, most: most) { path, line in
      "coverage/\(path.split(separator: "/").last ?? "").html#L\(line ?? 0)"
    }
  }

  @Test("Few functions are all listed, each a link to its line")
  func all() throws {
    let text = try #require(markup(lists([file("A.swift", calls: [0, 3])], most: 2), "A.swift"))
    #expect(text.hasPrefix(" <details class=in><summary>2 functions</summary>"))
    #expect(text.contains("<tr><td><a href=\"coverage/A.swift.html#L1\">f0()</a><td><b>1</b><td>1<td>0\n"))
    #expect(text.contains("<tr><td><a href=\"coverage/A.swift.html#L2\">f1()</a><td>0<td>1<td>3\n"))
    #expect(!text.contains("Change"))
  }

  @Test("Of many functions those with gaps are listed, in the worst files")
  func gaps() throws {
    let files = [file("A.swift", calls: [1, 1, 0]), file("B.swift", calls: [0, 0, 1]), file("C.swift", calls: [1])]
    let lists = lists(files, most: 2)
    #expect(markup(lists, "A.swift") == nil && markup(lists, "C.swift") == nil)
    let worst = try #require(markup(lists, "B.swift"))
    #expect(worst.contains("<summary>2 with gaps</summary>") && !worst.contains("f2()"))
  }

  @Test("Functions in files that a change touched go before those in worse files")
  func touched() throws {
    let files = [file("A.swift", calls: [1, 1, 0]), file("B.swift", calls: [0, 0, 1])]
    let patch = PatchCoverage.File(path: "Sources/A/A.swift", ran: [], partlyRan: [], neverRan: [3])
    let changes = CoverageChanges(
      comparison: .unknown(reason: "There is nothing to compare with."),
      patch: .known(PatchCoverage(origin: .parent, files: [patch])))
    let lists = lists(files, most: 2, changes: changes)
    #expect(markup(lists, "A.swift")?.contains("<summary>1 with gaps</summary>") == true)
    #expect(markup(lists, "B.swift") == nil)
  }

  @Test("Functions with long names take the room of several")
  func names() throws {
    let lists = FunctionLists([file("A.swift", calls: [0, 0]), file("B.swift", calls: [0])], changes: nil, bytes: 500) {
      path, _ in path
    }
    #expect(markup(lists, "A.swift") == nil && markup(lists, "B.swift") != nil)
  }

  @Test("A file with too many gaps for the page leaves room to the next ones")
  func large() {
    let files = [
      file("A.swift", calls: [0, 0, 0, 0]), file("B.swift", calls: [0, 1]), file("C.swift", calls: [0]),
    ]
    let lists = lists(files, most: 2)
    #expect(markup(lists, "A.swift") == nil)
    #expect(markup(lists, "B.swift") != nil && markup(lists, "C.swift") != nil)
  }

  @Test("Of files that are equally bad all have lists, or none")
  func equal() {
    let files = [
      file("A.swift", calls: [0, 0, 0]), file("B.swift", calls: [0, 0]), file("C.swift", calls: [0, 0]),
      file("D.swift", calls: [0]),
    ]
    let lists = lists(files, most: 6)
    #expect(markup(lists, "A.swift") != nil)
    #expect(["B.swift", "C.swift", "D.swift"].allSatisfy { markup(lists, $0) == nil })
  }

  @Test("What became of a function's lines has a column where something changed")
  func change() throws {
    let sample = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1
    let coverage = try #require(sample.report.integration.coverage.coverage)
    let lists = FunctionLists(coverage.files, changes: sample.changes) { path, _ in path }
    let text = String(decoding: try #require(lists.html(of: ChangeSample.path)).bytes, as: UTF8.self)
    #expect(text.contains("<th scope=col>Change</th>") && text.contains("<td>1 lost\n"))
  }

  @Test("New lines that ran partly are not told to have run")
  func newPartly() throws {
    let sample = ChangeSample(
      before: ["1|a()"], now: ["1|a()", "4|b()", "4|c()"], hunks: [.init(old: 2..<2, new: 2..<4)])
    var comparison = try #require(sample.changes.comparison.value)
    comparison.files[0].newPartlyRan = [2]
    var changes = sample.changes
    changes.comparison = .known(comparison)
    let files = try #require(sample.report.integration.coverage.coverage).files
    let lists = FunctionLists(files, changes: changes) { path, _ in path }
    let text = String(decoding: try #require(lists.html(of: ChangeSample.path)).bytes, as: UTF8.self)
    #expect(text.contains("<td>1 new partly ran, 1 new ran\n"))
  }

  @Test("New lines without code do not count")
  func silent() throws {
    let sample = ChangeSample(
      before: ["1|a()"], now: ["1|a()", "4|// b", "4|c()"], hunks: [.init(old: 2..<2, new: 2..<4)])
    var patch = try #require(sample.changes.patch.value)
    patch.files[0].silent = [2]
    var changes = sample.changes
    changes.patch = .known(patch)
    let files = try #require(sample.report.integration.coverage.coverage).files
    let lists = FunctionLists(files, changes: changes) { path, _ in path }
    let text = String(decoding: try #require(lists.html(of: ChangeSample.path)).bytes, as: UTF8.self)
    #expect(text.contains("<td>1 new ran\n"))
  }

  @Test("A function has the lines that its parts hold, and none that stand between them")
  func scattered() throws {
    let lines = (10...30).map { LineCoverage(line: $0, count: 0, state: .neverRan) }
    var main = CoverageSample.function("main", 12...12, count: 0)
    main.regions += [
      CoverageSample.function("", 22...23, count: 0).regions[0],
      CoverageSample.function("", 22...22, count: 0).regions[0],
    ]
    let file = RenderingTests.file("Sources/A/main.swift", lines: lines, functions: [main])
    let text = try #require(markup(lists([file], most: 10), "main.swift"))
    #expect(text.contains(">main</a><td><b>3</b><td>3<td>0\n"))
  }

  private func function(
    _ name: String, _ count: UInt64, folded: [FunctionCoverage.Folded] = []
  ) -> FunctionCoverage {
    var function = CoverageSample.function(name, 1...1, count: count)
    function.folded = folded
    return function
  }

  @Test("What is folded into functions is counted with them, and said to be closures where it is")
  func sums() {
    func words(_ functions: FunctionCoverage...) -> String {
      RenderingTests.file(lines: [], functions: functions).functionWords
    }
    let closures = [FunctionCoverage.Folded(.closure, count: 1), .init(.closure, count: 0)]
    #expect(words(function("a()", 1, folded: closures), function("b()", 0)) == "2 functions and 2 closures")
    #expect(words(function("a()", 1, folded: closures + [.init(.initialValue, count: 1)])) == "1 function and 3 parts")
    var property = function("table", 1, folded: [.init(.closure, count: 1)])
    property.isOnlyFolded = true
    #expect(words(property) == "1 closure")
    var uncounted = RenderingTests.file(lines: [])
    uncounted.totals.functions = Tally(total: 35, covered: 3)
    #expect(uncounted.functionWords == "35 functions")
    #expect(words(property, function("a()", 1)) == "1 function and 1 closure")
    #expect(words() == "0 functions")
  }

  @Test("Of functions and what is folded into them there is one number where some of them were never called")
  func sum() {
    func words(_ functions: FunctionCoverage...) -> String {
      RenderingTests.file(lines: [], functions: functions).functionSum
    }
    let closures = [FunctionCoverage.Folded(.closure, count: 1), .init(.closure, count: 0)]
    #expect(words(function("a()", 1, folded: closures), function("b()", 0)) == "4 functions and closures")
    #expect(words(function("a()", 1, folded: closures + [.init(.initialValue, count: 1)])) == "4 functions and parts")
    #expect(words(function("a()", 1)) == "1 function")
  }

  @Test("What is folded into a function and was never called is said in its row")
  func uncalledParts() throws {
    let parts: [FunctionCoverage.Folded] = [
      .init(.closure, count: 0), .init(.closure, count: 4), .init(.defaultArgument, count: 0),
      .init(.initialValue, count: 0), .init(.accessor("setter"), count: 0), .init(.accessor("didSet"), count: 0),
    ]
    let row = function("a()", 2, folded: parts)
    #expect(
      FunctionCoverage.partWords(of: row.folded)
        == "1 of 2 closures never called, 1 default argument never used, 1 initial value never used, "
        + "setter and didSet never called")
    #expect(FunctionCoverage.partWords(of: [.init(.closure, count: 1)]) == nil)
    var file = file("A.swift", calls: [1])
    file.functions = [function("a()", 2, folded: [.init(.closure, count: 0)]), function("b()", 1)]
    let uncalled = function("c(of:by:)", 0, folded: [.init(.closure, count: 0)])
    let implied = RenderingTests.file("A.swift", lines: [], functions: [uncalled])
    let own = String(decoding: FunctionRows(implied, lines: nil).html().bytes, as: UTF8.self)
    #expect(own.contains("c(of:<wbr>by:)</a> <small>with 1 closure</small><td>"), "It counts.")
    #expect(
      FunctionCoverage.partWords(of: parts, isImplied: true)
        == "with 1 closure, 1 default argument, 1 initial value, setter and didSet")
    let text = try #require(markup(lists([file], most: 9), "A.swift"))
    #expect(text.contains("#L1\">a()</a> <small>1 closure never called</small><td>0<td>1<td>2\n"))
    #expect(text.contains("#L1\">b()</a><td>0<td>1<td>1\n"))
    var rows = FunctionRows(file, lines: nil)
    rows.keepGaps()
    #expect(rows.count == 1)
  }

  @Test("The page of a file says how many functions and closures a figure counts, where its rows are fewer")
  func head() throws {
    var report = CoverageSample.report
    var coverage = try #require(report.integration.coverage.coverage)
    func words() throws -> Substring? {
      report.integration.coverage = .available(coverage)
      let page = try #require(try CoverageSite.render(report)["coverage/Sources-Greeter-Greeter.swift.html"])
      return page.firstMatch(of: #/<p class=small>([^<]*)<\/p>\n<table class=fns/#)?.1
    }
    coverage.files[0].totals.functions = Tally(total: 3, covered: 2)
    #expect(try words() == "of Greeter")
    coverage.files[0].functions[1].folded = [.init(.closure, count: 1)]
    coverage.files[0].totals.functions.total = 4
    #expect(try words() == "3 functions and 1 closure of Greeter")
    coverage.files[0].totals.functions.covered = 4
    #expect(try words() == "of Greeter")
    // The figure is there where some were not called before, too.
    report.integration.baseline?.files[coverage.files[0].path]?.functions = Tally(total: 4, covered: 3)
    #expect(try words() == "3 functions and 1 closure of Greeter")
  }

  @Test("A file without functions has no list")
  func none() {
    #expect(markup(lists([file("A.swift", calls: [])], most: 9), "A.swift") == nil)
  }
}
