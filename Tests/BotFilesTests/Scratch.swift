import FoundationEssentials
import TestGround

/// A folder of one test's own, which goes with it.
final class Scratch {
  let path: String

  init() throws {
    let top = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    path = "\(top)/martlet-botfiles-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { ScratchRemoval.removeAtEnd(path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file with the folders above it; gives its path.
  @discardableResult
  func write(_ text: String, to name: String, mode: Int = 0o644) throws -> String {
    let file = file(name)
    let folder = String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    return file
  }
}
