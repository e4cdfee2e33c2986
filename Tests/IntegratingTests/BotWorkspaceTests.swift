import Foundation
import Processes
import Testing

@testable import Integrating

@Suite("The workspace of a bot and branch")
struct BotWorkspaceTests {
  private let scratch: Scratch
  private let lane: Folder

  init() throws {
    scratch = try Scratch()
    lane = Home(scratch.file("home")).workspace(of: "greeter", "main")
  }

  private func claim(_ folder: Folder, onWait: @escaping @Sendable () throws -> Void = {}) throws -> BotWorkspace {
    let cancellation = try Cancellation()
    return try BotWorkspace.claim(folder, of: "greeter", cancellation: cancellation) { progress in
      guard case .waiting = progress else { return }
      #expect(throws: Never.self) { try onWait() }
    }
  }

  @Test("One that is removed while somebody waits for it is made anew, and held")
  func removedMeanwhile() throws {
    try lane.create()
    let holder = open(lane.file("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    try #require(flock(holder, LOCK_EX | LOCK_NB) == 0)
    let (lane, away) = (lane, scratch.file("away"))
    let workspace = try claim(lane) {
      try FileManager.default.moveItem(atPath: lane.path, toPath: away)
      close(holder)
    }
    #expect(lane.names() == ["lock", "source", "state"])
    let other = try FileLock.open(lane.file("lock"))
    #expect(try !other.take())
    #expect(workspace.source.path == lane.folder("source").file("greeter"))
  }

  @Test("A file that an earlier version left in the place of a branch is no hindrance")
  func fileInPlace() throws {
    let bot = try scratch.folder.folder("home").folder("workspaces").folder("greeter").create()
    try bot.write("{\"refs/heads/main\":0}", to: "cleaned")
    let cleaned = Home(scratch.file("home")).workspace(of: "greeter", "cleaned")
    _ = try claim(cleaned)
    #expect(cleaned.names() == ["lock", "source", "state"])
  }

  @Test("One that cannot be made is said to be so")
  func impossible() throws {
    try scratch.folder.folder("home").create().write("", to: "workspaces")
    #expect(
      throws: IntegratingError(
        .service,
        "cannot create the folder \(lane.path): Not a directory. "
          + "Make it writable, or choose another home with --home or MARTLET_HOME.")
    ) { _ = try claim(lane) }
  }
}
