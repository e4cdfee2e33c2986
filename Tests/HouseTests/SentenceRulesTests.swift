import Testing

@Suite("Rules for decisions")
struct SentenceRulesTests {
  private func lines(_ code: String, in path: String = "Sources/A/A.swift") -> [Int?] {
    SentenceRules.violations(in: SwiftText(path: path, code)).map(\.line)
  }

  @Test(
    "A sentence that is compared or cut is found",
    arguments: [
      #"if a.hasPrefix("The mail ") {}"#, #"if a.hasSuffix(" is silenced.") {}"#, #"a.contains("Gate x: ")"#,
      #"a == "It failed.""#, #"a.firstRange(of: "of \(b) lines")"#, #"f("x") + g(a != "no message")"#,
    ])
  func found(code: String) {
    #expect(lines("f()\n\(code)") == [2])
    #expect(lines(code, in: "Sources/Parsing/A.swift") == [])
    #expect(lines("// \(code)\nlet a = #\"\(code)\"#") == [])
  }

  @Test(
    "Names, paths, signs and what is put in are no sentence",
    arguments: [
      #"a.hasPrefix("Sources/")"#, #"a.hasSuffix(" - ")"#, #"a == "time-out""#, #"a.hasPrefix("\(b.name + " x") ")"#,
      #"a.contains(b) ? "The mail " : "no""#,
    ])
  func fine(code: String) {
    #expect(lines(code) == [])
  }

  @Test("Whoever may read words is there, and reads some")
  func readers() throws {
    for path in SentenceRules.readers.keys where path.hasSuffix(".swift") {
      let text = SwiftText(path: "Sources/A/A.swift", try House.text(path))
      #expect(!SentenceRules.violations(in: text).isEmpty, "\(path) needs no exception")
    }
  }
}
