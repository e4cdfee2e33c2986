import FoundationEssentials
import Model
import Testing

@testable import Storing

@Suite("What a forge is told of the queue")
struct AnnouncementTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// What there is to tell, after which it is told.
  private func tell(_ store: inout Store) throws -> [String] {
    let announcements = try store.announcements(of: "greeter")
    for announcement in announcements { try store.noteTold(announcement) }
    return announcements.flatMap(\.news).map { "\($0.commit) \($0.matter)" }
  }

  private func queue(_ store: inout Store, _ assignments: Assignment...) throws -> [QueueEntry.ID] {
    try store.apply(Decision(bot: "greeter", changes: assignments.map { .queue($0) }), isAnnounced: true)
  }

  @Test("Each state is told once, from the queue to the end, also by a process that did not see how it came about")
  func life() throws {
    var store = try Store(at: scratch.database)
    let id = try queue(&store, assignment("a"))[0]
    #expect(try tell(&store) == ["a waiting"])
    #expect(try tell(&store) == [])
    _ = try store.start(id, at: noon)
    store = try Store(at: scratch.database)
    #expect(try tell(&store) == ["a running"])
    try store.finish(id, summary(.testFailures))
    #expect(try tell(&store) == ["a finished(Model.Outcome.testFailures)"])
    #expect(try store.announcements(of: "greeter") == [])
  }

  @Test("What was queued while nobody was to be told is told from its start on, once")
  func fromItsStart() throws {
    var store = try Store(at: scratch.database)
    let id = try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("a"))]))[0]
    let told = try queue(&store, assignment("b"))[0]
    _ = try store.start(id, at: noon, isAnnounced: true)
    _ = try store.start(told, at: noon, isAnnounced: true)
    #expect(try tell(&store) == ["a running", "b running"])
    #expect(try tell(&store) == [])
  }

  @Test("What nobody was told of in time is told as it is now")
  func late() throws {
    var store = try Store(at: scratch.database)
    let id = try queue(&store, assignment("a"))[0]
    _ = try store.start(id, at: noon)
    // Cut off, and queued again in the same moment.
    try store.finish(
      id, summary(.canceled), then: [.queue(assignment("a", attempt: 2))], isAnnounced: true)
    #expect(try tell(&store) == ["a finished(Model.Outcome.canceled)", "a waiting"])
  }

  @Test("A commit whose place a newer one takes does not wait for ever")
  func covered() throws {
    var store = try Store(at: scratch.database)
    let id = try queue(&store, assignment("a"))[0]
    #expect(try tell(&store) == ["a waiting"])
    try store.apply(Decision(bot: "greeter", changes: [.extend(id, commit: "b", covered: ["b", "a"])]))
    #expect(try tell(&store) == [#"a covered(by: b)"#, "b waiting"])
    try store.apply(Decision(bot: "greeter", changes: [.supersede(id, reason: "Gone.")]))
    #expect(try tell(&store) == ["b dropped"])
    #expect(try store.announcements(of: "greeter") == [])
  }

  @Test("What was dropped before anybody heard of it, what is passed over and what idle time adds is not told")
  func silent() throws {
    var store = try Store(at: scratch.database)
    let ids = try queue(&store, assignment("a"), assignment("b", cause: .idle))
    try store.apply(
      Decision(
        bot: "greeter", changes: [.supersede(ids[0], reason: "Gone."), .skip(assignment("c"), reason: "Docs.")]),
      isAnnounced: true)
    #expect(try tell(&store) == [])
    #expect(try store.announcements(of: "greeter") == [])
  }

  @Test("A bot that tells no forge leaves nothing to tell, and a bot that goes takes what is left along")
  func others() throws {
    var store = try Store(at: scratch.database)
    try store.apply(Decision(bot: "greeter", changes: [.queue(assignment("a"))]))
    #expect(try store.announcements(of: "greeter") == [])
    _ = try queue(&store, assignment("b"))
    #expect(try store.announcements(of: "other") == [])
    try store.remove("greeter")
    #expect(try store.connection.rows("SELECT count(*) FROM announcements", [], "") { $0.integer(0) } == [0])
  }
}
