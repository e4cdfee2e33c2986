import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("Every page of every sample")
struct PageCheckTests {
  static let names = PageSite.samples.map(\.name)

  private func site(_ name: String) throws -> PageSite { try PageSite.sample(name) }

  @Test("Every internal link and every anchor leads somewhere", arguments: names)
  func links(name: String) throws {
    #expect(try site(name).brokenLinks { _ in true } == [])
  }

  @Test("No page has inline style, inline script or an event handler, and each has the policy", arguments: names)
  func policy(name: String) throws {
    for (path, text) in try site(name).html {
      let markup = PageMarkup(text)
      #expect(text.contains(PageMarkup.policy), "\(path)")
      for tag in markup.tags {
        #expect(tag.name != "style" && tag.name != "iframe" && tag.name != "object", "\(path): \(tag.name)")
        if tag.name == "script" { #expect(tag.attributes.map(\.name) == ["src", "defer"], "\(path)") }
        for attribute in tag.attributes {
          #expect(attribute.name != "style" && !attribute.name.hasPrefix("on"), "\(path): \(attribute.name)")
          #expect(!attribute.value.hasPrefix("javascript:"), "\(path)")
        }
      }
    }
  }

  @Test("No id is given twice on a page", arguments: names)
  func ids(name: String) throws {
    for (path, text) in try site(name).html {
      let ids = PageMarkup(text).values(of: "id")
      #expect(ids.count == Set(ids).count, "\(path): \(Dictionary(grouping: ids) { $0 }.filter { $1.count > 1 }.keys)")
    }
  }

  @Test("Every table has a caption, every heading cell a scope, every page one h1", arguments: names)
  func structure(name: String) throws {
    for (path, text) in try site(name).html {
      let tags = PageMarkup(text).tags
      #expect(tags.filter { $0.name == "h1" }.count == 1, "\(path)")
      #expect(tags.filter { $0.name == "table" }.count == tags.filter { $0.name == "caption" }.count, "\(path)")
      for tag in tags where tag.name == "th" {
        #expect(tag.attributes.contains { $0.name == "scope" }, "\(path)")
      }
    }
  }

  @Test("Elements are nested and closed as they should be", arguments: names)
  func nesting(name: String) throws {
    for (path, text) in try site(name).html {
      #expect(PageMarkup(text).nestingFault == nil, "\(path)")
    }
  }

  @Test("Pages hold no control characters and no direction overrides", arguments: names)
  func characters(name: String) throws {
    for (path, text) in try site(name).html {
      #expect(!text.unicodeScalars.contains(where: VisibleText.isHidden), "\(path)")
    }
  }

  @Test("The same report gives the same bytes", arguments: names)
  func deterministic(name: String) throws {
    let one = try site(name)
    let other = try PageSite(try #require(PageSite.samples.first { $0.name == name }).report)
    #expect(one.order == other.order)
    #expect(one.pages == other.pages)
    #expect(Set(one.order).count == one.order.count)
  }

  @Test("Text of foreign origin stays text")
  func hostile() throws {
    for (path, text) in try site("hostile").html {
      let tags = PageMarkup(text).tags
      #expect(tags.filter { $0.name == "script" }.count == 1, "\(path)")
      #expect(!text.contains("<script>alert"), "\(path)")
    }
  }

  @Test("With MARTLET_PAGES the samples are written there for a look", .enabled(if: folder != nil))
  func look() throws {
    let folder = try #require(Self.folder)
    for (name, report) in PageSite.samples {
      for (path, bytes) in try PageSite(report).pages {
        let file = URL(filePath: folder).appending(path: "\(name)/\(path)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
      }
    }
  }

  private static var folder: String? { ProcessInfo.processInfo.environment["MARTLET_PAGES"] }
}
