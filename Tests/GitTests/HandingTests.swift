import Foundation
import Model
import Testing

@testable import Git

@Suite("Copies of a repository on other machines")
struct HandingTests {
  private func copy(_ scratch: Scratch, _ name: String = "copy.git") throws -> String {
    let path = "\(scratch.path)/\(name)"
    try Repository.create(at: path, branch: "main")
    return path
  }

  /// Sends what a copy lacks, and returns the size of the pack in bytes; nil if it lacks nothing.
  private func send(from origin: TestRepository, to path: String, _ scratch: Scratch) throws -> Int? {
    let source = try Repository(at: origin.path)
    let copy = try Repository(at: path)
    let wanted = try source.namedObjects("refs/heads/") + source.namedObjects("refs/tags/")
    let known = try copy.namedObjects("refs/").map(\.object)
    let pack = try source.pack(wanted.map(\.object), besides: known, in: scratch.path)
    if let pack { try copy.add(packAt: pack) }
    let target = try Repository(at: path)
    try target.take(wanted, replacing: ["refs/heads/", "refs/tags/"], head: try source.headBranch()?.rawValue)
    return try pack.map { try size(of: $0) }
  }

  private func size(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.size] as? Int)
  }

  @Test("A new copy has all branches and tags, whole")
  func first() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("Greet", ["a": "1", "folder/b": "2"])
    try origin.git("tag", "-a", "1.0", "-m", "First")
    try origin.git("checkout", "--quiet", "-b", "feature/x")
    let id = try origin.commit("Go on", ["a": "2"])
    let path = try copy(scratch)
    #expect(try send(from: origin, to: path, scratch) != nil)
    let there = scratch.existing("copy.git")
    #expect(try there.git("fsck", "--strict", "--full").contains("error") == false)
    #expect(
      try there.git("show-ref") == origin.git("show-ref"))
    #expect(try there.git("symbolic-ref", "HEAD") == "refs/heads/feature/x")
    #expect(try there.git("rev-parse", "HEAD") == id.rawValue)
  }

  @Test("Later only what is new is sent, and nothing if nothing is")
  func later() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let noise = (0..<20_000).map { "\($0 &* 2_654_435_761 % 1_000_003)" }.joined(separator: "\n")
    try origin.commit("Greet", ["large": noise, "a": "1"])
    let path = try copy(scratch)
    let first = try #require(try send(from: origin, to: path, scratch))
    try origin.commit("Go on", ["a": "2"])
    let second = try #require(try send(from: origin, to: path, scratch))
    #expect(second < 1000 && first > 20 * second, "\(first) bytes, then \(second)")
    #expect(try send(from: origin, to: path, scratch) == nil)
    #expect(try scratch.existing("copy.git").git("fsck", "--strict", "--full").contains("error") == false)
  }

  @Test("A branch that was rewritten, removed or replaced by a folder of branches is so in the copy")
  func rewritten() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let first = try origin.commit("Greet", ["a": "1"])
    try origin.commit("Go on", ["a": "2"])
    try origin.git("branch", "topic")
    try origin.git("branch", "old")
    let path = try copy(scratch)
    _ = try send(from: origin, to: path, scratch)
    try origin.git("reset", "--quiet", "--hard", first.rawValue)
    try origin.git("branch", "-D", "topic", "old")
    try origin.git("branch", "topic/one")
    _ = try send(from: origin, to: path, scratch)
    #expect(try scratch.existing("copy.git").git("show-ref") == origin.git("show-ref"))
  }

  @Test("Tags of tags come with each of them, and tags of files and folders stay here")
  func tags() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("Greet", ["a": "1"])
    try origin.git("tag", "-a", "inner", "-m", "Inner")
    try origin.git("tag", "-a", "outer", "-m", "Outer", "inner")
    try origin.git("tag", "-d", "inner")
    try origin.git("tag", "key", "HEAD:a")
    try origin.git("tag", "-a", "tree", "-m", "Tree", "HEAD^{tree}")
    let path = try copy(scratch)
    #expect(try send(from: origin, to: path, scratch) != nil)
    let there = scratch.existing("copy.git")
    #expect(
      try there.git("for-each-ref", "--format=%(refname)").split(separator: "\n")
        == ["refs/heads/main", "refs/tags/outer"])
    #expect(try there.git("rev-parse", "outer^{commit}") == origin.git("rev-parse", "HEAD"))
    #expect(try there.git("fsck", "--strict", "--full").contains("error") == false)
  }

  @Test("What the other side names and is unknown here does not matter")
  func unknown() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let id = try origin.commit("Greet", ["a": "1"])
    let pack = try Repository(at: origin.path).pack(
      [id.rawValue], besides: [String(repeating: "1", count: 40), "no name"], in: scratch.path)
    #expect(pack != nil)
  }
}
