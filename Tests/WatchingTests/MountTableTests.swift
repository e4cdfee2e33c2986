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
}
