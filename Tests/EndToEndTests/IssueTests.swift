import FoundationEssentials
@testable import Model
import Testing

extension Histories {
  /// Issues through integrations with real commits.
  @Suite("Issues that live across integrations")
  struct IssueTests {
    private let story: IssueStory

    init() throws { story = try IssueStory.shared.get() }

    @Test("Silenced failures do not turn an integration red, and others do")
    func outcomes() {
      #expect(story.integrations.map(\.run.status) == [0, 1, 0, 0, 1, 1])
      #expect(
        story.integrations.map(\.document.outcome) == [
          .warnings, .testFailures, .warnings, .warnings, .testFailures, .buildErrors,
        ])
      #expect(
        story.integrations[2].document.reasons == [
          "1 compiler warning.", "1 issue is silenced and does not count.",
        ])
    }

    @Test("A warning keeps its name through a renamed file and moved lines")
    func renamed() throws {
      let all = try (1...5).map { try #require(story.issue(.warning, in: $0)) }
      #expect(Set(all.map(\.id)).count == 1)
      #expect(all.map(\.age) == [0, 1, 2, 3, 4])
      #expect(all.map(\.status) == Array(repeating: .unresolved, count: 5))
      #expect(all[0].life?.predates == true)
      #expect(all[0].file == "Sources/Till/Careless.swift")
      #expect(all[1].file == "Sources/Till/Sloppy.swift")
      #expect(all[1].line == 3)
    }

    @Test("An integration that ends before it is judged shows what is silenced all the same")
    func stopped() throws {
      #expect(
        story.integrations[5].document.reasons == ["The package's .martlet.yml has 1 error, so nothing was built."])
      let warning = try #require(story.issue(.warning, in: 6))
      #expect(warning.status == .silenced)
      #expect(warning.silence?.reason == "known as well")
      #expect(story.issue(.error, in: 6)?.status == .new)
    }

    @Test("A failure is new with a suspect, silenced, resolved, and comes back under its name, no longer silenced")
    func cameBack() throws {
      let all = try (2...5).map { try #require(story.issue(.testFailure, in: $0)) }
      #expect(Set(all.map(\.id)).count == 1)
      #expect(all.map(\.status) == [.new, .silenced, .resolved, .new])
      let suspect = try #require(all[0].suspects?.first)
      #expect(suspect.name == "Mira")
      #expect(suspect.email == "mira@example.org")
      #expect(suspect.confidence == .high)
      #expect(
        suspect.reason.hasSuffix(
          ", the only commit, changed Total.swift:1, which ran."))
      // What mended it changed the line that was to blame.
      let fixed = story.integrations[3].document.issueMemory?.records.first { $0.id == all[0].id }?.streaks.first
      let hunk = try #require(fixed?.resolution?.hunks?.first)
      #expect(hunk.file == "Sources/Till/Total.swift" && hunk.lines.contains { $0.change == .added && $0.number == 1 })
      #expect(all[3].suspects?.first?.confidence == .high, "It was mended by a change, and not by chance.")
      #expect(all[1].silence?.reason == "known since Monday")
      #expect(all[3].life == IssueLife(firstSeen: 2, streak: 2, streakStart: 5, cameBackFrom: 3))
      #expect(all[3].silence == nil)
      #expect(story.integrations[2].run.output.contains("failed: TillTests.sums()\n  silenced by "))
      #expect(story.integrations[1].document.tests.cases.first { $0.id.name == "sums()" }?.state == .failed)
      #expect(story.integrations[2].document.tests.failed == 1)
    }

    @Test("The tests' history, slow and new tests are in the document")
    func tests() throws {
      let document = story.integrations[4].document
      let sums = try #require(document.tests.cases.first { $0.id.name == "sums()" })
      let history = try #require(sums.history)
      #expect([history.runs, history.red, history.redSince, history.redCommits] == [5, 3, 5, 1])
      #expect(history.flakyIn == nil)
      #expect(document.tests.cases.first { $0.id.name == "waits()" }?.history == nil)
      #expect(document.tests.slow?.mark == 0.1)
      #expect(document.tests.slow?.count == 2)
      #expect(document.tests.changes == nil)
      #expect(story.integrations[3].document.tests.changes?.added.map(\.name) == ["more()"])
    }

    @Test("What is measured has a trend, which takes from documents what older histories do not have")
    func measured() throws {
      let cases = try story.integrations.prefix(5).map { integration in
        try #require(integration.document.tests.cases.first { $0.id.name == "testPace" })
      }
      #expect(
        cases.map { $0.trends?.first?.points.map(\.number) } == [
          [1], [2, 1], [3, 2, 1], [4, 3, 2, 1], [5, 4, 3, 2, 1],
        ])
      let trend = try #require(cases[3].trends?.first)
      #expect(trend.points.allSatisfy { $0.missing == nil && $0.differing == nil })
      for (point, measured) in zip(trend.points, cases[...3].reversed()) {
        let average = try #require(measured.measurements?.first?.average)
        #expect(abs((point.average ?? 0) - average) < 1e-8)
      }
      #expect([trend.since, trend.points.last?.number] == [3, 1])
      #expect(trend.average > 0.06)
      #expect(trend.course == .higher)
      #expect(cases[0].trends?.first?.since == nil)

      let report = story.integrations[3].report
      let page = try #require(report.files().first { $0.hasPrefix("tests/") && $0.contains("-testPace-") })
      #expect(try report.words(page).contains("4 integrations"))
      #expect(try report.words(page).contains("What changed"))
      #expect(try report.words("index.html").contains(#/1 measured time \d+% slower; /#))
      #expect(
        try report.words("index.html").contains(
          "1 of 1 measured value is slower than in 3 by more than the usual variation."))
      #expect(try report.words("compare.html").contains("1 measured value slower"))
      #expect(story.integrations[3].run.status == 0)
      let compared = try story.program.run("compare", "Till/3", "4").output
      #expect(
        compared.contains(
          "\nMeasured: 1 slower\n  slower: TillTests.PaceTests/testPace (Time "
        ))
    }

    @Test("Pages tell of the silence, of the issue's past and of the quarantine")
    func pages() throws {
      let silenced = story.integrations[2].report
      let id = try #require(story.issue(.testFailure, in: 3)?.id)
      #expect(try silenced.text("index.html").contains("known since Monday"))
      #expect(try silenced.text("tests.html").contains("known since Monday"))
      let page = try story.integrations[4].report.text("issues/\(id).html")
      #expect(page.contains("before in 2–3"))
      let cause = try #require(page.firstMatch(of: #/<section id="cause"(?s:.*?)<\/section>/#)).0
      #expect(page.contains("probably <b>Mira</b>") && cause.contains("Sources/Till/Total.swift"))
      #expect(cause.contains(#/<tr class="hot"><th class="ln" scope="row">(<ins[^>]*>\+<\/ins>)?1<\/th>/#))
      let index = try story.integrations[4].report.words("index.html")
      #expect(index.contains("sums() failed again"))
      #expect(!index.contains("went red"))
      #expect(try story.integrations[4].report.text("issues.html").contains("issues/\(id).html"))
    }

    @Test("The commands say what they did, and what was wrong with the request")
    func commands() throws {
      let id = try #require(story.issue(.testFailure, in: 2)?.id)
      func said(_ name: String) -> String { (story.runs[name]?.output ?? "") + (story.runs[name]?.errors ?? "") }
      #expect(
        said("silence")
          == "\(id) of Till is silenced until resolved, at most through 31 Dec 2999.\n"
      )
      #expect(said("silence first") == "\(id) of Till is silenced permanently.\n")
      #expect(!said("silenced").contains("a word too many"))
      #expect(said("silence beginning") == "\(id) of Till is silenced until resolved.\n")
      for name in ["silence", "unsilence"] {
        #expect(said("\(name) nothing").hasPrefix("error: the issue's id is missing: martlet \(name) ID"))
      }
      #expect(said("silenced").contains("Till 3 on main"))
      #expect(said("silenced").contains(": “known since Monday”"))
      #expect(said("unsilence") == "\(id) of Till counts again.\n")
      #expect(
        said("unsilence again")
          == "error: no silenced issue has the id '\(id)'. 'martlet issues BOT' lists them. See 'martlet help unsilence'.\n"
      )
      #expect(
        said("unknown")
          == "error: no issue of any bot in \(story.scratch.file("home")) has the id 't-00000000'. 'martlet issues BOT' lists them.\n"
      )
      #expect(
        said("no reason")
          == "error: '--reason TEXT' is missing: say why it need not count. See 'martlet help silence'.\n")
      #expect(said("no day") == "error: '2026-02-31' is no day: write it as 2026-12-24. See 'martlet help silence'.\n")
      #expect(said("past day") == "error: 2020-02-21 is over already. See 'martlet help silence'.\n")
      #expect(said("no bot") == "error: unknown bot 'Tall'; did you mean 'Till'? See 'martlet help issues'.\n")
      #expect(
        ["unsilence again", "unknown", "no reason", "no day", "no bot"].allSatisfy { story.runs[$0]?.status == 2 })
    }

    @Test("The list as JSON has every streak")
    func json() throws {
      struct List: Decodable {
        struct Branch: Decodable {
          struct Entry: Decodable {
            var id: String
            var streaks: [IssueRecord.Streak]
          }

          var integration: Int
          var issues: [Entry]
        }

        var branches: [Branch]
      }
      let list = try JSONDecoder().decode(List.self, from: Data((story.runs["json"]?.output ?? "").utf8))
      let id = try #require(story.issue(.testFailure, in: 2)?.id)
      #expect(list.branches.map(\.integration) == [5])
      let entry = try #require(list.branches.first?.issues.first { $0.id == id })
      var gone = IssueRecord.Streak(opened: 2, lastSeen: 3, closed: 4, age: 1)
      gone.ending = .fixed
      gone.resolution = try #require(entry.streaks.first?.resolution)
      #expect(entry.streaks == [gone, .init(opened: 5, lastSeen: 5)])
      #expect(gone.resolution?.commit == story.integrations[3].document.commit.id)
      #expect([gone.resolution?.author, gone.resolution?.summary] == ["Mira", "Add"])
    }
  }
}
