import FoundationEssentials
import Model
import Testing

@testable import Storing

@Suite("What other machines carry out")
struct HandedTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func queue(_ store: inout Store, _ assignment: Assignment) throws -> QueueEntry.ID {
    try store.apply(Decision(bot: "greeter", changes: [.queue(assignment)]))[0]
  }

  private func rows(_ store: inout Store) throws -> [String] {
    try store.handed().map { "\($0.handed.id) \($0.handed.machine) \($0.entry)\($0.isDropped ? " dropped" : "")" }
  }

  @Test("An entry starts together with the ID under which it is handed out, for a process that did not see it, too")
  func start() throws {
    var store = try Store(at: scratch.database)
    let id = try queue(&store, assignment("a"))
    _ = try store.start(id, at: noon, handedTo: HandedIntegration(id: "x1", machine: "big"))
    store = try Store(at: scratch.database)
    #expect(try rows(&store) == ["x1 big \(id)"])
  }

  @Test("What ended is dropped until the machine has nothing left of it")
  func finish() throws {
    var store = try Store(at: scratch.database)
    let id = try queue(&store, assignment("a"))
    _ = try store.start(id, at: noon, handedTo: HandedIntegration(id: "x1", machine: "big"))
    try store.finish(id, summary(.succeeded))
    #expect(try rows(&store) == ["x1 big \(id) dropped"])
    try store.forgetHanded(["x1", "unknown"])
    #expect(try rows(&store) == [])
  }

  @Test("An entry that goes to another machine no longer counts on the first one")
  func again() throws {
    var store = try Store(at: scratch.database)
    let id = try queue(&store, assignment("a"))
    _ = try store.start(id, at: noon, handedTo: HandedIntegration(id: "x1", machine: "big"))
    try store.hand(id, to: HandedIntegration(id: "x2", machine: "small"))
    #expect(try rows(&store) == ["x1 big \(id) dropped", "x2 small \(id)"])
    try store.hand(id, to: nil)
    #expect(try rows(&store) == ["x1 big \(id) dropped", "x2 small \(id) dropped"])
  }

  @Test("When a bot is removed, its machines are still to clear up")
  func removal() throws {
    var store = try Store(at: scratch.database)
    let id = try queue(&store, assignment("a"))
    _ = try store.start(id, at: noon, handedTo: HandedIntegration(id: "x1", machine: "big"))
    try store.noteLastPlace(LastPlace(machine: "big", seconds: 60), of: "greeter", on: main)
    try store.remove("greeter")
    #expect(try rows(&store) == ["x1 big \(id) dropped"])
    #expect(try store.lastPlaces(of: "greeter") == [:])
  }

  @Test("The last place of each branch is kept, of single commits together")
  func places() throws {
    var store = try Store(at: scratch.database)
    _ = try queue(&store, assignment("a"))
    try store.noteLastPlace(LastPlace(machine: "big", seconds: 60), of: "greeter", on: main)
    try store.noteLastPlace(LastPlace(machine: nil, seconds: 30), of: "greeter", on: main)
    try store.noteLastPlace(LastPlace(machine: "small", seconds: 5), of: "greeter", on: nil)
    #expect(
      try store.lastPlaces(of: "greeter") == [
        main: LastPlace(machine: nil, seconds: 30), RefName(rawValue: ""): LastPlace(machine: "small", seconds: 5),
      ])
    #expect(try store.lastPlaces(of: "other") == [:])
  }
}
