import Model
import Syntax

/// The tests that ran the lines of one source file, as shown on its page: each line links to the row of its tests.
struct SourceTests: Sendable {
  /// A test with the address of its row.
  struct Named: Sendable {
    let id: TestID
    let address: String
    /// The name that its author gave it, if any.
    var title: String?

    /// - Parameter suite: what stands above the test; nil if it has to name its own.
    fileprivate func record(besides suite: String?) -> TemplateValue {
      .record([
        "name": .shown(title ?? id.name), "function": title == nil ? .missing : .shown(id.name),
        "suite": .shown(ifAny: suite == nil ? id.home : nil), "address": .text(address),
      ])
    }
  }

  /// The maximum number of rows: no reader would go through more.
  private static let mostRows = 300
  /// The maximum number of tests that are named before the rest is only counted.
  private static let mostTests = 30
  /// Up to this many tests are named even if they are all the tests there are.
  private static let fewTests = 5
  private static let mostPlaces = 20

  /// The lines that only the failed attempt of a flaky test ran.
  struct FailedAttempt {
    let test: Named
    let lines: Set<Int>
  }

  /// Lines with the number of their row, from 1.
  private var runs: [(lines: ClosedRange<Int>, row: Int)] = []
  /// What the lines of a row have in common.
  private struct Row: Hashable {
    /// None for lines that ran, but in no test of the map: as in a failed attempt, or only beside other tests.
    var tests: TestMap.TestSet
    /// Whether they run once per process.
    var isOnce = false
    /// Whether they also ran while no test did.
    var isOutside = false
    /// Whether nothing of their own code ran.
    var isDead = false
    /// Whether only a failed attempt ran them.
    var isFailedAttempt = false
  }

  private var rows: [Row] = []
  /// The test of the failed attempt.
  private var failed: Named?
  /// Whether the lines of all tests are known.
  private var isWhole = true

  /// For a file about which nothing is known.
  init() {}

  /// - Parameter code: the text of the file; nil if the report does not have it.
  init(
    of coverage: FileCoverage, in map: TestMap?, code: @autoclosure () -> SourceCode? = nil,
    failed: FailedAttempt? = nil
  ) {
    guard let map else { return }
    (isWhole, self.failed) = (map.gaps.isEmpty, failed?.test)
    let file = map.files[coverage.path]
    // Most files need not be read.
    let code = file?.parts.isEmpty == false ? code() : nil
    let entries = code == nil ? [:] : Self.entries(of: coverage)
    let startUp = Set(coverage.incidental)
    var numbers: [Row: Int] = [:]
    for line in (code.map(coverage.withOwnCounts) ?? coverage).lines where line.state != .neverRan {
      var tests = map.tests(ofLine: line.line, in: coverage.path)
      if let code, let parts = file?.parts(ofLine: line.line), !parts.isEmpty {
        tests = Self.tests(of: line, in: code, parts, entries[line.line] ?? [:], map.sets)
      }
      if tests.isEmpty, startUp.contains(line.line) { continue }
      let isOutside = file?.ranOutside(line.line) == true
      let row =
        line.count == 0
        ? Row(tests: [], isDead: true)
        : tests.isEmpty
          ? Row(tests: [], isOutside: isOutside, isFailedAttempt: failed?.lines.contains(line.line) == true)
          : Row(tests: tests, isOnce: file?.isOnce(line.line) == true, isOutside: isOutside)
      if numbers[row] == nil { rows.append(row) }
      let number = numbers[row, default: rows.count]
      numbers[row] = number
      add(line.line, number)
    }
  }

  private mutating func add(_ line: Int, _ row: Int) {
    if let last = runs.last, last.row == row, last.lines.upperBound + 1 == line {
      runs[runs.count - 1].lines = last.lines.lowerBound...line
    } else {
      runs.append((line...line, row))
    }
  }

  /// Returns how often the regions ran that begin on a line, by line and column.
  private static func entries(of coverage: FileCoverage) -> [Int: [Int: UInt64]] {
    coverage.functions.lazy.flatMap(\.regions).reduce(into: [:]) { entries, region in
      let known = entries[region.start.line]?[region.start.column] ?? 0
      entries[region.start.line, default: [:]][region.start.column] = known.adding(region.count)
    }
  }

