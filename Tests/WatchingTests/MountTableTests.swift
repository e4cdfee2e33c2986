import Foundation
import Git
import Synchronization
import TestGround
import Testing

@testable import Watching

@Suite("Kinds of file systems")
struct MountTableTests {
  @Test("The kind of this machine's process file system is found by its device")
  func proc() {
    #expect(MountTable.ofThisProcess().kind(at: "/proc") == "proc")
    #expect(MountTable.ofThisProcess().kind(at: "/no/such/path") == nil)
  }

  @Test("Optional fields and lines that are no mounts are passed over")
  func lines() {
    let table = MountTable("junk\n36 35 0:7 / /mnt rw master:1 shared:2 - nfs4 host:/x rw\n1 2 3\n1 2 3 -\n")
    #expect(table == MountTable("36 35 0:7 / /mnt rw - nfs4 host:/x rw"))
  }

  @Test(
    "Network file systems and those of user programs are polled",
    arguments: [
      ("nfs4", true), ("nfs", true), ("cifs", true), ("fuse.sshfs", true), ("9p", true), ("ext4", false),
      ("overlay", false), ("btrfs", false), ("tmpfs", false), ("fuseblk", false),
    ])
  func remote(kind: String, isRemote: Bool) {
    #expect(MountTable.isRemote(kind) == isRemote)
  }

  @Test("A repository that comes back on a network file system is looked at from time to time from then on")
  func mountedAnew() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    var about = stat()
    #expect(stat(repository, &about) == 0)
    let device = "\(MountTable.major(about.st_dev)):\(MountTable.minor(about.st_dev))"
    let kind = Mutex("ext4")
    let watch = try RepositoryWatch(now: 0) {
      MountTable("36 35 \(device) / /mnt rw - \(kind.withLock { $0 }) host:/x rw")
    }
    watch.watch([repository])
    _ = try watch.read(repository, withTags: false)
    #expect(watch.condition(of: repository) == .watched)
    try FileManager.default.moveItem(atPath: repository, toPath: "\(repository).away")
    #expect(throws: GitError.self) { try watch.read(repository, withTags: false) }
    try FileManager.default.moveItem(atPath: "\(repository).away", toPath: repository)
    kind.withLock { $0 = "nfs4" }
    _ = try watch.read(repository, withTags: false)
    #expect(
      watch.condition(of: repository)
        == .polled(why: "\(repository)/.git lies on a network file system (nfs4), which tells nobody of changes."))
  }
}
