import Model

/// The package's own sources that one test ran.
struct TestRanSection: ReportSection {
  private static let mostPlaces = 30
  private static let mostFunctions = 30

  private let test: Int
  private let map: TestMap
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
    let first = report.tests[test]?.runs.first
    if let serial = report.tests[test]?.serialRun, serial.state.isRed != first?.state.isRed { return nil }
    self.test = number
    self.map = map
    self.report = report
  }

  var record: TemplateValue {
    let ran = functions { $0.contains(test) }
    // What is made once would run without it, in another test.
    let own = functions { $0 == [test] }.filter { map.files[$0.path]?.isOnce($0.line) != true }
    let owned = Set(own.map { SourceLocation(file: $0.path, line: $0.line) })
    let others = ran.filter { !owned.contains(SourceLocation(file: $0.path, line: $0.line)) }
    let files = Set(ran.map(\.path)).count
    return .record([
      "summary": .text(TestMapWords.summary(functions: ran.count, files: files)),
      "changed": changed.isEmpty ? .missing : list("places", changed.map { (place($0), $0) }, Self.mostPlaces),
      "noChange": .optional(changed.isEmpty && hasChange ? TestMapWords.noChange : nil),
      "own": functions(own), "others": functions(others), "hasOwn": .flag(!own.isEmpty),
    ])
  }

  private func functions(_ functions: [(path: String, line: Int, name: String)]) -> TemplateValue {
    functions.isEmpty
      ? .missing
      : list(
        "functions", functions.map { ($0.name, SourceLocation(file: $0.path, line: $0.line)) }, Self.mostFunctions)
  }

  private func place(_ place: SourceLocation) -> String { "\(place.fileName):\(place.line)" }

  private func list(_ key: String, _ entries: [(String, SourceLocation)], _ most: Int) -> TemplateValue {
    .record([
      key: .list(
        entries.prefix(most).map { name, place in
          .record([
            key == "places" ? "place" : "name": .shown(name),
            "link": sources.link(to: place.file, line: place.line).map { .text("../\($0)") } ?? .missing,
          ])
        }),
      "more": entries.count > most ? .text("and \(CountText.plain(entries.count - most)) more") : .missing,
    ])
  }

  private var patch: PatchCoverage? {
    integration.changes?.patch.value.flatMap { $0.origin == .nothing ? nil : $0 }
  }

  /// Whether there is a changed line that any test ran.
  private var hasChange: Bool { patch?.files.contains { !$0.ran.isEmpty || !$0.partlyRan.isEmpty } == true }

  /// The changed lines that the test ran.
  var changed: [SourceLocation] { patch?.lines(ranBy: map.tests[test], in: map) ?? [] }

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
