import Comparing
import Model
import TestGround
import Testing

@Suite("Coverage against an earlier one")
struct CoverageComparisonTests {
  private func counts(_ pairs: [ChangeCategory: Int]) -> CategoryCounts {
    var counts = CategoryCounts()
    for (category, count) in pairs { counts[category] = count }
    return counts
  }

  @Test(
    "Each of the twelve categories has its pair of texts",
    arguments: [
      (ChangeCategory.newNeverRan, ["1| a"], ["1| a", "0| new"]),
      (.lost, ["1| a", "3| b"], ["1| a", "0| b"]),
      (.includedNeverRan, ["1| a", " | b"], ["1| a", "0| b"]),
      (.stillNeverRan, ["1| a", "0| b"], ["1| a", "0| b"]),
      (.gained, ["1| a", "0| b"], ["1| a", "2| b"]),
      (.includedRan, ["1| a", " | b"], ["1| a", "2| b"]),
      (.newRan, ["1| a"], ["1| a", "4| new"]),
      (.stillRan, ["1| a", "9| b"], ["1| a", "2| b"]),
      (.excludedNeverRan, ["1| a", "0| b"], ["1| a", " | b"]),
      (.excludedRan, ["1| a", "5| b"], ["1| a", " | b"]),
      (.deletedNeverRan, ["1| a", "0| b"], ["1| a"]),
      (.deletedRan, ["1| a", "5| b"], ["1| a"]),
    ])
  func pairs(_ category: ChangeCategory, _ old: [String], _ new: [String]) {
    let comparison = CoverageText(new).compared(with: CoverageText(old))
    var expected = counts([.stillRan: 1])
    expected[category] += 1
    #expect(comparison.lines == expected)
    #expect(comparison.regions == expected)
  }

  @Test("A lost line keeps what it was, and moves with the text")
  func lost() throws {
    let comparison = CoverageText(["1| new", "1| a", "0| b"]).compared(with: CoverageText(["1| a", "3| b"]))
    let file = try #require(comparison.file(at: "Sources/A/A.swift"))
    #expect(file.lines(.lost) == [FileComparison.Line(line: 3, category: .lost, before: 3)])
    #expect(comparison.lostLines == [SourceLocation(file: "Sources/A/A.swift", line: 3)])
    #expect(file.lines(in: 2...3).map(\.category) == [.stillRan, .lost])
  }

  @Test("A region into which lines came is the same one as long as it runs as before")
  func regionWithNewLines() throws {
    func file(_ lines: [String], last: Int, count: UInt64) -> FileCoverage {
      var file = CoverageText(lines).coverage
      file.functions[0].regions = [
        CoverageRegion(
          start: SourcePosition(line: 1, column: 3), end: SourcePosition(line: last, column: 2), count: count)
      ]
      return file
    }
    func comparison(_ now: FileCoverage, _ before: FileCoverage, _ hunks: [LineMap.Hunk]) -> CoverageComparison {
      let difference = SourceDifference([
        FileDifference(status: .modified, oldPath: now.path, newPath: now.path, lines: LineMap(hunks: hunks))
      ])
      return CoverageComparison(
        of: Coverage(files: [now]), with: Coverage(files: [before]), baseline: 41, difference: difference)
    }
    let before = file(["2| if a {", "1| b", "2| }"], last: 3, count: 1)
    let inserted = [LineMap.Hunk(old: 2..<2, new: 2..<3)]
    let longer = ["2| if a {", "0| // new", "0| b", "2| }"]
    #expect(comparison(file(longer, last: 4, count: 1), before, inserted).regions == counts([.stillRan: 1]))
    let changed = comparison(file(longer, last: 4, count: 0), before, inserted)
    #expect(changed.regions == counts([.newNeverRan: 1, .deletedRan: 1]) && changed.lostParts.isEmpty)
    let unchanged = comparison(file(["2| if a {", "1| b", "2| }"], last: 3, count: 0), before, [])
    #expect(unchanged.regions == counts([.lost: 1]) && unchanged.lostParts.map(\.line) == [1])
  }

