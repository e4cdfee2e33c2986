import Foundation
import Model
import TestGround

/// A repository that a test writes with the `git` command, without the machine's configuration.
struct TestRepository {
  let path: String
  let home: String

  @discardableResult
  func git(_ arguments: String...) throws -> String {
    try git(arguments)
  }

  @discardableResult
  func git(_ arguments: [String], date: Int = 1_600_000_000) throws -> String {
    try GitCommand(home: home, date: date)(arguments, in: path)
  }

  func write(_ file: String, _ text: String) throws {
    let url = URL(fileURLWithPath: "\(path)/\(file)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func remove(_ file: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(file)")
  }

  func link(_ file: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(path)/\(file)", withDestinationPath: target)
  }

  func makeExecutable(_ file: String, _ isExecutable: Bool = true) throws {
    chmod("\(path)/\(file)", isExecutable ? 0o755 : 0o644)
  }

  /// Writes the files, stages all there is and commits it.
  @discardableResult
  func commit(_ message: String, date: Int = 1_600_000_000, _ files: [String: String] = [:]) throws -> CommitID {
    for (file, text) in files { try write(file, text) }
    try git("add", "--all")
    try git(["commit", "--quiet", "--allow-empty", "--message", message], date: date)
    return try tip()
  }

  func tip(_ revision: String = "HEAD") throws -> CommitID {
    CommitID(rawValue: try git("rev-parse", "--verify", revision))
  }
}
