import Testing

@testable import Model
@testable import Rendering

@Suite("The sentences of the coverage pages")
struct CoverageWordsTests {
  private func heading(_ states: [LineState], isComplete: Bool = true, before: Int? = nil) -> String {
    let lines = states.enumerated().map { LineCoverage(line: $0 + 1, count: 1, state: $1) }
    let baseline = before.map { uncovered in
      Baseline(
        number: 41, commit: CommitID(rawValue: ""), outcome: .succeeded, tests: TestCounts(),
        totals: CoverageTotals(lines: LineTally(total: 9, covered: 9 - uncovered, partial: 0)), files: [:], duration: 0,
        warnings: 0, states: [:])
    }
    return CoverageWords.heading(Coverage(files: [file(lines: lines)], isComplete: isComplete), baseline: baseline)
  }

  @Test("The heading says how many lines never ran, and how many more or fewer than before")
  func headings() {
    #expect(heading([.ran, .neverRan]) == "1 of 2 lines never ran")
    #expect(heading([.neverRan]) == "No line ran: 1 line never did")
    #expect(heading([.ran, .partlyRan]) == "All 2 lines ran")
    #expect(heading([.ran]) == "The only line ran")
    #expect(heading([]) == "There is no code to count")
    #expect(heading([.ran, .neverRan, .neverRan], before: 1) == "2 lines never ran, 1 more than in 41")
    #expect(heading([.ran, .neverRan], before: 3) == "1 line never ran, 2 fewer than in 41")
    #expect(heading([.ran, .neverRan], before: 1) == "1 line never ran, as many as in 41")
    #expect(heading([.ran, .neverRan], isComplete: false) == "At most 1 of 2 lines never ran")
    #expect(heading([.neverRan], isComplete: false) == "At most 1 of 1 line never ran")
  }

  @Test(
    "The heading tells apart what runs by chance",
    arguments: [
      (8, 1, "4 lines never ran, 1 more than in 41, by chance"),
      (9, 1, "4 lines never ran, 2 more than in 41, 1 of them by chance"),
      (9, -1, "4 lines never ran, 3 more than in 41, and 1 fewer by chance"),
    ])
  func headingOfChance(coveredBefore: Int, byChance: Int, expected: String) {
    let baseline = Baseline(
      number: 41, commit: CommitID(rawValue: ""), outcome: .succeeded, tests: TestCounts(),
      totals: CoverageTotals(lines: LineTally(total: 11, covered: coveredBefore, partial: 0)), files: [:], duration: 0,
      warnings: 0, states: [:])
    let lines = (1...5).map { LineCoverage(line: $0, count: 1, state: $0 == 5 ? .ran : .neverRan) }
    let compared = FileComparison(
      path: "A.swift", lines: [.init(line: 1, category: byChance > 0 ? .lost : .gained, isByChance: true)])
    let heading = CoverageWords.heading(
      Coverage(files: [file(lines: lines)]), baseline: baseline,
      changes: CoverageChanges(
        comparison: .known(CoverageComparison(baseline: 41, before: CoverageTotals(), files: [compared])),
        patch: .unknown(reason: "")))
    #expect(heading == expected)
  }

  @Test("The colour of a change is that of what is left without chance")
  func tones() {
    #expect(Delta(7, from: 5, .moreIsWorse, byChance: 2)?.tone == "")
    #expect(Delta(17, from: 5, .moreIsWorse, byChance: 2)?.tone == "worse")
    #expect(Delta(9, from: 7, .moreIsWorse, byChance: -2)?.text == "+2")
    let lines = LineTally(total: 10, covered: 5, partial: 0)
    #expect(CoverageWords.points(lines, from: LineTally(total: 10, covered: 7, partial: 0), byChance: 2)?.tone == "")
  }

  @Test("Regions are better or worse beside lines that run by chance only if the other lines are")
  func regions() {
    func tone(_ now: Int, from before: Int, beside lines: Int, lost: Int, gained: Int) -> String? {
      var byChance = CategoryCounts()
      (byChance[.lost], byChance[.gained]) = (lost, gained)
      let chance = byChance.chance(of: now - before, beside: lines)
      return Delta(now, from: before, .moreIsWorse, byChance: chance)?.tone
    }
    #expect(tone(5, from: 4, beside: 2, lost: 0, gained: 0) == "worse")
    #expect(tone(5, from: 4, beside: 2, lost: 2, gained: 0) == "")
    #expect(tone(5, from: 4, beside: 2, lost: 0, gained: 2) == "worse")
    #expect(tone(3, from: 4, beside: 2, lost: 0, gained: 2) == "")
    #expect(tone(3, from: 4, beside: -6, lost: 0, gained: 2) == "better")
  }

