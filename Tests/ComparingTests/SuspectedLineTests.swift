import Model
import Testing

@testable import Comparing

@Suite("The line that speaks for a suspect")
struct SuspectedLineTests {
  private static let file = "Sources/Kitchen/RecipePrinter.swift"

  private func record(line: Int) -> IssueRecord {
    var record = IssueRecord(
      id: "t-1", kind: .testFailure, message: "no", location: nil, test: nil, streaks: [.init(opened: 15, lastSeen: 15)]
    )
    record.suspects = [
      Suspect(name: "Jon", email: "", confidence: .low, reason: "a file."),
      Suspect(
        name: "Mei", email: "", confidence: .high, reason: "a line.",
        place: SourceLocation(file: Self.file, line: line)),
    ]
    record.suspectedHunk = SourceHunk(
      file: Self.file,
      lines: [
        .init(number: 7, text: "{"), .init(number: 8, text: "  title", change: .removed),
        .init(number: 8, text: "  title.uppercased()", change: .added), .init(number: 9, text: "}", change: .added),
        .init(number: 10, text: "  \"• \"", change: .added), .init(number: 11, text: "  bullet", change: .added),
      ])
    return record
  }

  private func line(named line: Int, in source: String) -> Int? {
    var record = record(line: line)
    record.keepSuspectedLine(in: Array(source.utf8))
    #expect(record.suspects?.first?.place == nil)
    return record.suspects?.last?.place?.line
  }

  @Test("It stays while the source has it, wherever that is")
  func kept() {
    #expect(line(named: 8, in: "\n\n  title.uppercased()\n") == 8)
    #expect(line(named: 8, in: "\r\n  title.uppercased()\r\n") == 8, "Its line breaks are no part of a line.")
    // What the change left as it was is no line of it.
    #expect(line(named: 7, in: "nothing") == 7)
  }

  @Test("Once it is gone, no line is named, as the reason tells of no other")
  func gone() {
    #expect(line(named: 8, in: "  title\n}\n  bullet\n") == nil)
    #expect(line(named: 8, in: "  title\n}\n") == nil)
  }
}
