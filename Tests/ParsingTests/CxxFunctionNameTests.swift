import Model
import Testing

@testable import Parsing

@Suite("Names of functions of C++")
struct CxxFunctionNameTests {
  @Test(
    "A readable name loses the arguments of templates and the type that they return, and nothing else",
    arguments: [
      ("plain(int)", "plain(int)"), ("int pool::twice<int>(int)", "pool::twice(int)"),
      ("std::enable_if<std::is_integral<int>::value, int>::type A::get<int>(int) const", "A::get(int) const"),
      ("pool::Ring<int, 4>::~Ring()", "pool::Ring::~Ring()"),
      ("pool::Ring<int, 4>::operator bool() const", "pool::Ring::operator bool() const"),
      ("A::operator int<int>()", "A::operator int<int>()"),
      ("A<int>::operator==(A<int> const&) const", "A::operator==(A<int> const&) const"),
      ("bool operator< <int>(A<int> const&)", "operator<(A<int> const&)"), ("A::operator->()", "A::operator->()"),
      ("operator<<(std::ostream&, A const&)", "operator<<(std::ostream&, A const&)"),
      ("bool operator==<int>(A<int> const&)", "operator==(A<int> const&)"), ("A::operator-><B>()", "A::operator->()"),
      ("std::ostream& operator<< <int>(int)", "operator<<(int)"), ("auto A::operator<=><B>(B)", "A::operator<=>(B)"),
      ("A::operator()(int) const", "A::operator()(int) const"),
      ("operator new(unsigned long)", "operator new(unsigned long)"),
      ("pool::(anonymous namespace)::hidden(int)", "pool::(anonymous namespace)::hidden(int)"),
      ("void (anonymous namespace)::hidden<int>(int)", "(anonymous namespace)::hidden(int)"),
      ("unsigned long f<int>(unsigned long)", "f(unsigned long)"),
      ("decltype (fp + fp0) sum<int, int>(int, int)", "sum(int, int)"),
      ("A::name[abi:cxx11]() const", "A::name() const"), ("f(int)::Local::go()", "f(int)::Local::go()"),
      ("pool::operator\"\" _s[abi:cxx11](char const*)", "pool::operator\"\" _s(char const*)"),
      ("A::operator[][abi:v1][abi:v2](int)", "A::operator[](int)"), ("f(A[abi:v1]::B)", "f(A::B)"),
      ("f[abi:x", "f[abi:x"),
      ("void f<&(A::go(int) const)>()", "f()"), ("my_operator(int)", "my_operator(int)"), ("", ""),
      ("f<int(", "f<int("), ("operator", "operator"),
    ])
  func declarations(demangled: String, declaration: String) {
    let name = CxxFunctionName(demangled)
    #expect(name.declaration == declaration)
    #expect(!name.isLambda)
  }

  @Test(
    "A lambda is a piece of the function that it is in; one of a file stands for itself",
    arguments: [
      ("pool_first::$_0::operator()(int) const", "pool_first", .piece),
      ("f(int)::{lambda(int)#1}::operator()(int) const", "f(int)", .piece),
      ("auto pool::clip(int)::{lambda(auto:1)#1}::operator()<int>(int) const", "pool::clip(int)", .piece),
      ("A<int>::go() const::$_0::operator()() const::{lambda()#1}::operator()() const", "A::go() const", .piece),
      ("Outer::field::{lambda()#1}::operator()() const", "Outer::field", .piece),
      ("$_0::operator()() const", "lambda", .function), ("{lambda()#1}::operator()() const", "lambda", .function),
      ("int A::sum<f()::$_0>(f()::$_0) const", "A::sum(f()::$_0) const", .function),
      ("A::f(int)::{default arg#1}::{lambda(int)#1}::operator()(int) const", "A::f(int)", .piece),
      ("f()::{default arg#12}::$_0::operator()() const::{lambda()#1}::operator()() const", "f()", .piece),
    ] as [(String, String, FunctionName.Role)])
  func lambdas(demangled: String, declaration: String, role: FunctionName.Role) {
    let name = FunctionName(CxxFunctionName(demangled), symbol: "")
    #expect(name.declaration == declaration)
    #expect(name.role == role)
  }

