import FoundationEssentials
import Glibc

/// The types of the mounted file systems, as the kernel lists them
/// (https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html).
struct MountTable: Hashable {
  /// The type by device number, such as `0:52`.
  private var kinds: [String: String] = [:]

  /// Parses the text of `mountinfo`, skipping malformed lines.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 3, let dash = words.firstIndex(of: "-"), dash + 1 < words.count else { continue }
      kinds[String(words[2])] = String(words[dash + 1])
    }
  }

  static func ofThisProcess() -> MountTable {
    MountTable(String(decoding: FileManager.default.contents(atPath: "/proc/self/mountinfo") ?? Data(), as: UTF8.self))
  }

  /// Returns the type of the file system that contains a path, or nil if the path or the type is unknown.
  func kind(at path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return kinds["\(Self.major(status.st_dev)):\(Self.minor(status.st_dev))"]
  }

  /// Returns whether a file system can be changed by other machines, or otherwise without the kernel's knowledge.
  static func isRemote(_ kind: String) -> Bool {
    remote.contains(kind) || kind.hasPrefix("nfs") || kind.hasPrefix("fuse.")
  }

  private static let remote: Set<String> = [
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "fuse", "gfs2", "glusterfs", "lustre", "ncpfs", "ocfs2", "orangefs",
    "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
  ]

  // The C macros, as described in https://man7.org/linux/man-pages/man3/makedev.3.html.
  static func major(_ device: dev_t) -> UInt64 {
    let device = UInt64(device)
    return device >> 8 & 0xfff | device >> 32 & 0xffff_f000
  }

  static func minor(_ device: dev_t) -> UInt64 {
    let device = UInt64(device)
    return device & 0xff | device >> 12 & 0xffff_ff00
  }
}
