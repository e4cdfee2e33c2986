import Foundation

/// A program that reads exports, where this machine has it.
struct OutsideTool {
  /// What a run printed and how it ended.
  struct Run {
    var status: Int32
    var output: String
  }

  let path: String

  /// Looks the program up on the search path.
  init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    guard let path = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.isExecutableFile) else {
      return nil
    }
    self.path = path
  }

  static func isInstalled(_ names: String...) -> Bool { names.allSatisfy { OutsideTool($0) != nil } }

  /// Runs it in a folder, with both of its outputs in one.
  func run(_ arguments: [String], in folder: URL) throws -> Run {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging([
      "HOME": folder.path, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "LC_ALL": "C.UTF-8",
    ]) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Run(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
  }
}
