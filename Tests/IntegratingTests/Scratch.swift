import FoundationEssentials
import Integrating
import TestGround

/// A folder of one test's own, which goes with it.
final class Scratch {
  let folder: Folder

  init() throws {
    let name = "martlet-integrating-\(UInt64.random(in: 0 ... .max))"
    // The temporary folder may be reached by a link, and what is compared here are whole paths.
    let top = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    folder = Folder("\(top)/\(name)")
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
  }

  deinit { ScratchRemoval.removeAtEnd(folder.path) }

  var path: String { folder.path }

  func file(_ name: String) -> String { folder.file(name) }

  func text(_ name: String) -> String? {
    folder.read(name).map { String(decoding: $0, as: UTF8.self) }
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: file(name), withDestinationPath: target)
  }
}
