import Model
import Testing

extension Histories {
  @Suite("The story of script/demo")
  struct DemoTests {
    private let story: DemoStory

    init() throws {
      story = try DemoStory.told.get()
    }

    private var all: [Integrated] { [story.green, story.red, story.broken, story.fixed, story.again] }

    @Test("Ends green, red, red and green")
    func endings() {
      #expect(all.map(\.run.status) == [0, 1, 1, 0, 0])
      #expect(all.map(\.document.outcome) == [.succeeded, .testFailures, .buildErrors, .succeeded, .succeeded])
      #expect(
        all.map(\.document.reasons) == [[], ["2 tests failed."], ["The build failed with 1 error."], [], []])
      #expect(all.map(\.document.number) == [1, 2, 3, 4, 5])
    }

    @Test("Is told by the README in the words of the program")
    func readme() throws {
      /// The lines of a summary without what differs from machine to machine: the commit and the report's place.
      func plain(_ text: Substring) -> [String] {
        text.split(separator: "\n").map { line in
          if line.hasPrefix("Greeter 2: ") {
            return line.split(separator: " ").enumerated().filter { $0.offset != 3 }.map { String($0.element) }
              .joined(separator: " ")
          }
          if line.hasPrefix("Report "), let site = line.firstRange(of: "/site/") {
            return String(line[site.lowerBound...])
          }
          return String(line.reversed().drop { $0 == " " }.reversed())
        }
      }
      let readme = try Checkout.text("README.md")
      let start = try #require(readme.firstRange(of: "For the commit in the picture it prints:\n\n```\n"))
      let end = try #require(readme[start.upperBound...].firstRange(of: "```"))
      #expect(plain(readme[start.upperBound..<end.lowerBound]) == plain(story.red.run.output[...]))
    }

    @Test("Accounts for every listed test")
    func sums() {
      for integrated in all { #expect(integrated.addsUp) }
      #expect(all.map(\.document.tests.listed) == [6, 6, 0, 6, 6])
      #expect(all.map(\.document.tests.passed) == [4, 2, 0, 4, 4])
      #expect(all.map(\.document.tests.expectedFailures) == [1, 1, 0, 1, 1])
      #expect(all.map(\.document.tests.skipped) == [1, 1, 0, 1, 1])
      #expect(story.red.document.tests.failed == 2)
    }

    @Test("Compares each with the commit before it, and the same commit with its first run")
    func baselines() {
      #expect(all.map(\.document.baseline) == [nil, 1, 2, 3, 4])
      #expect(story.green.document.deltas == nil)
      let red = story.red.document.deltas
      #expect(red?.tests?["failed"] == 2)
      #expect(red?.tests?["passed"] == -2)
      #expect(red?.tests?["listed"] == 0)
      #expect(red?.lines?.total == 0)
      #expect(red?.lines?.partial == 1)
      #expect(story.broken.document.deltas != nil)
      #expect(story.broken.document.deltas?.tests == nil)
      #expect(story.broken.document.deltas?.lines == nil)
      #expect(story.fixed.document.deltas != nil)
      #expect(story.fixed.document.deltas?.tests == nil)
    }

    @Test("After a broken build the coverage is compared with the integration before it, in the figures too")
    func coverageBaseline() throws {
      #expect(all.map(\.document.coverageBaseline) == [nil, nil, nil, 2, nil])
      let fixed = try #require(story.fixed.document.deltas)
      #expect(fixed.lines == LineTally(total: 0, covered: 0, partial: -1))
      #expect(fixed.files?.map(\.path) == ["Sources/Greeter/PartOfDay.swift"])
      let page = try story.fixed.report.words("coverage.html")
      #expect(page.contains("5 lines never ran, as many as in 2"))
      #expect(page.contains("All lines compared with 2"))
      // A page compares the two.
      let built = #"<a href="compare-built.html">Compare tests and coverage with 2</a>"#
      #expect(try story.fixed.report.text("compare.html").contains(built))
      let link = #"<a href="compare.html">compare with 3, which did not build</a>"#
      #expect(try story.fixed.report.text("compare-built.html").contains(link))
      #expect(try !story.red.report.text("compare.html").contains("compare-built.html"))
    }

    @Test("Follows the findings")
    func issues() {
      #expect(story.green.document.issues.isEmpty)
      #expect(story.red.document.issues.map(\.status) == [.new, .new])
      #expect(story.red.document.issues.map(\.kind) == [.testFailure, .testFailure])
      #expect(
        story.red.document.issues.map { $0.test?.description } == [
          "GreeterTests.GreetingTests/test_greeting_atNoon_isAfternoon",
          "GreeterTests.PartOfDayTests/firstHour(hour:part:)",
        ])
      #expect(story.broken.document.issues.first?.kind == .error)
      #expect(story.broken.document.issues.first?.status == .new)
      #expect(story.broken.document.issues.first?.file == "Sources/Greeter/PartOfDay.swift")
      #expect(story.broken.document.issues.first?.line == 8)
      #expect(!story.broken.document.issues.contains { $0.status == .resolved })
      #expect(story.fixed.document.issues.contains { $0.kind == .error && $0.status == .resolved })
      #expect(!story.fixed.document.issues.contains { $0.status != .resolved })
    }

    @Test("A case of a parameterised test is told with its arguments")
    func arguments() throws {
      let test = try #require(story.red.test("firstHour(hour:part:)"))
      #expect(test.state == .failed)
      #expect(test.arguments?.map(\.state) == [.passed, .failed, .passed])
      #expect(test.arguments?[1].display == "12, .afternoon")
      #expect(test.displayName == "The first hour of each part")
      let reason = story.red.test("test_greeting_inTheEvening")?.skipReason
      #expect(reason == "nobody is here in the evening")
    }

