import Model
import Testing

@testable import Rendering

@Suite("What to test next")
struct NextFunctionsTests {
  private func region(_ start: (Int, Int), _ end: (Int, Int), _ count: UInt64) -> CoverageRegion {
    CoverageRegion(
      start: SourcePosition(line: start.0, column: start.1), end: SourcePosition(line: end.0, column: end.1),
      count: count)
  }

  @Test(
    "Static and free functions need no object",
    arguments: [
      ("bake()", true), ("static Cookie.bake(at:)", true), ("Cookie.bake()", false), ("Cookie.init()", false),
      ("static Cookie.size", false), ("total", false), ("init()", false),
      ("init<A>(_:)", false), ("init?(_:)", false), ("initialiseLogging(_:)", true), ("secret<A>(_:_:)", true),
      ("helper #1 (_:) in Machine.start()", false), ("inner #1 (_:) in outer()", false),
      ("static Local #1.make() in outer()", false), ("static Members.== infix(_:_:)", true), ("+ infix(_:_:)", true),
      // In C++ a name does not tell whether it is of a class or of a namespace.
      ("beta_half(int)", true), ("sum(pool::Ring const&, std::string)", true), ("Pond::drain(int)", false),
      ("Pond::name() const", false), ("pool::clip(int)", false), ("(anonymous namespace)::hidden(int)", true),
      ("(anonymous namespace)::Pond::drain(int)", false), ("f((anonymous namespace)::Pond&)", true),
      ("f(int)::Local::go()", false), ("operator<<(std::ostream&, Pond const&)", true),
      ("get_one(int) and get_two(int)", true), ("lambda in (anonymous namespace)", false), ("name() const", false),
    ])
  func easy(_ name: String, _ isEasy: Bool) {
    #expect(NextFunctions.needsNoObject(name) == isEasy)
  }

  @Test("Functions that ran whole are in neither list, and the most complex one is first")
  func lists() throws {
    func complex(_ name: String, at line: Int, complexity: Int, count: UInt64) -> FunctionCoverage {
      let arms = (0..<complexity).map { region((line + 1 + $0, 6), (line + 1 + $0, 9), $0 == 0 ? 0 : 1) }
      return FunctionCoverage(
        name: name, symbol: name, count: count, regions: [region((line, 1), (line + 20, 2), count)] + arms)
    }
    let whole = FunctionCoverage(name: "whole()", symbol: "w", count: 1, regions: [region((90, 1), (95, 2), 1)])
    // Its closure was never called; whether the function was is not known.
    var closure = FunctionCoverage(name: "hidden()", symbol: "", count: 0, regions: [region((97, 1), (99, 2), 0)])
    closure.isOnlyFolded = true
    let functions = [
      complex("A.few()", at: 1, complexity: 4, count: 1), complex("A.many()", at: 30, complexity: 9, count: 1),
      complex("never()", at: 60, complexity: 1, count: 0), whole, closure,
    ]
    let coverage = Coverage(files: [file(lines: [], functions: functions)])
    // Each line is such an `if`.
    let text = Array(String(repeating: "if a {a}\n", count: 100).utf8)
    let source = HighlightedSource(text, path: "a.swift")
    let next = NextFunctions(coverage, most: 10) { _ in source }
    #expect(next.complex.map(\.function.name) == ["A.many()", "A.few()"])
    #expect(next.complex.map(\.complexity) == [10, 5])
    #expect(next.easy.map(\.function.name) == ["never()"])
    var report = CoverageSample.report
    report.integration.coverage = .available(coverage)
    report.sources = [coverage.files[0].path: text]
    let page = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(page.contains(", by complexity × regions never ran</h3>") && page.contains("<dt>Complexity</dt>"))
    #expect(page.contains(#"<th scope="col">First gap</th><th scope="col" class="num">Complexity</th>"#))
    let cells = page.matches(of: /data-l="complexity" data-v="\d+">([^<]*)</).map { String($0.1) }
    #expect(cells == ["≥ 10", "≥ 5"])
    // What is listed as blocks already.
    let told = NextFunctions(coverage, most: 10, besides: [coverage.files[0].path: [2, 60, 61]]) { _ in source }
    #expect(told.complex.map(\.function.name) == ["A.many()"])
    #expect(told.easy.isEmpty && told.easyCount == 0)
    let unknown = NextFunctions(coverage, most: 10) { _ in nil }
    #expect(unknown.complex.isEmpty && unknown.easy.count == 1)
  }

