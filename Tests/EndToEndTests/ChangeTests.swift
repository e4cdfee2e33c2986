import Model
import Testing

extension Histories {
  @Suite("What a commit changed")
  struct ChangeTests {
    private let story: ChangeStory

    init() throws {
      story = try ChangeStory.told.get()
    }

    private func changes(_ part: Integrated) throws -> IntegrationRecord.ChangesSection {
      try #require(part.coverage.changes)
    }

    @Test("The first integration has nothing to compare with, and says so")
    func first() throws {
      let changes = try changes(story.first)
      #expect(story.first.run.status == 0)
      #expect(changes.reason == "There is no earlier integration to compare with.")
      #expect(changes.lines == nil)
      #expect(changes.patch.since == "nothing")
      #expect(story.first.document.gates?.map(\.state) == [.notJudged])
      #expect(
        story.first.run.output.contains(
          "\nGate      lost-coverage was not judged: no earlier integration has complete coverage to compare with.\n"
        ))
    }

    @Test("New lines that never ran and lost ones are told line by line")
    func second() throws {
      let changes = try changes(story.second)
      #expect(changes.baseline == 1)
      let lines = try #require(changes.lines)
      #expect(lines[.newNeverRan] == 2)
      #expect(lines[.newRan] == 1)
      #expect(lines[.lost] == 1)
      #expect(lines.now == Tally(total: 14, covered: 11))
      #expect(changes.files?.map(\.lost) == [[14]])
      #expect(changes.patch.since == "integration")
      #expect(changes.patch.lines == LineTally(total: 3, covered: 1, partial: 1))
      #expect(changes.patch.files?.map(\.neverRan) == [[7, 8]])
      #expect(
        story.second.run.output.contains(
          """
          Patch     1 of 3 changed lines ran, 1 of them partly; 2 never: Sources/Shop/Basket.swift:7–8
          Lost      1 unchanged line that ran in 1 no longer runs: Sources/Shop/Basket.swift:14
          """))
    }

    @Test("A failed gate is an issue with its lines, and fails the run")
    func gates() throws {
      #expect(story.second.run.status == 1)
      #expect(story.second.document.outcome == .testFailures)
      let issues = story.second.document.issues.filter { $0.kind == .gate }
      #expect(
        issues.map(\.message) == [
          "Full patch gate: 2 of 3 changed lines never ran: Sources/Shop/Basket.swift:7–8.",
          "Lost-coverage gate: 1 unchanged line that ran in 1 no longer runs: Sources/Shop/Basket.swift:14.",
        ])
      #expect(issues.map(\.line) == [7, 14])
      #expect(story.second.document.reasons == issues.map(\.message))
      // Other gates were asked for, which settles nothing of these.
      let third = story.third.document
      let open = third.issues.filter { $0.kind == .gate }
      #expect(open.map(\.status) == [.unresolved, .unresolved])
      #expect(open.map(\.carriedOver) == [true, true])
      #expect(third.owedGates?.map(\.rule) == ["patch-fully-covered", "no-lost-coverage"])
      #expect(third.outcome.isGreen)
    }

    @Test("A failed gate is judged by what it failed against, and a broken build lets nothing through, until it passes")
    func held() throws {
      #expect(story.broken.document.outcome == .buildErrors)
      #expect(story.held.document.coverage.changes?.patch.integration == 2)
      let issues = story.held.document.issues.filter { $0.kind == .gate }
      #expect(
        issues.map(\.message) == [
          "Full patch gate: 5 of 6 changed lines never ran: Sources/Shop/Apple.swift:1–3; Sources/Shop/Basket.swift:7–8. Counted from integration 1, as it has not passed since.",
          "Lost-coverage gate: 1 unchanged line that ran in 1 no longer runs: Sources/Shop/Basket.swift:14. Counted from integration 1, as it has not passed since.",
        ])
      #expect(issues.map(\.status) == [.unresolved, .unresolved])
      #expect(story.held.document.gates?.map(\.base?.number) == [1, 1])
      #expect(story.mended.run.status == 0)
      #expect(story.mended.document.gates?.map(\.base?.number) == [1, 1])
      #expect(story.mended.document.issues.filter { $0.kind == .gate }.map(\.status) == [.resolved, .resolved])
    }

    @Test("A renamed file keeps its history, and a patch without code passes its gate")
    func renamed() throws {
      let changes = try changes(story.third)
      #expect(story.third.run.status == 0)
      #expect(changes.files?.map(\.oldPath) == ["Sources/Shop/Basket.swift"])
      let lines = try #require(changes.lines)
      #expect(!lines.hasChanges)
      #expect(lines.now.total == 14)
      #expect(changes.patch.lines == LineTally())
      #expect(story.third.document.gates?.map(\.state) == [.passed, .passed])
    }

    @Test("Uncommitted changes are part of the patch")
    func workingTree() throws {
      let changes = try changes(story.uncommitted)
      #expect(changes.baseline == 3)
      #expect(changes.patch.files?.map(\.neverRan) == [[21, 22]])
      #expect(changes.lines?[.newNeverRan] == 2)
    }

    @Test("New files that are left out as a whole, by a glob or a marker, pass the gate and are named")
    func hidden() throws {
      let files = ["Sources/Shop/Hidden.swift", "Sources/Shop/Made/Made.swift", "Sources/Shop/Marked.swift"]
      let changes = try changes(story.hidden)
      let (patch, baseline) = (changes.patch, try #require(changes.baseline))
      #expect(patch.lines == LineTally())
      #expect(patch.leftOut == files)
      let sentence =
        "No counted line differs from \(baseline). Changed lines of \(files.joined(separator: ", ")) are left out."
      #expect(story.hidden.document.gates?.map(\.sentence) == [sentence])
      #expect(
        story.hidden.run.output.contains(
          """
          Patch     no counted line changed; some are left out on request
          Left out  changed lines of Sources/Shop/Hidden.swift, Sources/Shop/Made/Made.swift and Sources/Shop/Marked.swift
          Gate      100% patch passed

          """))
      let page = try story.hidden.report.words("coverage.html")
      #expect(page.contains("No counted line changed."))
      #expect(!page.contains("is uncovered."))
    }

    @Test("The pages answer with links that lead somewhere")
    func pages() throws {
      for part in [story.first, story.second, story.third, story.uncommitted, story.hidden] {
        #expect(try part.report.brokenLinks() == [])
      }
      let overview = try story.second.report.words("coverage.html")
      #expect(overview.contains("2 of 3 changed lines never ran, 1 lost"))
      #expect(overview.contains("1 changed line partly ran"))
      let figures = try story.second.report.text("coverage.html")
      #expect(figures.contains("<dt>Lost</dt><dd class=\"worse\"><a href=\"#lost\">1</a> <small>line</small>"))
      let page = try story.second.report.text("coverage/Sources-Shop-Basket.swift.html")
      #expect(page.contains("▼") && page.contains("ran 1× in 1"))
      // The row of the failed gate tells it.
      let summary = try story.second.report.words("index.html")
      #expect(summary.contains("Lost-coverage gate: 1 line") && !summary.contains("no longer runs"))
    }
  }
}