  @Test("The functions of a package have readable names, and hold their lambdas")
  func package() throws {
    let files = try CoverageFixture.files("Headers")
    let header = try CoverageFixture.file("pool.hpp", in: files)
    #expect(
      header.functions.map(\.name) == [
        "pool::twice(int)", "pool::Ring::Ring(int)", "pool::Ring::~Ring()", "pool::Ring::push(int)",
        "pool::Ring::operator==(pool::Ring<int, 4> const&) const", "pool::Ring::operator bool() const",
        "pool::Ring::sum(pool_first::$_0) const", "pool::clip(int)", "pool::uncalled(int)",
        "pool::(anonymous namespace)::hidden(int)",
      ])
    #expect(
      header.functions.map(\.folded.count) == [0, 0, 0, 0, 0, 0, 0, 2, 0, 2])
    #expect(header.functions[7].folded == [.init(.closure, count: 4), .init(.closure, count: 2)])
    let source = try CoverageFixture.file("pool.cpp", in: files)
    #expect(
      source.functions.map(\.name) == [
        "plain(int)", "Outer::Inner::go(int) const", "Outer::field", "Outer::table()", "pool_first",
      ])
    #expect(source.functions.map(\.isOnlyFolded) == [false, false, true, false, false])
  }

  @Test("A lambda goes to the overload that it is in, though they are named alike")
  func overloads() {
    let names = [
      "_Z1fIiEvv": "void f<int>()", "_Z1fIlEvv": "void f<long>()",
      "_ZZ1fIlEvvENKUlvE_clEv": "void f<long>()::{lambda()#1}::operator()() const",
      "_ZZZ1fIlEvvENKUlvE_clEvENKUlvE_clEv":
        "void f<long>()::{lambda()#1}::operator()() const::{lambda()#1}::operator()() const",
    ]
    let codes = names.keys.sorted().enumerated().map { index, symbol in
      let region = CoverageRegion(
        start: SourcePosition(line: index + 1, column: 1), end: SourcePosition(line: index + 1, column: 9), count: 1)
      return FunctionCode(.init(symbol: symbol, count: 1, regions: 0..<0), regions: [region])
    }
    let functions = FunctionFolding.fold(codes, demangled: names, in: "a.cpp")
    #expect(functions.map(\.symbol) == ["_Z1fIiEvv", "_Z1fIlEvv"])
    #expect(functions.map(\.name) == ["f()", "f()"])
    #expect(functions.map(\.folded.count) == [0, 2])
  }

  @Test(
    "A lambda of a namespace is a function of its own, and holds those in it; one of a function without parameters in its name is not"
  )
  func namespaces() {
    let names = [
      ("_ZNK4pool3$_2clEi", "pool::$_2::operator()(int) const"),
      (
        "_ZZNK4pool3$_2clEiENKUliE_clEi",
        "pool::$_2::operator()(int) const::{lambda(int)#1}::operator()(int) const"
      ),
      ("_ZNK4pool3$_3clEi", "pool::$_3::operator()(int) const"),
      ("_ZNK4pool12_GLOBAL__N_13$_4clEi", "pool::(anonymous namespace)::$_4::operator()(int) const"),
      ("_ZNK4poolUlvE_clEv", "pool::{lambda()#1}::operator()() const"),
      ("_ZNK4pool1dMUliE_clEi", "pool::d::{lambda(int)#1}::operator()(int) const"),
      ("_ZZ3nscENK3$_0clEi", "nsc::$_0::operator()(int) const"), ("nsc", ""),
      ("_ZNK3$_6clEi", "$_6::operator()(int) const"),
      ("_ZZNK3$_6clEiENKUliE_clEi", "$_6::operator()(int) const::{lambda(int)#1}::operator()(int) const"),
    ]
    let codes = names.enumerated().map { index, name in
      let region = CoverageRegion(
        start: SourcePosition(line: index + 1, column: 1), end: SourcePosition(line: index + 1, column: 9), count: 1)
      return FunctionCode(.init(symbol: name.0, count: 1, regions: 0..<0), regions: [region])
    }
    let functions = FunctionFolding.fold(codes, demangled: Dictionary(uniqueKeysWithValues: names), in: "a.cpp")
    #expect(
      functions.map { "\($0.line) \($0.name) \($0.folded.count)" } == [
        "1 lambda in pool 1", "3 lambda in pool 0", "4 lambda in pool::(anonymous namespace) 0", "5 lambda in pool 0",
        "6 pool::d 1", "7 nsc 1", "9 lambda 1",
      ])
  }

  @Test("Each name goes to the demangler of its language")
  func languages() {
    let sorted = Demangling.byLanguage(["$s1A1fyyF", "_Z1fv", "main", "_ZL1gv"])
    #expect(sorted.swift == ["$s1A1fyyF", "main"])
    #expect(sorted.cxx == ["_Z1fv", "_ZL1gv"])
  }

  @Test("Of a demangler that was stopped the whole lines count")
  func part() {
    let symbols = ["_Z1av", "_Z1bv", "_Z1cv"]
    #expect(Demangling.parsePart(Array("a()\nb()\nc".utf8), for: symbols) == ["_Z1av": "a()", "_Z1bv": "b()"])
    #expect(Demangling.parsePart([], for: symbols) == [:])
  }
}