  @Test("A total is neither good nor bad where all of its change is in files that run by chance")
  func totals() throws {
    func totals(_ uncovered: Int, partial: Int) -> CoverageTotals {
      CoverageTotals(lines: LineTally(total: 20, covered: 20 - uncovered, partial: partial))
    }
    func now(_ path: String, _ uncovered: Int, partial: Int) -> FileCoverage {
      let states = (0..<20).map { $0 < uncovered ? LineState.neverRan : $0 < uncovered + partial ? .partlyRan : .ran }
      return file(
        path, lines: states.enumerated().map { LineCoverage(line: $0 + 1, count: $1 == .neverRan ? 0 : 1, state: $1) })
    }
    let files = [now("Chance.swift", 0, partial: 1), now("Own.swift", 12, partial: 0)]
    var integration = GreeterSample.green.integration
    integration.coverage = .available(Coverage(files: files))
    integration.baseline?.files = ["Chance.swift": totals(1, partial: 0), "Own.swift": totals(2, partial: 0)]
    integration.baseline?.totals = totals(3, partial: 0)
    let chance = FileComparison(path: "Chance.swift", lines: [.init(line: 1, category: .gained, isByChance: true)])
    let own = FileComparison(path: "Own.swift", lines: [.init(line: 1, category: .lost)])
    integration.changes = CoverageChanges(
      comparison: .known(CoverageComparison(baseline: 41, before: CoverageTotals(), files: [chance, own])),
      patch: .unknown(reason: ""))
    #expect(integration.chance(in: { $0.lines.partial }) == 1)
    #expect(integration.chance(in: { $0.lines.partial }, of: "Own.swift") == 0)
    #expect(Delta(1, from: 0, .moreIsWorse, byChance: integration.chance(in: { $0.lines.partial }))?.tone == "")
    let tree = CoverageTree(
      Coverage(files: files), baseline: integration.baseline, changes: integration.changes)
    #expect(tree.targets.map { $0.chance(in: { $0.lines.partial }) } == [1])
  }

  @Test("The heading names the integration whose coverage it is, where the baseline has none")
  func taken() throws {
    var baseline = Baseline(
      number: 42, commit: CommitID(rawValue: ""), outcome: .buildErrors, tests: TestCounts(), totals: nil, files: [:],
      duration: 0, warnings: 0, states: [:])
    var earlier = baseline
    (earlier.number, earlier.totals) = (40, CoverageTotals(lines: LineTally(total: 9, covered: 8, partial: 0)))
    baseline.takeCoverage(of: earlier)
    let lines = [LineCoverage(line: 1, count: 0, state: .neverRan), LineCoverage(line: 2, count: 1, state: .ran)]
    let heading = CoverageWords.heading(Coverage(files: [file(lines: lines)]), baseline: baseline)
    #expect(heading == "1 line never ran, as many as in 40")
  }

  @Test("Of a file it is said how much of it ran")
  func files() {
    func phrase(_ states: [LineState]) -> String {
      CoverageWords.phrase(file(lines: states.enumerated().map { LineCoverage(line: $0 + 1, count: 1, state: $1) }))
    }
    #expect(phrase([.ran, .neverRan]) == "1 of 2 lines never ran")
    #expect(phrase([.neverRan]) == "no line ran")
    let lost = LineTally(total: 17, covered: 12)
    #expect(CoverageWords.phrase(lost, isComplete: true, lost: 2) == "5 lines never ran, 2 of them lost")
    #expect(CoverageWords.phrase(lost, isComplete: true, lost: 5) == "5 of 17 lines lost")
    #expect(phrase([.ran, .partlyRan]) == "1 of 2 lines partly ran")
    #expect(phrase([.ran]) == "the only line ran")
    #expect(phrase([.partlyRan]) == "the only line partly ran")
    let ran = file(lines: [1, 2].map { LineCoverage(line: $0, count: 1, state: .ran) })
    #expect(CoverageWords.phrase(ran, byChance: 1) == "all 2 lines ran, 1 by chance")
    let partly = file(lines: [1, 2].map { LineCoverage(line: $0, count: 1, state: $0 == 1 ? .partlyRan : .ran) })
    #expect(CoverageWords.phrase(partly, byChance: 1) == "1 of 2 lines partly ran, 1 ran by chance")
    #expect(phrase([]) == "no code to count")
  }

