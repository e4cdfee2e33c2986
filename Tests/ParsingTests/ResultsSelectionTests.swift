import Model
import Testing

@testable import Parsing

@Suite("Results: lists of tests and selections from them")
struct ResultsSelectionTests {
  private static func swiftTesting() throws -> [TestID] {
    try TestListing.swiftTesting(ResultsFixture.bytes("cases.list-tests.txt"))
  }

  // MARK: Listing

  @Test("XCTest's list is read in its order, with modules")
  func xctest() throws {
    let list = try TestListing.xctest(ResultsFixture.bytes("cases.dump-tests.json"))
    #expect(list.count == 98)
    #expect(list.contains(TestID(module: "TwinATests", suite: "TwinTests", name: "test_onlyA")))
    #expect(Set(list).count == list.count)
  }

  @Test("XCTest's list is found between what stored properties print")
  func printedAround() throws {
    let list = try TestListing.xctest(ResultsFixture.bytes("stored.dump-tests.json"))
    #expect(
      list.map(\.description)
        == ["LifeCycleTests.MyClassTests/test_methodOne", "LifeCycleTests.MyClassTests/test_methodTwo"])
  }

  @Test("Output without a list, or with two, is an error")
  func noList() throws {
    let none = #expect(throws: ParsingError.self) { try TestListing.xctest(Array("nothing\n".utf8)) }
    #expect(
      none?.description == """
        Cannot read the list of XCTest tests: it holds no list. \
        Run the test executable with --dump-tests-json and look at what it prints.
        """)
    let list = try ResultsFixture.bytes("cases.dump-tests.json") + [0x0A]
    let two = #expect(throws: ParsingError.self) { try TestListing.xctest(list + list) }
    #expect(two?.reason == "it holds 2 lists")
    let reversed = #expect(throws: ParsingError.self) { try TestListing.xctest(Array("} {\"name\":\n".utf8)) }
    #expect(reversed?.reason == "it holds no list")
  }

  @Test("Swift Testing's list is read with raw identifiers, free functions and overloads")
  func swiftTestingList() throws {
    let list = try Self.swiftTesting()
    #expect(list.count == 77)
    #expect(list.contains(TestID(module: "ExpectTests", suite: "", name: "free()")))
    #expect(list.contains(TestID(module: "ExpectTests", suite: "", name: "`free raw / name. x`()")))
    #expect(
      list.contains(
        TestID(
          module: "ExpectTests", suite: "`Raw suite name: 1.5 / two`", name: "`is + [regex]* (special)? ^$|d {2}`()")))
    #expect(list.contains(TestID(module: "ExpectTests", suite: "KindTests/Nested/Deep", name: "innermost()")))
    #expect(
      list.contains(TestID(module: "ExpectTests", suite: "OverloadTests", name: "twice(_:)/KindTests.swift:78:4")))
    #expect(list.allSatisfy { TestID($0.description) == $0 })
  }

  @Test("Printed text in Swift Testing's list is passed over where it is no name")
  func printedInList() throws {
    let bytes = Array("hello\nprinted: a.b\nM.S/a()\nM.b()\nM.b()\n".utf8)
    #expect(try TestListing.swiftTesting(bytes).map(\.description) == ["M.S/a()", "M.b()"])
  }

  /// Swift Testing 6.3.1 lists tests of the same name in two modules like this.
  private let twins = """
    A.Codec/load(_:)/A.swift:6:4
    A.Codec/load(_:)/A.swift:7:4
    A.Codec/slow()/A.swift:5:4
    B.Codec/load(_:)/B.swift:5:4
    B.Codec/only()
    B.Codec/slow()/B.swift:4:4

    """

  @Test("Tests of the same name in two modules are known without the places that only the library needs for them")
  func twinsInList() throws {
    let list = try TestListing.swiftTesting(Array(twins.utf8))
    #expect(
      list.map(\.description) == [
        "A.Codec/load(_:)/A.swift:6:4", "A.Codec/load(_:)/A.swift:7:4", "A.Codec/slow()", "B.Codec/load(_:)",
        "B.Codec/only()", "B.Codec/slow()",
      ])
    let moved = try TestListing.swiftTesting(Array("A.Codec/slow()\n".utf8))
    #expect(list.contains(moved[0]))
  }

  @Test("Tests of the same name in two modules are filtered and found in the event stream by their places")
  func twinsInStream() throws {
    let list = try TestListing.swiftTesting(Array(twins.utf8))
    let names = twins.split(separator: "\n").map { $0.hasSuffix(")") ? "\($0)/B.swift:6:4" : String($0) }
    let stream = names.map { #"{"kind":"test","payload":{"kind":"function","id":"\#($0)"}}"# }.joined(separator: "\n")
    let places = TestListing.swiftTestingPlaces(Array(stream.utf8), listed: list)
    #expect(list.map { places[$0] } == names)
    for test in list {
      let arguments = TestSelection.swiftTestingArguments(for: [test], of: list)
      let selection = try TestSelection(filter: arguments.filter { $0 != "--filter" })
      #expect(try selection.apply(to: list, places: places).selected == [test])
      var events = SwiftTestingEvents(listed: [test], relativise: { $0 })
      events.consume(events: Array(stream.utf8))
      #expect(events.finish().results.map(\.id).contains(test))
    }
  }

  @Test("The places of Swift Testing's tests come from the event stream of the listing")
  func places() throws {
    let list = try Self.swiftTesting()
    let places = TestListing.swiftTestingPlaces(try ResultsFixture.bytes("cases.list-tests.jsonl"), listed: list)
    #expect(places.count == list.count)
    let free = TestID(module: "ExpectTests", suite: "", name: "free()")
    #expect(places[free] == "ExpectTests.free()/KindTests.swift:84:2")
  }

  // MARK: Selection

  @Test(
    "Expressions match anywhere in a name",
    arguments: [
      (["AssertYourself"], [], 13), (["^CycleTests\\."], ["GluedTests"], 16), (["test_methodOne$"], [], 3),
      ([], ["."], 0), (["TwinTests", "EqualTests/"], [], 6), (["twintests"], [], 0),
    ] as [([String], [String], Int)])
  func matching(filter: [String], skip: [String], count: Int) throws {
    let list = try TestListing.xctest(ResultsFixture.bytes("cases.dump-tests.json"))
    let (selected, filteredOut, _) = try TestSelection(filter: filter, skip: skip).apply(to: list)
    #expect(selected.count == count)
    #expect(selected.count + filteredOut.count == list.count)
  }

  @Test("For Swift Testing an expression may go on to the place of the test")
  func matchingPlaces() throws {
    let list = try Self.swiftTesting()
    let places = TestListing.swiftTestingPlaces(try ResultsFixture.bytes("cases.list-tests.jsonl"), listed: list)
    let byPlace = try TestSelection(filter: [#"KindTests\.swift:84:2$"#])
    #expect(try byPlace.apply(to: list, places: places).selected.map(\.name) == ["free()"])
    let anchored = try TestSelection(filter: [#"^ExpectTests\.free\(\)/"#])
    #expect(try anchored.apply(to: list).selected.map(\.name) == ["free()"])
    #expect(try anchored.apply(to: list, places: places).selected.map(\.name) == ["free()"])
  }

  @Test("Whoever tries the expressions may give up, and is asked about each test until one of them matches")
  func tried() throws {
    struct TooLong: Error {}
    let tests = ["M.S/a()", "M.S/b()", "M.c()"].compactMap { TestID($0) }
    var asked: [String] = []
    let selection = try TestSelection(filter: ["a", "b"], skip: ["c"])
    let (selected, _, _) = try selection.apply(to: tests) { pattern, names in
      asked.append("\(pattern.option.rawValue) \(pattern.text) \(names.count)")
      return try pattern.matches(names)
    }
    #expect(selected.map(\.name) == ["a()", "b()"])
    #expect(asked == ["--filter a 3", "--filter b 2", "--skip c 3"])
    #expect(throws: TooLong.self) { try selection.apply(to: tests) { _, _ in throw TooLong() } }
  }

  @Test("Each expression that matches no test is named, whatever the others match")
  func unmatched() throws {
    let tests = ["M.S/morning()", "M.S/noon()"].compactMap { TestID($0) }
    let selection = try TestSelection(filter: [".", "noon", "noooon"], skip: ["morning", "mornin", "evening"])
    #expect(
      try selection.apply(to: tests).unmatched
        == [TestPattern("noooon", option: .filter), TestPattern("evening", option: .skip)])
    #expect(try TestSelection(filter: ["a"]).apply(to: []).unmatched == [TestPattern("a", option: .filter)])
  }

  @Test("A text that is no regular expression is an error with its place")
  func invalid() {
    let error = #expect(throws: ParsingError.self) { try TestSelection(filter: ["ok", "a(b"]) }
    #expect(
      error?.description == """
        Cannot read the regular expression 'a(b' of --filter at byte 3: expected ')'. \
        Write it as for swift test --filter, with a backslash before characters that stand for themselves.
        """)
    #expect(throws: ParsingError.self) { try TestSelection(skip: ["["]) }
  }

  // MARK: Arguments

  @Test("Everything selected needs no arguments")
  func everything() throws {
    let list = try Self.swiftTesting()
    #expect(TestSelection.swiftTestingArguments(for: list, of: list) == [])
  }

  @Test("Single tests are anchored, whole suites and modules take one filter")
  func swiftTestingArguments() {
    let list = [
      "M.S/a()", "M.S/b(_:)", "M.S/T/c()", "M.U/d()", "M.U/e()", "N.f()", "M.`x + y`/`z. / w`()",
      "M.V/g(_:)/File.swift:3:4", "M.V/g(_:)/File.swift:5:6",
    ].compactMap { TestID($0) }
    let selected = list.filter { !["b(_:)", "g(_:)/File.swift:5:6"].contains($0.name) }
    #expect(
      TestSelection.swiftTestingArguments(for: selected, of: list) == [
        "--filter", #"^M\.S/T/"#, "--filter", #"^M\.S/a\(\)/"#, "--filter", #"^M\.U/"#,
        "--filter", #"^M\.V/g\(_:\)/File\.swift:3:4$"#, "--filter", #"^M\.`x \+ y`/"#, "--filter", #"^N\."#,
      ])
  }

  @Test("Each test's own arguments select it and nothing else")
  func exact() throws {
    let list = try Self.swiftTesting()
    let places = TestListing.swiftTestingPlaces(try ResultsFixture.bytes("cases.list-tests.jsonl"), listed: list)
    for test in list {
      let arguments = TestSelection.swiftTestingArguments(for: [test], of: list)
      let selection = try TestSelection(filter: arguments.filter { $0 != "--filter" })
      #expect(try selection.apply(to: list, places: places).selected == [test])
    }
  }

  @Test("XCTest is told the classes that leave its order, and not those that follow in it")
  func classes() {
    func tests(_ suites: String...) -> [TestID] {
      suites.flatMap { suite in ["a", "b"].map { TestID(module: "M", suite: suite, name: $0) } }
    }
    let listed = tests("A", "B", "C", "D")
    func first(_ tests: [TestID]) -> [String] { TestSelection.xctestClasses(first: tests, of: listed) }
    #expect(first(listed) == [])
    #expect(first(tests("B", "D")) == [])
    #expect(first([]) == [])
    #expect(first(tests("C", "A", "B", "D")) == ["M.C"])
    #expect(first(tests("D", "B", "C")) == ["M.D"])
    #expect(first(tests("D", "C", "B", "A")) == ["M.D", "M.C", "M.B"])
    let many = (0..<5000).map { TestID(module: "Module", suite: "SomeRatherLongNameOfATestCase\($0)", name: "test") }
    let told = TestSelection.xctestClasses(first: many.reversed(), of: many)
    #expect(told.joined(separator: "\n").utf8.count < 100_000)
    #expect(told.first == "Module.SomeRatherLongNameOfATestCase4999" && told.count > 2000)
  }

  @Test("XCTest's arguments are lists below 100 KB that hold each test once")
  func xctestArguments() {
    let tests = (0..<5000).map { TestID(module: "Module", suite: "SomeRatherLongNameOfATestCase", name: "test\($0)") }
    let arguments = TestSelection.xctestArguments(for: tests)
    #expect(arguments.count == 3)
    #expect(arguments.allSatisfy { $0.utf8.count < 100_000 })
    #expect(arguments.flatMap { $0.split(separator: ",") }.map(String.init) == tests.map(\.description))
    #expect(TestSelection.xctestArguments(for: []) == [])
  }
}
