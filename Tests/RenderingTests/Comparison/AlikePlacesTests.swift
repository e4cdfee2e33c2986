import Model
import Testing

@testable import Rendering

@Suite("Lines that are alike in many files")
struct AlikePlacesTests {
  /// As many maps by land as are given, each with the same new function, and one whose function differs.
  private static func comparison(maps: Int) -> IntegrationComparison {
    var comparison = ComparisonSample.comparison
    func file(_ path: String, _ type: String, _ first: Int, _ last: Int) -> CoverageSides.File {
      var file = CoverageSides.File(path: path, target: "Atlas", before: nil, after: LineTally(total: 9, covered: 2))
      file.places = [CoverageSides.Place(.newNeverRan, first: first, last: last, function: "\(type).area(_:)")]
      return file
    }
    comparison.coverage.files =
      (0..<maps).map { file("Sources/Atlas/Land/Map\($0).swift", "Map\($0)", 9, 15) }
      + [file("Sources/Atlas/Land/Globe.swift", "Globe", 11, 11)]
    return comparison
  }

  private static func lines(_ comparison: IntegrationComparison) throws -> Substring {
    let files = try ComparisonReport(templates: PageSite.reportTemplates(), time: LocalTime { _ in 0 })
      .files(of: comparison)
    let text = String(decoding: try #require(files.last).bytes, as: UTF8.self)
    return try #require(
      text.replacing("<wbr>", with: "").split(separator: #"<section id="places""#).last?.split(separator: "</section>")
        .first)
  }

  @Test("They stand together with the name of their function, behind the line that is like no other")
  func together() throws {
    let text = try Self.lines(Self.comparison(maps: 30))
    let single = try #require(text.firstRange(of: "Globe.swift:11"))
    let alike = try #require(text.firstRange(of: "lines 9–15 in each of 30 files of Sources/Atlas/Land/"))
    #expect(single.lowerBound < alike.lowerBound)
    #expect(text.contains(#"<code class="faint">Globe.area(_:)</code>"#))
    #expect(text[alike.upperBound...].hasPrefix(#" <code class="faint">area(_:)</code>"#))
    #expect(text.contains("<li>Map0.swift</li>") && text.contains("<summary>6 more files</summary>"))
    #expect(!text.contains("Map0.swift:9") && !text.contains(#"<ul class="flow">"# + "\n<li><span"))
  }

  @Test("A few of them have a row each")
  func few() throws {
    let text = try Self.lines(Self.comparison(maps: 11))
    #expect(text.contains("Map0.swift:9–15") && !text.contains("files of"))
  }

  @Test("Other lines, another function or another folder keep places apart")
  func apart() {
    var comparison = Self.comparison(maps: 14)
    comparison.coverage.files[0].places?[0].last = 14
    comparison.coverage.files[1].places?[0].function = "Map1.side(_:)"
    comparison.coverage.files[2].path = "Sources/Atlas/Sea/Map2.swift"
    let (apart, alike) = ComparisonWords(comparison).placeGroups[0].gathered
    #expect(
      apart.map { SourceLocation.fileName(of: $0.file.path) } == [
        "Map0.swift", "Map1.swift", "Map2.swift", "Globe.swift",
      ])
    #expect(alike.map(\.words) == ["lines 9–15 in each of 11 files of Sources/Atlas/Land/"])
    #expect(alike.map(\.lineCount) == [77])
  }
}
