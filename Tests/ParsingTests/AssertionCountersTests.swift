import Foundation
import Model
import Testing

@testable import Parsing

/// The export is what Swift 6.3.1 and llvm-cov gave for the source beside it, with the other files left out.
@Suite("What counters prove about assertions")
struct AssertionCountersTests {
  private static let path = "Tests/AssertTests/AssertTests.swift"

  private static func fixture(_ name: String) throws -> [UInt8] {
    let folder = try #require(Bundle.module.resourceURL).appending(path: "Fixtures/assertions")
    return [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  private static let helperPath = "Sources/Support/Support.swift"

  /// The counts of the fixture, with none for a function, and with a second source.
  private static func export(uncalled symbol: String?) throws -> [UInt8] {
    let text = String(decoding: try fixture("swift-6.3.1.json"), as: UTF8.self)
    var export = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    var data = try #require(export["data"] as? [[String: Any]])
    var files = try #require(data[0]["files"] as? [[String: Any]])
    files.append(files[0])
    files[1]["filename"] = "/src/\(helperPath)"
    data[0]["files"] = files
    let functions = try #require(data[0]["functions"] as? [[String: Any]])
    data[0]["functions"] = functions.map { function in
      guard function["name"] as? String == symbol else { return function }
      var function = function
      function["count"] = 0
      function["regions"] = (function["regions"] as? [[Int]])?.map { Array($0[..<4] + [0] + $0[5...]) }
      return function
    }
    export["data"] = data
    return [UInt8](try JSONSerialization.data(withJSONObject: export))
  }

  private static func report(
    changing change: (String) -> String = { $0 },
    placing place: (Model.SourceLocation) -> Model.SourceLocation = { $0 },
    uncalled symbol: String? = nil, helper: String = ""
  ) throws -> AssertionReport {
    let source = Array(change(String(decoding: try fixture("AssertTests.swift.txt"), as: UTF8.self)).utf8)
    let places = TestDeclarations.find(in: [.init(module: "AssertTests", path: path, bytes: source)])
    let tests = places.map { id, location in
      TestResult(id: id, library: .xctest, state: .passed, location: place(location))
    }.sorted { $0.id < $1.id }
    let model = PackageModel(
      name: "Assert",
      targets: [
        PackageModel.Target(
          name: "AssertTests", type: "test", path: "Tests/AssertTests", sources: ["AssertTests.swift"]),
        PackageModel.Target(name: "Support", type: "library", path: "Sources/Support", sources: ["Support.swift"]),
      ])
    let sources = [path: source, helperPath: Array(helper.utf8)]
    return AssertionCounters(
      try CoverageExport.read(try export(uncalled: symbol)), SourceSelection(model, roots: ["/src"])
    ) { sources[$0] }.report(on: tests)
  }

  @Test("A test without an evaluated assertion is named only when nothing else can fail it")
  func verdicts() throws {
    let report = try Self.report()
    #expect(
      report.without.map(\.name) == ["test_asserts_behind_a_condition", "test_only_calls", "test_only_speaks_of_it"])
    #expect(report.proved == 4)
    #expect(report.unproved == 6)
    #expect(report.templates.map(\.name) == ["testExample", "testPerformanceExample"])
  }

  @Test("A helper that asserts may be named like a test")
  func helperNamedTest() throws {
    let report = try Self.report {
      $0.replacing("isEven", with: "testIs").replacing("alsoEven", with: "testAlso")
    }
    #expect(
      report.without.map(\.name) == ["test_asserts_behind_a_condition", "test_only_calls", "test_only_speaks_of_it"])
  }

  @Test(
    "Code that asserts is known by its name, whatever declares it",
    arguments: [
      "let double: (Int) -> Int = { XCTAssertEqual($0, 4); return $0 }",
      "let double = checked({ XCTAssertEqual($0, 4) })",
      "var double: Int { XCTAssertTrue(true); return 4 }",
      "struct double { init(_ value: Int) { XCTAssertEqual(value, 4) } }",
      "enum Outer { struct double {} }\nextension Outer.double { init(_ value: Int) { XCTAssertEqual(value, 4) } }",
      "let double = asserting\nfunc asserting(_ value: Int) { XCTAssertEqual(value, 4) }",
    ])
  func declarations(code: String) throws {
    #expect(try Self.report { $0 + code }.without == [])
    #expect(try Self.report(helper: "import XCTest\n" + code).without == [])
    // A source that imports no testing library asserts nothing.
    #expect(try Self.report(helper: code).without.count == 3)
  }

