import Model
import Testing

@testable import Parsing

@Suite("Copies of a function")
struct FunctionCopiesTests {
  @Test("Instantiations of the same code are one function, their counts added")
  func uniting() throws {
    let text =
      "[\(functionRecord("$sf1", 2, "[1,1,3,2,2,0,0,0],[2,1,2,5,0,0,0,0]")),"
      + "\(functionRecord("$sf2", 3, "[2,1,2,5,1,0,0,0],[1,1,3,2,3,0,0,0]")),\(functionRecord("$sg", 7, "[1,1,3,3,7,0,0,0]"))]"
    let functions = try exportedFunctions(text, demangled: [:])
    #expect(functions.map(\.symbol) == ["$sf1", "$sg"])
    #expect(functions[0].count == 5)
    #expect(functions[0].regions.map(\.count) == [5, 1])
  }

  @Test("Added counts stop at the largest one")
  func overflow() throws {
    let huge =
      #"{"name":"$sf","count":18446744073709551615,"filenames":["/src/a.swift"],"#
      + #""regions":[[1,1,2,2,18446744073709551615,0,0,0]]}"#
    let functions = try exportedFunctions("[\(huge),\(huge)]", demangled: [:])
    #expect(functions.map(\.count) == [.max])
    #expect(functions[0].regions.map(\.count) == [.max])
  }

  @Test("The copies of a header's function in the object files are one, uncalled ones too, of which the body is known")
  func copies() throws {
    let files = try CoverageFixture.files("Headers")
    let steps = try CoverageFixture.file("steps.h", in: files)
    // The functions that one macro makes lie at one place.
    #expect(steps.functions.map(\.name) == ["step", "by_one", "clamp_nine and clamp_two"])
    #expect(steps.functions.map(\.twins) == [0, 0, 1])
    #expect(steps.functions.map(\.count) == [2, 1, 2])
    #expect(steps.functions.map(\.regions.count) == [6, 4, 4])
    #expect(steps.functions.count == steps.totals.functions.total)
    #expect(
      steps.conditions.map { [$0.line, Int($0.trueCount), Int($0.falseCount)] } == [
        [4, 0, 2], [4, 0, 0], [11, 1, 0], [18, 0, 2],
      ])
    let pool = try CoverageFixture.file("pool.hpp", in: files)
    let twice = try #require(pool.functions.first)
    #expect(twice.count == 3)
    #expect(twice.regions.map(\.start.line) == [5, 6, 8, 9, 9, 10])
  }

  @Test("The functions that one macro makes are named, and the copies of one function are not taken for such")
  func twins() throws {
    func several(_ names: [(String, String)]) throws -> [String] {
      let records = names.map { functionRecord($0.0, 1, "[1,1,3,2,1,0,0,0]") }.joined(separator: ",")
      return try exportedFunctions("[\(records)]", demangled: Dictionary(names) { $1 }).map {
        "\($0.name)\($0.twins > 0 ? " \($0.twins)" : "")"
      }
    }
    #expect(
      try several([("_ZL7get_twoi", "get_two(int)"), ("_ZL7get_onei", "get_one(int)"), ("get_one", "")]) == [
        "get_one(int) and get_two(int) 1"
      ])
    #expect(try several([("b", ""), ("a", ""), ("c", "")]) == ["a and 2 more 2"])
    // Templates, conversions among them, and functions that are in C here and in C++ there.
    #expect(
      try several([("_Z1fIiEvT_", "void A::f<int>(int)"), ("_Z1fIlEvT_", "void A::f<long>(long)")]) == ["A::f(int)"])
    #expect(
      try several([("_ZN1AcvT_IiEEv", "A::operator int<int>()"), ("_ZN1AcvT_IlEEv", "A::operator long<long>()")])
        == ["A::operator int<int>()"])
    #expect(
      try several([
        ("_ZN12_GLOBAL__N_11gEv", "(anonymous namespace)::g()"),
        ("_ZN12_GLOBAL__N_11hEv", "(anonymous namespace)::h()"),
      ]) == ["(anonymous namespace)::g() and (anonymous namespace)::h() 1"])
    #expect(
      try several([("_ZNK3$_0clEv", "$_0::operator()() const"), ("_ZNK3$_1clEv", "$_1::operator()() const")]) == [
        "lambda"
      ])
    // Nobody could read the names.
    #expect(try several([("_Z1fIiEvT_", ""), ("_Z1fIlEvT_", "")]) == ["_Z1fIiEvT_"])
    #expect(try several([("$s1A1fyyF", "f()"), ("$s1A1gyyF", "g()")]) == ["f()"])
  }

  @Test("A macro of a header brings code along, and not the function that uses it")
  func macros() throws {
    func functions(_ regions: String) throws -> [[String]] {
      let record =
        #"{"name":"f","count":1,"filenames":["/src/a.c","/src/m.h"],"regions":[\#(regions),[9,3,9,9,1,1,0,0]]}"#
      let files = ["a.c", "m.h"].map { #"{"filename":"/src/\#($0)","segments":[]}"# }.joined(separator: ",")
      let text =
        #"{"data":[{"files":[\#(files)],"functions":[\#(record)]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
      let target = PackageModel.Target(name: "A", type: "library", path: ".", sources: ["a.c"])
      let selection = SourceSelection(PackageModel(name: "P", targets: [target]), roots: ["/src"])
      return try CoverageExport.read(Array(text.utf8)).countedFiles(selection).map { $0.functions.map(\.name) }
    }
    #expect(try functions("[1,1,3,2,1,0,0,0],[2,3,2,8,1,0,1,1]") == [["f"], []])
    // All of it is in the macro.
    #expect(try functions("[2,3,2,8,1,0,1,1]") == [[], ["f"]])
  }

  @Test("A closure that is all of a Swift function's body is another function, though it has regions of its own")
  func bodyOfClosure() throws {
    let text =
      "[\(functionRecord("$s1A1fyyF", 1, "[1,1,3,2,1,0,0,0]")),"
      + "\(functionRecord("$s1A1gyyF", 2, "[1,1,3,2,2,0,0,0],[2,1,2,2,0,0,0,0]"))]"
    #expect(try exportedFunctions(text, demangled: [:]).map(\.count) == [1, 2])
  }
}
