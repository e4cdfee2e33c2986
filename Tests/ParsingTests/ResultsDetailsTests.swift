import Model
import Testing

@testable import Parsing

@Suite("Results: what tests tell beside their verdicts")
struct ResultsDetailsTests {
  private func run(_ records: String...) -> ParsedTestRun {
    let test = #"{"kind":"test","payload":{"kind":"function","id":"M.S/t()/T.swift:1:1","name":"t()"EXTRA}}"#
    let events = [
      #"{"kind":"event","payload":{"kind":"runStarted"}}"#,
      #"{"kind":"event","payload":{"kind":"testStarted","testID":"M.S/t()/T.swift:1:1"}}"#,
      #"{"kind":"event","payload":{"kind":"testEnded","testID":"M.S/t()/T.swift:1:1"}}"#,
      #"{"kind":"event","payload":{"kind":"runEnded"}}"#,
    ]
    let extra = records.first { $0.hasPrefix(",") } ?? ""
    let lines =
      [test.replacing("EXTRA", with: extra)] + events.prefix(2) + records.filter { !$0.hasPrefix(",") }
      + events.suffix(2)
    var reader = SwiftTestingEvents(
      listed: [TestID(module: "M", suite: "S", name: "t()")], relativise: ResultsFixture.relativise)
    reader.consume(events: Array(lines.joined(separator: "\n").utf8) + [0x0A])
    return reader.finish()
  }

  private func event(_ kind: String, _ rest: String) -> String {
    #"{"kind":"event","payload":{"kind":"\#(kind)","testID":"M.S/t()/T.swift:1:1"\#(rest)}}"#
  }

  @Test("An issue of the severity warning is a warning with the author's words, and no failure")
  func warning() throws {
    let rest =
      #","issue":{"severity":"warning","isFailure":false,"isKnown":false},"messages":[{"symbol":"warning","text":"Issue recorded"},{"symbol":"details","text":"mind the gap"}]"#
    let result = try run(event("issueRecorded", rest)).result("t()")
    #expect(result.state == .passed)
    #expect(result.failures.isEmpty)
    #expect(result.warnings.map(\.message) == ["mind the gap"])
  }

  @Test("An attachment has its name and the place where the library wrote it")
  func attachment() throws {
    let first = event("valueAttached", #","attachment":{"path":"/tmp/a/note.txt","_preferredName":"../note.txt"}"#)
    let second = event("valueAttached", #","attachment":{}"#)
    let result = try run(first, second).result("t()")
    #expect(
      result.attachments == [
        TestAttachment(name: "../note.txt", path: "/tmp/a/note.txt"),
        TestAttachment(name: "attachment", problem: "Swift Testing did not write it to a file."),
      ])
  }

  @Test("A test may attach a thousand times and no more")
  func manyAttachments() throws {
    let record = event("valueAttached", #","attachment":{"path":"/tmp/a/n"}"#)
    let result = try run(Array(repeating: record, count: 1200).joined(separator: "\n")).result("t()")
    #expect(result.attachments.count == 1000)
    #expect(result.attachments.last?.path == nil)
    #expect(result.attachments.last?.problem?.contains("not kept") == true)
  }

  @Test("Bugs and a limit of time are taken from streams that have them; odd ones cost nothing")
  func traits() throws {
    let told = run(#","bugs":[{"url":"https://example.org/7","id":"7","title":"Wrong"}],"timeLimit":60"#)
    let result = try told.result("t()")
    #expect(result.bugs == [TestBug(url: "https://example.org/7", id: "7", title: "Wrong")])
    #expect(result.timeLimit == 60)
    let odd = try run(#","bugs":"none","timeLimit":"long""#).result("t()")
    #expect(odd.bugs.isEmpty)
    #expect(odd.timeLimit == nil)
    #expect(odd.state == .passed)
  }

  @Test("What XCTest measured is read from its line")
  func measurement() {
    let text =
      "measured [Time, seconds] average: 0.000, relative standard deviation: 21.757%, values: [0.000136, 0.000083], performanceMetricID:x"
    #expect(TestMeasurement(text) == TestMeasurement(metric: "Time", unit: "seconds", values: [0.000136, 0.000083]))
  }

  @Test("What XCTest measured is kept however much the test prints, with an observer and without one")
  func measurementInLongOutput() throws {
    let id = TestID(module: "M", suite: "C", name: "one")
    let lines = String(repeating: "a line\n", count: 500)
    let printed = """
      Test Case 'C.one' started at 2026-11-20 09:00:00.000
      \(lines)/checkout/T.swift:7: Test Case 'C.one' measured [Time, seconds] average: 0.001, values: [0.001, 0.001]
      \(lines)Test Case 'C.one' passed (0.1 seconds)

      """
    let expected = [TestMeasurement(metric: "Time", unit: "seconds", values: [0.001, 0.001])]
    let console = ResultsFixture.console([id], [(.standardOutput, Array(printed.utf8))])
    #expect(try console.result("one").measurements == expected)
    #expect(try console.result("one").transcript.allSatisfy { $0.kind == .output || $0.text.hasSuffix("left out …") })
    var process = ObservedProcess()
    process.tell(.ready)
    process.start("C.one")
    process.end("C.one")
    #expect(try process.run([id], printed: printed).result("one").measurements == expected)
  }

  @Test("More seconds than a year has are no duration")
  func endless() throws {
    let id = TestID(module: "M", suite: "C", name: "one")
    let printed = """
      Test Case 'C.one' started at 2026-11-20 09:00:00.000
      Test Case 'C.one' passed (1e305 seconds)
      Test Case 'C.one' passed (0.5 seconds)

      """
    let console = try ResultsFixture.console([id], [(.standardOutput, Array(printed.utf8))]).result("one")
    #expect(console.duration == 0.5)
    #expect(console.transcript == [.init(text: "Test Case 'C.one' passed (1e305 seconds)")])
    var process = ObservedProcess()
    process.tell(.ready)
    process.start("C.one")
    process.end("C.one", seconds: 1e305)
    #expect(try process.run([id]).result("one").duration == 0)
    var events = SwiftTestingEvents(listed: [], relativise: { $0 })
    events.consume(events: Records.described("a()") + Records.event("testStarted", "a()"))
    let end = String(decoding: Records.event("testEnded", "a()"), as: UTF8.self).replacing("1.5", with: "1e305")
    events.consume(events: Array(end.utf8))
    #expect(try events.finish().result("a()").duration == 0)
  }

  @Test(
    "What is no measurement is none",
    arguments: [
      "measured", "measured [", "measured [Time", "measured [Time, seconds] values: []", "measured [] values: [1]",
      "measured [Time] values: [one]", "measured [Time] values: [nan]", "values: [1]",
    ])
  func noMeasurement(text: String) {
    #expect(TestMeasurement(text) == nil)
  }
}
