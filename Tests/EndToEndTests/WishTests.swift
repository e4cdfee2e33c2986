import Model
import Testing

extension Histories {
  @Suite("What a report tells on request")
  struct WishTests {
    private let story: WishStory
    private let page = "coverage/Sources-Shop-Links.swift.html"

    init() throws {
      story = try WishStory.told.get()
    }

    @Test("Lines that ran without any test are told apart, and still count as run")
    func incidental() throws {
      for part in [story.first, story.second] {
        #expect(part.run.status == 0)
        #expect(part.coverage.incidental?.lines == 3)
        #expect(part.coverage.lines?.covered == 6)
        #expect(part.file("Sources/Shop/Links.swift")?.incidental == 3)
      }
      let source = try #require(WishStory.links.line(with: "public static func issue"))
      #expect(try story.second.report.incidental(page) == Array(source..<source + 3))
      #expect(try story.second.report.words("coverage.html").contains("3 of them only at start-up"))
      // What only the report was asked for is no part of repeating it.
      #expect(try !story.first.report.words("index.html").contains("--incidental"))
    }

    @Test("Each line leads to the tests that ran it, and programs can read the same")
    func map() throws {
      #expect(story.second.coverage.testMap?.tests == 3)
      let text = try story.second.report.text(page)
      #expect(text.contains("Which tests ran these lines"))
      #expect(text.contains(#">page()</a> <span class="faint">ShopTests</span>"#))
      #expect(try !story.first.report.text(page).contains("Which tests ran these lines"))
      let source = try #require(WishStory.links.line(with: "public static func page"))
      // The observer of XCTest and a run of Swift Testing's tests one by one tell the two apart.
      #expect(
        story.map.contains(
          #""tests": [\n    "ShopTests.OldTests/testPage",\n    "ShopTests.page()",\n    "ShopTests.together()"\n  ]"#
            .replacing(#"\n"#, with: "\n"))
      )
      #expect(story.map.contains("[\(source),\(source + 2),"))
      #expect(try story.second.report.words("index.html").contains("--map"))
    }

    @Test("A test that fails only in the run for the map is named, and leaves its step green")
    func failsOneByOne() throws {
      let document = story.second.document
      #expect(document.outcome == .succeeded)
      #expect(document.steps.first { $0.name == .testing }?.exitStatus == 0)
      #expect(
        try story.second.report.words("coverage.html").contains(
          "Run one by one, these failed: ShopTests.together()."))
    }

    @Test("Deleted lines stand where they stood, and each line says who wrote it")
    func past() throws {
      let text = try story.second.report.text(page)
      #expect(text.contains("<summary>2 lines deleted, lines 6–7 before: no code</summary>"))
      #expect(text.contains("  <em>// Gone\n  // soon."))
      #expect(text.contains("<small class=a title=\"Mira, commit "))
      #expect(try !story.first.report.text(page).contains("<small class=a"))
    }

    @Test("The one file holds the summary, the coverage and the sources, and is named in the output")
    func single() throws {
      #expect(story.single.contains("2 lines deleted, lines 6–7 before"))
      #expect(story.single.contains("style-src &#39;sha256-") || story.single.contains("style-src 'sha256-"))
      #expect(story.second.run.output.contains("\nOne file  "))
      #expect(story.second.run.output.contains("report/report.html ("))
    }

    @Test("The pages of both have links that lead somewhere")
    func links() throws {
      #expect(try story.first.report.brokenLinks() == [])
      let broken = try story.second.report.brokenLinks()
      #expect(broken == [])
    }
  }
}
