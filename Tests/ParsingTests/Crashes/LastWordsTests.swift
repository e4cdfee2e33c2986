import Model
import Testing

@testable import Parsing

@Suite("A process's last words")
struct LastWordsTests {
  private func words(of text: String) -> String? {
    var words = LastWords()
    for byte in text.utf8 { words.consume([byte]) }
    return words.finish()?.text
  }

  @Test("The place is the one that the message names")
  func named() {
    var words = LastWords()
    words.consume("Dying/Shelf.swift:6: Fatal error: Unexpectedly found nil\n".utf8)
    #expect(words.finish()?.place == SourceLocation(file: "Dying/Shelf.swift", line: 6))
  }

  @Test("The message is told without the place that the runtime puts before it")
  func place() {
    let text = """
      something else
      Swift/ContiguousArrayBuffer.swift:692: Fatal error: Index out of range

      *** Signal 4: Backtracing from 0x7fbfe4f6df7f... done ***

      """
    #expect(words(of: text) == "Fatal error: Index out of range")
  }

  @Test("A message of several lines is kept whole")
  func lines() {
    let text = "M/A.swift:3: Fatal error: this is\nthe end\n\n*** Signal 4: Backtracing from 0x7... done ***\n"
    #expect(words(of: text) == "Fatal error: this is\nthe end")
    #expect(words(of: "Fatal error: a\n◇ Test other() started.\nb\n") == "Fatal error: a")
    #expect(words(of: "Fatal error: \(String(repeating: "x\n", count: 100))")?.split(separator: "\n").count == 20)
  }

  @Test(
    "What the libraries print of other tests meanwhile is no part of it",
    arguments: [
      "━ Test other() recorded a known issue at A.swift:14:7: Expectation failed: a", "⚠︎ Test other() warned",
      "± [1, 2]", "⎙ Test other() attached a file", "Test Case 'A.other' started at 2026-11-27 14:26:24.100",
    ])
  func others(line: String) {
    #expect(words(of: "Swift/A.swift:692: Fatal error: a\n\(line)\n↳ b\nc\n") == "Fatal error: a")
  }

  @Test("Of several messages the last one counts, and talk about one is none")
  func last() {
    #expect(words(of: "Fatal error: first\nA.swift:2: Precondition failed: second") == "Precondition failed: second")
    #expect(words(of: "the manual: Fatal error: is what it prints\nand more\n") == nil)
    #expect(words(of: "") == nil)
  }

  @Test("The C library's complaints count, too")
  func library() {
    #expect(words(of: "free(): double free detected in tcache 2\n") == "free(): double free detected in tcache 2")
  }

  @Test("Output that is no text hides no message, and of a message that is none its bytes are told")
  func bytes() {
    var words = LastWords()
    words.consume([UInt8](repeating: 0, count: 100_000) + [0x0A, 0xFF, 0xFE, 0x0A])
    words.consume(Array("Fatal error: ".utf8) + [0, 0xFF, 0xC3, 0xA9, 0xE2, 0x82, 0x0D, 0x0A, 0x0D, 0x0A])
    words.consume([UInt8](repeating: 0xC3, count: 100_000))
    #expect(words.finish()?.text == #"Fatal error: \x00\xFFé\xE2\x82"#)
  }

  @Test("Of lines without an end no more is kept than their beginnings and ends")
  func bound() {
    var words = LastWords()
    words.consume("Fatal error: ".utf8)
    for _ in 0..<20 { words.consume([UInt8](repeating: 0xFF, count: 50_000)) }
    #expect((words.finish()?.text.utf8.count ?? 0) < 4 * 66_000)
  }
}
