import Model
import Testing

extension Histories {
  @Suite("Interruptions")
  struct InterruptionTests {
    private let story: InterruptionStory

    init() throws {
      story = try InterruptionStory.told.get()
    }

    @Test("Ctrl-C while a test hangs ends in 130 and leaves no process, not even one in a session of its own")
    func interrupted() {
      let ending = story.interrupted
      #expect(ending.wasRunning)
      #expect(ending.run.status == 130)
      #expect(ending.isOver)
      #expect(ending.remaining == [])
      #expect(ending.run.output.contains(": canceled, "))
      #expect(ending.run.output.contains("\n  The integration was interrupted.\n"))
    }

    @Test("Ctrl-C during the build ends in 130 and leaves no process")
    func interruptedBuild() {
      let ending = story.interruptedBuild
      #expect(ending.wasRunning)
      #expect(ending.run.status == 130)
      #expect(ending.remaining == [])
      #expect(!ending.run.errors.contains("Testing"))
    }

    @Test("SIGTERM ends it as Ctrl-C does")
    func terminated() {
      let ending = story.terminated
      #expect(ending.wasRunning)
      #expect(ending.run.status == 130)
      #expect(ending.isOver)
      #expect(ending.remaining == [])
    }

    @Test("Killed with SIGKILL, it leaves no process either")
    func killed() {
      let ending = story.killed
      #expect(ending.wasRunning)
      #expect(ending.run.status == nil)
      #expect(ending.isOver)
      #expect(ending.remaining == [])
    }

    @Test("The next run works as if nothing had happened, under a number of its own")
    func next() {
      for integrated in story.next {
        #expect(integrated.run.status == 0, "\(integrated.run.errors)\(integrated.run.output)")
        #expect(integrated.document.outcome == .succeeded)
        #expect(integrated.document.tests.passed == 1)
        #expect(integrated.document.tests.filteredOut == 1)
      }
      #expect(story.next.map(\.document.number) == [2, 4, 6, 8])
      #expect(story.next.map { $0.step(.building)?.exitStatus } == [0, nil, nil, nil])
    }

    @Test("A canceled integration is published as canceled, with nothing called green")
    func published() throws {
      let program = Program(scratch: story.scratch)
      let canceled = try program.integrated(3, of: InterruptionStory.bot, run: story.interrupted.run)
      #expect(canceled.document.outcome == .canceled)
      #expect(canceled.document.reasons == ["The integration was interrupted."])
      #expect(canceled.test("test_answers")?.state == .passed)
      #expect(canceled.test("test_answers")?.file == "Tests/HangingTests/HangingTests.swift")
      #expect(canceled.test("test_hangs")?.state == .canceled)
      #expect(!canceled.coverage.available)
      #expect(try canceled.report.brokenLinks() == [])
      #expect(canceled.addsUp)
      #expect(story.next[1].document.baseline == nil || story.next[1].document.baseline == 2)
    }

    @Test("Nothing half-written lies among the reports, and nothing was written to the repository")
    func remains() {
      #expect(
        story.scratch.names(in: "home/site/\(InterruptionStory.bot)")
          == [
            "1", "2", "3", "4", "6", "7", "8", "history.csv", "index.html", "newest-main.css", "newest-main.html",
            "newest.css", "newest.html",
          ])
      #expect(story.touched == [])
    }
  }
}
