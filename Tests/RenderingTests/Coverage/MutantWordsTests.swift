import Foundation
import Model
import Testing

@testable import Rendering

@Suite("What is told of functions without their bodies, and of conditions turned around")
struct MutantWordsTests {
  private func section(_ text: String) throws -> IntegrationRecord.MutantsSection {
    try JSONDecoder().decode(IntegrationRecord.MutantsSection.self, from: Data(text.utf8))
  }

  @Test(
    "There is a line about every result",
    arguments: [
      (#"{"scope": "all", "checked": 3, "unchecked": []}"#, "3 of 3 functions checked"),
      (
        #"{"scope": "all", "checked": 1, "unchecked": [], "notJudged": {"result": 2, "inlined": 1}}"#,
        "1 of 1 function checked; 3 not tried"
      ), (#"{"scope": "changed", "checked": 0, "unchecked": []}"#, "no changed function ran"),
      (
        #"{"scope": "changed", "checked": 0, "unchecked": [], "notJudged": {"kind": 1}}"#,
        "no changed function could be tried; 1 not tried"
      ), (#"{"reason": "The tests were not mapped."}"#, "The tests were not mapped."),
      (
        #"{"scope": "all", "checked": 0, "unchecked": [{"path": "a.swift", "line": 7, "name": "f()", "tests": 1, "bodies": []}]}"#,
        "1 function that ran is not checked, such as f() in a.swift:7"
      ),
      (
        #"{"scope": "all", "checked": 1, "unchecked": [{"path": "a.swift", "line": 7, "name": "f()", "tests": 1, "bodies": []}], "conditions": {"checked": 2, "unchecked": [{"path": "b.swift", "line": 9, "name": "a < b", "tests": 3, "bodies": ["!"], "changed": true}]}}"#,
        "1 function and 1 condition that ran are not checked, such as `a < b` in b.swift:9"
      ),
    ])
  func summary(text: String, words: String) throws {
    #expect(MutantWords.summary(of: try section(text)) == words)
  }

  private static func subject(_ name: String, _ lines: ClosedRange<Int>, _ mutants: [MutationReport.Mutant])
    -> MutationReport.Subject
  {
    MutationReport.Subject(
      path: "Sources/Greeter/Greeter.swift", start: SourcePosition(line: lines.lowerBound, column: 12),
      end: SourcePosition(line: lines.upperBound, column: 16), name: name, tests: 4, verdict: .judged(mutants))
  }

  /// A function and a condition that nothing checks, and conditions of which that is known already or not true.
  private static let report = MutationReport(
    scope: .all,
    functions: [
      subject("greeting(for:loud:)", 4...10, [.init(.emptyString), .init(.letter, notice: .failed)]),
      subject("whisper()", 12...14, [.init(.emptyString), .init(.letter)]),
    ],
    conditions: [
      subject("loud && isOn", 6...6, [.init(.negation)]), subject("quiet", 13...13, [.init(.negation)]),
      subject("old", 9...9, [.init(.negation, notice: .failed)]),
    ])

  private static var integration: Integration {
    var integration = CoverageSample.report.integration
    integration.coverage.take(.known(report))
    return integration
  }

  @Test("A condition in a function or a longer condition that nothing checks is not one more of these")
  func once() {
    var report = Self.report
    var left = report.conditions[0]
    (left.name, left.end.column) = ("loud", 14)
    report = MutationReport(
      scope: .all, functions: report.functions, conditions: [left] + report.conditions)
    #expect(report.uncheckedConditions.map(\.name) == ["loud && isOn"])
    #expect(report.unchecked.map(\.name) == ["whisper()"])
  }

  @Test("The heading of the step's log counts the results that it lists")
  func log() throws {
    var report = CoverageSample.report
    report.integration = Self.integration
    report.logs = [Report.Log(step: .mutating, bytes: Array("a.swift:1 f(): checked\n".utf8))]
    let counts = "1 function and 1 condition checked, 1 function and 2 conditions not checked"
    #expect(try PageSite(report).text("log/mutating.html").contains("<h1>Mutating log: \(counts)</h1>"))
    let omitted = MutationReport.Subject(
      path: "a.swift", start: SourcePosition(line: 1, column: 1), end: SourcePosition(line: 1, column: 5), name: "a",
      tests: 1, verdict: .notJudged(.kind))
    #expect(MutantWords.result(of: MutationReport(scope: .all, functions: [omitted])) == "1 not tried")
    #expect(MutantWords.line(omitted) == "a.swift:1 a: not tried (of another kind)")
  }

  @Test("The record counts conditions apart, and reads as it was written")
  func record() throws {
    let integration = Self.integration
    let section = try #require(IntegrationRecord(integration).coverage.mutants)
    #expect(section.checked == 1 && section.unchecked?.map(\.name) == ["whisper()"])
    let conditions = try #require(section.conditions)
    #expect(conditions.checked == 1 && conditions.unchecked.map(\.name) == ["loud && isOn"])
    #expect(conditions.unchecked.map(\.bodies) == [[.negation]] && conditions.notJudged == nil)
    let decoded = try JSONDecoder().decode(
      IntegrationRecord.MutantsSection.self, from: JSONEncoder().encode(section))
    #expect(decoded == section)
  }

  @Test("The document has all conditions behind the functions")
  func document() throws {
    let text = try #require(MutantsDocument(Self.integration)).text
    #expect(text.contains(#""text":"loud && isOn","tests":4,"mutants":[{"body":"!"}]"#))
    #expect(text.contains(#""text":"old","tests":4,"mutants":[{"body":"!","noticed":"failed"}]"#))
  }

  @Test("What is not checked says what no test notices, and what was not tried that its tests did not pass")
  func unchecked() {
    var report = Self.report
    report.functions[0].verdict = .notJudged(.notPassed)
    #expect(
      MutantWords.unchecked(report).map { "\(MutantWords.shortName($0.subject)): \($0.fault)" } == [
        "whisper(): no test fails when it only returns \"\" or \"A\"",
        "`loud && isOn`: no test fails when it is negated",
      ])
    #expect(
      MutantWords.untried(report).map { "\(MutantWords.shortName($0.subject)): \($0.fault)" }
        == ["greeting(for:loud:): run by tests that failed"])
  }

  @Test("The log has a line about each")
  func lines() {
    #expect(
      Self.report.conditions.map(MutantWords.line) == [
        "Sources/Greeter/Greeter.swift:6 `loud && isOn`: not checked, none of its 4 tests fails when it is negated",
        "Sources/Greeter/Greeter.swift:9 `old`: checked, a test fails when it is negated",
        "Sources/Greeter/Greeter.swift:13 `quiet`: not checked, none of its 4 tests fails when it is negated",
      ])
  }

  @Test("A condition is told below its line, and listed with the functions")
  func pages() throws {
    var report = CoverageSample.report
    report.integration = Self.integration
    let site = try CoverageSite.render(report)
    let page = visibleText(try #require(site["coverage/Sources-Greeter-Greeter.swift.html"]))
    #expect(page.contains("Not checked: none of its 4 tests fails when `loud && isOn` is negated."))
    #expect(!page.contains("quiet` is negated"))
    let overview = visibleText(try #require(site["coverage.html"]))
    #expect(overview.contains("1 function and 1 condition"))
    #expect(overview.contains("2 functions tried") && overview.contains("3 conditions tried"))
    #expect(!overview.contains("conditions checked"))
    #expect(overview.contains("is negated"))
  }
}
