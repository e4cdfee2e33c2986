import Foundation
import Model
import Testing

@testable import Integrating

@Suite("Two builds of one commit")
struct ScratchComparisonTests {
  private let scratch: Scratch
  private let comparison: ScratchComparison

  init() throws {
    scratch = try Scratch()
    comparison = ScratchComparison(
      fresh: Folder(scratch.file("fresh")), grown: Folder(scratch.file("grown")))
  }

  /// An executable of one segment.
  private func image(_ code: UInt8) -> [UInt8] {
    var file = [UInt8](repeating: 0, count: 64 + 56 + 64 + 1)
    file.replaceSubrange(..<7, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1])
    (file[0x20], file[0x28], file[0x36], file[0x38], file[0x3A], file[0x3C]) = (64, 120, 56, 1, 64, 1)
    (file[64], file[64 + 8], file[64 + 32]) = (1, 184, 1)
    file[184] = code
    return file
  }

  private func put(_ bytes: [UInt8], _ path: String, in folder: Folder, mode: mode_t = 0o755) throws {
    let parts = path.split(separator: "/").map(String.init)
    let place = try parts.dropLast().reduce(folder) { $0.folder($1) }.create()
    try place.write(bytes, to: parts[parts.count - 1])
    chmod(place.file(parts[parts.count - 1]), mode)
  }

  private func differences(_ fresh: [UInt8], _ grown: [UInt8]?, _ path: String, mode: mode_t = 0o755) throws -> [String]
  {
    try put(fresh, path, in: comparison.fresh, mode: mode)
    if let grown { try put(grown, path, in: comparison.grown, mode: mode) }
    return comparison.differences()
  }

  @Test("Code that differs is told, and so is code that is not there")
  func code() throws {
    #expect(try differences(image(1), image(1), "debug/same") == [])
    #expect(try differences(image(1), image(2), "debug/other") == ["debug/other"])
    #expect(try differences(image(1), nil, "debug/gone") == ["debug/gone", "debug/other"])
    #expect(
      try differences(image(1), [], "debug/lib.so", mode: 0o644) == ["debug/gone", "debug/lib.so", "debug/other"])
  }

  @Test("Resources are compared byte for byte; what the compiler keeps for itself is not")
  func others() throws {
    #expect(try differences([1], [2], "debug/App.build/priors", mode: 0o644) == [])
    #expect(try differences([1], [1], "debug/App_App.resources/a.json", mode: 0o644) == [])
    #expect(
      try differences([1], [2], "debug/App_App.resources/b.json", mode: 0o644) == ["debug/App_App.resources/b.json"])
  }

  @Test("What was fetched, what is left of removed sources and what lies behind a link is not compared")
  func left() throws {
    #expect(try differences(image(1), image(2), "checkouts/Library/tool") == [])
    try put(image(3), "debug/old.o", in: comparison.grown)
    symlink("checkouts", comparison.fresh.file("link"))
    #expect(comparison.differences() == [])
  }

  @Test("What was changed during an integration is known to be its")
  func origin() throws {
    let records = BuildRecords(in: scratch.folder.folder("memory"))
    let commit = CommitID(rawValue: "0123456789012345678901234567890123456789")
    for number in 1...3 {
      var integration = Integration(
        bot: "b", number: number, repository: "/r", branch: "main",
        commit: Commit(id: commit, summary: "", author: "", date: Date(timeIntervalSince1970: 0)), cause: .commit,
        toolchain: "t", configuration: "debug", sandbox: "off", queuedAt: Date(timeIntervalSince1970: 0),
        repeatCommand: "")
      integration.startedAt = Date(timeIntervalSince1970: Double(number) * 100)
      records.append(integration, settings: "s")
    }
    #expect(records.builds.map(\.origin.number) == [1, 2, 3])
    #expect(records.origin(ofChange: 250)?.number == 2)
    #expect(records.origin(ofChange: 199.99)?.number == 2)
    #expect(records.origin(ofChange: 199.5)?.number == 1)
    #expect(records.origin(ofChange: 1000)?.number == 3)
    #expect(records.origin(ofChange: 50) == nil)
  }
}
