import FoundationEssentials
@testable import Model
import Testing

@testable import Comparing

@Suite("Issues known again")
struct IssueMatchingTests {
  private func warning(_ line: Int, in file: String = "Sources/Shop/Cart.swift", _ words: String = "never used")
    -> Issue
  {
    Issue(id: "", kind: .warning, message: words, location: SourceLocation(file: file, line: line))
  }

  private func change(
    from old: String = "Sources/Shop/Cart.swift", to new: String? = nil, _ hunks: [LineMap.Hunk] = []
  ) -> SourceDifference {
    SourceDifference([
      FileDifference(
        status: new == nil ? .modified : .renamed, oldPath: old, newPath: new ?? old, lines: LineMap(hunks: hunks))
    ])
  }

  private let built = IssueReach(built: true, tests: [:], listed: true)

  /// The first integration of some findings, and what it remembers.
  private func first(_ findings: [Issue]) -> FollowedIssues {
    Finding.comparison(findings, with: nil, reach: built, number: 1)
  }

  @Test("Of three that are alike, the two that are left keep their names when the first goes")
  func oneGoes() {
    let first = first([warning(3), warning(8), warning(20)])
    let ids = first.issues.map(\.id)
    #expect(Set(ids).count == 3)
    let removal = change([LineMap.Hunk(old: 2..<6, new: 2..<2)])
    let second = Finding.comparison(
      [warning(4), warning(16)], with: first.memory, reach: built, number: 2, after: removal)
    #expect(second.issues.map(\.id) == [ids[1], ids[2], ids[0]])
    #expect(second.issues.map(\.status) == [.unresolved, .unresolved, .resolved])
  }

  @Test("One in a file that is gone stays where it was last known")
  func fileGone() {
    let first = first([warning(8)])
    let removal = SourceDifference([
      FileDifference(
        status: .deleted, oldPath: "Sources/Shop/Cart.swift", newPath: nil,
        lines: LineMap(hunks: [LineMap.Hunk(old: 1..<20, new: 1..<1)]))
    ])
    let second = Finding.comparison([], with: first.memory, reach: built, number: 2, after: removal)
    #expect(second.issues.map(\.location?.line) == [8])
  }

  @Test("What is not found is told where it was last seen, however its line was replaced and moved since")
  func notFound() {
    let first = first([warning(5)])
    let replaced = change([LineMap.Hunk(old: 4..<7, new: 4..<5)])
    let second = Finding.comparison(
      [], with: first.memory, reach: IssueReach(built: false, tests: [:], listed: false), number: 2, after: replaced)
    #expect(second.issues.map(\.status) == [.unresolved])
    #expect(second.issues.map(\.location?.line) == [5])
    #expect(second.issues.map(\.isFound) == [false])
    let moved = change([LineMap.Hunk(old: 1..<1, new: 1..<11)])
    let third = Finding.comparison([], with: second.memory, reach: built, number: 3, after: moved)
    #expect(third.issues.map(\.status) == [.resolved])
    #expect(third.issues.map(\.location?.line) == [5])
    let again = Finding.comparison([warning(17)], with: third.memory, reach: built, number: 4, after: nil)
    #expect(again.issues.map(\.id) == first.issues.map(\.id))
    #expect(again.memory.records.map(\.seenAt?.line) == [17])
  }

  @Test("One that is put between two that are alike is the new one, although they moved")
  func oneComesBetween() {
    let first = first([warning(3), warning(8)])
    let insertion = change([LineMap.Hunk(old: 1..<1, new: 1..<11), LineMap.Hunk(old: 5..<5, new: 15..<17)])
    let second = Finding.comparison(
      [warning(13), warning(16), warning(20)], with: first.memory, reach: built, number: 2, after: insertion)
    #expect(second.issues.map(\.status) == [.unresolved, .new, .unresolved])
    #expect(second.issues[0].id == first.issues[0].id)
    #expect(second.issues[2].id == first.issues[1].id)
  }

