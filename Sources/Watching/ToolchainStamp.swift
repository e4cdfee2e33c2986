import Git
import Glibc
import Model

/// What tells a toolchain from every other one, and from itself before it was rebuilt in place.
///
/// Its version does not: a compiler of one's own keeps it. Nor does `swiftc`, which is a link to the driver. So it is the
/// place of the programs, and size, time and inode of each file that takes part in a build; none of them is read.
package enum ToolchainStamp {
  /// What the names of its programs begin with, because they may lie among all others of the system.
  private static let programs = ["swift", "clang", "lld", "ld.", "llvm-"]
  /// The folders of its libraries, modules and headers, from that of its programs.
  private static let libraries = ["lib/swift", "lib/swift_static", "lib/clang", "libexec/swift"]
  private static let beginning = "stamp "
  /// Links can lead in circles.
  private static let mostFolders = 12

  /// Returns the stamp of the toolchain with a folder of programs.
  package static func of(programs folder: String) -> String {
    let place = folder.withoutLinks
    var files = names(in: place).filter { name in programs.contains { name.hasPrefix($0) } }
      .compactMap { name in look("\(place)/\(name)").map { "\(name) \($0.text)" } }
    for library in libraries { add("\(place)/../\(library)", depth: 0, to: &files) }
    return "\(beginning)\(SHA256.digest(of: files.sorted())) \(place)"
  }

  /// Whether a text is such a stamp, and not what older versions of Martlet remembered.
  package static func isStamp(_ text: String) -> Bool { text.hasPrefix(beginning) }

  /// Returns the folders in which a change shows that the toolchain is another one.
  package static func folders(of programs: String) -> [String] {
    let place = programs.withoutLinks
    return [place] + ["linux", "host/compiler"].map { "\(place)/../lib/swift/\($0)".withoutLinks }
  }

  private static func add(_ folder: String, depth: Int, to files: inout [String]) {
    guard depth < mostFolders else { return }
    for name in names(in: folder) {
      let path = "\(folder)/\(name)"
      guard let found = look(path) else { continue }
      if found.isFolder {
        add(path, depth: depth + 1, to: &files)
      } else {
        files.append("\(path) \(found.text)")
      }
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
        start.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { found.append(name) }
    }
    return found
  }

  private static func look(_ path: String) -> (text: String, isFolder: Bool)? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let time = status.st_mtim
    return ("\(status.st_ino) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)", status.st_mode & S_IFMT == S_IFDIR)
  }
}