  /// Returns the tests that ran what is evaluated on a line of several parts; where nothing is, as on `} else {`, those
  /// of the region that has the line's count: one that begins there, or else the block that a brace ends.
  private static func tests(
    of line: LineCoverage, in code: SourceCode, _ parts: ArraySlice<TestMap.Part>, _ entries: [Int: UInt64],
    _ sets: [TestMap.TestSet]
  ) -> TestMap.TestSet {
    let range = code.range(ofLine: line.line)
    let texts = code.parts(parts.map { ($0.start.column, entries[$0.start.column] != nil) }, ofLine: range)
    let evaluated = zip(parts, texts).filter {
      $1.isCounted && code.evaluatedStart(in: $1.range, ofLine: range) != nil
    }
    guard evaluated.isEmpty else { return Set(evaluated.flatMap { sets[$0.0.set] }).sorted() }
    let counted = entries.filter { $0.value == line.count }.keys.min()
    let own = counted.flatMap { column in parts.last { $0.start.column <= column } }.map { sets[$0.set] } ?? []
    return own.isEmpty ? parts.map { sets[$0.set] }.first { !$0.isEmpty } ?? [] : own
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
  /// - Parameter tests: all tests of the map, each with the address of its row.
  func record(shown: Range<Int>, tests: [Named]) -> TemplateValue {
    let here = Dictionary(grouping: runs.filter { shown.overlaps($0.lines) }, by: \.row)
    guard !here.isEmpty else { return .missing }
    let numbers = here.keys.sorted().prefix(Self.mostRows)
    let named = numbers.lazy.flatMap { self.tests(ofRow: $0, of: tests) }
    let suite = named.first.map(\.id.home).flatMap { home in named.allSatisfy { $0.id.home == home } ? home : nil }
    let listed = numbers.map { row in
      record(row, places: (here[row] ?? []).map(\.lines), tests: tests, suite: suite)
    }
    return .record(["onlySuite": .shown(ifAny: suite), "rows": .list(Array(listed))])
  }

  private func tests(ofRow number: Int, of all: [Named]) -> [Named] {
    let row = rows[number - 1]
    return row.isFailedAttempt ? failed.map { [$0] } ?? [] : row.tests.map { all[$0] }
  }

  /// - Parameter suite: the suite of the tests of all rows, which stands above them; nil if they have several.
  private func record(
    _ number: Int, places: [ClosedRange<Int>], tests all: [Named], suite: String?
  ) -> TemplateValue {
    let row = rows[number - 1]
    let named = tests(ofRow: number, of: all)
    let isAll = named.count == all.count && named.count > Self.fewTests
    return .record([
      "row": .number(number),
      "places": .list(
        places.prefix(Self.mostPlaces).map { lines in
          .record(["line": .number(lines.lowerBound), "words": .text(CountText.range(lines))])
        }),
      "morePlaces": places.count > Self.mostPlaces
        ? .text("and \(places.count - Self.mostPlaces) more") : .missing,
      "note": .optional(note(on: row)),
      "count": .text(
        named.isEmpty
          ? "–" : isAll ? "all \(CountText.plain(named.count)) tests" : CountText.counted(named.count, "test")),
      "tests": isAll
        ? []
        : .list(named.prefix(Self.mostTests).map { $0.record(besides: suite) }),
      "moreTests": !isAll && named.count > Self.mostTests
        ? .text("and \(CountText.plain(named.count - Self.mostTests)) more") : .missing,
    ])
  }

  private func note(on row: Row) -> String? {
    if row.isDead { return TestMapWords.never }
    if row.isFailedAttempt { return TestMapWords.onlyFailed }
    if row.tests.isEmpty { return row.isOutside ? TestMapWords.onlyOutside : TestMapWords.noTest(isWhole: isWhole) }
    return row.isOnce ? TestMapWords.once : row.isOutside ? TestMapWords.outside : nil
  }
}
