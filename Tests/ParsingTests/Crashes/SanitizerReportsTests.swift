import Model
import Testing

@testable import Parsing

@Suite("A sanitizer's reports")
struct SanitizerReportsTests {
  private static let overflow = """
    Test Case 'ATests.testOverrun' started at 2026-11-20 15:27:19.756
    =================================================================
    ==3==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x7b4d at pc 0x562f bp 0x7fff sp 0x7fff
    READ of size 4 at 0x7b4d4ade1840 thread T0
        #0 0x562f289f2aa7 in overrun /p/Sources/CSan/csan.c:6:11
        #1 0x562f289f32f8 in $s3San5reachys5Int32VADF /p/Sources/San/San.swift:4:42
        #2 0x562f28a4389f in $s8SanTestsXKEfu_ /<compiler-generated>
        #3 0x7f2d4f732181 in $s6XCTest17XCTAssertNotEqualF (/usr/lib/libXCTest.so+0x33181) (BuildId: 9412)

    0x7b4d4ade1840 is located 0 bytes after 16-byte region [0x7b4d4ade1830,0x7b4d4ade1840)
    allocated by thread T0 here:
        #0 0x562f289b2a14 in malloc /build/asan_malloc_linux.cpp:67:3
        #1 0x562f289f2a24 in overrun /p/Sources/CSan/csan.c:4:12

    SUMMARY: AddressSanitizer: heap-buffer-overflow /p/Sources/CSan/csan.c:6:11 in overrun
        #0 0x1 in afterwards /p/Sources/CSan/csan.c:1:1

    """

  private static let race = """
    ==================
    WARNING: ThreadSanitizer: data race (pid=30013)
      Write of size 8 at 0x720800000c30 by thread T6:
        #0 $s3San7CounterC3addyyF /p/Sources/San/San.swift:4:25 (SanPackageTests.xctest+0x1) (BuildId: 97)
        #1 start <null> (libFoundation.so+0x3795f8) (BuildId: bb)

      Previous read of size 8 at 0x720800000c30 by thread T5:
        #0 $s3San7CounterC3addyyF /p/Sources/San/San.swift (SanPackageTests.xctest+0x2) (BuildId: 97)

    SUMMARY: ThreadSanitizer: data race /p/Sources/San/San.swift:4 in add
    ==================

    """

