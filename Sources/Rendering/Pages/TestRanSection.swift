import Model
import Syntax

/// The package's own sources that one test ran.
struct TestRanSection: ReportSection {
  private static let mostPlaces = 30
  private static let mostFunctions = 30

  private let test: Int
  private let map: TestMap
  /// Where the test and what it called were when it died or ended the process; empty for any other.
  private let end: [SourceLocation]
  let report: ReportContext

  /// Nil if that is unknown, as where it is known only of the serial run, which ended otherwise than the first one.
  init?(_ test: TestID, _ report: ReportContext) {
    guard let map = report.integration.coverage.coverage?.testMap?.value, let number = map.number(of: test) else {
      return nil
    }
    // A test that died may have left no counts of its own.
    let died = [.crashed, .timedOut].contains(report.tests[test]?.state)
    guard
      !died
        || map.files.values.contains(where: { file in file.functions.contains { map.sets[$0.set].contains(number) } })
    else { return nil }
    let result = report.tests[test]
    let calls = result?.stacks.first { $0.firstOwn != nil }?.frames.compactMap(\.location) ?? []
    end = calls + [result?.quit?.location].compactMap(\.self)
    let first = report.tests[test]?.runs.first
    if let serial = report.tests[test]?.serialRun, serial.state.isRed != first?.state.isRed { return nil }
    self.test = number
    self.map = map
    self.report = report
  }

  /// - Parameter isChangeTold: whether the changed lines that it ran stand above it.
  func record(isChangeTold: Bool) -> TemplateValue {
    let ran = functions { $0.contains(test) }
    // What is made once would run without it, in another test.
    let own = functions { $0 == [test] }.filter { map.files[$0.path]?.isOnce($0.line) != true }
    let owned = Set(own.map { SourceLocation(file: $0.path, line: $0.line) })
    let others = ran.filter { !owned.contains(SourceLocation(file: $0.path, line: $0.line)) }
    let files = Set(ran.map(\.path)).count
    return .record([
      "summary": .text(TestMapWords.summary(functions: ran.count, files: files)),
      "changed": isChangeTold ? .missing : changedLines,
      "noChange": .optional(changed.isEmpty && hasChange ? TestMapWords.noChange : nil),
      "own": functions(own), "others": functions(others), "hasOwn": .flag(!own.isEmpty),
    ])
  }

  private func functions(_ functions: [(path: String, line: Int, name: String)]) -> TemplateValue {
    functions.isEmpty
      ? .missing
      : list(
        functions.map { ($0.name, SourceLocation(file: $0.path, line: $0.line)) })
  }

  /// The changed lines that it ran, for a page in a folder of the report; missing without any.
  var changedLines: TemplateValue {
    guard !changed.isEmpty else { return .missing }
    let lines = LinePlaces(changed)
    let left = lines.lineCount(behind: Self.mostPlaces)
    return .record([
      "number": .text("\(integration.number)"), "places": sources.links(to: lines, first: Self.mostPlaces, from: "../"),
      "more": left > 0 ? .text("and \(CountText.counted(left, "more line"))") : .missing,
    ])
  }

  private func list(_ functions: [(String, SourceLocation)]) -> TemplateValue {
    .record([
      "functions": .list(
        functions.prefix(Self.mostFunctions).map { name, place in
          .record([
            "name": .shown(name),
            "link": sources.link(to: place.file, line: place.line).map { .text("../\($0)") } ?? .missing,
          ])
        }),
      "more": functions.count > Self.mostFunctions
        ? .text("and \(CountText.plain(functions.count - Self.mostFunctions)) more") : .missing,
    ])
  }

  private var patch: PatchCoverage? {
    integration.changes?.patch.value.flatMap { $0.origin == .nothing ? nil : $0 }
  }

  /// Whether there is a changed line that any test ran.
  private var hasChange: Bool { patch?.files.contains { !$0.ran.isEmpty || !$0.partlyRan.isEmpty } == true }

  /// The changed lines that the test ran, without those that it cannot have come to when it died: what the compiler
  /// counts by what went another way has them.
  var changed: [SourceLocation] {
    let lines = patch?.lines(ranBy: map.tests[test], in: map) ?? []
    return end.isEmpty ? lines : lines.filter { line in !end.contains { isBehind(line, $0) } }
  }

  /// Returns whether a line is in the same function as another one, behind that and behind the loops around it.
  private func isBehind(_ line: SourceLocation, _ other: SourceLocation) -> Bool {
    guard line.file == other.file, line.line > other.line else { return false }
    let loop = sources[other.file]?.code.lastLine(ofLoopsAround: other.line) ?? other.line
    let functions = integration.coverage.coverage?.files.first { $0.path == other.file }?.functions ?? []
    let own = functions.filter { ($0.line...max($0.line, $0.lastLine)).contains(other.line) }.max { $0.line < $1.line }
    return line.line > max(loop, other.line) && own.map { line.line <= $0.lastLine } == true
  }

  /// Returns the functions whose tests match, in source order.
  private func functions(where fits: (TestMap.TestSet) -> Bool) -> [(path: String, line: Int, name: String)] {
    (integration.coverage.coverage?.files ?? []).flatMap { file -> [(path: String, line: Int, name: String)] in
      let starts = Set((map.files[file.path]?.functions ?? []).filter { fits(map.sets[$0.set]) }.map(\.start))
      guard !starts.isEmpty else { return [] }
      return file.functions.compactMap { function in
        guard let start = function.regions.first?.start, starts.contains(start) else { return nil }
        return (file.path, function.line, function.name)
      }
    }
  }
}