  @Test("An operator and a subscript that assert are known by their signs")
  func signs() throws {
    let subscripted = try Self.report {
      $0.replacing("test_only_calls() { _ = double(2) }", with: "test_only_calls() { _ = table[2] }")
        + "struct Table { subscript(_ value: Int) -> Int { XCTAssertEqual(value, 4); return 4 } }"
    }
    #expect(subscripted.without.map(\.name) == ["test_asserts_behind_a_condition", "test_only_speaks_of_it"])
    let operated = try Self.report {
      $0.replacing("test_only_calls() { _ = double(2) }", with: "test_only_calls() { _ = 2 ==> 4 }")
        + "infix operator ==>\nfunc ==> (left: Int, right: Int) { XCTAssertEqual(left, right) }"
    }
    #expect(operated.without.map(\.name) == ["test_asserts_behind_a_condition", "test_only_speaks_of_it"])
  }

  @Test("A value that runs no code accuses as before")
  func values() throws {
    let report = try Self.report { $0 + "let double = recorder()\nenum double { case matching }" }
    #expect(report.without.count == 3)
  }

  @Test("A test that passed and was never called is named")
  func uncalled() throws {
    #expect(try Self.report().uncalled.isEmpty)
    let report = try Self.report(uncalled: "$s11AssertTests07UnknownB0C11test_throwsyyKF")
    #expect(report.uncalled.map(\.name) == ["test_throws"])
  }

  @Test("An assertion that never ran is told with its line, also beside one that did")
  func lines() throws {
    #expect(
      try Self.report().unreached.map { "\($0.test.name):\($0.location.line)" } == [
        "test_one_of_two:11", "test_asserts_behind_a_condition:30",
      ])
  }

  @Test("A source that cannot be read for certain proves nothing")
  func unreadable() throws {
    let report = try Self.report { $0 + "\n}" }
    #expect(report.without.isEmpty)
    #expect(report.proved == 0)
    #expect(report.unproved == 15)
  }

  @Test("A source that is not the one that was compiled accuses nobody")
  func moved() throws {
    let report = try Self.report { "// A new line.\n" + $0 }
    #expect(report.without.isEmpty)
    #expect(report.unreached.isEmpty)
  }

  @Test("A line that no source has names no test", arguments: [Int.max, Int.max - 8, -100, Int.min])
  func hostileLine(line: Int) throws {
    let report = try Self.report(placing: { Model.SourceLocation(file: $0.file, line: line) })
    #expect(report.proved == 0)
    #expect(report.unproved == 15)
  }

  @Test("In a real suite, tests that assert by a helper are accused of nothing")
  func greeter() throws {
    let path = "Tests/GreeterTests/GreeterTests.swift"
    let source = try CoverageFixture.source("Greeter/\(path)").joined(separator: [UInt8(ascii: "\n")])
    let places = TestDeclarations.find(in: [.init(module: "GreeterTests", path: path, bytes: Array(source))])
    let report = AssertionCounters(try CoverageFixture.export("Greeter"), try CoverageFixture.selection("Greeter")) {
      $0 == path ? Array(source) : nil
    }.report(
      on: places.map { TestResult(id: $0.key, library: .xctest, state: .passed, location: $0.value) })
    #expect(report.proved == 2)
    #expect(report.unproved == 12)
    #expect(report.without.isEmpty && report.unreached.isEmpty && report.templates.isEmpty)
  }
}

@Suite("Totals that the libraries print")
struct PrintedTotalsTests {
  private static let both = """
    $ /build/Shop.xctest
    Test Suite 'ShopTests' passed at 2026-11-20
    \t Executed 2 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds
    Test Suite 'All tests' passed at 2026-11-20
    \t Executed 5 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds
    $ /build/Shop.xctest --testing-library swift-testing
    ✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.

    """

  @Test("The last total of each library's only process counts")
  func once() {
    #expect(
      PrintedTotals.read(Array(Self.both.utf8)) == [
        PrintedTotal(library: .xctest, tests: 5), PrintedTotal(library: .swiftTesting, tests: 3),
      ])
  }

  @Test("Of two processes of a library nothing is said, and hostile bytes say nothing")
  func twice() {
    #expect(PrintedTotals.read(Array((Self.both + Self.both).utf8)).isEmpty)
    #expect(PrintedTotals.read([0xFF, 0x0A, 0x09, 0x20] + Array("Executed x".utf8)).isEmpty)
    #expect(PrintedTotals.read(Array("$ x\n\t Executed 99999999999999999999 tests".utf8)).isEmpty)
  }
}
