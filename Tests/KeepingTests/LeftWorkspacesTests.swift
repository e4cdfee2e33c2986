import FoundationEssentials
import Glibc
import Testing

@testable import Keeping

@Suite("What killed integrations left in their workspaces")
struct LeftWorkspacesTests {
  @Test("goes when a watcher starts, but where an integration goes on")
  func clearing() throws {
    let home = FileManager.default.temporaryDirectory.path + "/martlet-left-\(UInt32.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: home) }
    for workspace in ["bot/branch-main", "bot/detached", "other/branch-main"] {
      for name in ["tests/home/locked", "tests/view-run/work/work", "tmp", "source/bot", "home"] {
        try FileManager.default.createDirectory(
          atPath: "\(home)/workspaces/\(workspace)/\(name)", withIntermediateDirectories: true)
      }
      #expect(chmod("\(home)/workspaces/\(workspace)/tests/view-run/work/work", 0) == 0)
      #expect(chmod("\(home)/workspaces/\(workspace)/tests/home/locked", 0) == 0)
    }
    let busy = try WorkspaceLock("\(home)/workspaces/bot/detached")
    LeftWorkspaces.clear(in: WatchHome(home)) { Issue.record("\($0)") }
    func names(_ workspace: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "\(home)/workspaces/\(workspace)").sorted()
    }
    #expect(try names("bot/branch-main") == ["home", "lock", "source"])
    #expect(try names("other/branch-main") == ["home", "lock", "source"])
    #expect(try names("bot/detached") == ["home", "lock", "source", "tests", "tmp"])
    _ = consume busy
  }
}
