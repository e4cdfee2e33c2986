import FoundationEssentials
import Model
import Testing

extension Histories {
  @Suite("Comparing two integrations")
  struct CompareTests {
    private let story: ChangeStory

    init() throws {
      story = try ChangeStory.told.get()
    }

    @Test("The text tells coverage, categories and commits, and what is not the commits' is not there")
    func text() throws {
      let run = try story.program.run("compare", "Shop/1", "2")
      #expect(run.errors.isEmpty)
      #expect(run.status == 0)
      #expect(
        run.output.hasPrefix(
          """
          Shop 1 → 2: 2 gates failed and 3 more lines uncovered
            1  succeeded, \(story.first.document.commit.id.short) Begin
            2  gate failed, \(story.second.document.commit.id.short) Limit the basket
            1 commit: \(story.second.document.commit.id.short) Limit the basket, \(story.second.document.commit.author)

          """))
      let lines = run.output.split(separator: "\n")
      let count = lines.firstIndex { $0.hasPrefix("  Uncovered lines ") && $0.hasSuffix(" 0 → 3  +3") }
      let coverage = lines.firstIndex { $0.hasPrefix("Coverage: ") }
      #expect(try #require(coverage) < #require(count), "What changed comes before the counts.")
      #expect(
        run.output.contains(
          """
          Coverage: 3 of 14 lines never ran, 0 of 11 in 1
            +3  Sources/Shop/Basket.swift: 0 of 11 → 3 of 14
            Lines by what became of them:
              UNC  2  new, never ran
              LBC  1  ran in 1, no longer
              GNC  1  new, ran
            lost: Sources/Shop/Basket.swift:14 (Basket.describe())
            new, never ran: Sources/Shop/Basket.swift:7–8 (Basket.add(_:))

          """))
      #expect(run.output.contains("      Sources/Shop/Basket.swift +3 -0\n"))
      #expect(!run.output.contains("These differ, too"))
    }

    @Test("Two revisions find their integrations; a renamed file is one file, in the coverage and in the commits")
    func revisions() throws {
      let run = try story.program.run("compare", "HEAD~3", "HEAD~1", story.repository.path, "--json")
      let comparison = try IntegrationComparison(json: run.output.utf8)
      #expect(comparison.schema == "martlet.comparison/1")
      #expect([comparison.before.number, comparison.after.number] == [1, 3])
      #expect(comparison.commits.relation == .forward)
      #expect(comparison.commits.added.map(\.summary) == ["Call it a trolley", "Limit the basket"])
      let file = try #require(comparison.coverage.files.first)
      #expect(file.path == "Sources/Shop/Trolley.swift")
      #expect(file.oldPath == "Sources/Shop/Basket.swift")
      #expect(file.before == LineTally(total: 11, covered: 11))
      let renamed = comparison.commits.added.first?.files.first
      #expect(renamed?.status == .renamed)
      #expect(renamed?.oldPath == "Sources/Shop/Basket.swift")
      let back = try story.program.run("compare", "HEAD~1", "HEAD~3", story.repository.path)
      #expect(back.output.hasPrefix("Shop 3 → 1: 3 fewer lines uncovered\n"))
      #expect(back.output.contains("\n  back 2 commits by \(story.second.document.commit.author)\n"))
    }

    @Test("A revision that was never integrated is refused with the command that integrates it")
    func missing() throws {
      let commit = try story.repository.git("rev-parse", "HEAD").prefix(7)
      let run = try story.program.run("compare", "HEAD~1", "HEAD", in: story.repository.path)
      #expect(run.status == 2)
      #expect(
        run.errors
          == "error: no integration of HEAD (commit \(commit)) is kept in \(story.scratch.file("home")). Make one with: martlet run '\(story.repository.path)' --commit \(commit)\n"
          .replacing("/.'", with: "'"))
    }

    @Test("A document of another schema is refused")
    func schema() throws {
      let text = String(decoding: story.first.bytes, as: UTF8.self)
        .replacing("martlet.integration/1", with: "martlet.integration/9")
      try story.scratch.write(text, to: "other/integration.json")
      let path = story.scratch.file("other")
      let run = try story.program.run("compare", "Shop/1", path)
      #expect(run.status == 2)
      #expect(
        run.errors
          == "error: cannot read \(path)/integration.json: it says that it is martlet.integration/9, not martlet.integration/1. Use the Martlet that wrote it.\n"
      )
    }

    @Test("Uncommitted changes are told, and their lines are not compared with those of a commit")
    func uncommitted() throws {
      let run = try story.program.run("compare", "Shop/3", "4")
      #expect(
        run.output.contains(
          """
          Same commit, but different: uncommitted changes.
            uncommitted changes  not set → 1 file

          """))
      #expect(run.output.contains("Shop 4 had uncommitted changes, whose lines no commit has."))
    }

    @Test("Each report with a baseline has the page, and the bot's page leads to it")
    func pages() throws {
      #expect(!story.scratch.exists("home/site/Shop/1/compare.html"))
      #expect(
        try story.second.report.text("compare.html").contains(
          "<h1>Shop 1 → 2: 2&nbsp;gates failed and 3&nbsp;more lines uncovered</h1>"))
      let bot = try story.scratch.read("home/site/Shop/index.html")
      #expect(bot.contains(#"<a class="vs" href="2/compare.html" title="Compare with 1">vs 1</a>"#))
      #expect(!bot.contains(#"href="1/compare.html""#))
      let output = story.scratch.file("compared")
      let run = try story.program.run("compare", "Shop/1", "Shop/3", "--output", output)
      #expect(run.output.hasSuffix("\nPage  \(output)/index.html\n"))
      #expect(
        story.scratch.names(in: "compared") == [
          "comparison.json", "coverage", "facts.css", "index.html", "martlet.js", "style.css",
        ])
      #expect(story.scratch.names(in: "compared/coverage") == ["Sources-Shop-Trolley.swift.html"])
      let source = try story.scratch.read("compared/coverage/Sources-Shop-Trolley.swift.html")
      #expect(
        source.contains("× in 1") && source.contains("<p>was <span class=\"mono\">Sources/Shop/Basket.swift"))
      let page = try story.scratch.read("compared/index.html")
      #expect(page.contains("coverage/Sources-Shop-Trolley.swift.html#L15"))
      #expect(try story.program.run("compare", "Shop/1", "Shop/2", "--output", output).status == 0)
      #expect(try story.scratch.read("compared/index.html").contains("Shop 1 → 2"))
      try story.scratch.write("{}", to: "mine/comparison.json")
      try story.scratch.write("x", to: "file")
      for (name, reason) in [
        ("home", "the folder holds other files, and no earlier copy. Name a new or an empty folder"),
        ("mine", "the folder holds other files, and no earlier copy. Name a new or an empty folder"),
        ("file", "it is a file. Name a folder"),
      ] {
        let path = story.scratch.file(name)
        let refused = try story.program.run("compare", "Shop/1", "Shop/3", "--output", path)
        #expect(refused.status == 2)
        #expect(refused.errors == "error: cannot copy the comparison to \(path): \(reason) with --output.\n")
      }
    }
  }
}
