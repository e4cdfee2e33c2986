import Model
import Testing

@testable import Rendering

@Suite("The heading of an integration in Markdown")
struct MarkdownHeadingTests {
  @Test("It says of which branch or tag the commit is", arguments: [("main", nil), (nil, "v1"), (nil, nil)])
  func place(branch: String?, tag: String?) {
    var integration = ExportSample.integration
    (integration.branch, integration.tag) = (branch, tag)
    let lines = MarkdownExport(IntegrationRecord(integration), lines: nil).text.split(separator: "\n")
    let words = branch.map { " on `\($0)`" } ?? tag.map { " at the tag `\($0)`" } ?? ""
    #expect(lines[1].hasSuffix("`\(words)"), "\(lines[1])")
    #expect(words.isEmpty == !(lines[1].contains(" on `") || lines[1].contains(" at the tag `")))
  }
}
