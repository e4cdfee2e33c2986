import Testing

@testable import Keeping

@Suite("Problems of the watcher")
struct ProblemsTests {
  @Test("Those of the service are listed in one order, with removals by folder")
  func service() {
    var problems = Problems()
    #expect(problems.ofService == [])
    problems.removals = ["/b": "B stays.", "/a": "A stays."]
    problems.sending = "Nothing is sent."
    problems.store = "The disk is full."
    #expect(problems.ofService == ["The disk is full.", "Nothing is sent.", "A stays.", "B stays."])
  }

  @Test("A bot has its own, those of its repository, and what forges reject")
  func bot() {
    var problems = Problems()
    problems.bots["greeter"] = "The file is broken."
    problems.repositories["/srv/Greeter"] = Problems.OfRepository(words: "It cannot be read.")
    problems.refusals["greeter"] = "The token is wrong."
    #expect(
      problems.all(of: "greeter", in: "/srv/Greeter") == [
        "The file is broken.", "It cannot be read.", "The token is wrong.",
      ])
    #expect(problems.all(of: "other", in: "/srv/Other") == [])
  }

  @Test("A problem is told when it arises and when it changes, and not when it stays or is over")
  func telling() throws {
    let kept = try KeptWatch()
    let watcher = try kept.start()
    let before = kept.lines.all.count
    let changes = ["One.", "One.", "Two.", nil, nil, "Two."].map { watcher.note($0, as: \.removals["/a"]) }
    #expect(changes == [true, false, true, true, false, true])
    #expect(kept.lines.all.dropFirst(before) == ["One.", "Two.", "Two."])
  }
}
