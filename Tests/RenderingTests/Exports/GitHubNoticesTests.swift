import Model
import Testing

@testable import Rendering

@Suite("Notices of the change's coverage for GitHub")
struct GitHubNoticesTests {
  /// An integration without tests that did not run, which could cover what was lost.
  private static var whole: Integration {
    var integration = ExportSample.integration
    integration.tests.results.removeAll { $0.state == .notRun }
    return integration
  }

  /// The notices of an integration of which the change touched the lines, one file each.
  private func notices(
    _ neverRan: [(path: String, lines: [Int])], lost: [Int] = [], lostIn: String = "Sources/Shop/Till.swift",
    unchecked: [MutationReport.Subject] = [], conditions: [MutationReport.Subject] = [],
    origin: PatchCoverage.Origin = .integration(6)
  ) throws -> [String] {
    var integration = Self.whole
    integration.coverage.take(.known(MutationReport(scope: .changed, functions: unchecked, conditions: conditions)))
    let files = neverRan.map { path, lines in
      PatchCoverage.File(path: path, ran: [1], partlyRan: [], neverRan: lines)
    }
    let comparison = CoverageComparison(
      baseline: 6, before: CoverageTotals(),
      files: [
        FileComparison(
          path: lostIn,
          lines: lost.map { FileComparison.Line(line: $0, category: .lost, before: 2) })
      ])
    integration.changes = CoverageChanges(
      comparison: .known(comparison), patch: .known(PatchCoverage(origin: origin, files: files)))
    return try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: .github)
      .split(separator: "\n").filter { $0.hasPrefix("::notice ") }.map(String.init)
  }

  @Test("Each stretch of changed lines that never ran has one, and each that was lost")
  func stretches() throws {
    #expect(
      try notices([("Sources/Shop/A,b.swift", [3, 4, 5, 9])], lost: [20]) == [
        "::notice file=pkg/Sources/Shop/Till.swift,line=20,title=coverage lost::This line ran before, and did not this time.",
        "::notice file=pkg/Sources/Shop/A%2Cb.swift,line=3,endLine=5,title=never ran::These 3 changed lines never ran.",
        "::notice file=pkg/Sources/Shop/A%2Cb.swift,line=9,title=never ran::This changed line never ran.",
      ])
  }

  @Test("Of a header's line it is not said that it never ran, since calls from Swift are not all counted")
  func headers() throws {
    #expect(
      try notices([("C/a.h", [3, 4, 9]), ("C/b.c", [7])]) == [
        "::notice file=pkg/C/b.c,line=7,title=never ran::This changed line never ran.",
        "::notice file=pkg/C/a.h,line=3,endLine=4,title=no counted run::These 2 changed lines have no counted run; calls of headers from Swift are not all counted.",
        "::notice file=pkg/C/a.h,line=9,title=no counted run::This changed line has no counted run; calls of headers from Swift are not all counted.",
      ])
    let many = try notices([("C/a.h", (1...11).map { $0 * 2 })])
    #expect(many[9] == "::notice title=coverage of the change::2 more changed lines of headers have no counted run.")
    let lost = try notices([], lost: [20], lostIn: "Sources/Shop/till.hpp")
    #expect(
      lost == [
        "::notice file=pkg/Sources/Shop/till.hpp,line=20,title=coverage lost::This line ran before, and had no counted run this time."
      ])
  }

  @Test("Of more than GitHub shows, the last one counts the rest")
  func many() throws {
    let ten = try notices([("A.swift", (1...10).map { $0 * 2 })])
    #expect(ten.count == 10 && ten.allSatisfy { $0.contains("line=") })
    let more = try notices([("A.swift", (1...10).map { $0 * 2 } + [30, 31, 32])])
    #expect(more.count == 10)
    #expect(more[9] == "::notice title=coverage of the change::4 more changed lines never ran.")
    let one = try notices([("A.swift", (1...11).map { $0 * 2 })])
    #expect(one[9] == "::notice title=coverage of the change::2 more changed lines never ran.")
  }

  @Test("Lost lines and changed ones share what GitHub shows, lost ones first, and the rest is counted by kind")
  func shares() throws {
    func told(_ changed: Int, lost: Int) throws -> (lost: Int, changed: Int, rest: String?) {
      let notices = try notices(
        [("A.swift", (0..<changed).map { $0 * 2 + 1 })], lost: (0..<lost).map { $0 * 2 + 1 })
      #expect(notices.count <= 10)
      let first = notices.prefix { $0.contains("title=coverage lost") }.count
      let second = notices.dropFirst(first).prefix { $0.contains("title=never ran") }.count
      let rest = notices.dropFirst(first + second).map { String($0.split(separator: "::")[1]) }
      #expect(rest.count <= 1)
      return (first, second, rest.first)
    }
    #expect(
      try told(22, lost: 11)
        == (5, 4, "6 more lines that ran before did not this time; 18 more changed lines never ran."))
    #expect(try told(30, lost: 1) == (1, 8, "22 more changed lines never ran."))
    #expect(try told(1, lost: 30) == (8, 1, "22 more lines that ran before did not this time."))
    #expect(try told(5, lost: 5) == (5, 5, nil))
    #expect(try told(6, lost: 5) == (5, 4, "2 more changed lines never ran."))
    #expect(
      try told(5, lost: 6)
        == (5, 4, "1 more line that ran before did not this time; 1 more changed line never ran."))
  }

  @Test("A changed function that nothing checks has one behind the others, two on one line one for both")
  func unchecked() throws {
    let functions = [
      ExportSample.function("Till.add(_:)", 3, tests: 4, isChanged: true, [.init(.zero), .init(.one)]),
      ExportSample.function("Till.clear()", 3, tests: 1, isChanged: true, [.init(.nothing)]),
      ExportSample.function("Till.old()", 8, tests: 1, isChanged: false, [.init(.nothing)]),
    ]
    #expect(
      try notices([("A.swift", [9])], unchecked: functions) == [
        "::notice file=pkg/A.swift,line=9,title=never ran::This changed line never ran.",
        "::notice file=pkg/Sources/Shop/Till.swift,line=3,title=not checked::Till.add(_:): none of its 4 tests fails when it only returns 0 or 1.%0ATill.clear(): its test passes even when it does nothing.",
      ])
    let many = (1...12).map {
      ExportSample.function("Till.f\($0)()", $0 * 2, tests: 1, isChanged: true, [.init(.nothing)])
    }
    let told = try notices([("A.swift", [9, 11])], unchecked: many)
    #expect(told.count == 10 && told.count { $0.contains("title=not checked") } == 7)
    #expect(told.last == "::notice title=coverage of the change::5 more changed functions are not checked.")
  }

  @Test("A changed condition that nothing checks has one behind the functions")
  func conditions() throws {
    let functions = [ExportSample.function("Till.add(_:)", 3, tests: 4, isChanged: true, [.init(.zero)])]
    let conditions = [ExportSample.function("a < b", 9, tests: 2, isChanged: true, [.init(.negation)])]
    #expect(
      try notices([], unchecked: functions, conditions: conditions).last
        == "::notice file=pkg/Sources/Shop/Till.swift,line=9,title=not checked::`a < b`: none of its 2 tests fails when it is negated."
    )
  }

  @Test("A first commit, of which every line is new, has none")
  func first() throws {
    #expect(try notices([("A.swift", [1, 2])], origin: .nothing) == [])
  }

  @Test("A part that was lost has one, too")
  func parts() throws {
    var integration = Self.whole
    let parts = [4, 9].map { line in
      CoverageRegion(
        start: SourcePosition(line: line, column: 2), end: SourcePosition(line: line, column: 3), count: 0)
    }
    var file = FileComparison(path: "Till.swift", lostRegions: parts)
    file.regions[.lost] = 2
    integration.changes = CoverageChanges(
      comparison: .known(CoverageComparison(baseline: 6, before: CoverageTotals(), files: [file])),
      patch: .unknown(reason: "none"))
    let text = try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: .github)
    #expect(
      text.contains(
        "::notice file=pkg/Till.swift,line=4,title=coverage lost::A part of this line ran before, and did not this time.\n"
      ))
    #expect(text.contains("::notice file=pkg/Till.swift,line=9,title=coverage lost::"))
    file.lostRegions = (1...12).map { line in
      let position = SourcePosition(line: line * 2, column: 2)
      return CoverageRegion(start: position, end: position, count: 0)
    }
    integration.changes?.comparison = .known(
      CoverageComparison(baseline: 6, before: CoverageTotals(), files: [file]))
    #expect(
      try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: .github)
        .hasSuffix("::notice title=coverage of the change::Parts of 3 more lines that ran before did not this time.\n"))
  }

  @Test(
    "What a gate says names files from the repository's root, as a reason and as an issue, too",
    arguments: [false, true])
  func gates(isOlder: Bool) throws {
    var document = IntegrationRecord(ExportSample.integration)
    let gate = GateResult(
      rule: "patch-fully-covered", state: .failed,
      sentence:
        "2 of 3 changed lines never ran: Till.swift:4; Sources/Shop/Till.swift:3, 7; Not/Till.swift.bak:1; Till.swift.",
      files: ["Till.swift", "Sources/Shop/Till.swift"])
    document.gates = [gate]
    // Earlier messages had the rule as it is written.
    let message = isOlder ? "Gate \(gate.rule): \(gate.sentence)" : gate.message
    document.reasons = [message, "Till.swift:4 is another matter."]
    document.reasonCodes = isOlder ? nil : [.gateFailed(gate.rule), OutcomeReason.Code("stopped")]
    document.issues = Array(document.issues.prefix(1))
    document.issues[0].kind = .gate
    document.issues[0].status = .new
    document.issues[0].test = nil
    document.issues[0].message = message
    document.issues[0].subject = isOlder ? nil : .gate(gate.rule)
    let told =
      "2 of 3 changed lines never ran: pkg/Till.swift:4; pkg/Sources/Shop/Till.swift:3, 7; Not/Till.swift.bak:1; pkg/Till.swift."
    let export = IntegrationExport(document, coverage: nil)
    #expect(export.document.gates?.map(\.sentence) == [told])
    #expect(export.document.reasons == ["Full patch gate: \(told)", "Till.swift:4 is another matter."])
    #expect(try export.text(as: .github).contains("::Full patch gate: \(told)\n"))
    #expect(try export.text(as: .markdown).contains("full patch. 2 of 3 changed lines never ran: pkg/Till"))
    document.package = "."
    #expect(IntegrationExport(document, coverage: nil).document == document)
  }
}
