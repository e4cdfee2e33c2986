import FoundationEssentials
import Testing

@testable import Rendering

/// Every format of one integration, held against an accepted file.
///
/// Set `MARTLET_ACCEPT=1` to write the accepted files anew, then look at the difference.
@Suite("Exports as accepted")
struct GoldenExportTests {
  @Test("A format is written as it was accepted", arguments: ExportFormat.allCases)
  func format(format: ExportFormat) throws {
    try hold(try ExportSample.export.text(as: format), to: format.rawValue)
  }

  @Test("A badge is drawn as it was accepted", arguments: [BadgeSubject.coverage, .tests])
  func badge(subject: BadgeSubject) throws {
    try hold(try ExportSample.export.text(as: .badge, badge: subject), to: "badge-\(subject.rawValue)")
  }

  @Test("The same integration gives the same text twice", arguments: ExportFormat.allCases)
  func stability(format: ExportFormat) throws {
    let read = try CoverageDocument(reading: Array(try ExportSample.export.text(as: .json).utf8))
    let again = IntegrationExport(ExportSample.document, coverage: read)
    #expect(try again.text(as: format) == ExportSample.export.text(as: format))
  }

  private func hold(_ text: String, to name: String) throws {
    let golden = PageSite.repository.appending(path: "Tests/RenderingTests/Golden/exports/\(name).txt")
    if ProcessInfo.processInfo.environment["MARTLET_ACCEPT"] == "1" {
      try FileManager.default.createDirectory(
        at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: golden)
      Issue.record("\(golden.lastPathComponent) was written. Look at the difference, then run without MARTLET_ACCEPT.")
      return
    }
    let accepted = String(decoding: try Data(contentsOf: golden), as: UTF8.self)
    #expect(text == accepted, "\(golden.lastPathComponent) differs; accept with MARTLET_ACCEPT=1")
  }
}
