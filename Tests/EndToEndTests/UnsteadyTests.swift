import Model
import Testing

extension Integrations {
  @Suite("When tests are not to be relied on")
  struct UnsteadyTests {
    private static let story = Result { try Story() }

    private struct Story {
      let scratch: ScratchFolder
      /// Without retries.
      let plain: Integrated
      /// With retries, each test alone.
      let thorough: Integrated

      init() throws {
        scratch = try ScratchFolder("unsteady")
        let repository = try GitFolder(UnsteadyPackage.bot, in: scratch)
        try repository.commit("Throw a coin", UnsteadyPackage.files)
        // Where tests are not contained, they count their visits in the caller's own temporary folder.
        plain = try Self.program(scratch, "first").integrate(repository.path, "--quiet", bot: UnsteadyPackage.bot)
        thorough = try Self.program(scratch, "second").integrate(
          repository.path, "--quiet", "--retries", "2", "--isolation", bot: UnsteadyPackage.bot)
      }

      private static func program(_ scratch: ScratchFolder, _ name: String) throws -> Program {
        try scratch.write("", to: "temporary-\(name)/empty")
        return Program(scratch: scratch, environment: ["TMPDIR": scratch.file("temporary-\(name)")])
      }
    }

    private func thorough() throws -> Integrated {
      let part = try Self.story.get().thorough
      #expect(part.addsUp)
      let broken = try part.report.brokenLinks()
      #expect(broken == [])
      return part
    }

    private func page(_ name: String, of part: Integrated) throws -> String {
      let file = try #require(part.report.files().first { $0.hasPrefix("tests/") && $0.contains("-\(name)-") })
      return try part.report.words(file)
    }

    @Test("Without retries a red test stays red, and nothing is run twice")
    func plain() throws {
      let part = try Self.story.get().plain
      #expect(part.document.outcome == .testFailures)
      #expect(part.test("testLuck")?.state == .failed)
      #expect(part.test("testCrashesAtFirst")?.state == .crashed)
      #expect(part.test("testLuck")?.attempts == nil)
      #expect(part.document.tests.isolation == nil)
    }

    @Test("What is told later is what was told at the end of the run")
    func shown() throws {
      let story = try Self.story.get()
      for (number, part) in [(1, story.plain), (2, story.thorough)] {
        let run = try Program(scratch: story.scratch).run("show", "\(UnsteadyPackage.bot)/\(number)")
        // Beside that it says what the build began with, and the branch.
        let shown = run.output.split(separator: "\n").filter { line in
          !["Build ", "Branch ", "Tag "].contains { line.hasPrefix($0) }
        }
        #expect(shown == part.run.output.split(separator: "\n"))
      }
    }

    @Test("A test that passes after a failed attempt is passed and flaky, and the integration is no success")
    func flaky() throws {
      let part = try thorough()
      #expect(part.document.outcome == .warnings)
      #expect(part.run.status == 0)
      #expect(part.document.reasons.contains("Flaky: testCrashesAtFirst and testLuck."))
      #expect(part.document.tests.flaky == 2)
      let test = try #require(part.test("testLuck"))
      #expect(test.state == .passed)
      #expect(test.flaky == true)
      #expect(test.attempts?.map(\.state) == [.failed, .passed])
      #expect(test.attempts?.first?.message?.contains("the first throw") == true)
      #expect(part.test("testCrashesAtFirst")?.attempts?.map(\.state) == [.crashed, .passed])
      #expect(part.run.output.contains("flaky: LuckTests.OrderTests/testLuck: failed, then passed"))
    }

    @Test("The page of a flaky test says so first, with the command that repeats its target")
    func flakyPage() throws {
      let part = try thorough()
      let words = try page("testLuck", of: part)
      #expect(words.contains("testLuck failed, then passed alone on retry\n"))
      #expect(words.contains("for run in $(seq 50); do swift test --filter '^LuckTests\\.' || break; done"))
      #expect(words.contains("Passed and failed on the same commit in 1 and 2.") && !words.contains("first flaky in"))
      #expect(try part.report.words("index.html").contains("Failed, then passed"))
    }

