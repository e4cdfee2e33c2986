import Model
import Testing

@testable import Rendering

@Suite("The document of which tests ran which lines")
struct TestMapDocumentTests {
  private static var cart: TestMap.File {
    var file = TestMap.File(
      lines: [.init(lines: 2...4, set: 0), .init(lines: 6...6, set: 1)],
      functions: [.init(start: SourcePosition(line: 2, column: 22), set: 0)], once: [9...10])
    file.inProcess = [.init(lines: 2...3, set: 1)]
    file.outside = [3...3, 15...16]
    file.parts = [(1, 1), (12, 0)].map { .init(start: SourcePosition(line: 6, column: $0), set: $1) }
    return file
  }

  private static let map = TestMap(
    tests: ["Shop.CartTests/testSum", "Shop.label()"].compactMap { TestID($0) }, sets: [[0], [0, 1]],
    files: ["Sources/Cart.swift": cart],
    values: [
      .init(
        name: "limit", module: "Shop", owner: "Cart", type: "Swift.Int",
        ran: ["Sources/Cart.swift": [12...14, 20...20]]), .init(name: "unused"),
    ],
    gaps: ["Run one by one, these failed: Shop.label()."])

  private static func text(of map: TestMap = Self.map) throws -> String {
    var integration = ExportSample.integration
    var coverage = try #require(integration.coverage.coverage)
    coverage.testMap = .known(map)
    integration.coverage = .available(coverage)
    return try #require(TestMapDocument(integration)).text
  }

  @Test("What was written is read back the same, with paths from the package's folder")
  func roundTrip() throws {
    let bytes = Array(try Self.text().utf8)
    #expect(try TestMapDocument.map(reading: bytes, beneath: "pkg") == Self.map)
    #expect(Array(try TestMapDocument.map(reading: bytes, beneath: ".").files.keys) == ["pkg/Sources/Cart.swift"])
    let other = try TestMapDocument.map(reading: bytes, beneath: "other")
    #expect(
      other.files == [:]
        && other.values == [
          .init(name: "limit", module: "Shop", owner: "Cart", type: "Swift.Int"), .init(name: "unused"),
        ])
  }

  @Test(
    "A document of older versions, and a file that no started program ran, has no lines of own processes, nor any outside of tests"
  )
  func older() throws {
    var map = Self.map
    map.files["Sources/Cart.swift"]?.inProcess = nil
    map.files["Sources/Cart.swift"]?.outside = []
    let text = try Self.text(of: map)
    #expect(!text.contains("inProcess") && !text.contains("outside"))
    #expect(try TestMapDocument.map(reading: Array(text.utf8), beneath: "pkg") == map)
  }

  @Test(
    "That nothing is known of values is something else than that there are none",
    arguments: [nil, []] as [[TestMap.Value]?])
  func unknownValues(_ values: [TestMap.Value]?) throws {
    var map = Self.map
    map.values = values
    let text = try Self.text(of: map)
    // Documents of older versions have no such key.
    #expect(text.contains("\"values\"") == (values != nil))
    #expect(try TestMapDocument.map(reading: Array(text.utf8), beneath: "pkg") == map)
  }

  @Test(
    "What is damaged is refused",
    arguments: [
      ("\"martlet.test-map/1\"", "\"other/1\"", "it says that it is other/1, not martlet.test-map/1"),
      ("[0,1]", "[0,7]", "it refers to a test that it does not have"),
      ("[2,4,0]", "[4,2,0]", "the lines of pkg/Sources/Cart.swift are not in order"),
      ("[2,4,0]", "[2,4,9]", "the lines of pkg/Sources/Cart.swift are not in order"),
      ("[12,14]", "[14,12]", "the lines of pkg/Sources/Cart.swift are not in order"),
      ("[12,14]", "[12]", "the lines of pkg/Sources/Cart.swift are not in order"),
      ("[12,14]", "[]", "the lines of pkg/Sources/Cart.swift are not in order"),
      ("[12,14]", "[0,14]", "the lines of pkg/Sources/Cart.swift are not in order"),
      ("[6,12,0]", "[6,12,9]", "the lines of pkg/Sources/Cart.swift are not in order"),
      ("[6,12,0]", "[6,1,0]", "the lines of pkg/Sources/Cart.swift are not in order"),
      ("[6,12,0]", "[6]", "the lines of pkg/Sources/Cart.swift are not in order"),
      ("[15,16]", "[15]", "the lines of pkg/Sources/Cart.swift are not in order"),
      ("[9,10]", "[9]", "the lines of pkg/Sources/Cart.swift are not in order"),
      ("{", "", "it is damaged or no such document"),
    ])
  func damaged(what: String, by other: String, reason: String) throws {
    let text = try Self.text()
    #expect(text.contains(what))
    #expect(
      throws: ExportError(
        "cannot read test-map.json.gz: \(reason). Integrate the commit again to have it written anew.")
    ) {
      try TestMapDocument.map(reading: Array(text.replacing(what, with: other).utf8), beneath: ".")
    }
  }
}
