import Model
import Testing

@testable import Parsing

@Suite("Tests that a stack names")
struct SuspectsTests {
  private func suspects(_ functions: String..., among names: String..., isOwn: Bool = true) -> [String] {
    let place = SourceLocation(file: "Tests/A.swift", line: 1)
    let frames = functions.enumerated().map {
      StackFrame(number: $0.offset, function: $0.element, location: isOwn ? place : nil)
    }
    return Suspects.among(names.compactMap { TestID($0) }, on: [ThreadStack(frames: frames)]).map(\.description)
  }

  @Test("A function, a closure in it and a part of an asynchronous one name their test")
  func names() {
    #expect(suspects("Eight.five()", among: "M.Eight/five()", "M.Eight/six()") == ["M.Eight/five()"])
    #expect(suspects("closure #1 in closure #2 in Eight.five()", among: "M.Eight/five()") == ["M.Eight/five()"])
    #expect(
      suspects("(2) await resume partial function for Outer.Inner.a(_:)", among: "M.Outer/Inner/a(_:)")
        == ["M.Outer/Inner/a(_:)"])
    #expect(suspects("static Eight.five()", among: "M.Eight/five()") == ["M.Eight/five()"])
    #expect(suspects("free()", among: "M.free()") == ["M.free()"])
    #expect(suspects("Third.test3()", among: "M.Third/test3") == ["M.Third/test3"])
    #expect(suspects("Eight.five()", among: "M.Eight/five()/A.swift:3:4") == ["M.Eight/five()/A.swift:3:4"])
  }

  @Test("A name in backticks may hold the words that stand between functions, and is listed with or without its marks")
  func rawNames() {
    let function = "closure #1 in Lists.`value of nil in list for two`()"
    let names = ["M.Lists/`value of nil in list for two`()", "M.Lists/value of nil in list for two"]
    #expect(suspects(function, among: names[0], names[1], "M.Lists/list for two()") == names)
    let other = "M.`Lists of lists`/c()"
    #expect(suspects("`a in b`() in `Lists of lists`.c()", among: other) == [other])
  }

  @Test("A similar name, and a frame outside the package, names nobody")
  func others() {
    #expect(suspects("Eight.fives()", "Height.five()", "five()", among: "M.Eight/five()") == [])
    #expect(suspects("Eight.five()", among: "M.Eight/five()", isOwn: false) == [])
  }
}
