import Glibc
import Model
import Testing

@testable import Integrating

@Suite("The snapshot of a workspace")
struct WorkspaceSnapshotTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private var now: WorkspaceSnapshot { WorkspaceSnapshot(scratch.path) }

  @Test("tells what was changed, removed and left, and passes over what is allowed")
  func changes() throws {
    for name in ["kept", "edited", "gone", "Package.resolved"] { try scratch.folder.write("1", to: name) }
    let before = now
    #expect(now.changes(since: before, exempt: []).isEmpty)
    try scratch.folder.write("2", to: "edited")
    try scratch.folder.write("2", to: "Package.resolved")
    unlink(scratch.file("gone"))
    for number in 1...4 { symlink("/", scratch.file("link\(number)")) }
    #expect(
      now.changes(since: before, exempt: ["Package.resolved"])
        == .init(changed: ["edited"], removed: ["gone"], added: (1...4).map { "link\($0)" }))
  }

  @Test("sees a change that keeps size and time")
  func disguise() throws {
    try scratch.folder.write("1", to: "file")
    let before = now
    let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
    utimensat(AT_FDCWD, scratch.file("file"), times, 0)
    #expect(now.changes(since: before, exempt: []) == .init(changed: ["file"], removed: [], added: []))
  }
}
