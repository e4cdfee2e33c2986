import Model

/// The tests that ran the lines of one source file, as shown on its page: each line links to the row of its tests.
struct SourceTests: Sendable {
  /// A test with the address of its row.
  struct Named: Sendable {
    let id: TestID
    let address: String
  }

  /// The maximum number of rows: no reader would go through more.
  private static let mostRows = 300
  /// The maximum number of tests that are named before the rest is only counted.
  private static let mostTests = 30
  /// Up to this many tests are named even if they are all the tests there are.
  private static let fewTests = 5
  private static let mostPlaces = 20

  /// Lines with the number of their row, from 1.
  private let runs: [(lines: ClosedRange<Int>, row: Int)]
  /// What the lines of a row have in common.
  private struct Row: Hashable {
    var tests: TestMap.TestSet
    /// Whether they run once per process.
    var isOnce: Bool
  }

  private let rows: [Row]
  /// Whether the lines of all tests are known.
  private let isWhole: Bool

  /// For a file about which nothing is known.
  init() { (runs, rows, isWhole) = ([], [], true) }

  init(of coverage: FileCoverage, in map: TestMap?) {
    guard let map else {
      (runs, rows, isWhole) = ([], [], true)
      return
    }
    var numbers: [Row: Int] = [:]
    var rows: [Row] = []
    var runs: [(lines: ClosedRange<Int>, row: Int)] = []
    func add(_ lines: ClosedRange<Int>, _ row: Row) {
      if numbers[row] == nil { rows.append(row) }
      let number = numbers[row, default: rows.count]
      numbers[row] = number
      runs.append((lines, number))
    }
    let file = map.files[coverage.path]
    for run in file?.lines ?? [] {
      for (lines, isOnce) in Self.parts(of: run.lines, file) {
        add(lines, Row(tests: map.sets[run.set], isOnce: isOnce))
      }
    }
    for lines in Self.unclaimed(coverage, file) { add(lines, Row(tests: [], isOnce: false)) }
    isWhole = map.gaps.isEmpty
    (self.runs, self.rows) = (runs.sorted { $0.lines.lowerBound < $1.lines.lowerBound }, rows)
  }

  /// The lines that ran with the tests, but in no test of the map: as in a failed attempt, or only beside other tests.
  private static func unclaimed(_ coverage: FileCoverage, _ file: TestMap.File?) -> [ClosedRange<Int>] {
    let startUp = Set(coverage.incidental)
    let claimed = file?.lines ?? []
    var found: [ClosedRange<Int>] = []
    var isNext = false
    for line in coverage.lines {
      let index = claimed.partitioningIndex { $0.lines.upperBound >= line.line }
      let isClaimed = index < claimed.count && claimed[index].lines.contains(line.line)
      guard line.state != .neverRan, !isClaimed, !startUp.contains(line.line) else {
        isNext = false
        continue
      }
      if isNext, let last = found.last {
        found[found.count - 1] = last.lowerBound...max(last.upperBound, line.line)
      } else {
        found.append(line.line...line.line)
      }
      isNext = true
    }
    return found
  }

  /// Lines, cut where values begin and end that a process makes once.
  private static func parts(of lines: ClosedRange<Int>, _ file: TestMap.File?) -> [(ClosedRange<Int>, Bool)] {
    guard let file, !file.once.isEmpty else { return [(lines, false)] }
    var parts: [(ClosedRange<Int>, Bool)] = []
    for line in lines {
      let isOnce = file.isOnce(line)
      if let (last, wasOnce) = parts.last, wasOnce == isOnce {
        parts[parts.count - 1].0 = last.lowerBound...line
      } else {
        parts.append((line...line, isOnce))
      }
    }
    return parts
  }

  /// The lines at which the tests change.
  var breaks: [Int] { runs.flatMap { [$0.lines.lowerBound, $0.lines.upperBound + 1] } }

  /// Returns the number of the row with the tests that ran a line; nil if none did, or if that is unknown.
  func row(ofLine line: Int) -> Int? {
    let index = runs.partitioningIndex { $0.lines.upperBound >= line }
    guard index < runs.count, runs[index].lines.contains(line), runs[index].row <= Self.mostRows else { return nil }
    return runs[index].row
  }

  func combine(into hash: inout PageHash) {
    hash.combine(runs.count)
    for run in runs {
      hash.combine(run.lines.lowerBound)
      hash.combine(run.lines.upperBound)
      hash.combine(run.row)
    }
  }

  /// Returns the rows whose lines are on a page; missing if there are none.
  ///
  /// - Parameters:
  ///   - tests: all tests of the map, each with the address of its row.
  ///   - hasXCTest: whether there are tests of XCTest.
  func record(shown: Range<Int>, tests: [Named], hasXCTest: Bool = false) -> TemplateValue {
    let here = Dictionary(grouping: runs.filter { shown.overlaps($0.lines) }, by: \.row)
    guard !here.isEmpty else { return .missing }
    let listed = here.keys.sorted().prefix(Self.mostRows).map { row -> TemplateValue in
      let places = (here[row] ?? []).map(\.lines)
      let set = rows[row - 1].tests
      let isAll = set.count == tests.count && set.count > Self.fewTests
      return .record([
        "row": .number(row),
        "places": .list(
          places.prefix(Self.mostPlaces).map { lines in
            .record([
              "line": .number(lines.lowerBound),
              "words": .text(CountText.range(lines)),
            ])
          }),
        "morePlaces": places.count > Self.mostPlaces
          ? .text("and \(places.count - Self.mostPlaces) more") : .missing,
        "note": .optional(
          set.isEmpty ? TestMapWords.noTest(isWhole: isWhole) : rows[row - 1].isOnce ? TestMapWords.once : nil),
        "count": .text(
          set.isEmpty ? "–" : isAll ? "all \(CountText.plain(set.count)) tests" : CountText.counted(set.count, "test")),
        "tests": isAll
          ? []
          : .list(
            set.prefix(Self.mostTests).map {
              .record([
                "name": .shown(tests[$0].id.name), "suite": .shown(ifAny: tests[$0].id.home),
                "address": .text(tests[$0].address),
              ])
            }),
        "moreTests": !isAll && set.count > Self.mostTests
          ? .text("and \(CountText.plain(set.count - Self.mostTests)) more") : .missing,
      ])
    }
    return .record(["rows": .list(Array(listed)), "setUp": .optional(hasXCTest ? TestMapWords.setUp : nil)])
  }
}
