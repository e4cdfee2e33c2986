import Foundation
import Git
import Model
import Testing

@testable import Git

@Suite("Revisions")
struct RevisionTests {
  @Test("Every way of naming a commit leads to it")
  func names() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let one = try origin.commit("One", ["a": "1"])
    try origin.git("tag", "--annotate", "--message", "v", "v1.0")
    try origin.git("branch", "release/1.0")
    let two = try origin.commit("Two: fix", ["a": "2"])
    let repository = try Repository(at: origin.path)
    for name in [
      "v1.0", "refs/tags/v1.0", "HEAD~1", "HEAD^", "@~1", "@^", "main~", "release/1.0", one.rawValue, one.short,
    ] {
      #expect(try repository.resolve(name) == one, "\(name)")
    }
    try origin.git("branch", "@home")
    for name in ["@", "@^{commit}", "@home", "HEAD", "main", "v1.0-1-g\(two.short)", ":/Two"] {
      #expect(try repository.resolve(name) == two, "\(name)")
    }
    #expect(try repository.branchTip("release/1.0") == one)
  }

  @Test("A tag is known by its name, and by nothing else that leads to its commit")
  func tags() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let one = try origin.commit("One", ["a": "1"])
    try origin.git("tag", "--annotate", "--message", "v", "v1.0")
    try origin.git("tag", "beta/2")
    try origin.git("tag", "both")
    try origin.git("branch", "both")
    let repository = try Repository(at: origin.path)
    for (name, tag) in [("v1.0", "v1.0"), ("tags/v1.0", "v1.0"), ("refs/tags/beta/2", "beta/2"), ("tags/both", "both")]
    {
      #expect(try repository.tag(called: name) == tag)
    }
    for name in ["main", "both", "HEAD", "v1.0~0", "v1.0^{commit}", one.rawValue, one.short, "refs/tags/v2", ""] {
      #expect(try repository.tag(called: name) == nil, "\(name)")
    }
  }

  @Test(
    "What is no name of one commit is refused with the reason",
    arguments: [
      ("", "it is not a name. Name a branch, a tag or a commit."),
      ("--all", "it begins with a dash like an option. Name a branch, a tag or a commit."),
      ("main..side", "it names a range of commits. Name one commit."),
      ("HEAD:a", "it names a file or folder, not a commit. Name a branch, a tag or a commit."),
      ("mian", "no branch, tag or commit has this name. Did you mean “main”?"),
      ("v1.O", "no branch, tag or commit has this name. Did you mean “v1.0”?"),
      ("zzzzzzzz", "no branch, tag or commit has this name. See `git branch --list` and `git tag --list`."),
      ("main~9", "no branch, tag or commit has this name. Did you mean “main”?"),
      (
        "both",
        "a branch and a tag have this name and lead to different commits. Say refs/heads/both or refs/tags/both."
      ),
      ("ma\nin\u{1B}[31m", "no branch, tag or commit has this name. See `git branch --list` and `git tag --list`."),
    ])
  func refused(name: String, reason: String) throws {
    let scratch = try Scratch("refused\(name.utf8.map(String.init).joined())")
    let origin = try scratch.repository()
    try origin.commit("One", ["a": "1"])
    try origin.git("tag", "v1.0")
    try origin.git("tag", "both")
    try origin.commit("Two")
    try origin.git("branch", "both")
    let repository = try Repository(at: origin.path)
    let error = #expect(throws: GitError.self) { _ = try repository.resolve(name) }
    #expect(error?.kind == .unknownRevision)
    let shown = name.replacing("\n", with: "\u{FFFD}").replacing("\u{1B}", with: "\u{FFFD}")
    #expect(error?.description == "Cannot find the revision “\(shown)” in “\(origin.path)”: \(reason)")
  }

  @Test("A branch that does not exist brings up the ones that are spelled alike")
  func unknownBranch() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("One", ["a": "1"])
    try origin.git("tag", "mainly")
    let repository = try Repository(at: origin.path)
    let error = #expect(throws: GitError.self) { _ = try repository.branchTip("maim") }
    #expect(
      error?.description == "Cannot find the branch “maim” in “\(origin.path)”: there is no such branch. "
        + "Did you mean “main”?")
    let other = #expect(throws: GitError.self) { _ = try repository.branchTip("..") }
    #expect(
      other?.description == "Cannot find the branch “..” in “\(origin.path)”: there is no such branch. "
        + "See `git branch --list`.")
  }
}

@Suite("Who owns a repository")
struct OwnershipTests {
  private func trusts(_ owners: [UInt32], _ safe: [String], user: UInt32 = 1000, sudo: UInt32? = nil) -> Bool {
    Ownership.isTrusted(owners: owners, user: user, sudoUser: sudo, safeFolders: safe, folder: "/srv/git/Greeter")
  }

  @Test("One's own repository needs no permission")
  func own() {
    #expect(trusts([1000, 1000], []))
    #expect(!trusts([1000, 0], []))
    #expect(!trusts([0, 1000], []))
  }

  @Test("Under sudo the caller's repositories are root's own")
  func sudo() {
    #expect(trusts([1000], [], user: 0, sudo: 1000))
    #expect(!trusts([1000], [], user: 0))
    #expect(!trusts([1001], [], user: 1002, sudo: 1001))
  }

  @Test("safe.directory takes a path, a star, all below a folder, and an empty value that takes all back")
  func safeDirectory() {
    #expect(trusts([0], ["/srv/git/Greeter"]))
    #expect(trusts([0], ["/srv/git/Greeter/"]))
    #expect(trusts([0], ["*"]))
    #expect(trusts([0], ["/srv/git/*"]))
    #expect(!trusts([0], ["/srv/gi"]))
    #expect(!trusts([0], ["/srv/git"]))
    #expect(!trusts([0], ["*", ""]))
    #expect(trusts([0], ["", "*"]))
  }
}