  private func reports(_ text: String, chunk: Int = 1) -> [SanitizerReport] {
    var reports = SanitizerReports { $0.hasPrefix("/p/") ? String($0.dropFirst(3)) : nil }
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      reports.consume(bytes[start..<min(start + chunk, bytes.count)])
    }
    return reports.finish()
  }

  @Test("A wrong access is told with what was done, where, and where the memory comes from", arguments: [1, 7, 4096])
  func address(chunk: Int) throws {
    let report = try #require(reports(Self.overflow, chunk: chunk).only)
    #expect(report.message == "AddressSanitizer: heap-buffer-overflow, READ of size 4")
    #expect(report.location == SourceLocation(file: "Sources/CSan/csan.c", line: 6, column: 11))
    #expect(report.isFatal)
    #expect(report.stacks.map(\.name) == ["READ of size 4", "allocated by thread T0 here"])
    #expect(report.accesses.map(\.line) == [6, 4] && !report.isRace)
    #expect(report.stacks.map(\.frames.count) == [4, 2])
    #expect(report.stacks[0].frames.map(\.isOwn) == [true, true, false, false])
    #expect(
      report.naming(["overrun": "overrun(_:)"]).story == """
        AddressSanitizer: heap-buffer-overflow, READ of size 4
        READ of size 4
          overrun(_:) at Sources/CSan/csan.c:6:11
          $s3San5reachys5Int32VADF at Sources/San/San.swift:4:42
        allocated by thread T0 here
          overrun(_:) at Sources/CSan/csan.c:4:12
        """)
  }

  @Test("A race is told with both accesses, and does not end its process")
  func thread() throws {
    let report = try #require(reports(Self.race).only)
    #expect(report.message == "ThreadSanitizer: data race, Write of size 8")
    #expect(report.location == SourceLocation(file: "Sources/San/San.swift", line: 4, column: 25))
    #expect(!report.isFatal)
    #expect(report.stacks.map(\.name) == ["Write of size 8, thread T6", "Previous read of size 8, thread T5"])
    #expect(report.symbols == ["$s3San7CounterC3addyyF", "start"])
    // Of the other one, only the file is known.
    #expect(report.accesses.map(\.line) == [4] && report.isRace)
    #expect(report.story.hasSuffix("read of size 8, thread T5\n  $s3San7CounterC3addyyF in Sources/San/San.swift"))
  }

  @Test("The place of a race is the access whose line is known, not that of the other one's caller")
  func caller() throws {
    let lineless = "#0 $s3San7CounterC3addyyF /p/Sources/San/San.swift (SanPackageTests.xctest+0x1)"
    let access = Self.race.replacing("/p/Sources/San/San.swift:4:25", with: "/p/Sources/San/San.swift")
      .replacing("start <null>", with: "start /p/Sources/San/San.swift:9:3")
    let known = access.replacing(lineless.replacing("0x1", with: "0x2"), with: "#0 add /p/Sources/San/San.swift:4:25")
    let report = try #require(reports(known).only)
    #expect(report.location?.line == 4 && report.accesses.map(\.line) == [4])
    #expect(
      report.story.contains(
        """
        Write of size 8, thread T6
          $s3San7CounterC3addyyF in Sources/San/San.swift
          start at Sources/San/San.swift:9:3
        """))
    #expect(reports(access).only?.location == nil)
  }

  @Test("It is told where each of the two threads comes from, once where both come from one line")
  func origins() throws {
    let origins = ["T6", "T5"].map { thread in
      """
        Thread \(thread) 'exe' (tid=10, running) created by main thread at:
          #0 pthread_create /build/tsan.cpp:1:1 (a+0x1)
          #1 start /p/Sources/San/San.swift:9:3 (a+0x2)

      """
    }
    let held = Self.race.replacing("by thread T5:", with: "by thread T5 (mutexes: write M0):")
    let report = try #require(reports(held.replacing("SUMMARY", with: origins.joined() + "SUMMARY")).only)
    #expect(report.ownCalls.map(\.headings.count) == [1, 1, 2] && report.access == "Write of size 8")
    #expect(
      report.story.hasSuffix(
        """
        Previous read of size 8, thread T5
          $s3San7CounterC3addyyF in Sources/San/San.swift
        Thread T6 created by main thread
        Thread T5 created by main thread
          start at Sources/San/San.swift:9:3
        """))
  }

  @Test(
    "What other tests write while a report is written changes nothing of it",
    arguments: ["✔ Test oneIsOne() passed after 0.001 seconds.", "", "noise:", "#3 of 4", "  12 of size 8 at 0x1"])
  func amidOtherLines(noise: String) throws {
    for text in [Self.overflow, Self.race] {
      let torn = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n\(noise)\n")
      #expect(reports(torn) == reports(text))
    }
  }

  @Test("Words like a sanitizer's inside a line are none, and what is cut off stops nothing")
  func others() {
    #expect(reports("see ==3==ERROR: AddressSanitizer: x\n").isEmpty)
    #expect(reports("ERROR: not a sanitizer: x\nERROR: Sanitizer\n").isEmpty)
    for text in [Self.overflow, Self.race] {
      for length in stride(from: 0, to: text.utf8.count, by: 13) {
        _ = reports(String(decoding: text.utf8.prefix(length), as: UTF8.self), chunk: 100)
      }
    }
    #expect(reports(String(repeating: Self.race, count: 80), chunk: 4096).count == 50)
  }

  private static let add = TestID(module: "SanTests", suite: "ATests", name: "testAdd")
  private static let other = TestID(module: "SanTests", suite: "ATests", name: "testOther")

  private func run(open: [TestID] = []) -> ParsedTestRun {
    var run = ParsedTestRun(library: .xctest, source: "observer")
    run.results = [Self.add, Self.other].map { TestResult(id: $0, library: .xctest, state: .passed) }
    run.openTests = open
    return run
  }

  @Test("A test that passed is failed by a report that names it, once for the same place")
  func named() throws {
    var report = try #require(reports(Self.race).only)
    report = report.naming(["$s3San7CounterC3addyyF": "closure #1 in ATests.testAdd()"])
    var run = run()
    run.join([report, report])
    #expect(run.results.map(\.state) == [.failed, .passed])
    #expect(run.results[0].failures.map(\.message) == [report.story])
    #expect(run.results[0].sanitizerReports == [report])
    #expect(run.results[0].isRedBySanitizerAlone)
  }

  @Test("A race that the sanitizer tells twice, as an access of a variable and of its bytes, is one finding")
  func twice() throws {
    let race = Self.race.replacing("start <null>", with: "test /p/Tests/SanTests/ATests.swift:9:3")
    let access = race.replacing("data race (", with: "Swift access race (")
      .replacing("Write of size 8", with: "Modifying access of Swift variable")
      .replacing("/p/Sources/San/San.swift:4:25", with: "/p/Sources/San/San.swift")
    let other = race.replacing("test /p", with: "other /p").replacing(":4:25", with: ":8:1")
    let names = ["test": "closure #1 in ATests.testAdd()", "other": "closure #2 in ATests.testAdd()"]
    let told = reports(access + race + other).map { $0.naming(names) }
    #expect(told.map(\.problem) == ["Swift access race", "data race", "data race"])
    var run = run()
    run.join(told)
    #expect(run.results[0].sanitizerReports == [told[0], told[2]])
    var loose = TestReport()
    loose.add(told)
    #expect(loose.sanitizerReports == [told[0], told[2]])
  }

  @Test("Without a name it belongs to the test that printed it; otherwise to no test, and counts all the same")
  func printed() throws {
    let report = try #require(reports(Self.race).only)
    var run = run()
    run.results[1].transcript = [TranscriptLine(text: report.headline)]
    run.join([report])
    #expect(run.results.map(\.state) == [.passed, .failed])
    var nobody = self.run()
    nobody.join([report])
    #expect(nobody.results.map(\.state) == [.passed, .passed])
    #expect(nobody.looseReports == [report])
    var builder = TestReportBuilder(xctest: [Self.add, Self.other], swiftTesting: [])
    nobody.sawTerminalRecord = true
    builder.add(nobody, ending: ProcessEnding(.exited(66)))
    builder.add(nobody, ending: ProcessEnding(.exited(66)))
    let product = builder.build()
    #expect(product.report.sanitizerReports == [report])
    #expect(!product.isProven)
  }

  @Test("What ended the process belongs to the test that was running, whose crash tells it")
  func fatal() throws {
    let report = try #require(reports(Self.overflow).only)
    var run = run(open: [Self.other])
    run.results[1].state = .notRun
    run.join([report])
    #expect(run.results[1].sanitizerReports == [report])
    #expect(run.results[1].failures.isEmpty)
    #expect(run.looseReports.isEmpty)
  }
}

extension Array {
  fileprivate var only: Element? { count == 1 ? first : nil }
}
