import Foundation
import Git
import Model
import Testing

@Suite("Repositories in a form that cannot be read, or without commits")
struct FormatTests {
  @Test("A SHA-256 repository is refused with the way to convert it")
  func sha256() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository("Greeter", "--object-format=sha256")
    let error = #expect(throws: GitError.self) { _ = try Repository(at: origin.path) }
    #expect(error?.kind == .unsupportedFormat)
    #expect(
      error?.description == "Cannot open the repository at “\(origin.path)”: it names its objects by SHA-256 "
        + "(extensions.objectFormat), which libgit2 cannot read. Convert it with `git init COPY` and "
        + "`git fast-export --all | git -C COPY fast-import`, and name the copy.")
  }

  @Test("A reftable repository is refused with the way to migrate it")
  func reftable() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.enable("refStorage = reftable")
    let error = #expect(throws: GitError.self) { _ = try Repository(at: origin.path) }
    #expect(error?.kind == .unsupportedFormat)
    #expect(
      error?.description == "Cannot open the repository at “\(origin.path)”: it keeps its branches in a reftable "
        + "(extensions.refStorage), which libgit2 cannot read. Run `git refs migrate --ref-format=files` in it.")
  }

  @Test("An unknown extension is named")
  func unknownExtension() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.enable("timeTravel = true")
    let error = #expect(throws: GitError.self) { _ = try Repository(at: origin.path) }
    #expect(error?.kind == .unsupportedFormat)
    #expect(
      error?.description == "Cannot open the repository at “\(origin.path)”: it needs the extension "
        + "extensions.timetravel, which libgit2 does not know. Remove the extension from the repository's "
        + "configuration if nothing depends on it, or name a plain clone.")
  }

  @Test("A format version of the future is named")
  func version() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.git("config", "core.repositoryFormatVersion", "7")
    let error = #expect(throws: GitError.self) { _ = try Repository(at: origin.path) }
    #expect(error?.kind == .unsupportedFormat)
    #expect(
      error?.description == "Cannot open the repository at “\(origin.path)”: it has the repository format version 7, "
        + "and libgit2 reads 0 and 1. Clone it with a git that writes format version 1, and name the clone.")
  }

  @Test("A repository without commits is said to be empty")
  func empty() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let repository = try Repository(at: origin.path)
    #expect(throws: GitError.self) { _ = try repository.resolve("main") }
    let error = #expect(throws: GitError.self) { _ = try repository.head() }
    #expect(
      error?.description == "Cannot read HEAD of “\(origin.path)”: the repository has no commits yet. "
        + "Commit something first.")
  }

  @Test("A HEAD that names a branch without commits lists the branches that have some")
  func unbornBranch() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("First", ["a": "1"])
    try origin.git("symbolic-ref", "HEAD", "refs/heads/master")
    let error = #expect(throws: GitError.self) { _ = try Repository(at: origin.path).head() }
    #expect(
      error?.description == "Cannot read HEAD of “\(origin.path)”: it names a branch that has no commits, while there "
        + "are the branches “main”. Name a branch or commit, or let HEAD point to a branch with "
        + "`git symbolic-ref HEAD refs/heads/NAME`.")
  }

  @Test("A partial clone names the object that it does not have")
  func partialClone() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let commit = try origin.commit("First", ["a": "content"])
    try origin.git("config", "uploadpack.allowFilter", "true")
    try origin.git(
      "clone", "--quiet", "--bare", "--filter=blob:none", "file://\(origin.path)", "\(scratch.path)/Partial.git")
    let blob = try origin.git("rev-parse", "HEAD:a")
    let repository = try Repository(at: "\(scratch.path)/Partial.git")
    let error = #expect(throws: GitError.self) { _ = try repository.contents(of: "a", in: commit) }
    #expect(error?.kind == .missingObject)
    #expect(error?.description.contains("(\(blob))") == true)
    let other = #expect(throws: GitError.self) { _ = try repository.checkOut(commit, into: scratch.workspace()) }
    #expect(other?.kind == .missingObject)
    #expect(
      other?.description == "Cannot check out \(commit.short) of “\(repository.path)”: object not found - no match for "
        + "id (\(blob)). If the repository is a partial clone, run `git fetch --refetch --no-filter` in it; otherwise "
        + "run `git fsck`.")
    try scratch.existing("Partial.git").git("fetch", "--quiet", "--refetch", "--no-filter")
    #expect(try Repository(at: repository.path).checkOut(commit, into: scratch.workspace()).files == 1)
  }
}
