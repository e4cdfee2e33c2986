import Model
import Testing

extension Histories {
  @Suite("The story of the cookie factory")
  struct FactoryTests {
    private let story: FactoryStory

    init() throws {
      story = try FactoryStory.told.get()
    }

    /// What a developer would tell of an integration.
    private func chapter(_ part: Integrated) -> String {
      let document = part.document
      let lines = document.coverage.lines.map { "\($0.covered)/\($0.total)" } ?? "no coverage"
      let statuses = [Issue.Status.new, .unresolved, .resolved].map { status in
        document.issues.count { $0.status == status }
      }
      return "\(document.outcome.rawValue), \(document.tests.passed) of \(document.tests.listed), \(lines), \(statuses)"
    }

    @Test("Each commit's outcome, tests, lines and issues (new, unresolved, resolved) are what happened")
    func chapters() {
      // What the bot finds when it looks for the first time was there before: it is not new.
      #expect(
        story.integrations.map(chapter) == [
          "build-errors, 0 of 0, no coverage, [0, 15, 0]", "succeeded, 6 of 6, 4/4, [0, 0, 15]",
          "test-failures, 24 of 27, 27/27, [3, 0, 0]", "succeeded, 27 of 27, 27/27, [0, 0, 3]",
          "succeeded, 27 of 27, 27/62, [0, 0, 0]",
        ])
    }

    @Test("Red and green follow each other as they were written")
    func rhythm() {
      #expect(
        story.integrations.map { $0.document.rhythm } == [nil, .madePass, .redFirst, .madePass, .refactored])
    }

    @Test("People are told what is new and when it is over, and nothing else")
    func mails() throws {
      let subjects = try story.subjects()
      #expect(
        subjects == [
          "[factory 2] All issues on the branch are resolved",
          "[factory 3] 3 new test failures: testReset_emptiesChocolateChip and 2 more",
          "[factory 4] All issues on the branch are resolved",
        ])
    }

    @Test("The first words of each page are the ones that a developer would say")
    func pages() throws {
      let headlines = try story.integrations.map { part in
        let words = try part.report.text("index.html").firstMatch(of: /<h1[^>]*>(.*?)<\/h1>/)
        return words?.1.replacing("<wbr>", with: "").replacing("&nbsp;", with: " ") ?? ""
      }
      #expect(
        headlines == [
          "The build failed: 15 errors in CookieTests.swift", "Builds again: 6 passed",
          "3 new tests are red",
          "3 tests fixed: 27 passed", "27 tests passed",
        ])
      let index = try story.integrations[2].report.text("index.html")
      let who = index.firstMatch(of: /<td class="by-whom">probably <span class="who">.*?<\/span>(.*?)<\/td>/)?.1
      #expect(who.map(String.init) == " <small>added this line</small>")
    }

    @Test("Lines that arrive without a test are counted, and no covered line is said to be lost")
    func uncovered() throws {
      let last = try #require(story.integrations.last)
      #expect(last.document.deltas?.lines == LineTally(total: 35, covered: 0, partial: 0))
      let changes = try #require(last.document.coverage.changes)
      #expect(changes.patch.lines == LineTally(total: 35, covered: 0, partial: 0))
      #expect(try last.report.words("coverage.html").contains("35 of 35 changed lines never ran"))
      let comparison = try story.program.run("compare", "\(FactoryStory.bot)/4", "\(FactoryStory.bot)/5")
      // On a machine that halts for a moment, a test may be slow as well.
      #expect(comparison.output.hasPrefix("\(FactoryStory.bot) 4 → 5: 35 new lines never ran"))
      #expect(!comparison.output.contains("Passed"), "Nothing changed there.")
      #expect(comparison.output.contains("\n    UNC  35  new, never ran\n"))
    }
  }
}
