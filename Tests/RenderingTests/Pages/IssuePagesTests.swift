import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("Pages about issues and the history of tests")
struct IssuePagesTests {
  private let site: PageSite

  init() throws { site = try PageSite(IssueSample.report) }

  @Test("Each issue that was followed has a page under its name, and one that is gone does too")
  func pages() {
    let paths = site.order.filter { $0.hasPrefix("issues/") }
    let plain = ["h-6b30", "s-0a11", "t-4c81", "w-e5f4"].map { "issues/\($0).html" }
    #expect(Set(paths).isSuperset(of: plain))
    #expect(paths.count == 5)
    #expect(!paths.contains { $0.contains("<") })
  }

  @Test("The page of an issue tells its streaks, its suspects and how to silence it")
  func issue() {
    let text = site.text("issues/t-4c81.html")
    #expect(text.contains("came back in 42, last seen in 30"))
    #expect(text.contains("9f1c2ab changed line 20 of the test."))
    #expect(text.contains(#"<a class="up" href="../../31/index.html">31</a>"#))
    #expect(text.contains("martlet silence t-4c81 --bot Greeter --reason"))
    #expect(text.contains(#"href="../tests/GreeterTests-GreetingTests-test_greeting_atNoon"#))
  }

  @Test("A silence is told on every page that profits from it, with reason, author and end")
  func silence() {
    let words = "the bell is being mended &lt;soon&gt;"
    let test = site.order.first { $0.hasPrefix("tests/DoorbellTests-DoorbellTests-answeredBeforeWaiting") } ?? ""
    for path in ["index.html", "tests.html", "issues.html", "issues/h-6b30.html", test] {
      let text = site.text(path)
      #expect(text.contains(words), "\(path)")
      #expect(text.contains("Mira &lt;mira@example.org&gt;"), "\(path)")
      #expect(text.contains("through 24 Dec 2026"), "\(path)")
    }
    #expect(site.text("issues/h-6b30.html").contains("martlet unsilence h-6b30 --bot Greeter"))
    #expect(site.text("issues/w-e5f4.html").contains("It counts again: its silence by Mira"))
  }

  @Test("The list tells what is open and what is gone")
  func list() {
    let text = site.text("issues.html")
    #expect(text.contains("<h1>3 issues open</h1>"))
    #expect(text.contains(#"id="issues-gone""#))
    #expect(text.contains("was there before the first integration"))
    #expect(text.contains("gone since 9"))
    #expect(site.text("index.html").contains("All issues that are known, 1 of them gone"))
  }

  @Test("A test's page tells since when it is red, and its durations")
  func history() {
    let path = site.order.first { $0.hasPrefix("tests/DoorbellTests-DoorbellTests-answeredBeforeWaiting") } ?? ""
    let text = site.text(path)
    #expect(text.contains("It has never passed in 13 runs."))
    #expect(text.contains("Red in all that is known, since 30, 7 commits."))
    #expect(text.contains("Milliseconds that the test took, by integration"))
    let noon = site.order.first { $0.hasPrefix("tests/GreeterTests-GreetingTests-test_greeting_atNoon") } ?? ""
    #expect(site.text(noon).contains("Flaky: the same commit passed and failed, in"))
  }

  @Test("The page of all tests lists slow, new, renamed and deleted ones")
  func lists() {
    let text = site.text("tests.html")
    for id in ["quarantine", "slow", "changed"] { #expect(text.contains(#"<section id="\#(id)""#), "\(id)") }
    #expect(text.contains("test_&lt;gone&gt;"))
    #expect(text.contains("was GreeterTests.Old/test_was"))
    #expect(text.contains("1 new, 1 deleted and 1 renamed since 41"))
  }

  @Test("Without a followed issue there is no page of issues, and no link to one")
  func none() throws {
    let site = try PageSite(GreeterSample.red)
    #expect(!site.order.contains { $0.hasPrefix("issues") })
    #expect(!site.text("index.html").contains("issues.html"))
  }

  @Test("A silenced warning of a red test does not silence the test, nor say since when it is red")
  func silencedWarning() throws {
    let noon = try #require(IssueSample.noon)
    var report = IssueSample.report
    for kind in [Model.Issue.Kind.warning, .sanitizer] {
      var other = Model.Issue(
        id: "w-0001", kind: kind, status: .silenced, message: "odd", age: 90, test: noon.id)
      other.silence = IssueSample.silence
      other.life = IssueLife(firstSeen: 2, streakStart: 2, streakAge: 90)
      report.integration.issues.append(other)
    }
    let site = try PageSite(report)
    let path = site.order.first { $0.hasPrefix("tests/GreeterTests-GreetingTests-test_greeting_atNoon") } ?? ""
    #expect(site.text(path).contains("GreeterTests"))
    #expect(!site.text(path).contains("Silenced"))
    #expect(!site.text(path).contains("since 2<"))
  }
}
