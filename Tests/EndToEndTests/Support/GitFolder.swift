import Model
import Processes

/// A git repository in a scratch folder, made with the git program and nothing of the machine's configuration.
struct GitFolder {
  let scratch: ScratchFolder
  let name: String

  var path: String { scratch.file(name) }

  init(_ name: String, in scratch: ScratchFolder, format: String = "sha1") throws {
    self.name = name
    self.scratch = scratch
    try scratch.write("", to: "\(name)/.keep")
    try git("init", "--quiet", "--initial-branch=main", "--object-format=\(format)")
  }

  /// Writes files and commits everything.
  /// - Parameter author: who made it, if not Mira.
  func commit(_ message: String, _ files: [String: String] = [:], as author: String? = nil) throws {
    for (file, text) in files { try write(text, to: file) }
    try git("add", "--all")
    let by = author.map { ["--author", "\($0) <\($0.lowercased())@example.org>"] } ?? []
    try git(["commit", "--quiet", "--allow-empty", "--message", message] + by)
  }

  /// The commit that is checked out.
  var head: CommitID {
    get throws { CommitID(rawValue: try git("rev-parse", "HEAD").filter { !$0.isNewline }) }
  }

  func write(_ text: String, to file: String) throws {
    try scratch.write(text, to: "\(name)/\(file)")
  }

  @discardableResult
  func git(_ arguments: String...) throws -> String { try git(arguments) }

  @discardableResult
  private func git(_ arguments: [String]) throws -> String {
    let run = try Program.run(
      "git", ["-C", path] + arguments,
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": scratch.path, "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "Mira", "GIT_AUTHOR_EMAIL": "mira@example.org",
        "GIT_COMMITTER_NAME": "Mira", "GIT_COMMITTER_EMAIL": "mira@example.org",
        "GIT_AUTHOR_DATE": "2026-11-20T09:00:00Z", "GIT_COMMITTER_DATE": "2026-11-20T09:00:00Z",
      ], in: scratch.path)
    guard run.status == 0 else { throw GitFailure(words: run.errors) }
    return run.output
  }
}

/// The git program refused something that a test needs.
struct GitFailure: Error {
  var words: String
}