    @Test("What only a later attempt runs is covered; what a test only runs alone is not")
    func coverage() throws {
      let part = try thorough()
      #expect(part.coverage.complete)
      let lines = try #require(part.file("Sources/Luck/Luck.swift")?.lines)
      #expect(lines.total == 9)
      #expect(lines.covered == 6)
    }

    @Test("A test that fails alone and passes with the others is a warning, with what it said alone")
    func order() throws {
      let part = try thorough()
      let isolation = try #require(part.document.tests.isolation)
      #expect(isolation.ran == part.document.tests.listed)
      #expect(isolation.differing.map(\.id.name) == ["testBNeedsA"])
      #expect(isolation.differing.first?.together == .passed)
      #expect(isolation.differing.first?.alone == .failed)
      let issue = try #require(part.document.issues.first { $0.test?.name == "testBNeedsA" })
      #expect(issue.kind == .warning)
      #expect(issue.message == "The result depends on the other tests: passed with them, failed alone.")
      #expect(try page("testBNeedsA", of: part).contains("nobody prepared"))
      #expect(try part.report.words("tests.html").contains("1 test ends differently"))
    }

    @Test("Methods that XCTest ignores are told, those that tests call are not")
    func neverRun() throws {
      let part = try thorough()
      #expect(
        part.document.tests.neverRun?.map { "\($0.name): \($0.cause.rawValue)" } == [
          "OrderTests/testPrivate: private", "OrderTests/testReturning: return-value",
        ])
    }

    @Test("Attachments are kept, only pictures are shown, and a page cannot be opened as one")
    func attachments() throws {
      let part = try thorough()
      let kept = try #require(part.test("attaches()")?.attachments)
      #expect(kept.map { $0.split(separator: "/").last } == ["chart.png", "page.html.bin"])
      #expect(part.test("attaches()")?.tags == [".slow"])
      let file = try #require(part.report.files().first { $0.hasPrefix("tests/") && $0.contains("-attaches-") })
      let text = try part.report.text(file)
      #expect(text.matches(of: #/<img /#).count == 1)
      #expect(text.contains("<img src=\"../\(kept[0])\""))
      #expect(text.contains("it lies outside the folder for attachments"))
    }

    @Test("A test that puts a link in the place of its attachment gets an issue, not the file")
    func link() throws {
      let part = try thorough()
      #expect(part.test("replaces()")?.attachments == nil)
      let issues = part.document.issues.filter { $0.kind == .serviceWarning && $0.message.contains("replaces()") }
      #expect(issues.count == 1)
      #expect(issues.first?.message.contains("it is a link") == true)
      #expect(try part.report.files().allSatisfy { !$0.contains("mine") })
    }

    @Test("A warning that a test records is one, and what it measures is told")
    func details() throws {
      let part = try thorough()
      #expect(part.test("warns()")?.state == .passed)
      #expect(part.test("warns()")?.warnings?.map(\.message) == ["mind the gap"])
      #expect(part.document.reasons.contains("1 test recorded a warning."))
      let measured = try #require(part.test("testMeasured")?.measurements?.first)
      #expect(measured.metric == "Time")
      #expect(measured.unit == "seconds")
      #expect(measured.values.count == 10)
    }

    @Test("A number of retries that is none is refused")
    func usage() throws {
      let story = try Self.story.get()
      let run = try Program(scratch: story.scratch).run("run", "--retries", "many")
      #expect(run.status == 2)
      #expect(run.errors.contains("'--retries' takes a number from 0 to 100, not 'many'."))
    }

    @Test("A time limit that is none is refused", arguments: ["10", "0s", "3h", "soon"])
    func timeLimit(text: String) throws {
      let run = try Program(scratch: try Self.story.get().scratch).run("run", "--timeout", text)
      #expect(run.status == 2)
      #expect(
        run.errors
          == "error: '--timeout' takes a duration such as 90s or 10m, of at most 2h, not '\(text)'. See 'martlet help run'.\n"
      )
    }
  }
}
