import Foundation
import Model
import Testing

@testable import Parsing

@Suite("The runtime's report of a crash")
struct BacktraceReportTests {
  /// The report of a Swift Testing process whose test read past the end of an array; the package is `/checkout`.
  private static func captured() throws -> [UInt8] {
    let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures/crashes")
    return Array(try Data(contentsOf: folder.appendingPathComponent("swift-6.3.1.json")))
  }

  private static func relativise(_ path: String) -> String? {
    path.hasPrefix("/checkout/") ? String(path.dropFirst("/checkout/".count)) : nil
  }

  private func read(_ text: String) throws -> BacktraceReport {
    try BacktraceReport.read(Array(text.utf8), relativise: Self.relativise)
  }

  @Test("Names the place of the crash: the innermost call in a source of the package")
  func place() throws {
    let report = try BacktraceReport.read(Self.captured(), relativise: Self.relativise)
    #expect(report.description == "Illegal instruction")
    #expect(report.otherThreads == 4)
    let thread = try #require(report.thread)
    #expect(thread.firstOwn?.function == "Shelf.book(_:)")
    #expect(thread.firstOwn?.number == 3)
    #expect(
      thread.firstOwn?.location == SourceLocation(file: "Sources/Dying/Shelf.swift", line: 16, column: 17))
    #expect(thread.frames.filter(\.isOwn).map(\.function) == ["Shelf.book(_:)", "Eight.five()"])
    #expect(thread.frames.first?.image == "libswiftCore.so")
    #expect(thread.frames.first?.function == "closure #1 in closure #1 in _assertionFailure(_:_:file:line:flags:)")
  }

  @Test("Code that the compiler made is not the package's, wherever it claims to stand")
  func generated() throws {
    let place = #""sourceLocation": {"file": "/checkout/A.swift", "line": 3, "column": 0}"#
    let report = try read(
      """
      {"threads": [{"crashed": true, "frames": [
        {"description": "thunk + 1", "thunk": true, \(place)}, {"description": "made + 2", "system": true, \(place)},
        {"description": "here", "sourceLocation": {"file": "/checkout/A.swift", "line": 0}},
        {"description": "a + b", \(place)}, {"address": "0x12"}, {"kind": "truncated"}]}]}
      """)
    let frames = try #require(report.thread?.frames)
    #expect(frames.map(\.function) == ["thunk", "made", "here", "a + b", "0x12"])
    #expect(frames.map(\.isOwn) == [false, false, false, true, false])
    #expect(frames[3].location == SourceLocation(file: "A.swift", line: 3))
    #expect(report.otherThreads == 0)
  }

  @Test("Says how long the process stood still for it, if it does")
  func pause() throws {
    let pause = try #require(try BacktraceReport.read(Self.captured(), relativise: Self.relativise).pause)
    #expect(pause.length == 0.045430283)
    #expect(abs(pause.start + pause.length - 1_795_170_251.9408) < 0.001)
    let time = #""timestamp": "2026-11-20T10:24:11.940800Z""#
    for text in ["{}", "{\(time)}", #"{"backtraceTime": 2}"#, #"{"timestamp": "now", "backtraceTime": 2}"#] {
      #expect(try read(text).pause == nil)
    }
    #expect(try read(#"{\#(time), "backtraceTime": -2}"#).pause == nil)
  }

  @Test("Of an endless recursion it keeps the innermost calls")
  func endless() throws {
    let frames = repeatElement(#"{"description": "deep(_:)"}"#, count: 1000).joined(separator: ",")
    let report = try read(#"{"threads": [{"crashed": true, "frames": [\#(frames)]}]}"#)
    #expect(report.thread?.frames.count == 256)
  }

  @Test("A damaged report is an error, at whatever byte it breaks off")
  func damaged() throws {
    let bytes = try Self.captured()
    for end in stride(from: 0, to: bytes.count - 2, by: 7) {
      #expect(throws: ParsingError.self) {
        try BacktraceReport.read(Array(bytes[..<end]), relativise: Self.relativise)
      }
    }
    #expect(throws: ParsingError.self) { try read("[]") }
    #expect(try read("{}").thread == nil)
  }
}