  @Test("A function that was never called and needs no object is in one list only, however complex it is")
  func once() {
    let arms = (2...8).map { region(($0, 6), ($0, 9), 0) }
    let functions = ["static Bead.pair(_:)", "Bead.pair(_:)"].map {
      FunctionCoverage(name: $0, symbol: $0, count: 0, regions: [region((1, 1), (20, 2), 0)] + arms)
    }
    let source = HighlightedSource(Array(String(repeating: "if a {a}\n", count: 20).utf8), path: "a.swift")
    let next = NextFunctions(Coverage(files: [file(lines: [], functions: functions)]), most: 10) { _ in source }
    #expect(next.easy.map(\.function.name) == ["static Bead.pair(_:)"])
    #expect(next.complex.map(\.function.name) == ["Bead.pair(_:)"])
  }

  @Test("A gap that begins behind a bracket is told and linked where the page shows it: at the next line")
  func behindBracket() throws {
    let text = """
      func add(_ beads: Int) throws -> Int {
        guard beads >= 0 else {
          throw Fault.negative
        }
        if beads > 9 { return 9 }
        if beads > 5 { return 5 }
        if beads > 3 { return 3 }
        return beads
      }

      """
    let regions =
      [region((1, 38), (9, 2), 1), region((2, 25), (4, 4), 1), region((4, 4), (9, 2), 0)]
      + (5...7).map { region(($0, 16), ($0, 28), 0) }
    let function = FunctionCoverage(name: "add(_:)", symbol: "add", count: 1, regions: regions)
    let gap = 5...8
    let lines = (1...9).map {
      LineCoverage(line: $0, count: gap.contains($0) ? 0 : 1, state: gap.contains($0) ? .neverRan : .ran)
    }
    let coverage = Coverage(files: [file(lines: lines, functions: [function])])
    let source = HighlightedSource(Array(text.utf8), path: "A.swift")
    let next = NextFunctions(coverage, most: 10) { _ in source }
    let entry = try #require(next.complex.first)
    #expect(entry.firstGap == 5 && entry.gapAnchor == 5)
    let page = String(decoding: SourceListing(source, coverage: coverage.files[0]).html().bytes, as: UTF8.self)
    #expect(page.contains("<tr id=L5 class=n data-stop>") && !page.contains("<tr id=L4"))
    // All of it is in a block that is listed already.
    let told = NextFunctions(coverage, most: 10, besides: [coverage.files[0].path: Set(gap)]) { _ in source }
    #expect(told.complex.isEmpty)
  }

  @Test("Whether a function of a header in C was called is not known, so none is easy")
  func headers() {
    let function = FunctionCoverage(name: "half(int)", symbol: "half", count: 0, regions: [region((1, 1), (3, 2), 0)])
    func easy(_ path: String) -> [String] {
      NextFunctions(Coverage(files: [file(path, lines: [], functions: [function])]), most: 10) { _ in nil }
        .easy.map(\.function.name)
    }
    #expect(easy("Sources/C/half.c") == ["half(int)"])
    for suffix in ["h", "hpp", "inc"] { #expect(easy("Sources/C/half.\(suffix)") == []) }
  }

  @Test("Only as many files are coloured as it takes to know which functions come first")
  func colouring() {
    // Each region of the first function begins a way, those of the others do not.
    let files = (1...5).map { number in
      let regions = (0..<(20 - number)).map { region((1 + $0, 6), (1 + $0, 9), 0) }
      let function = FunctionCoverage(
        name: "f\(number)()", symbol: "f", count: 1, regions: [region((1, 1), (40, 2), 1)] + regions)
      return file("Sources/App/\(number).swift", lines: [], functions: [function])
    }
    let arms = String(repeating: "if a {a}\n", count: 100)
    let calls = String(repeating: "bakes { }\n", count: 100)
    var coloured: [String] = []
    func next(most: Int, _ text: @escaping (String) -> String) -> NextFunctions {
      coloured = []
      return NextFunctions(Coverage(files: files), most: most) { path in
        coloured.append(SourceLocation.fileName(of: path))
        return HighlightedSource(Array(text(path).utf8), path: path)
      }
    }
    let two = next(most: 2) { _ in arms }
    #expect(two.complex.map(\.function.name) == ["f1()", "f2()"])
    #expect(two.complexCount == nil && coloured == ["1.swift", "2.swift"])
    // The heaviest by its regions has only one way.
    let other = next(most: 2) { $0.hasSuffix("1.swift") ? calls : arms }
    #expect(other.complex.map(\.function.name) == ["f2()", "f3()"])
    let all = next(most: 10) { _ in arms }
    #expect(all.complex.count == 5 && all.complexCount == 5 && coloured.count == 5)
  }
}
