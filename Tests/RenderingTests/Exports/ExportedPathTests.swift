import Foundation
import FoundationXML
import Model
import Testing

@testable import Rendering

/// A reader opens the file that a path names, so a path that is rewritten is a file that is lost.
@Suite("Paths in exports")
struct ExportedPathTests {
  /// An integration with one file of this name, which has coverage, a failed test and a gap that was lost.
  private func export(_ name: String) -> IntegrationExport {
    var integration = ExportSample.integration
    integration.packagePath = "."
    let path = "Sources/\(name).swift"
    let place = SourceLocation(file: path, line: 2)
    integration.tests = TestReport(results: [
      TestResult(
        id: ExportSample.id("A", "b()"), library: .swiftTesting, state: .failed, location: place,
        failures: [TestFailure(location: place, message: "no")])
    ])
    integration.issues = [Model.Issue(id: "w", kind: .warning, message: "old", location: place)]
    integration.coverage = .available(
      Coverage(files: [ExportSample.file(path, "Shop", counts: [1: 1, 2: 0], partial: [], functions: [])]))
    let comparison = CoverageComparison(
      baseline: 6, before: CoverageTotals(),
      files: [
        FileComparison(path: path, lines: [.init(line: 2, category: .lost, before: 2)])
      ])
    integration.changes = CoverageChanges(comparison: .known(comparison), patch: .unknown(reason: "none"))
    return IntegrationExport(IntegrationRecord(integration), coverage: CoverageDocument(integration))
  }

  /// The values of an attribute as an XML reader has them.
  private final class Values: NSObject, XMLParserDelegate {
    let attribute: String
    var found: Set<String> = []

    init(_ attribute: String) { self.attribute = attribute }

    func parser(
      _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      if let value = attributes[attribute] { found.insert(value) }
    }
  }

  private func paths(_ attribute: String, in text: String) -> Set<String> {
    let values = Values(attribute)
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = values
    #expect(parser.parse())
    return values.found
  }

  /// No shape, a direction, the end of a line for some readers, an accent that joins what stands before it.
  static let names = ["ZW\u{200B}N", "\u{202E}b\u{2066}a", "\u{2028}\u{85}\u{FEFF}", "a\"\u{301},\u{301}b", "a%0A:b"]

  @Test("A path stands as it is in what machines read", arguments: names)
  func exact(name: String) throws {
    let path = "Sources/\(name).swift"
    let export = export(name)
    #expect(try export.text(as: .lcov).contains("\nSF:\(path)\n"))
    #expect(try paths("filename", in: export.text(as: .cobertura)) == [path])
    #expect(try paths("path", in: export.text(as: .sonar)) == [path])
    #expect(try paths("file", in: export.text(as: .junit)) == [path])
    let codecov = try JSONSerialization.jsonObject(with: Data(try export.text(as: .codecov).utf8)) as? [String: Any]
    #expect((codecov?["coverage"] as? [String: Any])?.keys.map { Array($0.utf8) } == [Array(path.utf8)])
    let cell = try export.text(as: .csv).unicodeScalars.split(separator: "\n").last.map { String($0) } ?? ""
    let doubled = path.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
    #expect(cell.hasPrefix(path.utf8.contains(UInt8(ascii: "\"")) ? "\"\(doubled)\"" : path))
    let escaped = path.unicodeScalars.map { [":": "%3A", ",": "%2C", "%": "%25"][$0] ?? String($0) }.joined()
    let github = try export.text(as: .github)
    #expect(github.contains("::warning file=\(escaped),line=2,"))
    #expect(github.contains("::notice file=\(escaped),line=2,"))
  }

  @Test(
    "An address of a repository stands in SARIF as a URI, and only a path as a file",
    arguments: [
      ("https://example.org/shop/till.git", "https://example.org/shop/till.git"),
      ("ssh://git@example.org:2222/~mira/till.git", "ssh://git@example.org:2222/~mira/till.git"),
      ("git@example.org:shop/till.git", "ssh://git@example.org/shop/till.git"),
      ("git@example.org:/srv/100%.git", "ssh://git@example.org/srv/100%25.git"),
      ("/srv/mira@home:till.git", "file:///srv/mira%40home%3Atill.git"),
    ])
  func repository(written: String, uri: String) throws {
    var integration = ExportSample.integration
    integration.repository = written
    let text = try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: .sarif)
    #expect(text.contains("\"repositoryUri\": \"\(uri)\""), "\(text)")
  }

  @Test("What a format cannot hold stands as its number")
  func numbers() throws {
    let export = export("a\u{1}b\nc\rd\u{FFFE}e\tf")
    #expect(
      try export.text(as: .lcov).contains("\nSF:Sources/a\u{1}b⟨U+000A⟩c⟨U+000D⟩d\u{FFFE}e\tf.swift\n"))
    let xml: Set = ["Sources/a⟨U+0001⟩b\nc\rd⟨U+FFFE⟩e\tf.swift"]
    #expect(try paths("filename", in: export.text(as: .cobertura)) == xml)
    #expect(try paths("path", in: export.text(as: .sonar)) == xml)
    #expect(try paths("file", in: export.text(as: .junit)) == xml)
    #expect(try export.text(as: .csv).contains("\n\"Sources/a\u{1}b\nc\rd\u{FFFE}e\tf.swift\",Shop,"))
    #expect(
      try export.text(as: .github).contains("::warning file=Sources/a\u{1}b%0Ac%0Dd\u{FFFE}e\tf.swift,line=2,"))
  }

  @Test("What people read shows a path's signs without shape as their numbers")
  func people() throws {
    let export = export("ZW\u{200B}N")
    #expect(try export.text(as: .markdown).contains("`Sources/ZW⟨U+200B⟩N.swift`"))
    #expect(try export.text(as: .junit).contains(">Sources/ZW⟨U+200B⟩N.swift:2: no</failure>"))
  }
}
