import Model
import Testing

@testable import Parsing
import Rendering

@Suite("The end of a test process")
struct ObservedExitTests {
  private static func number(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }

  private static func text(_ text: String) -> [UInt8] { number(UInt64(text.utf8.count)) + Array(text.utf8) }

  private let bytes = number(0) + number(3) + number(256) + text("_exit") + text("/p/Tests.xctest")

  @Test("A record tells who ended the process, how and from where; a cut one tells nothing")
  func record() throws {
    let exit = try #require(ObservedExit(ObserverRecord(kind: .exit, bytes: bytes[...])))
    #expect(!exit.endsRun)
    #expect(exit.status == 3)
    #expect(exit.file == "/p/Tests.xctest")
    #expect(exit.offset == 256)
    #expect(exit.words == "_exit(3)")
    for length in 0..<bytes.count {
      #expect(ObservedExit(ObserverRecord(kind: .exit, bytes: bytes[..<length])) == nil)
    }
    #expect(ObservedExit(ObserverRecord(kind: .events, bytes: bytes[...])) == nil)
    #expect(exit.calls.isEmpty)
    let called = bytes + Self.number(512) + Self.number(768) + [1, 2]
    #expect(ObservedExit(ObserverRecord(kind: .exit, bytes: called[...]))?.calls == [512, 768])
  }

  private let tests = ["a", "b", "c", "d", "e"].map { TestID(module: "M", suite: "C", name: $0) }

  private func run(_ proof: EndProof, _ tests: [TestID]) -> ParsedTestRun {
    var run = ParsedTestRun(library: .xctest, source: "console", sawTerminalRecord: true)
    run.results = tests.map { TestResult(id: $0, library: .xctest, state: .passed) }
    run.weigh(proof)
    return run
  }

  @Test(
    "What was printed counts when its end is proven, is doubted when nothing followed it, and is dropped when refuted")
  func weighing() {
    #expect(run(.given, tests).anomalies.isEmpty)
    let missing = run(.missing(why: "there is no clang"), tests)
    #expect(missing.results.count == 5)
    #expect(
      missing.anomalies == [
        "XCTest: nothing proves that the tests came to their end, because there is no clang; what they print themselves is all there is."
      ])
    let refuted = run(.refuted, tests)
    #expect(refuted.results.isEmpty)
    #expect(!refuted.sawTerminalRecord)
    #expect(
      refuted.anomalies == [
        "XCTest: a test process printed the library's last words and ended otherwise, so nothing that it printed was believed."
      ])
  }

  @Test("A run whose library did not finish is told as it always was")
  func unfinished() {
    var run = ParsedTestRun(library: .xctest, source: "console")
    run.weigh(.missing(why: "there is no clang"))
    #expect(run.anomalies.isEmpty)
  }

  @Test("Last words whose numbers are wrong refute what was printed all the same")
  func wrongTotals() {
    var console = XCTestConsole(asked: tests, relativise: { $0 })
    let printed = """
      Test Suite 'Selected tests' started at 2026-11-20 09:00:00.000
      Test Case 'C.a' started at 2026-11-20 09:00:00.000
      Test Case 'C.a' passed (0.0 seconds)
      Test Case 'C.b' started at 2026-11-20 09:00:00.000
      Test Case 'C.b' passed (0.0 seconds)
      Test Suite 'Selected tests' passed at 2026-11-20 09:00:00.000
      \t Executed 3 tests, with 0 failures (0 unexpected) in 0.0 (0.0) seconds

      """
    console.consume(.standardOutput, printed.utf8)
    var run = console.finish()
    #expect(run.results.map(\.state) == [.passed, .passed])
    #expect(!run.sawTerminalRecord)
    run.weigh(.refuted)
    #expect(run.results.isEmpty)
    #expect(run.endProof == .refuted)
    #expect(
      run.anomalies == [
        "XCTest's final totals say 3 tests and 0 failures, but 2 tests and 0 failures were seen.",
        "XCTest: a test process printed the library's last words and ended otherwise, so nothing that it printed was believed.",
      ])
  }

  @Test("The one test that prints what is not so is found, and the others keep their results", arguments: 0..<5)
  func division(guilty: Int) {
    var course = TestCourse(library: .xctest, selected: tests, isEverything: true)
    var builder = TestReportBuilder(xctest: tests, swiftTesting: [])
    while let batch = course.next() {
      let run = run(batch.tests.contains(tests[guilty]) ? .refuted : .given, batch.tests)
      let ending = ProcessEnding(.exited(0))
      let blame = course.note(run, ending: ending, suspects: [])
      builder.add(run, ending: ending, blame: blame)
    }
    builder.conclude(course)
    let product = builder.build()
    #expect(!product.isProven)
    #expect(product.report.results.map(\.state) == tests.indices.map { $0 == guilty ? .notRun : .passed })
    #expect(product.gaps.map(\.sentence).contains("\(tests[guilty]) printed more than it is to be believed."))
  }

  @Test("Where every test does it, the search ends")
  func everybody() {
    let many = (0..<200).map { TestID(module: "M", suite: "C", name: "t\($0)") }
    var course = TestCourse(library: .xctest, selected: many, isEverything: true)
    var processes = 0
    while let batch = course.next() {
      processes += 1
      _ = course.note(run(.refuted, batch.tests), ending: ProcessEnding(.exited(0)), suspects: [])
    }
    #expect(processes == 21)
  }
}
