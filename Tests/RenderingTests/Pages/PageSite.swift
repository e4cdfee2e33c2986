import FoundationEssentials
import Model

@testable import Rendering

/// A report rendered in memory with the templates of the repository.
struct PageSite {
  let pages: [String: [UInt8]]
  let order: [String]

  init(_ report: Report, time: LocalTime = LocalTime { _ in 3600 }) throws {
    var pages: [String: [UInt8]] = [:]
    var order: [String] = []
    let renderer = ReportRenderer(templates: try Self.templates(), assets: try Self.assets(), time: time)
    for file in try renderer.parts(of: report).flatMap({ try $0.files() }) {
      pages[file.path] = file.bytes
      order.append(file.path)
    }
    // The publisher puts attachments beside the pages.
    for path in report.integration.tests.results.flatMap(\.attachments).compactMap(\.path) { pages[path] = [] }
    self.pages = pages
    self.order = order
  }

  /// The pages only, without style and script.
  var html: [(path: String, text: String)] {
    order.filter { $0.hasSuffix(".html") }.map { ($0, text($0)) }
  }

  func text(_ path: String) -> String { String(decoding: pages[path] ?? [], as: UTF8.self) }

  /// A page without its tags.
  func words(_ path: String) -> String { text(path).replacing(/<[^>]*>/, with: "") }

  /// Returns the links and anchors of pages that lead nowhere.
  func brokenLinks(on isMeant: (String) -> Bool) -> [String] {
    let ids = Dictionary(uniqueKeysWithValues: html.map { ($0.path, Set(PageMarkup($0.text).values(of: "id"))) })
    return html.filter { isMeant($0.path) }.flatMap { path, text -> [String] in
      let markup = PageMarkup(text)
      // What leads out of the report is there only in the site.
      let out = Set(
        markup.tags.filter { $0.attributes.contains { $0.value == "up" } }.flatMap(\.attributes).map(\.value))
      let links = (markup.values(of: "href") + markup.values(of: "src")).filter { !out.contains($0) }
      return links.filter { link in
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let target = parts[0].isEmpty ? path : PageMarkup.resolve(parts[0], from: path)
        return pages[target] == nil || parts.count > 1 && ids[target]?.contains(parts[1]) != true
      }.map { "\(path): \($0)" }
    }
  }

  static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Read once for all tests.
  private static let own = Result { try ReportTemplates(folder: repository.appending(path: "templates").path) }

  static func reportTemplates() throws -> ReportTemplates { try own.get() }

  static func templates() throws -> TemplateLibrary { try reportTemplates().library }

  static func assets() throws -> [ReportRenderer.Asset] { try reportTemplates().assets }

  /// Every sample with the name that its files go by.
  static let samples: [(name: String, report: Report)] = [
    ("red", GreeterSample.red), ("green", GreeterSample.green), ("unsteady", UnsteadySample.report),
    ("build-errors", OtherSamples.buildErrors),
    ("incomplete", OtherSamples.incomplete), ("hostile", OtherSamples.hostile), ("issues", IssueSample.report),
  ]

  /// The pages of a sample, rendered once for all tests that only look at them.
  static func sample(_ name: String) throws -> PageSite {
    guard let site = rendered[name] else { throw NoSample(name: name) }
    return try site.get()
  }

  private static let rendered = Dictionary(
    uniqueKeysWithValues: samples.map { sample in (sample.name, Result { try PageSite(sample.report) }) })

  private struct NoSample: Error {
    var name: String
  }
}
