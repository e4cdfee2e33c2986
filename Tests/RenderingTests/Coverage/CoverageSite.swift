import Model
import Testing

@testable import Rendering

/// The pages about source of a report, as they are written without the rest of it.
enum CoverageSite {
  static func pages(_ report: Report, longestTree: Int = TreeCut.longestPage) throws -> CoveragePages {
    CoveragePages(
      report, facts: ReportFacts(report.integration), library: try PageSite.templates(), longestTree: longestTree,
      testPage: { "tests/\($0.name).html" })
  }

  /// The text of every page, by path.
  static func render(_ report: Report) throws -> [String: String] {
    var site: [String: String] = [:]
    for file in try pages(report).parts.flatMap({ try $0.files() }) {
      #expect(site[file.path] == nil, "\(file.path) is written twice")
      site[file.path] = String(decoding: file.bytes, as: UTF8.self)
    }
    return site
  }
}
