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

  private func sentences(_ code: String, in path: String = "Sources/A/A.swift") -> [Int?] {
    SentenceRules.sentences(in: SwiftText(path: path, code)).map(\.line)
  }

  @Test(
    "A sentence that is made is found",
    arguments: [
      #"let a = "The build failed.""#, #"f("x", "\(n) tests did not \(verb).")"#, #"f("\(g("It is so.")) and so on")"#,
      #"a + " No test is red. ""#,
    ])
  func made(code: String) {
    #expect(sentences("f()\n\(code)") == [2])
    #expect(sentences(code, in: "Sources/Rendering/Words/A.swift") == [])
    #expect(sentences("// \(code)") == [])
  }

  @Test(
    "Phrases, names, formats and calls are no sentence",
    arguments: [
      #""a phrase of several words.""#, #""Sources/A.swift""#, #""Two words.""#, #""\(a).\(b).""#,
      #""The build failed""#,
      #"f("\(a) of \(b)", "\(c(d.e)).")"#,
    ])
  func unmade(code: String) {
    #expect(sentences(code) == [])
  }

  @Test("Whoever may make sentences is there, and makes some")
  func makers() throws {
    let sources = try House.sources()
    for path in SentenceRules.makers.keys {
      let own = sources.filter { $0.path.hasPrefix(path) }.map {
        SwiftText(path: "Sources/A/A.swift", $0.lines.joined(separator: "\n"))
      }
      #expect(own.contains { !SentenceRules.sentences(in: $0).isEmpty }, "\(path) needs no exception")
    }
  }

  @Test("Whoever may read words is there, and reads some")
  func readers() throws {
    for path in SentenceRules.readers.keys where path.hasSuffix(".swift") {
      let text = SwiftText(path: "Sources/A/A.swift", try House.text(path))
      #expect(!SentenceRules.violations(in: text).isEmpty, "\(path) needs no exception")
    }
  }
}
