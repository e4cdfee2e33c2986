import Glibc
import Testing

@testable import Integrating

@Suite("The footprint of a workspace")
struct WorkspaceFootprintTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private var now: WorkspaceFootprint { WorkspaceFootprint(scratch.path) }

  @Test("tells what was changed, removed and left, and passes over what is allowed")
  func changes() throws {
    for name in ["kept", "edited", "gone", "Package.resolved"] { try scratch.folder.write("1", to: name) }
    let before = now
    #expect(now.sentence(since: before, who: "The tests") == nil)
    try scratch.folder.write("2", to: "edited")
    try scratch.folder.write("2", to: "Package.resolved")
    unlink(scratch.file("gone"))
    for number in 1...4 { symlink("/", scratch.file("link\(number)")) }
    #expect(
      now.sentence(since: before, who: "The tests", exempt: ["Package.resolved"])
        == "The tests changed edited, removed gone, left link1, link2, link3 and 1 more in the package's folder."
    )
  }

  @Test("sees a change that keeps size and time")
  func disguise() throws {
    try scratch.folder.write("1", to: "file")
    let before = now
    let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
    utimensat(AT_FDCWD, scratch.file("file"), times, 0)
    #expect(
      now.sentence(since: before, who: "The build")
        == "The build changed file in the package's folder.")
  }
}
