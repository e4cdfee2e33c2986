import Testing

@testable import Parsing

@Suite("The symbols of a program")
struct ObjectSymbolsTests {
  @Test("Functions are found by their names, with where they begin")
  func functions() throws {
    let program = try CoverageFixture.program()
    let found = try ObjectSymbols(program, wanted: [CoverageFixture.valueSymbol, "none"])
    #expect(found[CoverageFixture.valueSymbol]?.address == CoverageFixture.valueAddress && found["none"] == nil)
  }

  @Test("The code that makes values is found with the properties whose names begin as its name does")
  func values() throws {
    let found = try ValueSymbols(CoverageFixture.program(data: "$s4Shop5limitSivp"))
    #expect(found.makers == [CoverageFixture.valueSymbol: CoverageFixture.valueAddress])
    #expect(found.properties == [CoverageFixture.valueSymbol: "$s4Shop5limitSivp"])
    for other in ["$s4Shop5limitSi", "$s4Shop4most5limitSivp", "$s4Shop5limi_Sivp"] {
      #expect(try ValueSymbols(CoverageFixture.program(data: other)).properties.isEmpty, "\(other)")
    }
    // Without the change there are other symbols of data only.
    #expect(try ValueSymbols(CoverageFixture.bytes("Conditionals-mapping.elf")).makers.isEmpty)
  }

  @Test(
    "The readable name of a property's storage tells its module, the type around it, its name and its type",
    arguments: [
      ("Shop.limit : Swift.Int", ["Shop", "", "limit", "Swift.Int"]),
      (
        "static Shop.Cart.Item.limit : [Swift.String : Shop.Cart]",
        ["Shop", "Item", "limit", "[Swift.String : Shop.Cart]"]
      ),
      ("static Shop.(Cart in _9C2A).limit : Shop.(Cart in _9C2A)?", ["Shop", "Cart", "limit", "Shop.Cart?"]),
      ("Shop.(limit in _9C2A) : Swift.Int", ["Shop", "", "limit", "Swift.Int"]),
      ("static (extension in ShopTests):Shop.Cart.limit : Swift.Int", ["ShopTests", "Cart", "limit", "Swift.Int"]),
      ("static (extension in Shop):Swift.Int.limit : Swift.Int", ["Shop", "Int", "limit", "Swift.Int"]),
      (
        "static (extension in Shop):Swift.Set< where A == Swift.Character>.limit : Swift.Set<Swift.Character>",
        ["Shop", "Set", "limit", "Swift.Set<Swift.Character>"]
      ),
      (
        "static limit : [Swift.String : Swift.Int] in Check #1 in Shop.run(_: Swift.Int) -> Swift.String",
        ["Shop", "Check", "limit", "[Swift.String : Swift.Int]"]
      ),
      (
        "static Rule.(limit in _9C) : Shop.(Cart in _9C2A) in Check #2 in closure #1 () -> () in static Shop.Cart.run() -> ()",
        ["Shop", "Rule", "limit", "Shop.Cart"]
      ),
      (
        "static limit : Swift.Int in Check #1 in (extension in ShopTests):Swift.Array.run() -> ()",
        ["ShopTests", "Check", "limit", "Swift.Int"]
      ),
      ("static limit : Swift.Int in Check #1 in default argument 0 of Shop.run(_: Swift.Int)", nil),
      ("static limit : Swift.Int in Check in Shop.run()", nil),
      ("static limit #1 in Shop.run() -> () : Swift.Int", nil), ("Shop.limit", nil), ("limit : Swift.Int", nil),
      ("", nil), ("Shop.(limit in _9C2A : Swift.Int", nil),
    ] as [(String, [String]?)])
  func properties(name: String, expected: [String]?) {
    #expect(StoredProperty(name).map { [$0.module, $0.owner ?? "", $0.name, $0.type] } == expected)
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
      (CoverageFixture.readableValue, "limit"), ("one-time initialization function for (limit in _9C2A)", "limit"),
      ("one-time initialization function for default", "default"),
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
