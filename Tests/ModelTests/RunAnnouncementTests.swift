import Testing

@testable import Model

@Suite("What a log says before tests run once more")
struct RunAnnouncementTests {
  @Test(
    "It is read from its line as it was written",
    arguments: [
      RunAnnouncement.mapping, .attempt(2, of: 3, test: "M.S/a: b()"), .search("M.S/a: b()"), .rest(1), .rest(12_345),
      .trigger(1, "echo The lamp: out"),
    ])
  func read(announcement: RunAnnouncement) {
    #expect(RunAnnouncement(announcement.line[...]) == announcement)
  }

  @Test(
    "No other line is one",
    arguments: ["$ a.xctest", "$ # the rest: some tests", "$ # attempt two of 3: t", "attempt 2 of 3: t", ""])
  func others(line: String) {
    #expect(RunAnnouncement(line[...]) == nil)
  }
}
