import Model
import TestGround
import Testing

@testable import Parsing

@Suite("Functions of a file")
struct CoverageFunctionTests {
  @Test(
    "A readable name says which declaration it belongs to",
    arguments: [
      ("drive()", "drive()", .function), ("closure #2 in drive()", "drive()", .piece),
      ("implicit closure #1 in closure #12 in static A.f(_:)", "static A.f(_:)", .piece),
      ("implicit closure #1 in default argument 1 of A.greedy(_:fallback:)", "A.greedy(_:fallback:)", .piece),
      ("variable initialization expression of A.stored", "A.stored", .initialValue),
      ("closure #1 in variable initialization expression of A.stored", "A.stored", .piece),
      ("A.width.didset", "A.width", .accessor), ("A.subscript.getter", "A.subscript", .accessor),
      ("closure #1 in A.late.getter", "A.late", .piece),
      ("inner #1 (_:) in A.nested(_:)", "inner #1 (_:) in A.nested(_:)", .function),
      ("variable initialization expression of A.read", "A.read", .initialValue), ("A.read.getter", "A.read", .accessor),
      ("A.deinit", "A.deinit", .function), ("closure #x in f()", "closure #x in f()", .function), ("", "", .function),
      ("closure #1 in ", "", .piece), ("A.init(from:)", "A.init(from:)", .function),
      ("Box.__allocating_init(names:)", "Box.init(names:)", .function),
      ("A.__allocating_init<A>(other:)", "A.init<A>(other:)", .function),
      ("__allocating_init(text:) in Inner #1 in f()", "init(text:) in Inner #1 in f()", .function),
    ] as [(String, String, FunctionName.Role)])
  func names(demangled: String, declaration: String, role: FunctionName.Role) {
    let name = FunctionName(demangled)
    #expect(name.declaration == declaration)
    #expect(name.role == role)
  }

  @Test(
    "A declaration is spelled as Swift writes it",
    arguments: [
      ("static Mark.< infix(_:_:)", "static Mark.<(_:_:)"), ("static A.== infix<A>(_:_:)", "static A.==<A>(_:_:)"),
      ("- prefix(_:)", "-(_:)"), ("static Pathish<>.caches", "static Pathish.caches"),
      ("List<>.init(content:)", "List.init(content:)"), ("List<A><>.f()", "List<A><>.f()"), ("A.f<>(_:)", "A.f(_:)"),
      ("go #1 <>(_:) in A<>.`a b`<>.f()", "go(_:) in A.`a b`.f()"), ("Grid.subscript<>", "Grid.subscript"),
      ("<> infix(_:_:)", "<>(_:_:)"), ("<> infix<A>(_:_:)", "<><A>(_:_:)"), ("A<>.<> infix<>(_:_:)", "A.<>(_:_:)"),
      ("static A<>.+<> infix(_:_:)", "static A.+<>(_:_:)"), ("A.<>", "A.<>"),
      ("context #1 (from:) in E.init(from:with:)", "context(from:) in E.init(from:with:)"),
      ("go #12 <A>(_:) in inner #1 () in f()", "go<A>(_:) in inner() in f()"), ("x #1 in f()", "x in f()"),
      ("A.infix(_:)", "A.infix(_:)"), ("A.subscript", "A.subscript"), ("", ""), (" #", " #"),
      ("inner #3 () in ", "inner() in top-level code"), ("half() in Box #2 in ", "half() in Box in top-level code"),
      ("before #1 (_:) in closure #1 in ", "before(_:) in closure in top-level code"),
    ])
  func spelling(demangled: String, spelled: String) {
    #expect(FunctionName.spelled(demangled) == spelled)
  }

