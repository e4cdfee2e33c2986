import Foundation
import Git
import Model
import Testing

@testable import Git

@Suite("History")
struct HistoryTests {
  @Test("A commit is copied out with its summary on one line, its author and date")
  func commit() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let id = try origin.commit("Greet\neveryone\n\nBecause we can.", date: 1_700_000_000, ["a": "1"])
    let commit = try Repository(at: origin.path).commit(id)
    #expect(
      commit
        == Commit(
          id: id, summary: "Greet everyone", author: "Ada Lovelace", email: "ada@example.org",
          date: Date(timeIntervalSince1970: 1_700_000_000)))
  }

  @Test("A subject that is longer than any person's is cut, and says by how much")
  func longSubject() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let file = "\(scratch.path)/message"
    try Data(repeating: 0x61, count: 3_000_000).write(to: URL(fileURLWithPath: file))
    try origin.git("commit", "--allow-empty", "--quiet", "--file", file)
    let commit = try Repository(at: origin.path).commit(origin.tip())
    #expect(commit.summary == String(repeating: "a", count: 1000) + "… [2999000 more bytes left out]")
  }

  @Test("A message in Latin-1 is read as such, and broken UTF-8 is repaired")
  func encodings() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let file = "\(scratch.path)/message"
    try Data([0x67, 0x72, 0xFC, 0xDF]).write(to: URL(fileURLWithPath: file))
    try origin.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "--allow-empty", "--quiet", "--file", file)
    let latin = try origin.tip()
    let object = "tree \(try origin.git("write-tree"))\nauthor \u{1}A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nbad "
    try (Data(object.utf8) + Data([0xFF, 0x0A])).write(to: URL(fileURLWithPath: file))
    let broken = CommitID(rawValue: try origin.git("hash-object", "-t", "commit", "-w", "--literally", file))
    let repository = try Repository(at: origin.path)
    #expect(try repository.commit(latin).summary == "grüß")
    #expect(try repository.contents(of: latin, withPaths: false).message == "grüß\n")
    #expect(try repository.commit(broken).summary == "bad \u{FFFD}")
  }

  @Test("Ancestors come newest first, every commit before its parents, at most as many as asked for")
  func ancestors() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    let one = try origin.commit("One", date: 1_600_000_100)
    try origin.git("checkout", "--quiet", "-b", "side")
    let side = try origin.commit("Side", date: 1_600_000_300)
    try origin.git("checkout", "--quiet", "main")
    // A clock that went wrong: older than its parent.
    let two = try origin.commit("Two", date: 1_600_000_000)
    try origin.git(["merge", "--quiet", "--no-ff", "--message", "Merge", "side"], date: 1_600_000_400)
    let merge = try origin.tip()
    let repository = try Repository(at: origin.path)
    #expect(try repository.commitNames(to: merge, limit: 10) == [merge, side, two, one])
    #expect(try repository.commitNames(to: merge, limit: 2) == [merge, side])
    #expect(try repository.commitNames(to: merge, limit: 0) == [])
    #expect(try repository.commits(from: two, to: merge, limit: 10).map(\.summary) == ["Merge", "Side"])
    #expect(try repository.commits(from: side, to: merge, limit: 10).map(\.id) == [merge, two])
    #expect(try repository.commits(from: merge, to: one, limit: 10) == [])
    #expect(try repository.commits(from: nil, to: side, limit: 10).map(\.id) == [side, one])
    let gone = CommitID(rawValue: String(repeating: "0", count: 39) + "1")
    #expect(try repository.commits(from: gone, to: one, limit: 10).map(\.id) == [one])
    #expect(throws: GitError.self) { _ = try repository.commitNames(to: gone, limit: 1) }
    #expect(throws: GitError.self) { _ = try repository.commitNames(to: CommitID(rawValue: "main"), limit: 1) }
  }

  @Test("The history of a shallow clone ends where it was cut off")
  func shallow() throws {
    let scratch = try Scratch()
    let origin = try scratch.repository()
    for number in 1...5 { try origin.commit("\(number)", date: 1_600_000_000 + number, ["a": "\(number)"]) }
    try origin.git("clone", "--quiet", "--depth", "2", "file://\(origin.path)", "../Shallow")
    let repository = try Repository(at: "\(scratch.path)/Shallow")
    let head = try repository.head().commit
    let ancestors = try repository.commitNames(to: head, limit: 10)
    #expect(ancestors.count == 2)
    #expect(ancestors.first == head)
    #expect(try repository.contents(of: head, withPaths: true).paths == ["a"])
    // What the last one changed is unknown without its parent; the first of all made everything.
    #expect(try repository.contents(of: ancestors[1], withPaths: true).paths == nil)
    let workspace = scratch.workspace()
    _ = try repository.checkOut(head, into: workspace)
    #expect(workspace.text("a") == "5")
  }

  /// Walks a history that is given as parents and dates by number; numbers from 100 on are cut off.
  private func walk(_ history: [Int: (Int64, [Int])], from base: Int?, to head: Int, limit: Int = 100) throws -> [Int] {
    try HistoryWalk.commits(from: base, to: head, limit: limit) { id throws(GitError) in
      history[id].map { .init(date: $0.0, parents: $0.1) }
    }
  }

  @Test("A long history is not read beyond what is asked for")
  func lazy() throws {
    var read = 0
    let ids = try HistoryWalk.commits(from: nil, to: 1_000_000, limit: 3) { id throws(GitError) in
      read += 1
      return .init(date: Int64(id), parents: [id - 1])
    }
    #expect(ids == [1_000_000, 999_999, 999_998])
    #expect(read < 10)
  }

  @Test("A parent named twice and equal dates do not confuse the order")
  func oddHistories() throws {
    #expect(try walk([3: (5, [2, 2]), 2: (5, [1]), 1: (5, [])], from: nil, to: 3) == [3, 2, 1])
    #expect(try walk([3: (5, [2, 100]), 2: (5, [101])], from: nil, to: 3) == [3, 2])
    #expect(try walk([:], from: nil, to: 3) == [])
  }

  @Test("A commit that only later turns out to be the base's is not listed")
  func lateHiding() throws {
    // 5 → 3 → 2 → 1 and base 4 → 2, whose clock is far behind its parents.
    let history: [Int: (Int64, [Int])] = [5: (50, [3]), 3: (40, [2]), 2: (39, [1]), 1: (38, []), 4: (1, [2])]
    #expect(try walk(history, from: 4, to: 5) == [5, 3])
  }
}