  @Test("Another figure of llvm-cov is explained, the same one is not mentioned")
  func difference() {
    let lines = LineTally(total: 205, covered: 161, partial: 17)
    #expect(
      CoverageWords.difference(Tally(total: 241, covered: 187), from: lines)
        == "llvm-cov report prints 241 lines, 54 missed, where this page has 205 and 44: it counts by function, so "
        + "a line of several functions or closures counts once for each.")
    #expect(CoverageWords.difference(Tally(total: 205, covered: 161), from: lines) == nil)
    #expect(CoverageWords.difference(Tally(), from: lines) == nil)
  }

  @Test("A change of a share is given in points")
  func points() {
    let now = LineTally(total: 205, covered: 161, partial: 0)
    #expect(CoverageWords.points(now, from: LineTally(total: 185, covered: 147, partial: 0))?.text == "+0.9 points")
    #expect(CoverageWords.points(now, from: LineTally(total: 100, covered: 50, partial: 0))?.text == "−28.5 points")
    #expect(CoverageWords.points(now, from: LineTally()) == nil)
    let before = LineTally(total: 10_000, covered: 5000, partial: 0)
    func change(_ covered: Int) -> String? {
      CoverageWords.points(LineTally(total: 10_000, covered: covered, partial: 0), from: before)?.text
    }
    #expect([4999, 5000, 5001, 5010].map(change) == ["+<0.1 points", nil, "−<0.1 points", "−0.1 points"])
  }

  @Test("Lines that are left out on request explain what llvm-cov counts more")
  func leftOut() {
    let lines = LineTally(total: 10, covered: 8)
    #expect(
      CoverageWords.difference(Tally(total: 12, covered: 8), from: lines, excluded: LineTally(total: 2, covered: 0))
        == "llvm-cov report prints 12 lines, 4 missed, where this page has 10 and 2: 2 lines are left out here on request."
    )
    // Of the two that are left out both ran, so that one cannot be all there is.
    #expect(
      CoverageWords.difference(Tally(total: 12, covered: 8), from: lines, excluded: LineTally(total: 2, covered: 2))
        == "llvm-cov report prints 12 lines, 4 missed, where this page has 10 and 2: it counts lines by function, and this "
        + "page each line of source once, and 2 lines are left out here on request.")
    let both = CoverageWords.difference(
      Tally(total: 14, covered: 9), from: lines, excluded: LineTally(total: 1, covered: 1))
    #expect(both?.hasSuffix("counts once for each, and 1 line is left out here on request.") == true)
  }

  @Test("A function is named without its type where that tells it apart")
  func functions() {
    func function(_ name: String, _ line: Int) -> FunctionCoverage {
      FunctionCoverage(
        name: name, symbol: name, count: 0,
        regions: [
          CoverageRegion(
            start: SourcePosition(line: line, column: 1), end: SourcePosition(line: line, column: 9), count: 0)
        ])
    }
    #expect(FunctionShortName("Cookie.init(name:)").text == "init(name:)")
    #expect(FunctionShortName("static Cookie.bake(at:)").text == "bake(at:)")
    #expect(FunctionShortName("Cookie.name").text == "name")
    #expect(FunctionShortName("Box<A.B>.open()").text == "open()")
    #expect(FunctionShortName("Box.<(_:_:)").text == "<(_:_:)")
    #expect(FunctionShortName("f(a.b:)").text == "f(a.b:)")
    #expect(FunctionShortName("Odd.").text == "Odd.")
    #expect(FunctionShortName("Box.width.didSet").text == "width.didSet")
    #expect(FunctionShortName("go(a:) in Box.init(from:)").text == "go(a:) in init(from:)")
    func names(_ functions: String...) -> (names: [String], owner: String?) {
      let functions = functions.enumerated().map { function($1, $0 + 1) }
      let rows = FunctionRows(file(lines: [], functions: functions), lines: nil)
      let names = String(decoding: rows.html().bytes, as: UTF8.self).split(separator: "\n").map { row in
        row.matches(of: /#L\d+>(.*?)<\/a>/).map { $0.1.replacing("<wbr>", with: "") }.joined()
      }
      return (names, rows.names().owner)
    }
    #expect(names("A.init()", "static A.go()", "x() in A.go()") == (["init()", "go()", "x() in go()"], "A"))
    #expect(names("A.init()", "B.init()", "A.go()") == (["A.init()", "B.init()", "A.go()"], nil))
    #expect(names("A.init()", "go()") == (["A.init()", "go()"], nil))
    #expect(names("A.go()", "static A.go()") == (["A.go()", "static A.go()"], "A"))
  }

  @Test("What has no counters is told with its targets")
  func unmeasured() {
    #expect(CoverageWords.unmeasured([:]) == nil)
    #expect(CoverageWords.unmeasured(["PocketC": 1]) == "1 source of PocketC")
    #expect(
      CoverageWords.unmeasured(["E": 1, "D": 2, "C": 3, "B": 4, "A": 5]) == "15 sources of A, B, C, D and others")
  }

  private func source(_ target: String, _ kind: UnmeasuredSources.Kind) -> UnmeasuredSources.Source {
    UnmeasuredSources.Source(path: "Sources/\(target)/A", target: target, kind: kind)
  }

  @Test("The page says of plugins why they are not measured, and of C only where there is some")
  func plugins() throws {
    func page(_ unmeasured: UnmeasuredSources) throws -> String {
      var report = CoverageSample.report
      var coverage = try #require(report.integration.coverage.coverage)
      coverage.unmeasured = unmeasured
      report.integration.coverage = .available(coverage)
      return try PageSite(report).text("coverage.html")
    }
    let plugin =
      "<dt>Plugins</dt><dd>1 source of Plug: not measured, because SwiftPM builds plugins without counters</dd>"
    let foreign = "<dt>Not measured</dt><dd>2 sources of PocketC: C, C++ and Objective-C have no counters by default."
    let one = try page(UnmeasuredSources([source("Plug", .plugin)]))
    #expect(one.contains(plugin) && !one.contains("Objective-C"))
    #expect(one.contains("<span>1 source of Plug <a href=\"#h-count\">not measured</a></span>"))
    let both = try page(
      UnmeasuredSources([source("PocketC", .foreign), source("PocketC", .foreign), source("Plug", .plugin)]))
    #expect(both.contains(plugin) && both.contains(foreign))
    #expect(both.contains("<span>3 sources of Plug, PocketC <a"))
    let macro = try page(UnmeasuredSources([source("Macros", .macro)]))
    #expect(
      macro.contains(
        "<dt>Macros</dt><dd>1 source of Macros: measured only by test targets that depend on them"))
    let unbuilt = try page(UnmeasuredSources([source("Watch", .unbuilt), source("Watch", .unbuilt)]))
    #expect(unbuilt.contains("<dt>Not built</dt><dd>2 sources of Watch: not needed on this platform</dd>"))
    #expect(unbuilt.contains("<span>2 sources of Watch <a"))
    let none = try page(UnmeasuredSources())
    #expect(!none.contains("Plugins") && !none.contains("<dt>Macros") && !none.contains("not measured"))
    #expect(!none.contains("<dt>Not built"))
  }

  @Test("Where all of something ran, that is said with how much more did, rather than that none never ran")
  func whole() {
    func figure(_ total: Int, _ covered: Int, _ all: String) -> String {
      CoverageWords.figure(Tally(total: total, covered: covered), of: all, never: "never called", did: "called")
    }
    #expect(figure(4, 3, "4 functions") == "1 of 4 functions never called")
    #expect(figure(4, 4, "4 functions and closures") == "all 4 functions and closures called")
    #expect(figure(1, 1, "1 function") == "1 function called")
    let before = Tally(total: 4, covered: 2)
    #expect(Delta(Tally(total: 4, covered: 3), from: before, byChance: 0)?.text == "−1")
    let whole = Delta(Tally(total: 4, covered: 4), from: before, byChance: 0)
    #expect(whole?.text == "+2" && whole?.tone == "better")
    #expect(Delta(Tally(total: 4, covered: 4), from: before, byChance: -2)?.tone == "")
    #expect(Delta(Tally(total: 2, covered: 2), from: before, byChance: 0) == nil, "What did not run was deleted.")
  }
}
