import Model
import Testing

@testable import Parsing

@Suite("Results: the order of lines on XCTest's console")
struct ResultsConsoleTests {
  private static func cycle() throws -> ParsedTestRun {
    try ResultsFixture.console(
      "cycle",
      asked: ResultsFixture.listed(
        "MyClassLifeTests", "MyClassPlainTests", "MyClassSetUpTests", "MyClassZeroTests", "TrailingTests",
        "IsolationTests"))
  }

  private static func glued() throws -> ParsedTestRun {
    ResultsFixture.console(
      try ResultsFixture.listed("GluedTests"), [(.standardOutput, try ResultsFixture.bytes("glued.stdout.txt"))])
  }

  @Test("Test Zero fails with its message")
  func zero() throws {
    let result = try Self.cycle().result("MyClassZeroTests/test_zero")
    #expect(result.state == .failed)
    #expect(result.failures.map(\.message) == ["failed - Tests not yet implemented in MyClassTests"])
  }

  @Test("Each of two plain tests has what it printed itself")
  func plain() throws {
    let run = try Self.cycle()
    #expect(try run.result("MyClassPlainTests/test_methodOne").transcript == [.init(text: ">> methodOne")])
    #expect(try run.result("MyClassPlainTests/test_methodTwo").transcript == [.init(text: ">> methodTwo")])
  }

