import Model
import Testing

@testable import Parsing

@Suite("What ran to make each value")
struct TestMappingTests {
  private let test = TestID(module: "M", suite: "C", name: "one")
  private static let names = [CoverageFixture.valueSymbol: CoverageFixture.readableValue]
  private static let followed = ObserverRecord(kind: .valuesFollowed, bytes: [])

  /// The map of one test that runs all that the profile has counted, between some records of the observer and others.
  private func map(
    _ before: [ObserverRecord], _ after: [ObserverRecord] = [], data: String? = nil,
    names: [String: String] = Self.names
  ) throws -> TestMap {
    let profile = try CoverageFixture.bytes("Conditionals.profraw")
    var tests = CountedTests()
    tests.note(.started(test))
    for record in before { _ = tests.take(record) }
    for word in try RawProfile(profile).functions.flatMap(\.words) where profile[word * 8] > 0 {
      _ = tests.take(.counted(word, by: UInt64(profile[word * 8])))
    }
    for record in after { _ = tests.take(record) }
    tests.note(.ended(test, .passed))
    var programs = MappedPrograms()
    try programs.add(image: CoverageFixture.program(data: data), withValueMakersOf: "/build/Shop.xctest")
    var mapping = TestMapping(programs, demangled: names)
    try mapping.add(tests, parts: [profile])
    let describe = try PackageModel.read(CoverageFixture.bytes("Conditionals-describe.json"))
    let selection = SourceSelection(describe, roots: ["/build/Conditionals"])
    return mapping.map(of: try CoverageFixture.export("Conditionals-mapping").countedFiles(selection), selection)
  }

  @Test("is told in the lines of whole functions, ascending, which hold all lines that ran meanwhile")
  func lines() throws {
    let map = try map([Self.followed, .value(.valueStarted)], [.value(.valueFinished)])
    let value = try #require(map.values?.first)
    #expect(map.values?.count == 1 && value.name == "limit")
    let ran = map.lines(of: test)
    #expect(!ran.isEmpty && Set(value.ran.keys) == Set(ran.keys))
    for (path, lines) in value.ran {
      #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound }, "\(path)")
      for line in (ran[path] ?? []).joined() { #expect(lines.contains { $0.contains(line) }, "\(path):\(line)") }
    }
  }

  @Test("is nothing where no test needed it, and where what ran was over")
  func unneeded() throws {
    let unneeded = TestMap.Value(name: "limit")
    #expect(try map([Self.followed]).values == [unneeded])
    #expect(try map([Self.followed, .value(.valueStarted), .value(.valueFinished)]).values == [unneeded])
  }

  @Test("is told of a property with its module, the type around it and its own, where the linker names its storage")
  func properties() throws {
    let property = "$s4Shop5limitSivp"
    let map = try map([Self.followed], data: property, names: [property: "static Shop.Cart.limit : Swift.Int"])
    #expect(map.values == [TestMap.Value(name: "limit", module: "Shop", owner: "Cart", type: "Swift.Int")])
    #expect(try self.map([Self.followed], data: property).values == [TestMap.Value(name: "limit")])
  }

  @Test("is not known where not all values were followed, or where code without a name made one")
  func unknown() throws {
    let (begin, end) = (ObserverRecord.value(.valueStarted), ObserverRecord.value(.valueFinished))
    let missed = ObserverRecord(kind: .valueMissed, bytes: [])
    #expect(try map([begin], [end]).values == nil)
    #expect(try map([Self.followed, begin], [end, missed]).values == nil)
    #expect(try map([Self.followed, begin], [end], names: [:]).values == nil)
    let (other, otherEnd) = (ObserverRecord.value(.valueStarted, at: 1), ObserverRecord.value(.valueFinished, at: 1))
    #expect(try map([Self.followed, other], [otherEnd]).values == nil)
    // A library of another name.
    let library = "/build/libShop.so"
    #expect(
      try map([Self.followed, .value(.valueStarted, in: library)], [.value(.valueFinished, in: library)]).values == nil)
  }
}
