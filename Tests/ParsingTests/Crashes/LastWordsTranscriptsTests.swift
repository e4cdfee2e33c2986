import Model
import Parsing
import Testing

@Suite("What a process says last, beside several tests")
struct LastWordsTranscriptsTests {
  private static let words = "Swift/ContiguousArrayBuffer.swift:692: Fatal error: Index out of range"
  private static let note = "swift-runtime: failed to suspend thread 6 while processing a crash"
  private static let crash = [words, note, note, "", "*** Signal 4: Backtracing from 0x7f714776df7f... done ***", ""]

  private func result(_ name: String, _ state: TestState, _ texts: [String], isShared: Bool = true) -> TestResult {
    var result = TestResult(id: TestID(module: "M", suite: "", name: name), library: .swiftTesting)
    result.state = state
    result.transcript = texts.map { TranscriptLine(text: $0, isShared: isShared) }
    return result
  }

  @Test("It is what the crashed test printed, and nobody else's")
  func crashed() {
    var results = [
      result("a()", .passed, ["Hello"] + Self.crash + ["Bye"]), result("b()", .crashed, ["Hello"] + Self.crash),
      result("c()", .passed, Self.crash),
    ]
    LastWords.assign(to: &results)
    #expect(results.map { $0.transcript.map(\.text) } == [["Hello", "Bye"], ["Hello"] + Self.crash, []])
    #expect(results[1].transcript.map(\.isShared) == [true] + Self.crash.map { _ in false })
  }

  @Test("Without a crashed test that has it, and of other messages, everything stays")
  func others() {
    let before = [
      result("a()", .passed, Self.crash), result("b()", .crashed, ["Fatal error: another one"]),
      result("c()", .passed, Self.crash, isShared: false),
    ]
    var results = before
    LastWords.assign(to: &results)
    #expect(results.map { $0.transcript.map(\.text) } == before.map { $0.transcript.map(\.text) })
  }
}
