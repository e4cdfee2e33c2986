import Foundation
import Model
import Synchronization
import Testing

@testable import Git

@Suite("Notes")
struct NotesTests {
  @Test("A note is shown by git, is read back, and is no branch or tag to anybody", arguments: [true, false])
  func writing(isBare: Bool) throws {
    let scratch = try Scratch()
    var origin = try scratch.repository()
    let id = try origin.commit("Greet", ["a": "1"])
    if isBare {
      try origin.git("clone", "--quiet", "--bare", ".", "\(scratch.path)/bare.git")
      origin = scratch.existing("bare.git")
    }
    let repository = try Repository(at: origin.path)
    let tips = try repository.tips(withTags: true)
    try repository.changeNote(of: id) { old in
      #expect(old == nil)
      return "Greeter 1: succeeded\n"
    }
    #expect(try note(of: id, in: repository) == "Greeter 1: succeeded\n")
    #expect(try origin.git("log", "--notes=martlet", "--format=%N") == "Greeter 1: succeeded")
    #expect(try repository.tips(withTags: true) == tips)
    #expect(try origin.git("fsck", "--strict").contains("error") == false)
  }

  @Test("A note is changed from what it was, and the same text writes nothing")
  func changing() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let id = try origin.commit("Greet", ["a": "1"])
    try origin.git("notes", "--ref=martlet", "add", "-m", "By hand")
    let repository = try Repository(at: origin.path)
    try repository.changeNote(of: id) { ($0 ?? "") + "\nGreeter 1: succeeded\n" }
    #expect(try origin.git("notes", "--ref=martlet", "show") == "By hand\n\nGreeter 1: succeeded")
    let before = try origin.git("rev-parse", "refs/notes/martlet")
    try repository.changeNote(of: id) { $0 ?? "" }
    #expect(try origin.git("rev-parse", "refs/notes/martlet") == before)
  }

  @Test("Writers at the same moment lose nothing of each other")
  func atTheSameMoment() async throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let id = try origin.commit("Greet", ["a": "1"])
    let path = origin.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for turn in 0..<5 {
            try Repository(at: path).changeNote(of: id) { "\($0 ?? "")\(writer).\(turn)\n" }
          }
        }
      }
      try await group.waitForAll()
    }
    let lines = try #require(try note(of: id, in: Repository(at: path))).split(separator: "\n").map(String.init)
    #expect(lines.sorted() == (0..<4).flatMap { writer in (0..<5).map { "\(writer).\($0)" } })
  }

  @Test("A commit that is not there gets no note")
  func missing() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    try origin.commit("Greet", ["a": "1"])
    let gone = CommitID(rawValue: String(repeating: "ab", count: 20))
    let repository = try Repository(at: origin.path)
    let error = #expect(throws: GitError.self) { try repository.changeNote(of: gone) { _ in "Greeter 1" } }
    #expect(error?.kind == .missingObject)
    #expect(
      error?.description.hasPrefix("Cannot write the note of “\(gone.rawValue)” in “\(repository.path)”: ") == true)
    #expect(try origin.git("for-each-ref", "refs/notes") == "")
  }

  @Test("A lock that stays is told")
  func refused() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let id = try origin.commit("Greet", ["a": "1"])
    try origin.git("notes", "--ref=martlet", "add", "-m", "By hand")
    try Data().write(to: URL(fileURLWithPath: "\(origin.path)/.git/refs/notes/martlet.lock"))
    let repository = try Repository(at: origin.path)
    #expect(throws: GitError.self) { try repository.changeNote(of: id) { _ in "Greeter 1" } }
    #expect(try note(of: id, in: repository) == "By hand\n")
  }

  /// The note of a commit that has one: a change to the same text writes nothing.
  private func note(of commit: CommitID, in repository: borrowing Repository) throws -> String? {
    var note: String?
    try repository.changeNote(of: commit) { old in
      note = old
      return old ?? ""
    }
    return note
  }
}
