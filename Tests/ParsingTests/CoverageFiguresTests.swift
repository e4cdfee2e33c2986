import Model
import Parsing
import Testing

/// The figures that these packages were measured to have, so that a new toolchain shows what it changes.
@Suite("Coverage of worked examples")
struct CoverageFiguresTests {
  private func codeCoverage(_ name: String, _ target: String) throws -> FileCoverage {
    let files = try CoverageFixture.export(name).countedFiles(try CoverageFixture.selection("CodeCoverage"))
    return try #require(files.first { $0.target == target })
  }

  @Test("Two branches, run by no test, one test and two tests")
  func maximum() throws {
    let none = try codeCoverage("maximum-zero", "Maximum")
    #expect(none.lines.map(\.count) == [0, 0, 0, 0, 0, 0, 0])
    #expect(none.totals == totals(lines: (0, 7, 0), regions: (0, 4), functions: (0, 1)))

    let one = try codeCoverage("maximum-1-2", "Maximum")
    #expect(one.lines.map(\.count) == [1, 1, 1, 1, 0, 0, 1])
    #expect(one.totals == totals(lines: (5, 7, 1), regions: (3, 4), functions: (1, 1)))
    #expect(one.lines[3].state == .partlyRan)
    #expect(one.deadStretches == [DeadStretch(line: one.lines[3].line, columns: 16..<Int.max)])

    let both = try codeCoverage("maximum-both", "Maximum")
    #expect(both.lines.map(\.count) == [2, 2, 1, 1, 1, 1, 2])
    #expect(both.totals == totals(lines: (7, 7, 0), regions: (4, 4), functions: (1, 1)))
    #expect(both.deadStretches.isEmpty)
  }

  @Test("A loop, run twice by one test and as often by two")
  func loop() throws {
    let one = try codeCoverage("loop-2-4", "Loop")
    #expect(one.lines.suffix(8).map(\.count) == [1, 1, 2, 2, 2, 1, 1, 1])
    #expect(one.totals == totals(lines: (8, 15, 0), regions: (3, 7), functions: (1, 2)))

    let all = try codeCoverage("loop-all", "Loop")
    #expect(all.lines.suffix(8).map(\.count) == [2, 2, 2, 2, 2, 2, 2, 2])
    #expect(all.totals == totals(lines: (15, 15, 0), regions: (7, 7), functions: (2, 2)))
  }

  @Test("An observer that reaches private functions, one operand of a ternary left out")
  func area() throws {
    let file = try codeCoverage("area", "Area")
    #expect(file.totals == totals(lines: (15, 30, 1), regions: (5, 13), functions: (4, 6)))
    #expect(file.deadStretches == [DeadStretch(line: 24, columns: 26..<30)])
  }

  @Test("Operands that never ran are marked although nearly every line ran")
  func conditionals() throws {
    let file = try CoverageFixture.file("Conditionals.swift", in: try CoverageFixture.files("Conditionals"))
    let source = try CoverageFixture.source("Conditionals/Sources/Conditionals/Conditionals.swift")
    let never = file.lines.filter { $0.state == .neverRan }.map {
      String(decoding: source[$0.line - 1], as: UTF8.self).drop { $0 == " " }
    }
    #expect(never == [#"fatalError("never reached")"#, "}"])
    let texts = file.deadStretches.map { stretch in
      let line = source[stretch.line - 1]
      let columns = stretch.columns.clamped(to: 1..<line.count + 1)
      return String(decoding: line[columns.lowerBound - 1..<columns.upperBound - 1], as: UTF8.self)
    }
    #expect(
      texts == [
        "two", "two", "2", "-1", "{ return -1 }", #"case 2: return "two""#, #"default: return "many""#, "",
      ])
    #expect(file.totals == totals(lines: (25, 27, 8), regions: (17, 26), functions: (9, 13)))
    #expect(file.llvmLines == Tally(total: 31, covered: 25))
  }

  @Test("Unique lines are fewer than llvm-cov's own figure, which counts autoclosures again")
  func greeter() throws {
    let files = try CoverageFixture.files("Greeter")
    let file = try CoverageFixture.file("Greeter.swift", in: files)
    #expect(files.count == 1)
    #expect(file.totals.lines == LineTally(total: 32, covered: 31, partial: 2))
    #expect(file.llvmLines == Tally(total: 34, covered: 32))
    let greet = try #require(file.functions.first { $0.name == "Greeter.greet(at:)" })
    #expect(greet.count == 14)
    #expect(greet.regions.map(\.count) == [14, 14, 12, 2])
    let words = try #require(file.functions.first { $0.name == "Greeter.words(for:)" })
    #expect(words.folded.count == 2)
    #expect(words.regions.map(\.count).max() == 35)
  }

  @Test("Call counts and lines of a model, its controller and an untested display")
  func cookies() throws {
    let files = try CoverageFixture.files("CookieFactory")
    #expect(files.map(\.fileName) == ["Cookie.swift", "CookieController.swift", "CookieDisplay.swift"])
    #expect(files.map(\.totals.lines.covered) == [4, 23, 0])
    #expect(files.map(\.totals.lines.total) == [4, 23, 35])
    #expect(Coverage(files: files).totals.lines == LineTally(total: 62, covered: 27, partial: 0))
    let counts = Dictionary(uniqueKeysWithValues: files.flatMap(\.functions).map { ($0.name, $0.count) })
    #expect(counts["Cookie.init(name:kind:)"] == 18)
    #expect(counts["CookieController.init()"] == 21)
    #expect(counts["CookieController.reset()"] == 6)
    for cookie in ["Gingerbread", "Shortbread", "ChocolateChip"] {
      #expect(counts["CookieController.add\(cookie)()"] == 4)
    }
    #expect(files[2].functions.allSatisfy { $0.count == 0 })
  }

  private func totals(
    lines: (Int, Int, Int), regions: (Int, Int), functions: (Int, Int)
  ) -> CoverageTotals {
    CoverageTotals(
      lines: LineTally(total: lines.1, covered: lines.0, partial: lines.2),
      regions: Tally(total: regions.1, covered: regions.0), functions: Tally(total: functions.1, covered: functions.0))
  }
}
