import FoundationEssentials
import Model
import Testing

extension Histories {
  /// A branch that a commit turned red.
  @Suite("How a branch stands")
  struct BranchStateTests {
    private let story: StandingStory

    init() throws {
      story = try StandingStory.told.get()
    }

    @Test("Neither an older commit that is integrated again nor tests that are chosen say that it is green")
    func red() throws {
      #expect(story.statuses.prefix(4) == [0, 1, 0, 0])
      #expect(story.badges[4]?.contains("<title>Tiny: test failures</title>") == true)
      let issues = try #require(story.issues[4])
      #expect(issues.hasPrefix("Tiny 2 on main, "))
      #expect(issues.contains("1 new\n"))
      #expect(story.indexes[4]?.contains("Tiny is red") == true)
      // What is red in a choice of tests is red, and known are still the issues of all.
      #expect(story.statuses[4] == 1)
      #expect(story.badges[5]?.contains("<title>Tiny: test failures</title>") == true)
      #expect(story.issues[5]?.hasPrefix("Tiny 2 on main, ") == true)
      // What comes next is compared with the commit before it, not with what was looked at again.
      #expect(story.statuses[5] == 0)
      let mended = try story.integrated(6).document
      #expect(mended.baseline == 2)
      #expect(mended.issues.map(\.status) == [.resolved])
      #expect(story.badges[6]?.contains("<title>Tiny: succeeded</title>") == true)
    }

    @Test("What a branch changes since it was begun has a page, beside that of its last commit")
    func sinceBranchPoint() throws {
      #expect(story.statuses[5] == 0 && story.statuses[6] == 1 && story.statuses[8] == 1)
      #expect(
        !story.scratch.exists("home/site/Tiny/7/compare-branch.html"), "Its other page compares it with that.")
      let page = try story.page("9/compare-branch.html")
      #expect(page.contains("<h1>Tiny 6 → 9: halves() went red</h1>"))
      #expect(page.contains(">2 commits by ") && page.contains(#"<a href="compare.html">compare with 8</a>"#))
      #expect(page.contains("Half.swift") && page.contains(">6</a>, the branch point: "))
      let report = ReportFolder(path: story.scratch.file("home/site/Tiny/9"))
      #expect(try report.brokenLinks() == [])
      let other = try story.page("9/compare.html")
      #expect(other.contains(#"<a href="compare-branch.html">compare with 6, the branch point</a>"#))
      let branch = try story.page("branch-topic.html")
      #expect(branch.contains(#"changes since <a href="9/compare-branch.html">6, the branch point</a>"#))
    }

    @Test("What is red in a commit that is run once more is as old as its first run")
    func again() throws {
      #expect(story.statuses[6] == 1 && story.statuses[7] == 1)
      let again = try story.integrated(8)
      #expect(again.document.issues.map(\.status) == [.unresolved])
      #expect(again.document.issues.map(\.life?.streakStart) == [7])
      #expect(try again.report.words("index.html").contains("since 7"))
      #expect(story.shown.contains("\n  since 7, probably Mira (Half.swift:1)\n"))
      #expect(story.issues[8]?.contains("; since 7\n") == true)
    }

    @Test("A bot that waits for its first result is not called unknown")
    func waiting() throws {
      let later = WatchState.BotState(name: "Later", repository: story.repository.path)
      let state = WatchState(asOf: Date(), bots: [later])
      try JSONEncoder().encode(state).write(
        to: URL(fileURLWithPath: story.scratch.file("home/\(WatchState.fileName)")))
      let show = try story.program.run("show", "Later")
      #expect(show.status == 2)
      #expect(
        show.errors
          == "error: Later has no finished integration yet. 'martlet status' shows what is running and what is waiting.\n"
      )
    }
  }
}
