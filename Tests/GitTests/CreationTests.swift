import Foundation
@testable import Git
import Testing

@Suite("Making a repository")
struct CreationTests {
  @Test("It is bare and empty, HEAD names the branch, what is pushed there is looked at, and nothing else is left")
  func create() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/Hub.git"
    try Repository.create(at: path, branch: "trunk")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["Hub.git"])
    let origin = try scratch.repository()
    let commit = try origin.commit("First", ["a": "1"])
    try origin.git("push", "--quiet", path, "HEAD:trunk")
    let repository = try Repository(at: path)
    #expect(repository.workTree == nil)
    let head = try repository.head()
    #expect(head.branch == "trunk")
    #expect(head.commit == commit)
    let configuration = try String(contentsOfFile: "\(path)/config", encoding: .utf8)
    #expect(configuration.contains("fsckObjects = true"))
  }

  @Test("What is there already stays, and a branch has a name that git takes")
  func refused() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/Hub.git"
    try Repository.create(at: path, branch: "main")
    let there = #expect(throws: GitError.self) { try Repository.create(at: path, branch: "main") }
    #expect(there?.description == "Cannot make “\(path)”: there is something at that place. Choose another name.")
    let wrong = #expect(throws: GitError.self) {
      try Repository.create(at: "\(scratch.path)/Other.git", branch: "a..b")
    }
    #expect(
      wrong?.description
        == "Cannot make “\(scratch.path)/Other.git”: “a..b” is not the name of a branch. Name one such as main with --branch."
    )
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["Hub.git"])
  }
}
