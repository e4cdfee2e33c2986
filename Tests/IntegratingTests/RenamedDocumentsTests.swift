import Testing

@testable import Integrating

@Suite("Documents of a renamed bot")
struct RenamedDocumentsTests {
  private func renamed(_ text: String) -> String? {
    RenamedDocuments.renamed(Array(text.utf8), "hello").map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("Only the name of the bot changes, however the document is written")
  func names() {
    #expect(
      renamed(#"{"a": "\"bot\": \"x\"", "bot" : "x", "c": {"bot": "x"}}"#)
        == #"{"a": "\"bot\": \"x\"", "bot" : "hello", "c": {"bot": "x"}}"#)
    #expect(renamed(#"{"bot":"hello"}"#) == nil)
    #expect(renamed("{}") == nil)
  }
}
