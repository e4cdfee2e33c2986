import Model
import Testing

@Suite("What a compiler was doing when it crashed")
struct StackDumpEntryTests {
  @Test(
    "A line of a stack dump tells a place, and what the compiler did there if there is a word for it",
    arguments: [
      ("3.\tWhile type-checking 'f()' (at A/a.swift:3:1)", "type-checking", 3),
      ("7.\tWhile type-checking-target starting at A/a.swift:18:5", "type-checking", 18),
      ("5.\tWhile type-checking statement at [A/a.swift:17:29 - line:19:3] RangeText=\"{", "type-checking", 17),
      ("4.\tWhile emitting SIL for getter for width (at A/a.swift:9:7)", "emitting SIL", 9),
      ("12.\tWhile parsing A/a.swift:4:2", "parsing", 4),
      ("4.\tWhile evaluating request BodyRequest(A.(file).B.c@A/a.swift:17:29)", nil, 17),
      ("5.\tWhile running pass #3 for 'f()' (at A/a.swift:3:1)", nil, 3),
    ] as [(String, String?, Int?)])
  func entry(line: String, activity: String?, number: Int?) {
    let entry = StackDumpEntry(line)
    #expect(entry?.activity == activity)
    #expect(entry?.place == number.map { SourceLocation(file: "A/a.swift", line: $0) })
  }

  @Test(
    "Any other line tells nothing",
    arguments: ["", "1.", "0.\tProgram arguments: a.swift:1", "While at a.swift:1"])
  func others(line: String) {
    #expect(StackDumpEntry(line) == nil)
  }
}
