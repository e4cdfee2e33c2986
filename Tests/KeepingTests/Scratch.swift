import Foundation
import Model

/// A folder of one test with repositories in it, removed when the test lets go of it.
final class Scratch {
  let path: String

  init(_ name: String = #function) throws {
    let letters = name.filter { $0.isLetter || $0.isNumber }.prefix(40)
    // The temporary folder may be a link, and repositories report their real paths.
    let parent = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
    // Tests of several suites may have one name, and the cases of one test run side by side.
    path = "\(parent)/martlet-keeping-\(letters)-\(UInt32.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  private struct Failure: Error {
    var description: String
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A new repository with one commit on the branch `main`; its path.
  func repository(_ name: String = "Greeter", _ options: String...) throws -> String {
    let folder = "\(path)/\(name)"
    try git(path, ["init", "--quiet", "--initial-branch=main"] + options + [folder])
    try commit(folder)
    return folder
  }

  /// Commits to what is checked out there; the commit.
  @discardableResult
  func commit(_ folder: String, _ message: String = "Begin") throws -> CommitID {
    try git(folder, ["commit", "--quiet", "--allow-empty", "--message", message])
    return CommitID(rawValue: try git(folder, ["rev-parse", "HEAD"]))
  }

  @discardableResult
  func git(_ folder: String, _ arguments: String...) throws -> String { try git(folder, arguments) }

  @discardableResult
  func git(_ folder: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder] + arguments
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": path, "LC_ALL": "C",
      "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
      "GIT_AUTHOR_NAME": "Ada Lovelace", "GIT_AUTHOR_EMAIL": "ada@example.org",
      "GIT_COMMITTER_NAME": "Ada Lovelace", "GIT_COMMITTER_EMAIL": "ada@example.org",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: "git \(arguments): \(text)") }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
