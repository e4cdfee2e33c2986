import Model
import Testing

@testable import Rendering

@Suite("The list of traps")
struct TrapListTests {
  private static let source = """
    func half(_ amount: Int) -> Int {
      guard amount >= 0 else { preconditionFailure("no debts") }
      let ü = 1; guard ü > 0 else { return 2 }
      if amount > 9 {
        // fatalError("a note")
        fatalError("too much")
      }
      return amount / 2
    }

    """

  private func page(_ lines: [LineCoverage], dead: [DeadStretch]) throws -> String {
    var report = CoverageSample.report
    let path = "Sources/A/A.swift"
    report.integration.coverage = .available(Coverage(files: [file(path, lines: lines, dead: dead)]))
    report.sources[path] = Array(Self.source.utf8)
    return try PageSite(report).text("coverage.html")
  }

  private func line(_ line: Int, _ state: LineState) -> LineCoverage {
    LineCoverage(line: line, count: state == .neverRan ? 0 : 1, state: state)
  }

  @Test("Traps are lines that never ran and ends of lines that did, each with a link to its line; notes are none")
  func both() throws {
    let page = try page(
      [line(1, .ran), line(2, .partlyRan), line(3, .partlyRan)] + (4...7).map { line($0, .neverRan) } + [line(8, .ran)],
      dead: [DeadStretch(line: 2, columns: 27..<63), DeadStretch(line: 3, columns: 32..<44)])
    #expect(page.contains("<h3>Traps: 1 line of 4 that never ran, 1 line that ran up to there</h3>"))
    let cell = "</a></th><td class=\"path\"><code>"
    #expect(page.contains("#L4\">A.swift:6\(cell)fatalError(&quot;too much&quot;)</code></td>"))
    #expect(page.contains("#L2\">A.swift:2\(cell)guard amount &gt;= 0 else { preconditionFailure("))
    #expect(!page.contains("a note"))
    // On paper the list is open.
    #expect(page.contains("<summary class=\"screen\">Show</summary>"))
  }

  @Test("A trap in front of what did not run is none")
  func living() throws {
    let page = try page([line(1, .ran), line(2, .partlyRan)], dead: [DeadStretch(line: 2, columns: 3..<20)])
    #expect(!page.contains("Traps"))
  }

  /// Whether a statement that never ran is listed as a trap.
  private func isListed(_ statement: String) throws -> Bool {
    var report = CoverageSample.report
    let path = "Sources/A/A.swift"
    let text = "\(statement)\n"
    let lines = text.split(separator: "\n").indices.map { line($0 + 1, .neverRan) }
    report.integration.coverage = .available(Coverage(files: [file(path, lines: lines)]))
    report.sources[path] = Array(text.utf8)
    return try PageSite(report).text("coverage.html").contains("<h3>Traps: 1 line of")
  }

  @Test(
    "What the standard library stops the program with is a trap, however it is called",
    arguments: [
      "fatalError()", "fatalError(\"why\")", "preconditionFailure(\"why\")", "assertionFailure(\"why\")",
      "Swift.fatalError(\"why\")", "Swift\n.fatalError(\"why\")", "let a = b ?? fatalError(c ? d : e)",
      "fatalError(\"a, b: c\", file: file, line: line)", "fatalError(file: file)", "fatalError (why(a, at: b))",
      "fatalError(\"\\(a, at: b)\", line: 3)", "fatalError(\n  \"why\", // at: here\n  file: f)",
      "case 1: fatalError()",
      "fatalError(\"why\",)", "fatalError({ a, b in f(a, at: b) }(1, 2))", "print(\"\\(fatalError())\")",
    ])
  func traps(_ statement: String) throws {
    #expect(try isListed(statement))
  }

  @Test(
    "A function of the same name that a type has, or that takes something else, is no trap",
    arguments: [
      "return fatalError(\"Expected }\", at: index)", "formatter.fatalError(\"Expected }\")",
      "formatter\n  .fatalError(a)",
      "self?.fatalError()", "Swift.Log.fatalError(a)", "my.Swift.fatalError(a)", "func fatalError(_ text: String) {",
      "fatalError(at: index)", "fatalError(\"a\", index)", "fatalError(\"\\(a)\", \"b\")",
      "fatalError(a, at: b, line: c)",
      "myfatalError(a)", "fatalErrors(a)", "let f = fatalError", "print(\"fatalError(a)\")", "a() /* fatalError(a) */",
      "\"\"\"\nfatalError(a)\n\"\"\"", "case fatalError(Int)", "/* a\n fatalError(b)\n */ c()",
      "fatalError(a,\n  at: b)",
    ])
  func others(_ statement: String) throws {
    #expect(try !isListed(statement))
  }
}
