import Model
import Testing

@testable import Parsing

@Suite("Results: Swift Testing's event stream")
struct ResultsEventsTests {
  static let versions = ["kinds-0", "kinds-6.3", "kinds-6.3-fields"]

  private static func run(_ name: String) throws -> ParsedTestRun {
    let listed = try TestListing.swiftTesting(ResultsFixture.bytes("cases.list-tests.txt"))
    return try ResultsFixture.events(name, listed: listed)
  }

  @Test("Every version tells the same states", arguments: versions)
  func states(version: String) throws {
    let run = try Self.run(version)
    let counts = run.counts()
    #expect(run.results.count == 77)
    #expect(run.sawTerminalRecord)
    #expect(run.anomalies.isEmpty)
    #expect(counts.expectedFailures == 2)
    #expect(counts.skipped == 7)
    #expect(counts.canceled == 2)
    #expect(counts.notRun == 0)
    #expect(counts.failed == 52)
    #expect(counts.passed == 14)
  }

  @Test("Every version names the same tests as the listing", arguments: versions)
  func names(version: String) throws {
    let listed = try TestListing.swiftTesting(ResultsFixture.bytes("cases.list-tests.txt"))
    #expect(try Self.run(version).results.map(\.id).sorted() == listed.sorted())
  }

  @Test("A failure has its message with comments, its place and its operands", arguments: versions)
  func failure(version: String) throws {
    let failure = try #require(Self.run(version).result("KindTests/equalNote()").failures.first)
    #expect(failure.message == "Expectation failed: (a → 3) == 4\na note")
    #expect(failure.location == SourceLocation(file: "Tests/ExpectTests/KindTests.swift", line: 14, column: 39))
    #expect(
      failure.parsed
        == ParsedFailure(
          assertion: "Expectation", first: "3", second: "4", relation: "==", note: "a note", expression: "a == 4"))
  }

  @Test("A known issue is an expected failure, and a failure beside it is still a failure", arguments: versions)
  func known(version: String) throws {
    let run = try Self.run(version)
    let known = try run.result("known()")
    #expect(known.state == .expectedFailure)
    #expect(known.failures.isEmpty)
    #expect(known.knownIssues.map(\.message) == ["Expectation failed: 1 == 2\nknown bug 12"])
    #expect(try run.result("knownAndFailing()").state == .failed)
    #expect(try run.result("knownIntermittent()").state == .passed)
    #expect(try run.result("knownButPasses()").failures.map(\.message) == ["Known issue was not recorded\nshould fail"])
  }

  @Test("A test has the name that its author gave its suite")
  func suiteName() throws {
    let lines = [
      #"{"kind":"test","payload":{"id":"M.Parts","kind":"suite","name":"Parts","displayName":"Parts of the day"},"version":0}"#,
      #"{"kind":"test","payload":{"id":"M.Others","kind":"suite","name":"Others"},"version":0}"#,
      #"{"kind":"test","payload":{"id":"M.Parts/a()/F.swift:1:1","kind":"function","name":"a()"},"version":0}"#,
      #"{"kind":"test","payload":{"id":"M.Others/b()/F.swift:2:1","kind":"function","name":"b()"},"version":0}"#,
    ]
    let listed = ["a", "b"].map { TestID(module: "M", suite: $0 == "a" ? "Parts" : "Others", name: "\($0)()") }
    var events = SwiftTestingEvents(listed: listed, relativise: ResultsFixture.relativise)
    events.consume(events: Array(lines.map { $0 + "\n" }.joined().utf8))
    #expect(events.finish().results.map(\.suiteName) == ["Parts of the day", nil])
  }

  @Test("Tests that run side by side share the processors, and wait for the rest of their time")
  func waiting() {
    typealias Span = SharedProcessors.Span
    let four = (0..<4).map { _ in Span(start: 1, end: 3) }
    #expect(four.map(SharedProcessors(four, count: 2).waiting) == [1, 1, 1, 1])
    #expect(four.map(SharedProcessors(four, count: 4).waiting) == [0, 0, 0, 0])
    let long = [Span(start: 1, end: 9), Span(start: 1, end: 3), Span(start: 9, end: 10)]
    #expect(long.map(SharedProcessors(long, count: 1).waiting) == [1, 1, 0], "It was alone from 3 on.")
    #expect([Span(start: 2, end: 2)].map(SharedProcessors([], count: 1).waiting) == [0])
  }

  @Test("A test's duration leaves out the time in which a crash report was made while it ran")
  func pause() throws {
    let times: [(String, Double, Double?)] = [("before", 1.0, 2.0), ("after", 1.0, 7.5), ("open", 3.0, nil)]
    let lines = times.map { name, _, _ in
      #"{"kind":"test","payload":{"id":"M.\#(name)()/F.swift:1:1","kind":"function","name":"\#(name)()"},"version":0}"#
    }
    func event(_ kind: String, _ name: String, _ time: Double) -> String {
      #"{"kind":"event","payload":{"kind":"\#(kind)","testID":"M.\#(name)()/F.swift:1:1","instant":{"absolute":\#(time),"since1970":\#(100 + time)},"messages":[]},"version":0}"#
    }
    let starts = times.map { event("testStarted", $0.0, $0.1) }
    let ends = times.compactMap { name, _, end in end.map { event("testEnded", name, $0) } }
    let listed = times.map { TestID(module: "M", suite: "", name: "\($0.0)()") }
    var events = SwiftTestingEvents(listed: listed, relativise: ResultsFixture.relativise)
    events.consume(events: Array((lines + starts + ends).map { $0 + "\n" }.joined().utf8))
    var run = events.finish()
    run.time([listed[2]: 4.5])
    run.leaveOut(BacktraceReport.Pause(start: 103.25, length: 4))
    #expect(run.results.map(\.duration) == [1, 2.5, 0.5])
  }

  @Test("A skipped test keeps its reason", arguments: versions)
  func skipped(version: String) throws {
    let run = try Self.run(version)
    #expect(try run.result("disabled()").skipReason == "off for now")
    #expect(try run.result("conditional()").skipReason == #"cond "false""#)
    #expect(try run.result("disabledBare()").skipReason == nil)
    #expect(try run.result("OffTests/one()").skipReason == "whole suite off")
  }

  @Test("A test that cancels itself is canceled, with its reason", arguments: versions)
  func canceled(version: String) throws {
    let result = try Self.run(version).result("canceled()")
    #expect(result.state == .canceled)
    #expect(result.skipReason == "no device")
  }

  @Test("A warning is an event of the transcript and no failure")
  func warning() throws {
    let result = try Self.run("kinds-6.3-fields").result("warning()")
    #expect(result.state == .passed)
    #expect(
      result.transcript == [
        .init(kind: .event, text: "Tests/ExpectTests/KindTests.swift:46:38: Issue recorded"),
        .init(kind: .event, text: "careful"),
      ])
  }

  @Test("Each case of a parameterised test has its own failures", arguments: ["kinds-0", "kinds-6.3-fields"])
  func cases(version: String) throws {
    let arguments = try #require(Self.run(version).result("parameters(_:)").arguments)
    #expect(arguments.map(\.display) == ["1", "2", "3", "4"])
    #expect(arguments.map(\.state) == [.passed, .passed, .failed, .passed])
    #expect(arguments.map(\.failures.count) == [0, 0, 2, 0])
    let canceled = try Self.run(version).result("canceledAll(n:)")
    #expect(canceled.state == .canceled)
    #expect(canceled.arguments?.map(\.state) == [.passed, .canceled, .passed])
  }

  @Test("Cases stand as the arguments are written, in whichever order they start")
  func orderOfCases() throws {
    var lines = try ResultsFixture.bytes("kinds-0.jsonl").split(separator: UInt8(ascii: "\n")).map(Array.init)
    let cases = lines.indices.filter { index in
      let line = String(decoding: lines[index], as: UTF8.self)
      return line.contains("parameters(_:)") && line.contains(#""_testCase":"#)
    }
    #expect(cases.count == 10)
    for (place, line) in zip(cases, cases.map({ lines[$0] })[8...] + cases.map({ lines[$0] })[..<8]) {
      lines[place] = line
    }
    var events = SwiftTestingEvents(listed: [], relativise: ResultsFixture.relativise)
    events.consume(events: Array(lines.joined(separator: [UInt8(ascii: "\n")])))
    let arguments = try #require(events.finish().result("parameters(_:)").arguments)
    #expect(arguments.map(\.display) == ["1", "2", "3", "4"])
    #expect(arguments.map(\.failures.count) == [0, 0, 2, 0])
  }

  @Test("The failures of a test stand as its cases do, whichever fails first")
  func orderOfFailures() throws {
    let id = #"M.a(_:)\/F.swift:1:2"#
    let cases = ["1", "2", "3"].map { #"{"id":"\#($0)","displayName":"\#($0)"}"# }
    let test =
      #"{"kind":"test","payload":{"id":"\#(id)","kind":"function","isParameterized":true,"_testCases":[\#(cases.joined(separator: ","))]},"version":0}"#
    func event(_ kind: String, case place: Int? = nil, more: String = "") -> String {
      let one = place.map { #","_testCase":\#(cases[$0])"# } ?? ""
      return
        #"{"kind":"event","payload":{"kind":"\#(kind)","testID":"\#(id)","messages":[]\#(one)\#(more)},"version":0}"#
    }
    func issue(_ place: Int, _ text: String) -> String {
      event("issueRecorded", case: place, more: #","issue":{"isKnown":false},"_comments":["\#(text)"]"#)
    }
    let issues = [issue(2, "third"), issue(1, "second"), issue(2, "third again"), issue(0, "first")]
    let starts = (0..<3).map { event("testCaseStarted", case: $0) }
    let ends = (0..<3).map { event("testCaseEnded", case: $0) }
    let lines = [test, event("testStarted")] + starts + issues + ends + [event("testEnded")]
    var events = SwiftTestingEvents(listed: [], relativise: ResultsFixture.relativise)
    events.consume(events: Array(lines.map { $0 + "\n" }.joined().utf8))
    let result = try #require(events.finish().results.first)
    #expect(result.failures.map(\.message) == ["first", "second", "third", "third again"])
    #expect(result.arguments?.map { $0.failures.map(\.message) } == [["first"], ["second"], ["third", "third again"]])
  }

  @Test("Without the experimental fields nothing is claimed about the cases of a failed test")
  func unknownCases() throws {
    let run = try Self.run("kinds-6.3")
    #expect(try run.result("parameters(_:)").arguments == nil)
    #expect(try run.result("parameters(_:)").failures.count == 2)
    #expect(try run.result("canceledAll(n:)").arguments?.map(\.display) == ["n → 1", "n → 2", "n → 3"])
  }

  @Test("Nothing is claimed about the cases of a failed test if a record could not be read", arguments: [1, 2])
  func unreadCases(unread: Int) throws {
    var lines = try ResultsFixture.bytes("kinds-0.jsonl").split(separator: UInt8(ascii: "\n")).map(Array.init)
    let issues = lines.indices.filter { index in
      let line = String(decoding: lines[index], as: UTF8.self)
      return line.contains("parameters(_:)") && line.contains(#""kind":"issueRecorded""#)
    }
    #expect(issues.count == 2)
    for index in issues.prefix(unread) { lines[index] = Array("{".utf8) }
    var events = SwiftTestingEvents(listed: [], relativise: ResultsFixture.relativise)
    events.consume(events: Array(lines.joined(separator: [UInt8(ascii: "\n")])))
    let result = try events.finish().result("parameters(_:)")
    #expect(result.state == .failed)
    #expect(result.arguments == nil)
  }

  @Test("Overloads are told apart by the place they are declared at", arguments: versions)
  func overloads(version: String) throws {
    let run = try Self.run(version)
    #expect(try run.result("OverloadTests/twice(_:)/KindTests.swift:78:4").state == .passed)
    #expect(try run.result("OverloadTests/twice(_:)/KindTests.swift:79:4").state == .failed)
  }

  @Test("Display names, tags, declarations and durations are kept")
  func description() throws {
    let run = try Self.run("kinds-6.3-fields")
    let result = try run.result("displayName()")
    #expect(result.displayName == #"A display name: with "quotes" / slash"#)
    #expect(Set(result.tags) == [".fast", ".slow"])
    #expect(result.location == SourceLocation(file: "Tests/ExpectTests/KindTests.swift", line: 66, column: 4))
    #expect(try run.result("sleeper()").duration > 0.12)
  }

  @Test("An issue without a test is a failure of no test", arguments: versions)
  func late(version: String) throws {
    let run = try Self.run(version)
    #expect(Set(run.unattributedFailures.map(\.message)) == ["Issue recorded\nlate issue"])
    #expect(try run.result("KindTests/late()").state == .passed)
  }

  @Test("A test beyond its time limit is timed out")
  func timeLimit() throws {
    let result = try ResultsFixture.events("events-limit").result("slow()")
    #expect(result.state == .timedOut)
    #expect(result.failures.map(\.message) == ["Time limit was exceeded: 60.000 seconds"])
  }

  @Test("A crash leaves the open tests open")
  func crash() throws {
    let serial = try ResultsFixture.events("events-crash-serial")
    #expect(serial.openTests.map(\.name) == ["b_crash()"])
    #expect(serial.results.map(\.state) == [.failed, .notRun, .notRun])
    #expect(!serial.sawTerminalRecord)
    let parallel = try Self.run("events-crash-parallel")
    #expect(parallel.openTests.contains { $0.name == "b_crash()" })
    #expect(!parallel.sawTerminalRecord)
  }

  @Test("Output belongs to the one test that was open since all was read, or is shared by those that were")
  func output() throws {
    var events = SwiftTestingEvents(listed: [], relativise: ResultsFixture.relativise)
    events.consume(.standardOutput, Array("before\n".utf8))
    events.consume(events: Records.described("a()", "b()") + Records.event("testStarted", "a()"))
    events.consume(.standardOutput, Array("only a\n".utf8))
    events.consume(events: Records.event("testStarted", "b()"))
    events.consume(.standardError, Array("◇ Test b() started.\nboth\n".utf8))
    events.consume(events: Records.event("testEnded", "a()"))
    // It may have been printed before a() ended.
    events.consume(.standardOutput, Array("either\n".utf8))
    events.noteAllRead()
    events.consume(.standardError, Array("only b".utf8))
    let run = events.finish()
    let shared = ["both", "either"].map { TranscriptLine(text: $0, isShared: true) }
    #expect(run.looseOutput.map(\.text) == ["before"])
    #expect(try run.result("a()").transcript == [.init(text: "only a")] + shared)
    #expect(try run.result("b()").transcript == shared + [.init(text: "only b")])
  }

  @Test("What the last test printed is its own although its end was read before that")
  func lastOutput() throws {
    var events = SwiftTestingEvents(listed: [], relativise: ResultsFixture.relativise)
    events.consume(events: Records.described("a()") + Records.event("testStarted", "a()"))
    events.consume(events: Records.event("testEnded", "a()"))
    events.consume(.standardOutput, Array("in a\n".utf8))
    events.noteAllRead()
    events.consume(.standardOutput, Array("after all\n".utf8))
    let run = events.finish()
    #expect(try run.result("a()").transcript == [.init(text: "in a")])
    #expect(run.looseOutput.map(\.text) == ["after all"])
  }

  @Test("A line that continues a message is no output, and what is printed after the message is")
  func continuedMessages() throws {
    var events = SwiftTestingEvents(listed: [], relativise: ResultsFixture.relativise)
    events.consume(events: Records.described("a()") + Records.event("testStarted", "a()"))
    events.consume(
      events: Records.issue(
        "a()", [("fail", #"Expectation failed: (a → \"x\ny\") == \"z\""#), ("details", #"why\n\nhow"#)]))
    events.consume(events: Records.event("testEnded", "a()") + Records.event("runEnded"))
    events.noteAllRead()
    events.consume(
      .standardError,
      Array(
        """
        ◇ Test a() started.
        ✘ Test a() recorded an issue at F.swift:1:2: Expectation failed: (a → "x
        y") == "z"
        ↳ why
          how
        how
        ✘ Test a() failed after 0.001 seconds with 1 issue.
        y") == "z"

        """.utf8))
    let run = events.finish()
    #expect(run.looseOutput.map(\.text) == ["how", #"y") == "z""#])
    #expect(try run.result("a()").transcript.allSatisfy { $0.kind == .failure })
  }

  @Test("Progress is told as it happens")
  func progress() throws {
    let seen = Progress()
    var events = SwiftTestingEvents(listed: [], relativise: { $0 }, onProgress: { seen.add($0) })
    events.consume(events: Records.described("a()") + Records.event("testStarted", "a()"))
    events.consume(events: Records.event("testEnded", "a()"))
    let id = TestID(module: "M", suite: "", name: "a()")
    #expect(seen.all == [.started(id), .ended(id, .passed)])
  }
}

/// Hand-made records, as a hostile test might write them.
enum Records {
  static func described(_ names: String...) -> [UInt8] {
    names.flatMap { line(#"{"kind":"test","payload":{"id":"\#(id($0))","kind":"function"},"version":"6.3.0"}"#) }
  }

  static func event(_ kind: String, _ name: String? = nil, symbol: String = "pass", more: String = "") -> [UInt8] {
    let test = name.map { #","testID":"\#(id($0))""# } ?? ""
    let messages = #","messages":[{"symbol":"\#(symbol)","text":"t"}]"#
    return line(
      #"{"kind":"event","payload":{"kind":"\#(kind)","instant":{"absolute":1.5}\#(test)\#(messages)\#(more)},"version":0}"#
    )
  }

  /// - Parameter messages: with their symbols, as JSON writes them.
  static func issue(_ name: String, _ messages: [(symbol: String, text: String)]) -> [UInt8] {
    let all = messages.map { #"{"symbol":"\#($0.symbol)","text":"\#($0.text)"}"# }.joined(separator: ",")
    return line(
      #"{"kind":"event","payload":{"kind":"issueRecorded","instant":{"absolute":1.5},"testID":"\#(id(name))","issue":{"isKnown":false},"messages":[\#(all)]},"version":0}"#
    )
  }

  static func line(_ text: String) -> [UInt8] { Array("\(text)\n".utf8) }

  private static func id(_ name: String) -> String { #"M.\#(name)\/File.swift:1:2"# }
}
