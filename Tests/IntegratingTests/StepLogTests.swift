import Model
import Processes
import Testing

@testable import Integrating

@Suite("The log of a step")
struct StepLogTests {
  @Test("How a program ended stands in a line of its own, also behind output that does not end one")
  func end() throws {
    let scratch = try Scratch()
    let log = try StepLog(.building, in: scratch.folder, mask: SecretMask([]))
    try log.note("[4/5] Emitting module Greeter")
    var result = ProcessResult(end: .signaled(15), why: .overdue)
    result.duration = .milliseconds(4015)
    try log.noteEnd(of: result, at: .init(.test, of: 4))
    result.end = .exited(1)
    try log.noteEnd(of: result)
    result.end = .notStarted
    try log.noteEnd(of: result)
    try log.close()
    #expect(
      scratch.text("log/building.log") == """
        [4/5] Emitting module Greeter
        $ # signal 15 after 4.015 s, test limit 4.0 s
        $ # exit status 1 after 4.015 s

        """)
  }

  @Test("A command stands as one would type it, or what it is for in its place")
  func command() throws {
    let scratch = try Scratch()
    let log = try StepLog(.analyzing, in: scratch.folder, mask: SecretMask([]))
    let command = Command("/bin/sh", ["-c", "exit 3"], environment: [:], workingDirectory: "/")
    var record = StepRecord(name: .analyzing, duration: 0)
    for announcement in [nil, RunAnnouncement.trigger(1, "exit 3")] {
      try log.run(
        command, announcedAs: announcement, limits: Limits(), cancellation: Cancellation(), record: &record)
    }
    try log.close()
    #expect(scratch.text("log/analyzing.log") == "$ /bin/sh -c 'exit 3'\n$ # trigger 1: exit 3\n")
  }

  @Test("A process that passes after one that failed or was ended by a signal leaves the end of the step as it was")
  func worstEnd() {
    func end(_ ends: ProcessEnd...) -> StepRecord {
      var record = StepRecord(name: .testing, duration: 0)
      for end in ends {
        let earlier = record
        record.add(ProcessResult(end: end, why: .byItself))
        record.keepEnd(of: earlier)
      }
      return record
    }
    #expect(end(.exited(0), .exited(0)).exitStatus == 0)
    #expect(end(.exited(1), .exited(0)).exitStatus == 1)
    #expect(end(.exited(0), .exited(1)).exitStatus == 1)
    #expect(end(.exited(1), .notStarted).exitStatus == 1)
    let cut = end(.signaled(15), .exited(1), .exited(0))
    #expect(cut.signal == 15 && cut.exitStatus == nil)
    #expect(end(.exited(1), .signaled(4)).signal == 4)
  }

  @Test("What is wrong besides red tests keeps their step failed, though all of them passed when they ran again")
  func failedForGood() {
    func run(_ state: TestState = .passed, _ gaps: TestGap...) -> TestRun {
      var run = TestRun(observation: .none(why: "nobody asked"))
      let test = TestID(module: "GreeterTests", suite: "", name: "a()")
      run.report = TestReport(results: [TestResult(id: test, library: .swiftTesting, state: state)])
      run.gaps = gaps
      return run
    }
    #expect(!run().failedForGood && run(.failed).failedForGood)
    #expect(run(.passed, .failureOutside(.swiftTesting, nil, message: "late")).failedForGood)
  }
}
