import Foundation
import TestGround

/// A folder of one test, removed at the end.
final class Scratch: Sendable {
  let path: String

  init() throws {
    let parent = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
    path = "\(parent)/martlet-notifying-\(getpid())-\(UInt32.random(in: .min ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { ScratchRemoval.removeAtEnd(path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}
