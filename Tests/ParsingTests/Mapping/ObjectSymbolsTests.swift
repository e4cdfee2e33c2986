import Testing

@testable import Parsing

@Suite("The symbols of a program")
struct ObjectSymbolsTests {
  @Test("Functions are found by the end of their names, with where they begin")
  func suffix() throws {
    let program = try CoverageFixture.program()
    let found = try ObjectSymbols(program, suffix: ValueMaker.suffix)
    #expect(found.all.mapValues(\.address) == [CoverageFixture.valueSymbol: CoverageFixture.valueAddress])
    #expect(found[CoverageFixture.valueSymbol]?.address == CoverageFixture.valueAddress)
    #expect(try ObjectSymbols(program, suffix: "WY").all.isEmpty)
    // Without the change there are symbols of data only.
    #expect(try ObjectSymbols(CoverageFixture.bytes("Conditionals-mapping.elf"), suffix: "").all.isEmpty)
  }

  @Test("A program tells of the code that makes values where that is asked for")
  func makers() throws {
    var programs = MappedPrograms()
    try programs.add(image: CoverageFixture.program())
    #expect(programs.valueMakers.isEmpty)
    try programs.add(image: CoverageFixture.program(), withValueMakersOf: "/build/debug/Shop.xctest")
    let maker = ValueMaker(image: "Shop.xctest", address: CoverageFixture.valueAddress)
    #expect(programs.valueMakers == [maker: CoverageFixture.valueSymbol])
  }

  @Test(
    "The readable name of such code tells the property",
    arguments: [
      (CoverageFixture.readableValue, "limit"), ("one-time initialization function for default", "default"),
      ("static Limit.standard", nil), ("limit", nil), ("", nil),
    ] as [(String, String?)])
  func property(name: String, property: String?) {
    #expect(ValueMaker.property(from: name) == property)
  }

  @Test("A record tells which code of which program it is of, unless it is cut off or names none")
  func records() {
    #expect(ValueMaker(.value(.valueStarted, at: 7, in: "/a/b")) == ValueMaker(image: "b", address: 7))
    #expect(ValueMaker(.value(.valueStarted, in: "")) == nil)
    let whole = ObserverRecord.value(.valueFinished)
    for length in [0, 7, 8, 15, 16, whole.bytes.count - 1] {
      #expect(ValueMaker(ObserverRecord(kind: .valueFinished, bytes: whole.bytes.prefix(length))) == nil)
    }
  }
}
