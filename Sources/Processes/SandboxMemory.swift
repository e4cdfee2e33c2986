import Glibc

/// The folders that a sandbox holds in memory, seen from outside through one of its processes.
enum SandboxMemory {
  /// The folders' paths; `Sandbox` creates them.
  static let places = ["/tmp", "/var/tmp", "/dev/shm"]

  /// Returns the bytes of the files in the folders, or nil if a process is not in a sandbox or cannot be inspected.
  static func bytes(of pid: Int32) -> Int? {
    let root = "/proc/\(pid)/root"
    // While a sandbox is being created, its folders are not separate mounts yet.
    let disks = places.map { disk("\(root)\($0)") }
    guard let top = disk("\(root)/"), top != disk("/"), !disks.contains(top), !disks.contains(nil) else { return nil }
    return places.reduce(0) { sum, place in
      var status = statvfs()
      guard statvfs("\(root)\(place)", &status) == 0 else { return sum }
      let blocks = Int(clamping: status.f_blocks) - Int(clamping: status.f_bfree)
      return sum + max(0, blocks) * Int(clamping: status.f_frsize)
    }
  }

  private static func disk(_ path: String) -> dev_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_dev : nil
  }
}
