import Model
import Testing

@Suite("What a log says after a process")
struct RunEndTests {
  @Test(
    "A process ends with a status or by a signal, and what is written is read",
    arguments: [
      (RunEnd(.exited(0), after: 0.2129), "$ # exit status 0 after 0.213 s"),
      (RunEnd(.exited(1), after: 12), "$ # exit status 1 after 12.0 s"),
      (RunEnd(.signaled(15), after: 4.015), "$ # signal 15 after 4.015 s"),
      (RunEnd(.signaled(15), after: 4.015, at: .init(.test, of: 4)), "$ # signal 15 after 4.015 s, test limit 4.0 s"),
      (RunEnd(.signaled(9), after: 90, at: .init(.step, of: 90)), "$ # signal 9 after 90.0 s, step limit 90.0 s"),
      (
        RunEnd(.exited(0), after: 7, at: .init(.silence, of: 2.5)), "$ # exit status 0 after 7.0 s, silence limit 2.5 s"
      ),
    ])
  func line(end: RunEnd, line: String) {
    #expect(end.line == line)
    #expect(RunEnd(line[...]) == end)
    #expect(RunAnnouncement(line[...]) == nil)
  }

  @Test("What a limit stopped did not end well, whatever its status")
  func succeeded() {
    #expect(RunEnd(.exited(0), after: 1).succeeded)
    #expect(!RunEnd(.exited(1), after: 1).succeeded)
    #expect(!RunEnd(.exited(0), after: 1, at: .init(.test, of: 1)).succeeded)
  }

  @Test(
    "Any other line is none",
    arguments: [
      "$ a.xctest", "$ # mapping tests to lines", "exit status 1 after 0.1 s", "$ # exit status 1", "",
      "$ # signal 15 after 4.0 s, as told", "$ # signal 15 after 4.0 s, other limit 4.0 s",
    ])
  func other(line: String) {
    #expect(RunEnd(line[...]) == nil)
  }
}
