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

  private static let names = Set(OtherReference.allCases.map(\.path) + SourceFolder.allCases.map(\.rawValue)).union([
    "index.html", ComparisonPage.path, "coverage.html", "issues.html", "tests.html", "report.html", "style.css",
    "facts.css", "martlet.js", CoverageDocument.fileName, TestMapDocument.fileName, MutantsDocument.fileName,
    "integration.json", "issues", "log", "tests", "attachments", "archive", "previous.html", "next.html", "newest.html",
    "newest.css", "cells",
  ])

  /// Copies the report aside and moves it into place, so that a full disk leaves the previous copy whole.
  package func publish(_ finished: FinishedIntegration) throws(IntegratingError) {
    try output.replace(kept: "; the report itself is \(finished.page)") { aside in
      try FileManager.default.copyItem(atPath: finished.report.path, toPath: aside.path)
      try Self.cutLinksOut(of: aside)
    }
  }

  /// Removes the links to the bot's page and to the baseline's report, which are beside the report in the site and
  /// missing in a copy.
  private static func cutLinksOut(of copy: Folder) throws(IntegratingError) {
    let mark = Array(#"<a class="up" href=""#.utf8)
    for name in copy.filesBeneath() where name.hasSuffix(".html") {
      guard let page = copy.read(name), page[...].firstRange(ofBytes: mark) != nil else { continue }
      var rest = page[...]
      var kept: [UInt8] = []
      while let start = rest.firstRange(ofBytes: mark) {
        kept += rest[..<start.lowerBound] + Array("<a".utf8)
        rest = rest[start.upperBound...].drop { $0 != UInt8(ascii: "\"") }.dropFirst()
      }
      try copy.create(name, kept + rest)
    }
  }
}
