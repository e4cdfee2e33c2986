import Foundation
import FoundationXML
import Model
import Testing

@testable import Rendering

@Suite("Exports of hostile text")
struct HostileExportTests {
  /// Bytes that are no UTF-8, a lone surrogate among them, arrive as U+FFFD from every parser.
  static let broken = String(decoding: [0xED, 0xA0, 0x80, 0xFF, 0x41] as [UInt8], as: UTF8.self)
  static let evil =
    "]]>\u{0}\u{1B}[31m\"'<&>\u{FFFE}\u{FFFF}\u{202E}|`\\{0}[x](y)%0A::error::\r\n\t🦅, \(broken)\u{2028}--><!--"

  static var export: IntegrationExport {
    var integration = ExportSample.integration
    integration.bot = evil
    integration.branch = evil
    integration.repository = "/srv/\(evil)"
    integration.commit.summary = evil
    integration.reasons = [.stopped(evil)]
    let place = SourceLocation(file: "Sources/\(evil).swift", line: 1)
    let failure = TestFailure(location: place, message: evil)
    let id = TestID(module: "A", suite: evil, name: evil)
    integration.tests = TestReport(results: [
      TestResult(
        id: id, library: .swiftTesting, state: .failed, duration: .nan, displayName: evil, tags: [evil],
        location: place, failures: [failure], knownIssues: [failure],
        arguments: [TestArgument(display: evil, state: .failed, failures: [failure])]),
      TestResult(
        id: TestID(module: "A", suite: "", name: evil), library: .xctest, state: .skipped, duration: -1,
        skipReason: evil),
    ])
    integration.issues = [
      Model.Issue(id: evil, kind: .testFailure, message: evil, test: id),
      Model.Issue(id: "w", kind: .warning, message: evil, location: place),
    ]
    integration.coverage = .available(
      Coverage(
        files: [
          ExportSample.file(
            "Sources/\(evil).swift", evil, counts: [1: 1, 2: 0], partial: [1], functions: [(evil, 1, 1), (evil, 2, 0)])
        ], isComplete: false, reason: evil))
    return IntegrationExport(IntegrationRecord(integration), coverage: CoverageDocument(integration))
  }

  @Test("XML is well-formed whatever the bytes", arguments: [ExportFormat.junit, .cobertura, .sonar, .badge])
  func xml(format: ExportFormat) throws {
    let text = try Self.export.text(as: format)
    #expect(XMLParser(data: Data(text.utf8)).parse())
    #expect(
      !text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" || 0xFFFE...0xFFFF ~= $0.value })
  }

  @Test("JSON is whole whatever the bytes", arguments: [ExportFormat.sarif, .codecov, .json])
  func json(format: ExportFormat) throws {
    let text = try Self.export.text(as: format)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
  }

  @Test("Forbidden characters in JUnit stand as their numbers")
  func picture() throws {
    let text = try Self.export.text(as: .junit)
    #expect(text.contains("]]&gt;⟨U+0000⟩⟨U+001B⟩[31m&quot;'&lt;&amp;&gt;⟨U+FFFE⟩⟨U+FFFF⟩⟨U+202E⟩"))
    #expect(text.contains("🦅, \u{FFFD}"))
  }

  @Test("What people read of JUnit deceives nobody; only the names of files and the ids of tests stand as they are")
  func names() throws {
    let lines = try Self.export.text(as: .junit).split(separator: "\n")
    let deceiving = lines.filter { $0.contains("&#x202E;") }
    let parts = deceiving.flatMap { $0.matches(of: /(\w+|name="id" value)="[^"]*&#x202E;/).map { String($0.1) } }
    #expect(Set(parts) == ["file", "name=\"id\" value"])
  }

  @Test("A record of LCOV stays on its line")
  func lcov() throws {
    let text = try Self.export.text(as: .lcov)
    let keys = text.split(separator: "\n").map { $0.prefix { $0 != ":" } }
    #expect(
      keys == ["TN", "SF", "FN", "FN", "FNDA", "FNDA", "FNF", "FNH", "DA", "DA", "LF", "LH", "end_of_record"])
  }

  @Test("A workflow command stays one command")
  func github() throws {
    let lines = try Self.export.text(as: .github).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("::error file=") || $0.hasPrefix("::warning file=") })
    #expect(lines.allSatisfy { $0.contains("%250A") })
  }

  @Test("A row of CSV stays a row, and no cell is a formula")
  func csv() throws {
    var document = ExportSample.document
    document.package = "."
    document.coverage.files?[0].path = "=cmd|' /C calc'!A0"
    document.coverage.files?[1].path = "a\"b,c\nd.swift"
    let rows = try IntegrationExport(document, coverage: nil).text(as: .csv)
    #expect(rows.contains("\n'=cmd|' /C calc'!A0,"))
    #expect(rows.contains("\n\"a\"\"b,c\nd.swift\","))
  }

  @Test("A bar in a name neither ends a cell of Markdown nor becomes another sign")
  func bars() throws {
    #expect(MarkdownText.cellCode("a|b\\|`c\nd") == "``a\\|b\\\\|`c d``")
    var document = ExportSample.document
    document.coverage.files?[0].path = "Sources/a|b.swift"
    document.coverage.files?[0].lines = LineTally(total: 2, covered: 1)
    let issue = Model.Issue(
      id: "w", kind: .warning, message: "odd", location: SourceLocation(file: "Sources/a|b.swift", line: 1))
    document.issues = [IntegrationRecord.FlatIssue(issue)]
    let text = try IntegrationExport(document, coverage: nil).text(as: .markdown)
    #expect(text.contains("\n- Warning in `pkg/Sources/a|b.swift:1`\n"))
    #expect(text.contains("\n| `pkg/Sources/a\\|b.swift` | 50.0% | 1 |  |\n"))
  }

  @Test("A sign of Markdown with a combining accent is one, too")
  func accents() {
    #expect(MarkdownText.cellCode("a|\u{301}b") == "`a\\|\u{301}b`")
    #expect(MarkdownText.escaped("a|\u{301}b*\u{301}\n_") == "a\\|\u{301}b\\*\u{301} \\_")
    #expect(MarkdownText.code("`\u{301}a") == "`` `\u{301}a ``")
  }

  @Test("No text ends a fence or a code span of Markdown")
  func markdown() {
    #expect(MarkdownText.block("a\n````\nb", indentation: "  ").first == "  `````text")
    #expect(MarkdownText.code("a`b``c") == "```a`b``c```")
    #expect(MarkdownText.code("`") == "`` ` ``")
    #expect(MarkdownText.code("a|b\nc") == "`a|b c`")
    #expect(MarkdownText.escaped("<b>*x*</b>\n# `y`") == "\\<b\\>\\*x\\*\\</b\\> \\# \\`y\\`")
  }
}
