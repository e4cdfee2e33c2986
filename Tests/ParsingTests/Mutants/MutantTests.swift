import Model
import Testing

@testable import Parsing

@Suite("Mutants")
struct MutantTests {
  /// What swift-demangle 6.3 writes with `--expand --tree-only`.
  private static let output = """
    Demangling for $s6BigInt0A4UIntV6isZeroSbvg
    kind=Global
      kind=Getter
        kind=Variable
          kind=Structure
            kind=Module, text="BigInt"
            kind=Identifier, text="BigUInt"
          kind=Identifier, text="isZero"
          kind=Type
            kind=Structure
              kind=Module, text="Swift"
              kind=Identifier, text="Bool"

    Demangling for $s4Main3fooSiSgyF
    kind=Global
      kind=Function
        kind=Module, text="Main"
        kind=Identifier, text="foo"
        kind=Type
          kind=FunctionType
            kind=ArgumentTuple
              kind=Type
                kind=Tuple
            kind=ReturnType
              kind=Type
                kind=BoundGenericEnum
                  kind=Type
                    kind=Enum
                      kind=Module, text="Swift"
                      kind=Identifier, text="Optional"
                  kind=TypeList
                    kind=Type
                      kind=Structure
                        kind=Module, text="Swift"
                        kind=Identifier, text="Int"

    Demangling for $s4Main1CC3fooyyYaKF
    kind=Global
      kind=Function
        kind=Class
          kind=Module, text="Main"
          kind=Identifier, text="C"
        kind=Identifier, text="foo"
        kind=Type
          kind=FunctionType
            kind=ThrowsAnnotation
            kind=AsyncAnnotation
            kind=ArgumentTuple
              kind=Type
                kind=Tuple
            kind=ReturnType
              kind=Type
                kind=Tuple

    Demangling for $s4Main1CC3bazyxxlF
    kind=Global
      kind=Function
        kind=Class
          kind=Module, text="Main"
          kind=Identifier, text="C"
        kind=Identifier, text="baz"
        kind=LabelList
        kind=Type
          kind=DependentGenericType
            kind=DependentGenericSignature
              kind=DependentGenericParamCount, index=1
            kind=Type
              kind=FunctionType
                kind=ArgumentTuple
                  kind=Type
                    kind=DependentGenericParamType
                      kind=Index, index=0
                      kind=Index, index=0
                kind=ReturnType
                  kind=Type
                    kind=DependentGenericParamType
                      kind=Index, index=0
                      kind=Index, index=0

    Demangling for $s4Main1CCfd
    kind=Global
      kind=Destructor
        kind=Class
          kind=Module, text="Main"
          kind=Identifier, text="C"

    """

  private func result(_ symbol: String) throws -> Result<FunctionResult, FunctionResult.Refusal> {
    let nodes = DemangledNode.read(Array(Self.output.utf8))
    #expect(nodes.count == 5)
    return FunctionResult.of(try #require(nodes[symbol]))
  }

  @Test("A getter of a Boolean can give back either, an optional number nil")
  func results() throws {
    #expect(try result("$s6BigInt0A4UIntV6isZeroSbvg").get().replacements.map(\.replacement) == [.false, .true])
    let codes = try result("$s4Main3fooSiSgyF").get().replacements
    #expect(codes.map(\.replacement) == [.none])
    #expect(codes.map(\.bytes) == ["31c0ba01000000c3"])
  }

  @Test(
    "What is asynchronous, generic or no function has a reason instead",
    arguments: [
      ("$s4Main1CC3fooyyYaKF", MutationReport.Omission.asynchronous), ("$s4Main1CC3bazyxxlF", .result),
      ("$s4Main1CCfd", .kind),
    ])
  func refusals(symbol: String, omission: MutationReport.Omission) throws {
    #expect(try result(symbol) == .failure(.init(omission)))
  }

  @Test("No code is longer than the sixteen bytes between the beginnings of two functions")
  func lengths() {
    let codes: [MutantCode] = [
      .nothing, .false, .true, .zero, .one, .floatingZero, .emptyString, .letter, .noReference, .noPair, .noBool,
      .noWord, .noPart(bits: 8), .noPart(bits: 16), .noPart(bits: 32),
      .empty("_swiftEmptyDictionarySingleton", .emptyDictionary),
    ]
    #expect(codes.allSatisfy { $0.byteCount <= 16 })
    #expect(MutantCode.letter.byteCount == 16)
    #expect(MutantCode.empty("x", .emptyCollection).byteCount == 11)
    #expect(MutantCode.noPart(bits: 8).bytes == "48b80001000000000000c3")
  }

  @Test("Orders name the arguments of a run once, try several mutants together, and can be read from any mutant on")
  func orders() {
    var orders = MutantOrders()
    let run = MutantOrders.Run(arguments: ["M.C/a,M.C/b"], milliseconds: 1500)
    let all = MutantOrders.Run(arguments: [], milliseconds: 2000)
    orders.add([], runs: [all])
    let patches = [MutantOrders.Patch(address: 0x1234, code: .nothing), .init(address: 0x1240, code: .true)]
    orders.add(patches, runs: [run, all])
    orders.add([patches[1]], runs: [run])
    #expect(orders.runCounts == [1, 2, 1])
    let rows = "A \nA M.C/a,M.C/b\n"
    let last = "M 1500,1\t1240:b801000000c3;\n"
    #expect(orders.text().text == rows + "M 2000,0\t\nM 1500,1\u{1F}2000,0\t1234:c3;1240:b801000000c3;\n" + last)
    #expect(orders.text(behind: 2).text == rows + last)
  }

  @Test("A run tells the first test that failed, by either library")
  func runs() throws {
    func number(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    func text(_ text: String) -> [UInt8] { number(UInt64(text.utf8.count)) + Array(text.utf8) }
    let head = [7, 1, 1, 25_856, 12].flatMap { number($0) }
    func run(_ told: [UInt8]) -> MutantRun? {
      MutantRun(
        ObserverRecord(kind: .mutantRun, bytes: (head + told)[...]),
        names: ["M.S/t()/F.swift:1:2": TestID(module: "M", suite: "S", name: "t()")])
    }
    let xctest = try #require(run([0x49] + text("M.C") + text("C") + text("C.testA") + text("F.swift")))
    #expect(xctest.mutant == 7)
    #expect(xctest.run == 1)
    #expect(xctest.end == .failed)
    #expect(xctest.failedTest?.description == "M.C/testA")
    let event = #"{"payload":{"kind":"issueRecorded","testID":"M.S\/t()\/F.swift:1:2","x":"#
    #expect(run([0x45] + Array(event.utf8))?.failedTest?.description == "M.S/t()")
    #expect(run([0x45] + Array(event.utf8.prefix(50)))?.failedTest == nil)
    #expect(run([])?.failedTest == nil)
    #expect(MutantRun(ObserverRecord(kind: .mutantRun, bytes: head.dropLast()), names: [:]) == nil)
  }
}
