import Foundation
import Glibc
import TestGround

/// A folder for one test or one story, removed with it.
final class ScratchFolder: Sendable {
  let path: String

  init(_ name: String = #function) throws {
    let readable = String(name.filter { $0.isLetter || $0.isNumber }.prefix(40))
    // Tools print paths with links resolved.
    let top = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    path = "\(top)/martlet-\(readable)-\(UInt32.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // One that several tests read in lives as long as the process.
    ScratchRemoval.removeAtEnd(path)
  }

  deinit { ScratchRemoval.remove(path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, with the folders above it.
  func write(_ text: String, to name: String, mode: Int = 0o644) throws {
    let file = file(name)
    let folder = String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
  }

  /// Writes behind the end of a file.
  func append(_ text: String, to name: String) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: file(name)))
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: file(name))), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

  /// The names of what is in a folder, sorted; empty when there is no such folder.
  func names(in folder: String = ".") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []).sorted()
  }

  /// Removes everything but what was built in the home, which is most of the time of a test: for suites that share a
  /// folder, whose tests run one after the other and build alike packages.
  func beginAnew() throws {
    let built = "home/workspaces"
    // What a watcher began may outlive it for a moment, and writes there.
    _ = ProcessList.remaining(naming: file("home"))
    for name in names() where name != "home" { try FileManager.default.removeItem(atPath: file(name)) }
    for name in names(in: "home").map({ "home/\($0)" }) where name != built {
      try FileManager.default.removeItem(atPath: file(name))
    }
  }
}
