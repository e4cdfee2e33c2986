import FoundationEssentials
import Model
import Rendering

/// A copy of a report in the folder that `--output` names.
package struct ReportCopy: Sendable {
  private let output: OutputFolder

  /// The path of the copy's first page.
  package var page: String { file("index.html") }

  /// Returns the path of another file of the copy.
  package func file(_ name: String) -> String { output.folder.file(name) }

  /// Refuses a folder that contains something, but no report of Martlet's.
  package init(to path: String) throws(IntegratingError) {
    output = try OutputFolder(
      path, for: "the report", marks: ["index.html", "integration.json", "style.css"], isOurs: Self.isOfReport)
  }

  /// Whether a report may have an item of this name at its top.
  package static func isOfReport(_ name: String) -> Bool {
    if names.contains(name) { return true }
    // Long lists are split into pages, and sorted in several ways.
    return name.hasSuffix(".html") && ["tests-", "files-", "coverage-"].contains { name.hasPrefix($0) }
  }

  private static let names = Set(
    OtherReference.allCases.map(\.path) + SourceFolder.allCases.map(\.rawValue) + ReportRenderer.stepPaths
  ).union([
    "index.html", ComparisonPage.path, "coverage.html", "issues.html", "tests.html", "report.html", "style.css",
    "facts.css", "martlet.js", CoverageDocument.fileName, TestMapDocument.fileName, MutantsDocument.fileName,
    "integration.json", "issues", "log", "tests", "attachments", "archive", "cells",
  ])

  /// Copies the report aside and moves it into place, so that a full disk leaves the previous copy whole.
  package func publish(_ finished: FinishedIntegration) throws(IntegratingError) {
    try output.replace(kept: "; the report itself is \(finished.page)") { aside in
      try FileManager.default.copyItem(atPath: finished.report.path, toPath: aside.path)
      try Self.cutSiteOut(of: aside)
    }
  }

  /// What the pages of a copy lack: all from a beginning to an end, except for what is to stay of it.
  private static let cuts = [
    (from: #"<a class="up" href=""#, to: "\"", stays: "<a"),
    (from: "<link rel=stylesheet class=up ", to: "\n", stays: ""),
    (from: #"<p class="turn onward">"#, to: "\n", stays: ""),
  ].map { (from: Array($0.from.utf8), to: Array($0.to.utf8), stays: Array($0.stays.utf8)) }

  /// Removes what needs the bot's page and other reports, which are beside the report in the site and missing in a copy:
  /// the links to them, and the pages and the style sheet that lead to its neighbours.
  private static func cutSiteOut(of copy: Folder) throws {
    for name in ReportRenderer.stepPaths where copy.holds(name) {
      try FileManager.default.removeItem(atPath: copy.file(name))
    }
    for name in copy.filesBeneath() where name.hasSuffix(".html") {
      guard let page = copy.read(name) else { continue }
      var bytes = page
      for cut in cuts {
        var rest = bytes[...]
        var kept: [UInt8] = []
        while let start = rest.firstRange(ofBytes: cut.from),
          let end = rest[start.upperBound...].firstRange(ofBytes: cut.to)
        {
          kept += rest[..<start.lowerBound] + cut.stays
          rest = rest[end.upperBound...]
        }
        bytes = kept + rest
      }
      if bytes != page { try copy.create(name, bytes) }
    }
  }
}