  @Test("A renamed file keeps its history")
  func renamed() throws {
    let old = CoverageText(["1| a", "3| b", "0| c"], path: "Sources/A/Old.swift")
    let comparison = CoverageText(["1| a", "0| b", "0| c"]).compared(with: old)
    #expect(comparison.files.map(\.oldPath) == ["Sources/A/Old.swift"])
    #expect(comparison.lines == counts([.stillRan: 1, .lost: 1, .stillNeverRan: 1]))
    #expect(comparison.files.first?.totalsBefore == old.coverage.totals)
  }

  @Test("A new file is new, a deleted one is deleted, and one that is counted no longer is excluded")
  func files() {
    let kept = CoverageText(["1| k"], path: "K.swift").coverage
    let comparison = CoverageComparison(
      of: Coverage(files: [kept, CoverageText(["1| a", "0| b"], path: "New.swift").coverage]),
      with: Coverage(files: [
        kept, CoverageText(["1| a", "0| b"], path: "Gone.swift").coverage,
        CoverageText(["1| a", "0| b"], path: "Excluded.swift").coverage,
      ]), baseline: 1,
      difference: SourceDifference([
        FileDifference(status: .added, oldPath: nil, newPath: "New.swift", lines: LineMap(hunks: [])),
        FileDifference(status: .deleted, oldPath: "Gone.swift", newPath: nil, lines: nil),
      ]))
    #expect(
      comparison.lines
        == counts([
          .stillRan: 1, .newRan: 1, .newNeverRan: 1, .deletedRan: 1, .deletedNeverRan: 1, .excludedRan: 1,
          .excludedNeverRan: 1,
        ]))
    #expect(comparison.unmapped == [])
  }

  @Test("A file that cannot be compared line by line is named and in no sum")
  func unmapped() {
    let file = CoverageText(["1| a"], path: "Inner/A.swift").coverage
    let inner = FileDifference(status: .modified, oldPath: "Inner", newPath: "Inner", lines: nil, obstacle: .submodule)
    let comparison = CoverageComparison(
      of: Coverage(files: [file]), with: Coverage(files: [file]), baseline: 1,
      difference: SourceDifference([inner]))
    #expect(comparison.unmapped == [UnmappedFile(path: "Inner/A.swift", obstacle: .submodule)])
    #expect(comparison.lines == CategoryCounts())
  }

  @Test("A region that stopped to run inside a line that still runs is lost coverage, too")
  func lostRegion() throws {
    func file(_ right: UInt64) -> FileCoverage {
      var file = CoverageText(["3| a ?? b"]).coverage
      let region = CoverageRegion(
        start: SourcePosition(line: 1, column: 6), end: SourcePosition(line: 1, column: 7), count: right)
      file.functions[0].regions.append(region)
      return file
    }
    let comparison = CoverageComparison(
      of: Coverage(files: [file(0)]), with: Coverage(files: [file(2)]), baseline: 1, difference: SourceDifference([]))
    #expect(comparison.lines == counts([.stillRan: 1]))
    #expect(comparison.regions == counts([.stillRan: 1, .lost: 1]))
    #expect(comparison.files.first?.lostRegions.map(\.start.column) == [6])
  }

  @Test(
    "A line of which a part runs only now is gained in part, unless it is new, did not run before or runs by chance",
    arguments: [("3| a ?? b", [1]), ("0| a ?? b", [])])
  func gainedRegion(before text: String, lines: [Int]) {
    func file(_ text: String, _ right: UInt64) -> FileCoverage {
      var file = CoverageText([text]).coverage
      let region = CoverageRegion(
        start: SourcePosition(line: 1, column: 6), end: SourcePosition(line: 1, column: 7), count: right)
      file.functions[0].regions.append(region)
      return file
    }
    let comparison = CoverageComparison(
      of: Coverage(files: [file("3| a ?? b", 2)]), with: Coverage(files: [file(text, 0)]), baseline: 1,
      difference: SourceDifference([]))
    #expect(comparison.files.first?.gainedPartLines == lines)
    #expect(comparison.regions[.gained] == (lines.isEmpty ? 2 : 1))
  }

  @Test("A baseline without regions says nothing about regions")
  func withoutRegions() {
    var old = CoverageText(["1| a"]).coverage
    old.functions = []
    let comparison = CoverageComparison(
      of: Coverage(files: [CoverageText(["1| a"]).coverage]), with: Coverage(files: [old]), baseline: 1,
      difference: SourceDifference([]))
    #expect(comparison.regions == CategoryCounts())
    #expect(comparison.lines == counts([.stillRan: 1]))
  }

  // MARK: Properties

  private func randomText(using generator: inout SeededGenerator, like old: CoverageText? = nil) -> CoverageText {
    var lines: [String] = []
    func random(_ text: String) -> String {
      let count = Int.random(in: 0..<5, using: &generator)
      return "\(count == 4 ? " " : "\(count)")|\(text)"
    }
    for text in old?.text ?? (0..<Int.random(in: 0..<40, using: &generator)).map({ "line \($0)" }) {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: break
      case 1: lines += [random("new \(generator.next())"), random(text)]
      default: lines.append(random(text))
      }
    }
    return CoverageText(lines)
  }

  @Test("The sums over the categories equal the totals on both sides, for lines and regions", arguments: 0..<200)
  func sums(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let old = randomText(using: &generator)
    let new = randomText(using: &generator, like: old)
    let comparison = new.compared(with: old)
    let (now, then) = (new.coverage.totals, old.coverage.totals)
    #expect(comparison.lines.now == Tally(total: now.lines.total, covered: now.lines.covered))
    #expect(comparison.lines.before == Tally(total: then.lines.total, covered: then.lines.covered))
    #expect(comparison.regions.now == now.regions)
    #expect(comparison.regions.before == then.regions)
    #expect(comparison.files.first?.lines.map(\.line) == new.coverage.lines.map(\.line))
  }

  @Test("A text compared with itself has only what is as it was", arguments: 0..<50)
  func identity(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let text = randomText(using: &generator)
    #expect(!text.compared(with: text).lines.hasChanges)
    #expect(!text.compared(with: text).regions.hasChanges)
  }

  @Test("Forwards and backwards a map says the same", arguments: 0..<100)
  func map(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let old = randomText(using: &generator)
    let new = randomText(using: &generator, like: old)
    let map = new.lines(from: old)
    for line in 1...(old.text.count + 5) {
      if let place = map.newLine(of: line) { #expect(map.oldLine(of: place) == line) }
    }
    for line in 1...(new.text.count + 5) {
      if let place = map.oldLine(of: line) { #expect(map.newLine(of: place) == line) }
    }
  }

  @Test("Hunks out of order are left out, and nothing traps")
  func damage() {
    let map = LineMap(hunks: [
      .init(old: 5..<7, new: 5..<5), .init(old: 2..<3, new: 2..<3), .init(old: 0..<1, new: 9..<9),
      .init(old: 9..<9, new: 7..<8),
    ])
    #expect(map.hunks.count == 2)
    #expect(map.newLine(of: .max - 10) == .max - 11)
    #expect(map.newLine(of: 6) == nil)
  }
}

extension CategoryCounts {
  /// How much code there was in the baseline, and how much of it ran, as far as the baseline's code was found again.
  fileprivate var before: Tally {
    let ran = self[.lost] + self[.stillRan] + self[.excludedRan] + self[.deletedRan]
    let never = self[.stillNeverRan] + self[.gained] + self[.excludedNeverRan] + self[.deletedNeverRan]
    return Tally(total: ran + never, covered: ran)
  }
}
