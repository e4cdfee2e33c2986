import FoundationEssentials

/// A folder for one test, removed when the test is over unless MARTLET_KEEP_SCRATCH is set.
final class ScratchFolder: Sendable {
  let path: String

  init(_ name: String = #function) throws {
    let readable = String(name.filter { $0.isLetter || $0.isNumber }.prefix(40))
    path = "\(FileManager.default.temporaryDirectory.path)/martlet-\(readable)-\(UInt32.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    if ProcessInfo.processInfo.environment["MARTLET_KEEP_SCRATCH"] == nil {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, with the folders above it.
  func write(_ text: String, to name: String) throws {
    let file = file(name)
    let folder = String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file))
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: file(name))), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }
}