    @Test("The summary of the red one says what is red and where")
    func summary() {
      let commit = story.red.document.commit.id.short
      #expect(
        story.red.run.output == """
          Greeter 2: test-failures, \(commit) Let the morning last a little longer
            2 tests failed.

          failed: GreeterTests.GreetingTests/test_greeting_atNoon_isAfternoon
            Tests/GreeterTests/GreetingTests.swift:14: XCTAssertEqual failed: ("Good morning, Ada") is not equal to ("Good afternoon, Ada")
            new, probably Mira (PartOfDay.swift:8)
          failed: GreeterTests.PartOfDayTests/firstHour(hour:part:)
            Tests/GreeterTests/PartOfDayTests.swift:9: Expectation failed: (PartOfDay(hour: hour) → .morning) == (part → .afternoon)
            new, probably Mira (PartOfDay.swift:8)

          Tests     6 listed: 2 passed, 2 failed, 1 known issue, 1 skipped
          Coverage  5 of 25 lines never ran, 4 partly ran
          Patch     1 of 1 changed line ran
          Lost      1 line now runs only partly: Sources/Greeter/PartOfDay.swift:9
          Report    \(story.red.report.path)/index.html

          """)
      #expect(
        story.red.run.errors == """
          Greeter 2: \(commit) Let the morning last a little longer
          Checking out
          Building
          Testing
            failed: GreeterTests.GreetingTests/test_greeting_atNoon_isAfternoon
            failed: GreeterTests.PartOfDayTests/firstHour(hour:part:)
          Processing results

          """)
    }

    @Test("The summary of the build error says the error and where")
    func buildError() {
      #expect(
        story.broken.run.errors.contains(
          "\n  Sources/Greeter/PartOfDay.swift:8:26: error: type 'PartOfDay' has no member 'mourning'\n"))
      #expect(story.broken.coverage.available == false)
      #expect(story.broken.coverage.reason == "No tests ran.")
    }

    @Test("--json prints the document that lies beside the report, and nothing else")
    func json() {
      #expect(Array(story.broken.run.output.utf8) == story.broken.bytes)
    }

    @Test("--quiet prints no progress")
    func quiet() {
      #expect(story.fixed.run.errors.isEmpty)
      #expect(story.fixed.run.output.hasPrefix("Greeter 4: succeeded, \(story.fixed.document.commit.id.short) Spell"))
    }

    @Test("Touches nothing in the watched repository")
    func untouched() {
      #expect(story.touched == [[], [], [], [], []])
    }

    @Test("Every page that a report links to is there")
    func links() throws {
      for integrated in all {
        #expect(try integrated.report.brokenLinks() == [])
        let files = try integrated.report.files()
        for name in ["index.html", "tests.html", "style.css", "martlet.js", "integration.json"] {
          #expect(files.contains(name), "\(integrated.document.number)")
        }
      }
      #expect(try story.red.report.files().contains("coverage/Sources-Greeter-PartOfDay.swift.html"))
      #expect(try story.red.report.files().count { $0.hasPrefix("tests/") } == 2)
    }

    @Test("Above the reports lie the index of bots and the bot's history, linked both ways")
    func site() throws {
      let site = ReportFolder(path: story.scratch.file("home/site"))
      #expect(try site.words("index.html").contains("Greeter is green"))
      #expect(try site.text("index.html").contains(#"href="Greeter/index.html""#))
      let bot = try site.text("Greeter/index.html")
      for integrated in all {
        #expect(bot.contains(#"href="\#(integrated.document.number)/index.html""#))
        #expect(try integrated.report.text("index.html").contains(#"<a class="up" href="../index.html">Greeter</a>"#))
      }
      #expect(try site.words("Greeter/history.csv").split(separator: "\r\n").count == all.count + 1)
    }

    @Test("The first page says what is red and that it is new")
    func firstPage() throws {
      let words = try story.red.report.words("index.html")
      #expect(words.contains("2 tests went red"))
      #expect(words.contains("Good afternoon, Ada"))
      #expect(words.contains("new"))
      #expect(try story.broken.report.words("index.html").contains("type 'PartOfDay' has no member 'mourning'"))
    }

    @Test("What a test printed is on its page")
    func transcript() throws {
      let page = try #require(try story.red.report.files().first { $0.contains("test_greeting_atNoon_isAfternoon") })
      #expect(try story.red.report.words(page).contains("greeting Ada at 12"))
    }

    @Test("The same commit once more builds nothing and finds the same")
    func again() {
      #expect(story.fixed.step(.building)?.exitStatus == 0)
      #expect(story.again.step(.building)?.exitStatus == nil)
      #expect(story.again.step(.building)?.cpu == nil)
      #expect(story.again.document.tests.cases.map(\.state) == story.fixed.document.tests.cases.map(\.state))
      #expect(story.again.coverage == story.fixed.coverage)
    }

    @Test("Steps are told in order, with what they cost")
    func steps() {
      #expect(
        all.map { $0.document.steps.map(\.name) } == [
          [.checkout, .building, .testing, .processing], [.checkout, .building, .testing, .processing],
          [.checkout, .building], [.checkout, .building, .testing, .processing],
          [.checkout, .building, .testing, .processing],
        ])
      #expect(story.broken.step(.building)?.exitStatus == 1)
      #expect(story.red.step(.testing)?.exitStatus == 1)
      #expect((story.green.step(.building)?.peakMemory ?? 0) > 10_000_000)
    }
  }
}
