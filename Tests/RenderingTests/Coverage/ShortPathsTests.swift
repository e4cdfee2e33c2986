import Model
import Testing

@testable import Rendering

@Suite("The shortest names that tell files apart")
struct ShortPathsTests {
  @Test("A file is called by its last part, and by as much more as it takes where others share that")
  func names() {
    let paths = [
      "Sources/A/Utils.swift", "Sources/B/Utils.swift", "Sources/A/Sub/Deep.swift", "Sources/B/Sub/Deep.swift",
      "Only.swift", "Utils.swift", "Sources/B/Only2.swift",
    ]
    let short = ShortPaths(paths)
    #expect(
      paths.map { short[$0] } == [
        "A/Utils.swift", "B/Utils.swift", "A/Sub/Deep.swift", "B/Sub/Deep.swift", "Only.swift", "Utils.swift",
        "Only2.swift",
      ])
    #expect(short["Sources/C/Unknown.swift"] == "Unknown.swift")
    #expect(ShortPaths(["/a//b", "/b", "b", "", "/"])["b"] == "b")
  }

  @Test("No two files are called the same", arguments: 0..<20)
  func unique(_ seed: Int) {
    let parts = ["a", "b", "c"]
    var state = seed &+ 1
    func next(_ count: Int) -> Int {
      state = (state &* 1_103_515_245 &+ 12345) & 0x7FFF_FFFF
      return (state >> 8) % count
    }
    let paths = Set((0..<40).map { _ in (0...next(4)).map { _ in parts[next(3)] }.joined(separator: "/") })
    let short = ShortPaths(paths)
    #expect(Set(paths.map { short[$0] }).count == paths.count)
    for path in paths { #expect("/\(path)".hasSuffix("/\(short[path])")) }
  }

  @Test("Lists and links on all pages tell files of the same name apart")
  func pages() throws {
    func utils(_ target: String, _ uncovered: Int) -> FileCoverage {
      let lines = (1...9).map { LineCoverage(line: $0, count: 1, state: $0 <= uncovered ? .neverRan : .ran) }
      return file(
        "Sources/\(target)/Utils.swift", target: target, lines: lines,
        functions: [CoverageSample.function("run()", 1...uncovered, count: 0)])
    }
    var report = CoverageSample.report
    report.integration.coverage = .available(Coverage(files: [utils("A", 3), utils("B", 2)]))
    let text = Array("fatalError()\n\n\n\n\n\n\n\n\n".utf8)
    report.sources = ["Sources/A/Utils.swift": text, "Sources/B/Utils.swift": text]
    let site = try CoverageSite.render(report)
    let page = try #require(site["coverage.html"])
    #expect(page.contains(">A/<wbr>Utils.swift<span class=\"nowrap\">:1–3</span>"))
    #expect(page.contains(">B/<wbr>Utils.swift:1</a>"))
    let source = try #require(site["coverage/Sources-A-Utils.swift.html"])
    #expect(source.contains("→ next gap: B/Utils.swift"))
  }
}
