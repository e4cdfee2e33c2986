import Model
import Testing

@testable import Parsing

@Suite("Declared tests")
struct DeclaredTestsTests {
  private static func bytes(_ records: [[String]]) -> [UInt8] {
    records.flatMap { $0.flatMap { Array($0.utf8) + [0] } }
  }

  private static let records = bytes([
    ["x", "MTests", "CTests", "testOne()", "/p/Tests/MTests/C.swift", "4", "8"],
    ["x", "MTests", "CTests", "testTwo()", "/p/Tests/MTests/C.swift", "9", "8"],
    ["s", "MTests", "", "free()", "/p/Tests/MTests/S.swift", "3", "2"],
    ["s", "MTests", "", "deep(_:)", "/p/Tests/MTests/S.swift", "7", "19"],
    ["m", "", "", "", "/p/build/Other.swift.o", "0", "0"],
  ])

  private func declared(_ bytes: [UInt8] = records) -> DeclaredTests {
    DeclaredTests(bytes) { $0.hasPrefix("/p/") ? String($0.dropFirst(3)) : $0 }
  }

  private func id(_ name: String) throws -> TestID { try #require(TestID(name)) }

  @Test("The index tells names, places and the object files that it does not know")
  func read() {
    #expect(
      declared().declarations.map { "\($0.library.rawValue) \($0.words) \($0.location)" } == [
        "XCTest MTests.CTests/testOne Tests/MTests/C.swift:4:8",
        "XCTest MTests.CTests/testTwo Tests/MTests/C.swift:9:8",
        "Swift Testing MTests.free() Tests/MTests/S.swift:3:2",
        "Swift Testing MTests.deep(_:) Tests/MTests/S.swift:7:19",
      ])
    #expect(declared().unknownObjects == ["/p/build/Other.swift.o"])
  }

  @Test("What is cut off, of another kind or no number gives no declaration", arguments: 0..<Self.records.count)
  func noise(length: Int) {
    let read = declared(Array(Self.records[..<length]))
    #expect(declared().declarations.starts(with: read.declarations))
  }

  @Test("Nothing is missing from a list that has them all, in whatever suites they are")
  func complete() throws {
    let deep = try id("MTests.S/Inner/deep(_:)")
    let free = try id("MTests.free()")
    let listed = [try id("MTests.CTests/testOne"), try id("MTests.CTests/testTwo"), free, deep]
    let places = [free: "MTests.free()/S.swift:3:2", deep: "MTests.S/Inner/deep(_:)/S.swift:7:19"]
    #expect(declared().missing(from: listed, places: places).isEmpty)
  }

  @Test("A list without one of them lacks that one, a test of another place or class of that name notwithstanding")
  func missing() throws {
    let other = try id("MTests.S/deep(_:)")
    let free = try id("MTests.free()")
    let listed = [try id("MTests.CTests/testOne"), try id("MTests.DTests/testTwo"), free, other]
    let places = [free: "MTests.free()/S.swift:3:2", other: "MTests.S/deep(_:)/T.swift:7:19"]
    #expect(
      declared().missing(from: listed, places: places).map(\.words) == ["MTests.CTests/testTwo", "MTests.deep(_:)"])
  }

  @Test("Where the list has no places, names have to do")
  func withoutPlaces() throws {
    let listed = try ["MTests.CTests/testOne", "MTests.CTests/testTwo", "MTests.free()"].map(id)
    #expect(declared().missing(from: listed, places: [:]).map(\.words) == ["MTests.deep(_:)"])
  }

  @Test("Names with blanks are the same with and without the signs around them")
  func rawNames() throws {
    let declared = DeclaredTests(declarations: [
      DeclaredTests.Declaration(
        library: .xctest, module: "M", type: "C", name: "test it all", location: SourceLocation(file: "f", line: 1))
    ])
    #expect(declared.missing(from: [try id("M.C/`test it all`")], places: [:]).isEmpty)
  }

  private static let source = """
    import Testing
    import XCTest

    class Base: XCTestCase {
      func testBase() async throws {}
      private func testHidden() {}
      func testWith(_ number: Int) {}
    }
    final class Derived: Base { func testDerived() {} }
    struct Other { func testOther() {} }
    #if os(macOS)
    final class Mac: XCTestCase { func testMac() {} }
    @Test func mac() {}
    #endif
    // @Test func comment() {}
    let text = "@Test func text() {}"
    @Suite struct S {
      @Test("named", .tags(.x)) @MainActor
      public func nextLine() {}
      @Test(arguments: [1, 2]) func each(_ number: Int) {}
    }

    """

  @Test("Without an index the sources tell what stands under no condition")
  func scanned() {
    let source = TestDeclarations.Source(module: "M", path: "Tests/M/A.swift", bytes: Array(Self.source.utf8))
    let found = DeclaredTests(scanning: [source]).declarations.map {
      "\($0.words) \($0.location.line):\($0.location.column ?? 0)"
    }
    #expect(found == ["M.nextLine 18:4", "M.each 20:4", "M.Base/testBase 5:0", "M.Derived/testDerived 9:0"])
  }

  @Test("A source that cannot be read for certain declares nothing")
  func unreadable() {
    let sources = [Self.source, "let broken = (\"\n"].map {
      TestDeclarations.Source(module: "M", path: "Tests/M/A.swift", bytes: Array($0.utf8))
    }
    #expect(DeclaredTests(scanning: sources).declarations.isEmpty)
  }
}