  @Test("A failure stands between what was printed before and after it, and does not swallow the latter")
  func failureBetweenPrints() throws {
    let run = try Self.cycle()
    let result = try run.result("MyClassLifeTests/test_methodOne")
    #expect(result.failures.map(\.message) == ["failed - Failed, yo"])
    #expect(
      result.transcript == [
        .init(text: ">> MyClass.init() #1"),
        .init(text: ">> methodOne"),
        .init(kind: .failure, text: "Tests/CycleTests/CycleTests.swift:16: failed - Failed, yo"),
        .init(text: ">> MyClass.deinit #1"),
        .init(kind: .failure, text: "failed (\(result.duration) seconds)"),
      ])
    let other = try run.result("MyClassLifeTests/test_methodTwo")
    #expect(other.state == .passed)
    #expect(other.transcript.map(\.text) == [">> MyClass.init() #2", ">> methodTwo", ">> MyClass.deinit #2"])
  }

  @Test("What stored properties print while the tests are made is output before any test")
  func storedProperty() throws {
    let asked = try TestListing.xctest(ResultsFixture.bytes("stored.dump-tests.json"))
    let run = try ResultsFixture.console("stored", asked: asked)
    #expect(run.looseOutput.map(\.text) == [">> MyClass.init() #1", ">> MyClass.init() #2"])
    #expect(run.results.map { $0.transcript.map(\.text) } == [[">> methodOne"], [">> methodTwo"]])
    #expect(run.sawTerminalRecord)
  }

  @Test("What setUp and tearDown print belongs to the test")
  func setUp() throws {
    let result = try Self.cycle().result("MyClassSetUpTests/test_methodOne")
    #expect(result.transcript.map(\.text) == [">> MyClass.init() #3", ">> methodOne", ">> MyClass.deinit #3"])
  }

  @Test("What is printed behind the last test is output after all tests")
  func trailing() throws {
    let run = try Self.cycle()
    #expect(run.looseOutput.map(\.text) == ["ViewController.deinit"])
    #expect(run.sawTerminalRecord)
  }

  @Test("A crash leaves the open test open and the later ones unseen")
  func crash() throws {
    let asked = try ResultsFixture.listed("CrashTests", "ExitTests")
    let run = try ResultsFixture.console("crash", asked: asked)
    #expect(run.results.map(\.id.name) == ["test_a_before", "test_b_crash"])
    #expect(run.results.map(\.state) == [.passed, .notRun])
    #expect(run.openTests.map(\.description) == ["CycleTests.CrashTests/test_b_crash"])
    #expect(!run.sawTerminalRecord)
  }

  @Test("A test that depends on another is red when it runs alone")
  func isolation() throws {
    let asked = try ResultsFixture.listed("IsolationTests")
    #expect(try Self.cycle().result("IsolationTests/test_b").state == .passed)
    let alone = try ResultsFixture.console("isolated", asked: asked.filter { $0.name == "test_b" })
    #expect(try alone.result("test_b").failures.map(\.parsed) == [ResultsAssertionTests.equal("0", "7")])
  }

  @Test("Names that exist in two modules are told apart by the order of the run")
  func twins() throws {
    let run = try ResultsFixture.console("twins", asked: ResultsFixture.listed("TwinTests", "EqualTests"))
    #expect(run.anomalies.isEmpty)
    let failed = run.results.filter { $0.state == .failed }.map(\.id.description)
    #expect(failed.sorted() == ["TwinATests.EqualTests/test_same", "TwinBTests.TwinTests/test_common"])
    #expect(run.results.count == 6)
  }

  @Test("Names that exist in two modules stay unresolved when the run keeps to no order")
  func unresolvedTwins() throws {
    let asked = try ResultsFixture.listed("TwinTests", "EqualTests")
    let run = try ResultsFixture.console("twins", asked: asked.reversed())
    #expect(run.results.map(\.id.name).allSatisfy { $0.hasPrefix("test_only") })
    #expect(run.unattributedFailures.map(\.message) == ["failed - A fails", "failed - B fails"])
    #expect(
      run.anomalies.contains(
        """
        TwinTests.test_common exists in TwinBTests and TwinATests, and the order of the run does not tell which of \
        them a result belongs to.
        """))
  }

  @Test("Text without a line feed in front of XCTest's lines is output of the test")
  func gluedText() throws {
    let run = try Self.glued()
    #expect(try run.result("test_a_partial").state == .passed)
    #expect(try run.result("test_a_partial").transcript == [.init(text: "partial")])
    let failed = try run.result("test_b_partialFailure")
    #expect(failed.failures.map(\.location) == [.init(file: "Tests/CycleTests/CycleTests.swift", line: 32)])
    #expect(failed.transcript.first == .init(text: "half a line"))
  }

  @Test("A test that imitates verdicts cannot make itself or the next test green")
  func imitation() throws {
    let run = try Self.glued()
    #expect(try run.result("test_d_imitates").state == .failed)
    #expect(try run.result("test_d_imitates").failures.map(\.message) == ["failed - the truth"])
    #expect(try run.result("test_e_after").state == .failed)
    #expect(run.sawTerminalRecord)
    #expect(
      run.anomalies == [
        "A failure of GluedTests.test_d_imitates was printed while that test was not running.",
        "A second verdict on GluedTests.test_d_imitates was printed.",
        "GluedTests.test_e_after was started twice.",
      ])
  }

  @Test("Bytes that are not UTF-8, and NUL, are shown as escapes")
  func bytes() throws {
    #expect(try Self.glued().result("test_f_bytes").transcript.map(\.text) == [#"a\xFF\xFE\x00b"#])
  }

  @Test("A long transcript keeps its beginning and its end")
  func manyLines() throws {
    let lines = try Self.glued().result("test_g_many").transcript.map(\.text)
    #expect(lines.count == 201)
    #expect(lines.first == "line 0")
    #expect(lines[100] == "… 400 lines left out …")
    #expect(lines.last == "line 599")
  }

  @Test("A very long line keeps its beginning and its end")
  func longLine() throws {
    let line = try #require(Self.glued().result("test_h_long").transcript.first).text
    #expect(line.hasPrefix("xxxx"))
    #expect(line.hasSuffix("xxxx"))
    #expect(line.contains(" … 4464 bytes left out … "))
  }

  @Test("Standard error belongs to the one test that was open since all was read, or is shared by those that were")
  func standardError() throws {
    let asked = [TestID(module: "M", suite: "C", name: "one"), TestID(module: "M", suite: "C", name: "two")]
    let time = "started at 2026-11-20 09:00:00.000\n"
    var console = XCTestConsole(asked: asked, relativise: ResultsFixture.relativise)
    console.consume(.standardError, Array("before\n".utf8))
    console.consume(.standardOutput, Array("Test Case 'C.one' \(time)".utf8))
    console.consume(.standardError, Array("in one\nhalf".utf8))
    console.noteAllRead()
    console.consume(
      .standardOutput, Array("Test Case 'C.one' passed (0.1 seconds)\nTest Case 'C.two' \(time)".utf8))
    // It may have been printed before the first ended.
    console.consume(.standardError, Array("in either\n".utf8))
    console.noteAllRead()
    console.consume(.standardError, Array("in two\n".utf8))
    let run = console.finish()
    let shared = TranscriptLine(text: "in either", isShared: true)
    #expect(run.looseOutput.map(\.text) == ["before"])
    #expect(
      run.results.map(\.transcript) == [
        [.init(text: "in one"), .init(text: "half"), shared], [shared, .init(text: "in two")],
      ])
  }

  @Test("Progress is told as it happens")
  func progress() throws {
    let seen = Progress()
    let asked = try ResultsFixture.listed("CrashTests")
    var console = XCTestConsole(asked: asked, relativise: ResultsFixture.relativise, onProgress: { seen.add($0) })
    console.consume(.standardOutput, try ResultsFixture.bytes("crash.stdout.txt"))
    #expect(seen.all == [.started(asked[0]), .ended(asked[0], .passed), .started(asked[1])])
  }
}
