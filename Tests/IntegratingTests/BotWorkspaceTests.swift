import Foundation
import Model
import Processes
import Testing

@testable import Integrating

@Suite("The workspace of a bot and branch")
struct BotWorkspaceTests {
  private let scratch: Scratch
  private let workspaces: Folder
  private var main: Folder { workspaces.folder("main") }
  private let place = BotWorkspace.BuildPlace(package: ".", system: .native)

  init() throws {
    scratch = try Scratch()
    workspaces = Home(scratch.file("home")).workspaces(of: "greeter")
  }

  private func claim(_ group: WorkspaceGroup, onWait: @escaping @Sendable () throws -> Void = {}) throws -> BotWorkspace
  {
    let cancellation = try Cancellation()
    return try BotWorkspace.claim(group, of: "greeter", in: workspaces, cancellation: cancellation) { progress in
      guard case .waiting = progress else { return }
      #expect(throws: Never.self) { try onWait() }
    }
  }

  @Test("One that is removed while somebody waits for it is made anew, and held")
  func removedMeanwhile() throws {
    try main.create()
    let holder = open(main.file("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    try #require(flock(holder, LOCK_EX | LOCK_NB) == 0)
    let (branchKey, away) = (main, scratch.file("away"))
    let workspace = try claim(.branch("main")) {
      try FileManager.default.moveItem(atPath: branchKey.path, toPath: away)
      close(holder)
    }
    #expect(branchKey.names() == ["lock", "source", "state"])
    let other = try FileLock.open(branchKey.file("lock"))
    #expect(try !other.take())
    #expect(workspace.source.path == branchKey.folder("source").file("greeter"))
  }

  @Test("A file that an earlier version left in the place of a branch is no hindrance")
  func fileInPlace() throws {
    let bot = try scratch.folder.folder("home").folder("workspaces").folder("greeter").create()
    try bot.write("{\"refs/heads/main\":0}", to: "cleaned")
    let cleaned = workspaces.folder("cleaned")
    _ = try claim(.branch("cleaned"))
    #expect(cleaned.names() == ["lock", "source", "state"])
  }

  @Test("One that cannot be made is said to be so")
  func impossible() throws {
    try scratch.folder.folder("home").create().write("", to: "workspaces")
    #expect(
      throws: IntegratingError(
        .service,
        "cannot create the folder \(main.path): Not a directory. "
          + "Make it writable, or choose another home with --home or MARTLET_HOME.")
    ) { _ = try claim(.branch("main")) }
  }

  /// Claims the workspace of a branch and leaves something in each of its folders.
  private func fill(_ branch: String) throws {
    let workspace = try claim(.branch(branch))
    for folder in [
      workspace.source, workspace.home, workspace.scratch(for: place), workspace.memory(for: place),
    ] {
      try folder.create().write([1], to: "left")
    }
    workspace.leave()
  }

  @Test("What a branch's integration left is there for the next one")
  func kept() throws {
    try fill("main")
    let workspace = try claim(.branch("main"))
    #expect(workspace.scratch(for: place).holds("left"))
    #expect(workspace.memory(for: place).holds("left"))
  }

  @Test("A folder that bears another branch's mark, or none as an earlier version's, is emptied")
  func marked() throws {
    for mark in ["martlet workspace 2\nbranch other\n", nil] as [String?] {
      try fill("main")
      let state = main.folder("state")
      if let mark { try state.write(Array(mark.utf8), to: "group") } else { unlink(state.file("group")) }
      let workspace = try claim(.branch("main"))
      #expect(main.names() == ["lock", "source", "state"])
      #expect(!workspace.memory(for: place).exists)
    }
  }

  @Test("Each destination has a scratch folder of its own, which goes when the bot has it no more")
  func cells() throws {
    let workspace = try claim(.branch("main"))
    var cells = ["release", "debug+thread"].map {
      BotWorkspace.BuildPlace(package: ".", system: .swiftbuild, cell: $0)
    }
    cells.append(place)
    for place in cells {
      for folder in [workspace.scratch(for: place), workspace.memory(for: place), workspace.modules(for: place)] {
        try folder.create().write([1], to: "left")
      }
    }
    #expect(Set(cells.map { workspace.scratch(for: $0).path }).count == 3)
    try workspace.removeCells(besides: ["debug+thread"])
    let left = cells.map { place in
      [workspace.scratch(for: place), workspace.memory(for: place), workspace.modules(for: place)].map {
        $0.holds("left")
      }
    }
    #expect(left == [[false, false, false], [true, true, true], [true, true, true]])
  }

  @Test("What is alone finds nothing, shares with nobody and leaves nothing")
  func alone() throws {
    try fill("main")
    let first = try claim(.alone)
    let second = try claim(.alone)
    #expect(first.source.path != second.source.path)
    try first.scratch(for: place).create().write([1], to: "left")
    first.leave()
    #expect(workspaces.names() == [".alone-2", "main"])
    second.leave()
    #expect(workspaces.names() == ["main"])
  }

  @Test("What another integration had for itself and removes at the same time is no hindrance")
  func vanished() throws {
    // A link that leads nowhere is listed, and then there is no such folder.
    try workspaces.create().link(".alone-2", to: scratch.file("gone"))
    _ = try claim(.branch("main"))
    #expect(workspaces.names() == [".alone-2", "main"])
  }

  @Test("What a killed integration had for itself goes with the next one; one that runs stays")
  func abandoned() throws {
    let running = try claim(.alone)
    try workspaces.folder(".alone-7").folder("build").create()
    _ = try claim(.branch("main"))
    #expect(workspaces.names() == [".alone-1", "main"])
    #expect(running.source.path.contains("/.alone-1/"))
  }
}
