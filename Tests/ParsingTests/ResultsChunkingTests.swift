import Model
import Testing

@testable import Parsing

@Suite("Results: streams in pieces, and streams that break off")
struct ResultsChunkingTests {
  static let consoles = [
    ("assertions", "AssertionTests"), ("cycle", "CycleTests"), ("glued", "GluedTests"), ("crash", "CycleTests"),
    ("exit-0", "ExitTests"), ("twins", "TwinTests"),
  ]
  static let streams = ["kinds-0", "kinds-6.3", "events-crash-serial", "events-crash-parallel", "events-limit"]

  private func events(_ pieces: some Sequence<ArraySlice<UInt8>>) -> ParsedTestRun {
    var events = SwiftTestingEvents(listed: [], relativise: ResultsFixture.relativise)
    for piece in pieces { events.consume(events: piece) }
    return events.finish()
  }

  @Test("The console reads the same byte by byte as in one piece", arguments: consoles)
  func consoleByteByByte(name: String, module: String) throws {
    let bytes = try ResultsFixture.bytes("\(name).stdout.txt")
    let asked = try ResultsFixture.listed(module)
    let whole = ResultsFixture.console(asked, [(.standardOutput, bytes)])
    #expect(ResultsFixture.console(asked, bytes.map { (.standardOutput, [$0]) }) == whole)
  }

  @Test("The console reads the same wherever one piece ends", arguments: ["crash", "exit-0"])
  func consoleInTwo(name: String) throws {
    let bytes = try ResultsFixture.bytes("\(name).stdout.txt")
    let asked = try ResultsFixture.listed("CycleTests")
    let whole = ResultsFixture.console(asked, [(.standardOutput, bytes)])
    for cut in bytes.indices {
      let pieces = [(ProcessStream.standardOutput, Array(bytes[..<cut])), (.standardOutput, Array(bytes[cut...]))]
      #expect(ResultsFixture.console(asked, pieces) == whole, "cut at \(cut)")
    }
  }

  @Test("Both streams of the console read the same byte by byte as in pieces")
  func bothStreams() throws {
    let asked = try ResultsFixture.listed("CrashTests", "ExitTests")
    let output = try ResultsFixture.bytes("crash.stdout.txt")
    let errors = try ResultsFixture.bytes("crash.stderr.txt")
    let whole = ResultsFixture.console(asked, [(.standardOutput, output), (.standardError, errors)])
    let bytes =
      output.map { (ProcessStream.standardOutput, [$0]) } + errors.map { (ProcessStream.standardError, [$0]) }
    #expect(ResultsFixture.console(asked, bytes) == whole)
    let crashed = try whole.result("test_b_crash")
    #expect(crashed.transcript.contains { $0.text.contains("Fatal error: Unexpectedly found nil") })
  }

  @Test("The event stream reads the same byte by byte as in one piece", arguments: streams)
  func eventsByteByByte(name: String) throws {
    let bytes = try ResultsFixture.bytes("\(name).jsonl")
    #expect(events(bytes.indices.map { bytes[$0...$0] }) == events([bytes[...]]))
  }

  @Test("A console that breaks off behind any line claims no more than was printed", arguments: consoles)
  func truncatedConsole(name: String, module: String) throws {
    let bytes = try ResultsFixture.bytes("\(name).stdout.txt")
    let asked = try ResultsFixture.listed(module)
    let whole = ResultsFixture.console(asked, [(.standardOutput, bytes)])
    let final = Dictionary(uniqueKeysWithValues: whole.results.map { ($0.id, $0) })
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    for end in stride(from: 0, to: ends.count - 2, by: max(ends.count / 100, 1)).map({ ends[$0] }) {
      let run = ResultsFixture.console(asked, [(.standardOutput, Array(bytes[...end]))])
      #expect(!run.sawTerminalRecord)
      #expect(Set(run.openTests).isSuperset(of: run.results.filter { $0.state == .notRun }.map(\.id)))
      for result in run.results
      where result.state == .passed && !run.anomalies.contains(where: { $0.contains("twice") }) {
        // A test that imitates its own verdict is believed until its real one arrives.
        let isImitation = name == "glued" && ["test_d_imitates", "test_e_after"].contains(result.id.name)
        #expect(final[result.id]?.state == .passed || isImitation)
      }
    }
  }

  @Test("An event stream that breaks off behind any line claims no more than was written", arguments: streams)
  func truncatedEvents(name: String) throws {
    let bytes = try ResultsFixture.bytes("\(name).jsonl")
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    for end in stride(from: 0, to: ends.count - 1, by: max(ends.count / 20, 1)).map({ ends[$0] }) {
      let run = events([bytes[...end]])
      #expect(!run.sawTerminalRecord)
      #expect(run.anomalies.isEmpty || run.anomalies.allSatisfy { $0.contains("was called failed") })
      #expect(Set(run.openTests).isSubset(of: run.results.filter { $0.state == .notRun }.map(\.id)))
    }
  }

  @Test("An event stream that breaks off inside a record loses that record alone")
  func tornRecord() throws {
    let bytes = try ResultsFixture.bytes("events-crash-serial.jsonl")
    let run = events([bytes.dropLast(30)])
    #expect(run.results.map(\.state) == [.failed, .notRun, .notRun])
    #expect(run.results[1].failures.isEmpty)
    #expect(
      run.anomalies == [
        """
        1 of 11 records of the event stream could not be read; the first was number 11: it is no valid JSON object.
        """
      ])
  }
}
