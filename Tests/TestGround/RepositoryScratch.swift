import Foundation
package import Model

/// A folder of one test with repositories in it, removed when the test lets go of it.
package final class RepositoryScratch {
  package let path: String
  private let command: GitCommand

  package init(_ name: String = #function) throws {
    let letters = name.filter { $0.isLetter || $0.isNumber }.prefix(40)
    // The temporary folder may be a link, and repositories report their real paths.
    let parent = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
    // Tests of several suites may have one name, and the cases of one test run side by side.
    path = "\(parent)/martlet-\(letters)-\(UInt32.random(in: 0 ... .max))"
    command = GitCommand(home: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { ScratchRemoval.removeAtEnd(path) }

  /// A new repository with one commit on the branch `main`; its path.
  package func repository(_ name: String = "Greeter", _ options: String...) throws -> String {
    let folder = "\(path)/\(name)"
    try command(["init", "--quiet", "--initial-branch=main"] + options + [folder], in: path)
    try commit(folder)
    return folder
  }

  /// Commits to what is checked out there; the commit.
  @discardableResult
  package func commit(_ folder: String, _ message: String = "Begin") throws -> CommitID {
    try git(folder, ["commit", "--quiet", "--allow-empty", "--message", message])
    return CommitID(rawValue: try git(folder, ["rev-parse", "HEAD"]))
  }

  /// Clears away every commit that nothing leads to any more.
  package func forget(_ folder: String) throws {
    try git(folder, "reflog", "expire", "--expire=now", "--all")
    try git(folder, "gc", "--quiet", "--prune=now")
  }

  @discardableResult
  package func git(_ folder: String, _ arguments: String...) throws -> String { try git(folder, arguments) }

  @discardableResult
  package func git(_ folder: String, _ arguments: [String]) throws -> String { try command(arguments, in: folder) }
}
