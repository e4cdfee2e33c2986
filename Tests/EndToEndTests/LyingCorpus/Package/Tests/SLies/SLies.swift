import CLies
import Dispatch
import Foundation
import Lies
import Testing

@Suite(.serialized) struct SExit {
  @Test func one() { #expect(truth(1) == 1) }
  @Test func two() { exit(0) }
  @Test func three() {}
}

/// Runs after a class of XCTest that dies.
@Suite struct AfterCrash {
  @Test func one() { #expect(truth(1) == 1) }
}

@Suite(.serialized) struct Third {
  @Test(arguments: [1, 2, 3, 4]) func number(_ number: Int) {
    if number == 3 { fatalError("the third") }  // How the test dies.
  }
}

@Suite struct Pool {
  @Test func one() async { block() }
  @Test func two() async { block() }
  @Test func three() async { block() }
  @Test func four() async { block() }

  /// The task that would end the wait never gets a thread.
  private func block() {
    let semaphore = DispatchSemaphore(value: 0)
    Task { semaphore.signal() }
    semaphore.wait()
  }
}

/// The file that the library writes its records to.
private var stream: String {
  CommandLine.arguments.drop { $0 != "--event-stream-output-path" }.dropFirst().first ?? ""
}

private func append(_ lines: [String]) throws {
  let file = try #require(FileHandle(forWritingAtPath: stream))
  try file.seekToEnd()
  try file.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
}

/// A record of an event, as the library writes them.
private func record(_ kind: String, _ test: String?, symbol: String = "pass") -> String {
  let instant = #""instant":{"absolute":1.5,"since1970":1795165200.5}"#
  let id = test.map { #","testID":"\#($0)""# } ?? ""
  let message = #""messages":[{"symbol":"\#(symbol)","text":"forged"}]"#
  return #"{"kind":"event","payload":{\#(instant),"kind":"\#(kind)",\#(message)\#(id)},"version":"6.3.0"}"#
}

/// The names of tests as the records have them.
private func id(_ name: String) throws -> String {
  let text = try String(contentsOfFile: stream, encoding: .utf8)
  let lines = text.split(separator: "\n").filter { $0.contains(#""kind":"test""#) && $0.contains(name) }
  let line = try #require(lines.first)
  let start = try #require(line.range(of: #""id":""#)).upperBound
  return line[start...].prefix { $0 != "\"" }.replacingOccurrences(of: #"\/"#, with: "/")
}

/// Says of itself that it passed, and fails.
@Suite(.serialized) struct ForgedEnd {
  @Test func one() throws {
    try append([record("testEnded", try id("ForgedEnd\\/one"))])
    #expect(Bool(false))
  }
  @Test func two() {}
}

/// Says of a test that was not started that it passed, and of the run that it ended.
@Suite(.serialized) struct ForgedRun {
  @Test func one() throws {
    let (one, two) = (try id("ForgedRun\\/one"), try id("ForgedRun\\/two"))
    try append([
      record("testEnded", one), record("testStarted", two), record("testEnded", two), record("runEnded", nil),
    ])
    _exit(0)
  }
  @Test func two() { #expect(Bool(false)) }
}

/// Removes the library's file, and all beside it.
@Suite(.serialized) struct RemovedResults {
  @Test func one() throws {
    let folder = (stream as NSString).deletingLastPathComponent
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }
  @Test func two() { #expect(Bool(false)) }
}

/// Puts links to a private file where results are expected.
@Suite(.serialized) struct LinkedResults {
  @Test func one() throws {
    let folder = (stream as NSString).deletingLastPathComponent
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: "@SCRATCH@/private")
    }
    for name in ["attachment.png", "swift-testing-1-2.jsonl", "swift-testing-list.jsonl"] {
      try? FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: "@SCRATCH@/private")
    }
  }
  @Test func two() {}
}

/// Writes the end of the run to every stream that the C library knows.
@Suite(.serialized) struct ForgedStreams {
  @Test func one() throws {
    let name = "SLies.ForgedStreams\\/two()\\/SLies.swift:\(#line + 6):4"
    let lines = [record("testStarted", name), record("testEnded", name), record("runEnded", nil)]
    #expect(lies_write_everywhere(lines.map { $0 + "\n" }.joined()) > 0)
    _exit(0)
  }
  @Test func two() { #expect(Bool(false)) }
}

/// Runs the library again inside a test, without the one that fails.
@Suite(.serialized) struct NestedEntry {
  @Test func one() async throws {
    if getenv("NESTED") != nil { return }
    setenv("NESTED", "1", 1)
    let status = await Testing.__swiftPMEntryPoint(passing: nil) as CInt
    exit(status == 0 ? 0 : 0)
  }
  @Test func two() { #expect(Bool(false)) }
}

/// Keeps a test from being called.
struct Leaving: TestTrait, TestScoping {
  func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) {}
}

@Suite struct Uncalled {
  @Test(Leaving()) func one() { #expect(Bool(false)) }
}

@Suite struct Argumentless {
  @Test(arguments: [Int]()) func none(_ number: Int) { #expect(number > 0) }
  @Test func some() {}
}