  @Test("Of those that differ in numbers, the one of the same words is the same, wherever another one comes")
  func numbered() {
    func found(_ number: Int, _ line: Int) -> Issue { warning(line, "'unused\(number)' was never used") }
    let first = first([found(1, 3)])
    let edit = change([LineMap.Hunk(old: 3..<4, new: 3..<5)])
    let second = Finding.comparison(
      [found(2, 3), found(1, 4)], with: first.memory, reach: built, number: 2, after: edit)
    #expect(second.issues.map(\.status) == [.new, .unresolved])
    #expect(second.issues[1].id == first.issues[0].id)
  }

  @Test("One whose line was edited is still the same, but those whose lines stand come first")
  func edited() {
    let first = first([warning(3), warning(8)])
    let edit = change([LineMap.Hunk(old: 3..<4, new: 3..<4)])
    let both = Finding.comparison([warning(3), warning(8)], with: first.memory, reach: built, number: 2, after: edit)
    #expect(both.issues.map(\.id) == first.issues.map(\.id))
    let one = Finding.comparison([warning(8)], with: first.memory, reach: built, number: 2, after: edit)
    #expect(one.issues.map(\.id) == [first.issues[1].id, first.issues[0].id])
  }

  @Test("A renamed file takes its issues along, and its old name is free for others")
  func renamed() {
    let named = warning(8, in: "Sources/Shop/Cart.swift", "'Sources/Shop/Cart.swift' is long")
    let first = first([warning(3), named])
    let rename = change(to: "Sources/Till/Basket.swift", [LineMap.Hunk(old: 1..<1, new: 1..<3)])
    let moved = [
      warning(5, in: "Sources/Till/Basket.swift"), warning(3),
      warning(10, in: "Sources/Till/Basket.swift", "'Sources/Till/Basket.swift' is long"),
    ]
    let second = Finding.comparison(moved, with: first.memory, reach: built, number: 2, after: rename)
    #expect(second.issues.map(\.status) == [.unresolved, .new, .unresolved])
    #expect(second.issues[0].id == first.issues[0].id)
    #expect(second.issues[2].id == first.issues[1].id)
    #expect(Set(second.issues.map(\.id)).count == 3)
    let third = Finding.comparison(moved, with: second.memory, reach: built, number: 3)
    #expect(third.issues.map(\.id) == second.issues.map(\.id))
    #expect(third.issues.map(\.age) == [2, 1, 2])
  }

  @Test("An issue moves along with its file while it is gone, and comes back under its name")
  func cameBack() {
    let first = first([warning(3)])
    let second = Finding.comparison([], with: first.memory, reach: built, number: 2)
    let rename = change(to: "Sources/Shop/Basket.swift")
    let third = Finding.comparison([], with: second.memory, reach: built, number: 3, after: rename)
    #expect(third.issues.isEmpty)
    let back = Finding.comparison(
      [warning(30, in: "Sources/Shop/Basket.swift")], with: third.memory, reach: built, number: 4)
    #expect(back.issues.map(\.id) == first.issues.map(\.id))
    #expect(back.issues.map(\.status) == [.new])
    #expect(
      back.issues.first?.life == IssueLife(firstSeen: 1, streak: 2, streakStart: 4, streakAge: 0, cameBackFrom: 1))
    #expect(back.issues.first?.age == 3)
    let still = Finding.comparison(
      [warning(31, in: "Sources/Shop/Basket.swift")], with: back.memory, reach: built, number: 5)
    #expect(still.issues.first?.status == .unresolved)
    #expect(still.issues.first?.life?.cameBackFrom == 1)
    #expect(still.issues.first?.life?.streakAge == 1)
  }

  @Test("Findings of which there are too many to weigh are known again by their order")
  func many() {
    let all = (1...400).map { warning($0) }
    let first = first(all)
    let second = Finding.comparison(all, with: first.memory, reach: built, number: 2)
    #expect(second.issues.map(\.id) == first.issues.map(\.id))
  }

  @Test("Only so many that are gone are remembered, and the last to go are")
  func forgetting() {
    let old = first((1...IssueComparison.mostGone).map { warning($0, "old word\(String(repeating: "x", count: $0))") })
    let last = Finding.comparison([warning(1, "last")], with: old.memory, reach: built, number: 2)
    let none = Finding.comparison([], with: last.memory, reach: built, number: 3)
    #expect(none.memory.records.count == IssueComparison.mostGone)
    #expect(none.memory.records.contains { $0.message == "last" })
  }
}
