import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("Feeds and what else tells how bots stand")
struct FeedTests {
  private static let date = Date(timeIntervalSince1970: 1_790_000_000)

  private func line(_ number: Int, _ outcome: Outcome, subject: String = "Say hello") -> HistoryLine {
    var integration = Integration(
      bot: "Greeter", number: number, repository: "/srv/git/Greeter.git", branch: "main",
      commit: Commit(id: CommitID(rawValue: "c0ffee\(number)"), summary: subject, author: "Ada & Bob", date: Self.date),
      cause: .commit, toolchain: "Swift version 6.3", configuration: "debug", sandbox: "bubblewrap",
      queuedAt: Self.date,
      repeatCommand: "")
    (integration.outcome, integration.startedAt, integration.endedAt) = (outcome, Self.date, Self.date + 60)
    return HistoryLine(of: IntegrationRecord(integration))
  }

  @Test("An Atom feed has an entry for each integration, with names that stay")
  func atom() {
    let entries = [
      AtomFeed.Entry(bot: "a b", line: line(2, .succeeded, subject: "<script> \u{202E}x")),
      AtomFeed.Entry(bot: "a b", line: line(1, .canceled)),
    ]
    let feed = AtomFeed(of: "a b", entries, site: SiteAddress("http://localhost:8410"), address: "feed/a%20b.atom")
    #expect(
      feed.text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <feed xmlns="http://www.w3.org/2005/Atom">
          <id>http://localhost:8410/feed/a%20b.atom</id>
          <title>a b · Martlet</title>
          <updated>2026-09-21T14:14:20+00:00</updated>
          <link rel="self" type="application/atom+xml" href="http://localhost:8410/feed/a%20b.atom"/>
          <link rel="alternate" type="text/html" href="http://localhost:8410/a%20b/index.html"/>
          <generator>Martlet</generator>
          <entry>
            <id>urn:uuid:02b75742-b470-8911-a698-e7bb03ab89ab</id>
            <title>a b 2: succeeded, &lt;script&gt; ⟨U+202E⟩x</title>
            <updated>2026-09-21T14:14:20+00:00</updated>
            <author>
              <name>Ada &amp; Bob</name>
            </author>
            <link rel="alternate" type="text/html" href="http://localhost:8410/a%20b/2/index.html"/>
            <category term="succeeded"/>
            <summary>Succeeded</summary>
          </entry>
          <entry>
            <id>urn:uuid:ea843b9a-4355-8c02-a328-930a8cd01010</id>
            <title>a b 1: canceled, Say hello</title>
            <updated>2026-09-21T14:14:20+00:00</updated>
            <author>
              <name>Ada &amp; Bob</name>
            </author>
            <link rel="alternate" type="text/html" href="http://localhost:8410/a%20b/1/index.html"/>
            <category term="canceled"/>
            <summary>Canceled</summary>
          </entry>
        </feed>

        """)
    #expect(
      AtomFeed(of: nil, [], site: SiteAddress("http://x"), address: "feed.atom").text.contains(
        "1970-01-01T00:00:00+00:00"))
  }

  @Test("A project is what build lights know")
  func cctray() {
    let projects = [
      CCTray.Project(name: "a&b", isBuilding: true, line: line(7, .testFailures)),
      CCTray.Project(name: "green", isBuilding: false, line: line(8, .warnings)),
      CCTray.Project(name: "odd", isBuilding: false, line: line(9, .internalError)),
      CCTray.Project(name: "new", isBuilding: false, line: nil),
    ]
    #expect(
      CCTray(projects, site: SiteAddress("http://localhost:8410/")).text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <Projects>
          <Project name="a&amp;b" activity="Building" lastBuildStatus="Failure" lastBuildLabel="7" lastBuildTime="2026-09-21T14:14:20+00:00" webUrl="http://localhost:8410/a%26b/index.html"/>
          <Project name="green" activity="Sleeping" lastBuildStatus="Success" lastBuildLabel="8" lastBuildTime="2026-09-21T14:14:20+00:00" webUrl="http://localhost:8410/green/index.html"/>
          <Project name="odd" activity="Sleeping" lastBuildStatus="Exception" lastBuildLabel="9" lastBuildTime="2026-09-21T14:14:20+00:00" webUrl="http://localhost:8410/odd/index.html"/>
          <Project name="new" activity="Sleeping" lastBuildStatus="Unknown" lastBuildTime="1970-01-01T00:00:00+00:00" webUrl="http://localhost:8410/new/index.html"/>
        </Projects>

        """)
  }

  @Test("Figures are written as Prometheus reads them, with hostile names quoted")
  func metrics() {
    var text = MetricsText()
    text.add("a_total", .counter, "Things", [([], 3)])
    text.add("b", .gauge, "Others", [([("bot", "x\"y\\z\nw"), ("k", "v")], 0.25), ([("bot", "")], -1)])
    text.add("c", .gauge, "Nothing", [])
    #expect(
      text.text == """
        # HELP a_total Things
        # TYPE a_total counter
        a_total 3
        # HELP b Others
        # TYPE b gauge
        b{bot="x\\"y\\\\z\\nw",k="v"} 0.25
        b{bot=""} -1

        """)
  }

  @Test("A bot without a result has a badge that says so")
  func badge() {
    #expect(Badge.standing(of: "Greeter", nil, .outcome).contains("<title>Greeter: unknown</title>"))
    #expect(Badge.standing(of: "Greeter", nil, .tests).contains("<title>tests: unknown</title>"))
  }
}