  @Test("A property that is known by an observer alone is named with it, and what is folded in says what it is")
  func observer() throws {
    let text =
      "[\(functionRecord("$s1A3BoxC1vSivW", 0, "[3,1,3,9,0,0,0,0]")),\(functionRecord("$s1A3BoxC1vSivpfi", 2, "[2,1,2,5,2,0,0,0]")),"
      + "\(functionRecord("$s1A3BoxC1wSivg", 0, "[5,1,5,9,0,0,0,0]")),\(functionRecord("$s1A3BoxC1wSivs", 3, "[6,1,6,9,3,0,0,0]"))]"
    let functions = try exportedFunctions(
      text,
      demangled: [
        "$s1A3BoxC1vSivW": "Box.v.didset", "$s1A3BoxC1vSivpfi": "variable initialization expression of Box.v",
        "$s1A3BoxC1wSivg": "Box.w.getter", "$s1A3BoxC1wSivs": "Box.w.setter",
      ])
    #expect(functions.map(\.name) == ["Box.v.didSet", "Box.w"])
    #expect(functions.map(\.count) == [0, 3])
    #expect(functions.map(\.folded) == [[.init(.initialValue, count: 2)], [.init(.accessor("getter"), count: 0)]])
  }

  @Test("Closures, autoclosures, accessors, observers and initial values are shown as one declaration each")
  func folding() throws {
    let file = try CoverageFixture.file("Members.swift", in: try CoverageFixture.files("Oddities"))
    let shown = file.functions.map { "\($0.name) \($0.count) \($0.folded.count)" }
    #expect(
      shown == [
        "table 0 1", "Clamped.init(wrappedValue:) 2 0", "Clamped.wrappedValue 1 1", "static Members.counter 0 1",
        "Members.stored 2 1", "Members.late 1 1", "Members._clamped 2 0", "Members.computed 1 1",
        "Members.observed 1 2", "Members.only 0 1", "Members.init(limit:) 2 0", "Members.deinit 2 0",
        "Members.subscript 1 1", "static Members.==(_:_:) 0 1", "Members.nested(_:) 1 3",
        "inner(_:) in Members.nested(_:) 1 0", "Members.greedy(_:fallback:) 1 1", "Members.hidden() 1 1",
        "Members.run() 1 0", "secret<A>(_:_:) 1 0", "Suit.next 0 0", "drive() 1 2",
      ])
  }

  @Test("Folding loses no function and no region that llvm-cov counts")
  func totals() throws {
    for file in try CoverageFixture.files("Oddities") {
      let own = file.functions.filter { !$0.isOnlyFolded }
      let counts = own.map(\.count) + file.functions.flatMap { $0.folded.map(\.count) }
      #expect(counts.count == file.totals.functions.total)
      #expect(counts.count { $0 > 0 } == file.totals.functions.covered)
      let regions = file.functions.flatMap(\.regions)
      #expect(regions.count == file.totals.regions.total)
      #expect(regions.filter { $0.count > 0 }.count == file.totals.regions.covered)
    }
  }

  @Test("Overloads with the same readable name stay apart, each with its own closures")
  func overloads() throws {
    let text =
      "[\(functionRecord("$s1A1fyySiF", 1, "[1,1,3,2,1,0,0,0]")),\(functionRecord("$s1A1fyySSF", 0, "[5,1,7,2,0,0,0,0]")),"
      + "\(functionRecord("$s1A1fyySSFyyXEfU_", 0, "[6,1,6,2,0,0,0,0]"))]"
    let functions = try exportedFunctions(
      text,
      demangled: [
        "$s1A1fyySiF": "f(_:)", "$s1A1fyySSF": "f(_:)", "$s1A1fyySSFyyXEfU_": "closure #1 in f(_:)",
      ])
    #expect(functions.map(\.symbol) == ["$s1A1fyySiF", "$s1A1fyySSF"])
    #expect(functions.map(\.folded) == [[], [.init(.closure, count: 0)]])
  }

  @Test("It is known which regions are whole bodies, those of closures included")
  func entries() throws {
    let text =
      "[\(functionRecord("$s1A1fyyF", 1, "[1,1,9,2,1,0,0,0],[2,6,2,9,1,0,0,0],[2,10,2,20,0,0,0,0]")),"
      + "\(functionRecord("$s1A1fyyFyyXEfU_", 1, "[3,4,3,30,1,0,0,0],[3,8,3,9,1,0,0,0]")),"
      + "\(functionRecord("$s1A1fyyFSiyKXEfu_", 0, "[3,4,3,34,0,0,0,0]"))]"
    let functions = try exportedFunctions(
      text,
      demangled: [
        "$s1A1fyyF": "f()", "$s1A1fyyFyyXEfU_": "closure #1 in f()", "$s1A1fyyFSiyKXEfu_": "implicit closure #1 in f()",
      ])
    #expect(functions.map(\.entries) == [[0, 3, 4]])
    #expect(functions[0].regions.map(\.start.column) == [1, 6, 10, 4, 4, 8])
  }

  @Test("A closure goes to the overload with the longest fitting name, and to the first where none fits")
  func longestStem() throws {
    let names = ["$s1A1f", "$s1A1fyyF", "$s1A1fyyFx", "$s1A1fyyFyyXEfU_", "$s1B1fyyXEfU_"]
    let text = names.enumerated().map { functionRecord($1, $0 + 1, "[\($0 + 1),1,\($0 + 1),9,1,0,0,0]") }.joined(
      separator: ",")
    let readable = ["f()", "f()", "f()", "closure #1 in f()", "closure #2 in f()"]
    let functions = try exportedFunctions(
      "[\(text)]", demangled: Dictionary(uniqueKeysWithValues: zip(names, readable)))
    #expect(functions.map(\.symbol) == ["$s1A1f", "$s1A1fyyF", "$s1A1fyyFx"])
    #expect(functions.map(\.folded) == [[.init(.closure, count: 5)], [.init(.closure, count: 4)], []])
  }

  @Test("Thousands of overloads of one name take no longer than as many functions")
  func manyOverloads() {
    let growth = Growth.atFourTimes(1_000, of: Self.overloads) { codes, names in
      let functions = FunctionFolding.fold(codes, demangled: names, in: "a.swift")
      #expect(functions.count == codes.count / 2)
      #expect(functions.allSatisfy { $0.folded == [.init(.closure, count: 1)] })
    }
    #expect(growth < Growth.inProportion)
  }

  /// Functions of one name with a closure in each, and their readable names.
  private static func overloads(_ count: Int) -> (codes: [FunctionCode], names: [String: String]) {
    var codes: [FunctionCode] = []
    var names: [String: String] = [:]
    for index in 1...count {
      let overload = "$s1M5visityyAA4Node\(index)VF"
      for (symbol, name) in [(overload, "visit(_:)"), (overload + "yycfU_", "closure #1 in visit(_:)")] {
        let region = CoverageRegion(
          start: SourcePosition(line: index, column: 1), end: SourcePosition(line: index, column: 9), count: 1)
        codes.append(FunctionCode(.init(symbol: symbol, count: 1, regions: 0..<0), regions: [region]))
        names[symbol] = name
      }
    }
    return (codes, names)
  }

  @Test("A property without accessors of its own is known by its initial value or its closures")
  func closuresOnly() throws {
    let text = "[\(functionRecord("$s1A5tableSayGvpfiyyXEfU_", 4, "[1,20,1,30,4,0,0,0]"))]"
    let functions = try exportedFunctions(
      text, demangled: ["$s1A5tableSayGvpfiyyXEfU_": "closure #1 in variable initialization expression of table"])
    #expect(functions.map(\.name) == ["table"])
    #expect(functions[0].count == 4)
    #expect(functions[0].folded == [.init(.closure, count: 4)])
    #expect(functions[0].isOnlyFolded)
  }

  @Test("Without a readable name the mangled one is shown", arguments: [[:], ["$s1A1fyyF": ""]])
  func mangled(demangled: [String: String]) throws {
    let functions = try exportedFunctions(
      "[\(functionRecord("$s1A1fyyF", 1, "[1,1,3,2,1,0,0,0]"))]", demangled: demangled)
    #expect(functions.map(\.name) == ["$s1A1fyyF"])
  }

  /// What the compiler and the demangler make of closures in the statements of a `main.swift`.
  private static let topLevelClosures = [
    "$s4mainSbSi_SitXEfU_": "closure #1 in ", "$s4mainSiyKXEfu2_": "implicit closure #4 in ",
    "$s4mainSiyKXEfu2_SiyXEfU2_": "closure #4 in implicit closure #4 in ",
  ]

  @Test(
    "Closures at top level belong to its code, not to a function named by the compiler",
    arguments: ["main", "Tool_main"])
  func topLevel(main: String) throws {
    let text =
      "[\(functionRecord("$s4mainSbSi_SitXEfU_", 3, "[2,9,4,2,3,0,0,0]")),\(functionRecord(main, 1, "[1,1,1,20,1,0,0,0]")),"
      + "\(functionRecord("$s4mainSiyKXEfu2_", 0, "[6,9,6,20,0,0,0,0]")),"
      + "\(functionRecord("$s4main3topSiyF", 1, "[5,1,5,20,1,0,0,0]")),"
      + "\(functionRecord("$s4mainSiyKXEfu2_SiyXEfU2_", 0, "[6,12,6,18,0,0,0,0]"))]"
    let functions = try exportedFunctions(
      text, demangled: Self.topLevelClosures.merging([main: "main", "$s4main3topSiyF": "top()"]) { $1 })
    #expect(functions.map(\.name) == ["top-level code", "top()"])
    #expect(functions.map(\.isTopLevel) == [true, false])
    #expect(functions.map(\.count) == [1, 1])
    #expect(functions[0].folded.map(\.count) == [3, 0, 0])
    #expect(functions[0].regions.map(\.start.line) == [1, 2, 6, 6])
  }

  @Test("In a file without a main function they are its top-level code, and no function is without a name")
  func topLevelAlone() throws {
    let symbols = Self.topLevelClosures.keys.sorted()
    let text = symbols.enumerated().map { functionRecord($1, 0, "[\($0 + 1),1,\($0 + 1),9,0,0,0,0]") }.joined(
      separator: ",")
    let functions = try exportedFunctions("[\(text)]", demangled: Self.topLevelClosures)
    #expect(functions.map(\.name) == ["top-level code"])
    #expect(functions[0].folded.count == 3 && functions[0].isOnlyFolded)
  }

  @Test("A function with code in two files is in both, with the regions of each")
  func twoFiles() throws {
    let text =
      #"[{"name":"$sf","count":1,"filenames":["/src/b.swift","/src/a.swift"],"#
      + #""regions":[[1,1,1,9,1,0,0,0],[4,1,4,9,1,1,0,0]]}]"#
    let functions = try exportedFunctions(text, demangled: [:])
    #expect(functions.map(\.line) == [4])
    #expect(functions[0].regions.count == 1)
  }

  @Test("Only symbols of counted files are asked for, each once")
  func symbols() throws {
    let export = try CoverageFixture.export("Greeter")
    let symbols = CoverageExport.CountedFiles(export, try CoverageFixture.selection("Greeter")).symbols
    #expect(symbols.count == 7)
    #expect(symbols.allSatisfy { $0.hasPrefix("$s7Greeter") })
    #expect(Set(symbols).count == symbols.count)
  }

  @Test("The demangler answers line by line, and a missing line is an error")
  func demangling() throws {
    let symbols = ["$s1", "$s2"]
    #expect(Demangling.input(for: symbols) == "$s1\n$s2\n")
    #expect(try Demangling.parse(Array("a()\nb()\n".utf8), for: symbols) == ["$s1": "a()", "$s2": "b()"])
    #expect(try Demangling.parse([], for: []) == [:])
    let error = #expect(throws: ParsingError.self) { try Demangling.parse(Array("a()\n".utf8), for: symbols) }
    #expect(
      error?.description == "Cannot read the names that swift-demangle wrote: it was asked for 2 and gave 1. "
        + "Coverage is shown with mangled names until it gives a line for each.")
  }
}
