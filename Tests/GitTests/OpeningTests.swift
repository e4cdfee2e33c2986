import Foundation
import Git
import Model
import Testing

@Suite("Opening a repository")
struct OpeningTests {
  @Test("A folder inside a work tree leads to its repository")
  func upwards() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let commit = try origin.commit("First", ["Sources/Greeter/Greeter.swift": "let a = 1\n"])
    let repository = try Repository(at: "\(origin.path)/Sources/Greeter")
    #expect(repository.path == origin.path)
    #expect(repository.workTree == origin.path)
    #expect(repository.commonPath == "\(origin.path)/.git")
    #expect(repository.name == "Greeter")
    let head = try repository.head()
    #expect(head.branch == "main")
    #expect(head.commit == commit)
  }

  @Test("A bare repository has no work tree and is named without its suffix")
  func bare() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let commit = try origin.commit("First", ["a": "1"])
    try origin.git("clone", "--quiet", "--bare", ".", "../Hub.git")
    let repository = try Repository(at: "\(scratch.path)/Hub.git")
    #expect(repository.path == "\(scratch.path)/Hub.git")
    #expect(repository.commonPath == repository.path)
    #expect(repository.workTree == nil)
    #expect(repository.name == "Hub")
    #expect(try repository.head().commit == commit)
  }

  @Test("A linked work tree has its own root and branch, and the name of the repository it belongs to")
  func linkedWorkTree() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("First", ["a": "1"])
    try origin.git("worktree", "add", "--quiet", "-b", "side", "../elsewhere")
    let repository = try Repository(at: "\(scratch.path)/elsewhere")
    #expect(repository.path == "\(scratch.path)/elsewhere")
    #expect(repository.commonPath == "\(origin.path)/.git")
    #expect(repository.name == "Greeter")
    #expect(try repository.head().branch == "side")
    #expect(throws: Never.self) { _ = try repository.checkOut(repository.head().commit, into: scratch.workspace()) }
  }

  @Test("A detached HEAD has no branch")
  func detached() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let commit = try origin.commit("First", ["a": "1"])
    try origin.git("checkout", "--quiet", "--detach")
    let head = try Repository(at: origin.path).head()
    #expect(head.branch == nil)
    #expect(head.commit == commit)
  }

  @Test("Objects that are kept in another repository are read from there")
  func alternates() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let commit = try origin.commit("First", ["a": "1"])
    try origin.git("clone", "--quiet", "--shared", ".", "../Borrower")
    let repository = try Repository(at: "\(scratch.path)/Borrower")
    #expect(try repository.contents(of: "a", in: commit) == Array("1".utf8))
  }

  @Test(
    "Extensions that only git's writers need do not keep a repository closed",
    arguments: [
      "worktreeConfig", "relativeWorktrees", "preciousObjects", "partialClone",
    ])
  func harmlessExtension(name: String) throws {
    let scratch = try Scratch(name)
    let origin = try scratch.repository()
    let commit = try origin.commit("First", ["a": "1"])
    try origin.enable("\(name) = true")
    #expect(try Repository(at: origin.path).head().commit == commit)
  }

  @Test("A path that does not exist is said to be missing")
  func missing() throws {
    let scratch = try Scratch()
    let error = #expect(throws: GitError.self) { _ = try Repository(at: "\(scratch.path)/nowhere") }
    #expect(error?.kind == .notARepository)
    #expect(
      error?.description == "Cannot open the repository at “\(scratch.path)/nowhere”: there is no such file or folder. "
        + "Check the path.")
  }

  @Test("A folder outside any repository is said to be none")
  func noRepository() throws {
    let scratch = try Scratch()
    let error = #expect(throws: GitError.self) { _ = try Repository(at: scratch.path) }
    #expect(error?.kind == .notARepository)
    #expect(
      error?.description == "Cannot open the repository at “\(scratch.path)”: it is not inside a git repository. "
        + "Give the path of a work tree or a bare repository, or run `git init` and commit there first.")
  }

  @Test("Who may not enter a repository is told all that lets them read it", .enabled(if: getuid() != 0))
  func closed() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    #expect(chmod(origin.path, 0) == 0)
    let error = #expect(throws: GitError.self) { _ = try Repository(at: origin.path) }
    #expect(chmod(origin.path, 0o755) == 0)
    let user = try #require(getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) })
    #expect(
      error?.description == "Cannot open the repository at “\(origin.path)”: the user \(user) may not enter "
        + "“\(origin.path)”. Run Martlet as the user whom the repository belongs to, or let \(user) in with "
        + "`setfacl -m u:\(user):x \(origin.path)` and `setfacl -R -m u:\(user):rX \(origin.path)`, and run "
        + "`git config --global --add safe.directory \(origin.path)` as \(user).")
  }

  @Test("A path with a zero byte is refused")
  func zeroByte() throws {
    let scratch = try Scratch()
    #expect(throws: GitError.self) { _ = try Repository(at: "\(scratch.path)\0/x") }
  }

  @Test("A repository of another user is refused unless safe.directory names it", .enabled(if: getuid() == 0))
  func otherUser() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("First", ["a": "1"])
    #expect(chown("\(origin.path)/.git", 12345, 12345) == 0)
    let error = #expect(throws: GitError.self) { _ = try Repository(at: origin.path) }
    #expect(error?.kind == .notOwned)
    #expect(
      error?.description == "Cannot open the repository “\(origin.path)”: it belongs to another user. "
        + "If you trust it, run `git config --global --add safe.directory \(origin.path)` as the user who runs Martlet."
    )
  }
}

extension TestRepository {
  /// Gives the repository format version 1 and one extension.
  func enable(_ line: String) throws {
    try git("config", "core.repositoryFormatVersion", "1")
    let file = "\(path)/.git/config"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try "\(text)[extensions]\n\t\(line)\n".write(toFile: file, atomically: true, encoding: .utf8)
  }
}
