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
    ])
  func line(end: RunEnd, line: String) {
    #expect(end.line == line)
    #expect(RunEnd(line[...]) == end)
    #expect(RunAnnouncement(line[...]) == nil)
  }

  @Test(
    "Any other line is none",
    arguments: ["$ a.xctest", "$ # mapping tests to lines", "exit status 1 after 0.1 s", "$ # exit status 1", ""])
  func other(line: String) {
    #expect(RunEnd(line[...]) == nil)
  }
}
