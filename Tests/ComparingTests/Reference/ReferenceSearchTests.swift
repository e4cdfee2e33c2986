@testable import Comparing
import Model
import Testing

@Suite("The integration that another one is compared with")
struct ReferenceSearchTests {
  /// A repository of a straight line of commits, each called by a letter, the oldest first.
  private struct Line: CommitHistory {
    var commits: String
    var end = Ancestry.End.root
    var absent: [Character: CommitAbsence] = [:]

    func ancestry(of commit: CommitID, limit: Int) -> Ancestry {
      let before = commits.reversed().map(Self.id).drop { $0 != commit }
      return before.count > limit
        ? Ancestry(Array(before.prefix(limit)), end: .limit(limit)) : Ancestry(Array(before), end: end)
    }

    func absence(of commit: CommitID) -> CommitAbsence? {
      absent.first { Self.id($0.key) == commit }?.value
    }

    func reaches(_ ancestor: CommitID, from head: CommitID) -> Bool {
      ancestry(of: head, limit: .max).commits.contains(ancestor)
    }

    static func id(_ letter: Character) -> CommitID { CommitID(rawValue: String(repeating: letter, count: 40)) }
  }

  private func integration(
    _ number: Int, _ letter: Character, _ outcome: Outcome = .succeeded, on branch: String? = nil, scope: String? = "s",
    isDirty: Bool = false, isBehindBranch: Bool = false
  ) -> IndexedIntegration {
    var integration = IndexedIntegration(
      number: number, commit: Line.id(letter), branch: branch, outcome: outcome, scope: scope, isDirty: isDirty)
    integration.isBehindBranch = isBehindBranch
    return integration
  }

  private func previous(
    _ past: [IndexedIntegration], before letter: Character, on branch: String? = nil, scope: String? = "s",
    in history: Line = Line(commits: "abc"), includesWorkingTree: Bool = false,
    isBehind: Bool = false
  ) -> Int? {
    ReferenceSearch(
      past, before: Line.id(letter), includesWorkingTree: includesWorkingTree, isBehind: isBehind, scope: scope
    )
    .previous(on: branch, in: history)?.number
  }

  @Test("Commits are new since the one before; if the repository lost that, since the nearest green ancestor")
  func origin() {
    func origin(_ past: [IndexedIntegration], _ absence: CommitAbsence?) -> CommitID? {
      var history = Line(commits: "abc")
      history.absent["x"] = absence
      return ReferenceSearch(past, before: Line.id("c"), scope: "s").origin(after: Line.id("x"), in: history)
    }
    let past = [integration(1, "a", on: "main"), integration(2, "x", on: "topic")]
    #expect(origin(past, nil) == Line.id("x"))
    #expect(origin(past, .gone) == Line.id("a"))
    #expect(origin([past[1]], .gone) == nil, "The commit stands alone.")
    // What was red already, or is the same commit, tells nothing of what came in between.
    let red = [integration(3, "b", .testFailures, on: "main"), integration(4, "c", on: "main")]
    #expect(origin(past + red, .gone) == Line.id("a"))
    #expect(origin(red, .gone) == nil)
    // Beyond the end of a shallow clone lies nothing that is new.
    #expect(origin(past, .leftOut) == Line.id("x"))
  }

  @Test("What does not compile tells of no test, so the last one that was built counts")
  func lastBuilt() {
    let past = [integration(1, "a", on: "main"), integration(2, "b", .buildErrors, on: "main")]
    func built(_ past: [IndexedIntegration]) -> Int? {
      ReferenceSearch(past, before: Line.id("c"), scope: "s").lastBuilt(on: "main", in: Line(commits: "abc"))?.number
    }
    #expect(built(past) == 1)
    #expect(built(past + [integration(3, "b", .testFailures, on: "main")]) == 3)
    #expect(built([past[1]]) == nil)
  }

  @Test("The one before is the last comparable one of the branch, wherever the branch has moved to")
  func lastOfBranch() {
    let past = [
      integration(1, "x", on: "main"), integration(2, "a", on: "topic"), integration(3, "a", .canceled, on: "main"),
    ]
    #expect(previous(past, before: "c", on: "main") == 1)
    #expect(previous(past, before: "c", on: "main", scope: "other") == nil)
    // A branch that nothing was integrated on yet goes by the history.
    #expect(previous(past, before: "c", on: "new") == 2)
  }

  @Test("Else the one before is the newest conclusive, clean one of the nearest commit with the same scope")
  func nearestAncestor() {
    let past = [
      integration(1, "a"), integration(2, "b"), integration(3, "b", .testFailures), integration(4, "b", .canceled),
      integration(5, "b", scope: "other"), integration(6, "b", isDirty: true), integration(7, "c", .internalError),
      integration(8, "d", scope: nil),
    ]
    let history = Line(commits: "abcd")
    #expect(previous(past, before: "d", in: history) == 3)
    #expect(previous(past, before: "d", scope: "other", in: history) == 5)
    #expect(previous(past, before: "c", in: history) == 3)
    #expect(previous(past, before: "d", scope: "none", in: history) == nil)
    #expect(previous(past, before: "b", in: history, includesWorkingTree: true) == 3)
    // Whatever they have tested, the nearest is the newest of them.
    #expect(previous(past, before: "d", scope: nil, in: history, includesWorkingTree: true) == 8)
  }

  @Test("The branch point is the nearest commit that was integrated on another branch, however often the branch was")
  func branchPoint() {
    func point(_ past: [IndexedIntegration], in commits: String) -> Int? {
      ReferenceSearch(past, before: Line.id("d"), scope: "s").branchPoint(of: "topic", in: Line(commits: commits))?
        .number
    }
    let past = [
      integration(1, "a", on: "main"), integration(2, "c", on: "topic"), integration(3, "x", on: "main"),
    ]
    #expect(point(past, in: "abcd") == 1)
    // The branch took over what its other branch came to.
    #expect(point(past, in: "axcd") == 3)
    #expect(point(past + [integration(4, "d", on: "main")], in: "abcd") == 4)
    #expect(point([past[1]], in: "abcd") == nil)
  }

  @Test("A tag, a new branch or a repeated run goes by the newest integration of the same commit")
  func sameCommit() {
    let past = [
      integration(1, "a", on: "main"), integration(2, "b", .testFailures, on: "main"), integration(3, "b", on: "main"),
      integration(4, "c", on: "main"), integration(5, "a", .canceled),
    ]
    #expect(previous(past, before: "b") == 3)
    #expect(previous(past, before: "a", on: "new") == 1)
    #expect(previous(past, before: "b", on: "main") == 4)
    #expect(previous(past, before: "b", on: "main", isBehind: true) == 3)
    #expect(previous(past, before: "d", on: "main") == 4)
  }

  @Test("A branch does not follow an older commit that was looked at again, however many integrations came since")
  func lookedAtAgain() {
    let others = (5...200).map { integration($0, "x", on: "topic") }
    let main = [integration(2, "b", on: "main"), integration(3, "c", on: "main")]
    #expect(previous(main + [integration(4, "b", on: "main")] + others, before: "d", on: "main") == 4)
    let again = integration(4, "b", on: "main", isBehindBranch: true)
    #expect(previous(main + [again] + others, before: "d", on: "main") == 3)
    #expect(previous(main + [again] + others, before: "b", on: "main", isBehind: true) == 4)
  }

  @Test("A branch that was moved back is compared with what it was, and what follows with that")
  func movedBack() {
    let past = [integration(1, "a", on: "main"), integration(2, "b", on: "main"), integration(3, "c", on: "main")]
    func both(_ past: [IndexedIntegration], before letter: Character) -> [Int?] {
      let reference = ReferenceSearch(past, before: Line.id(letter), scope: "s")
        .reference(on: "main", in: Line(commits: "abc")) { _ in .complete }
      return [previous(past, before: letter, on: "main"), reference.found?.number]
    }
    #expect(both(past, before: "b") == [3, 3])
    #expect(both(past + [integration(4, "b", on: "main")], before: "x") == [4, 4])
  }

  @Test("A repository that cannot be read leads to none before, and to no reference that anybody can tell")
  func unreadable() {
    let history = Line(commits: "", end: .unreadable(reason: "It is damaged."))
    let past = [integration(1, "a")]
    #expect(previous(past, before: "c", in: history) == nil)
    let reference = ReferenceSearch(past, before: Line.id("c"), scope: "s")
      .reference(elseOn: nil, in: history) { _ in .complete }
    #expect(reference.doubt == .repository(reason: "It is damaged."))
  }

  @Test("Nothing is found behind one that may have had complete coverage, unless another of its commit tells")
  func doubt() {
    let past = [integration(1, "a"), integration(2, "b")]
    func reference(_ coverage: [Int: KnownCoverage], before letter: Character = "c") -> Reference.Nearest {
      ReferenceSearch(past, before: Line.id(letter), scope: "s")
        .reference(elseOn: nil, in: Line(commits: "abc")) { coverage[$0.number] ?? .incomplete }.nearest
    }
    #expect(reference([1: .complete, 2: .complete]) == .found(past[1]))
    #expect(reference([1: .complete, 2: .unknown(.removed(2))]) == .unknown(.removed(2)))
    #expect(reference([2: .unknown(.removed(2))]) == .unknown(.removed(2)))
    #expect(reference([:]) == .none(firstUnjudged: nil))
  }

  @Test("Of a branch as well, nothing is found behind one of which nobody knows what ran")
  func doubtOnBranch() {
    let past = [integration(1, "a", on: "main"), integration(2, "b", on: "main"), integration(3, "b", on: "main")]
    func reference(_ unknown: Set<Int>, incomplete: Set<Int> = []) -> Reference.Nearest {
      ReferenceSearch(past, before: Line.id("c"), scope: "s").reference(on: "main", in: Line(commits: "abc")) {
        unknown.contains($0.number)
          ? .unknown(.removed($0.number)) : incomplete.contains($0.number) ? .incomplete : .complete
      }.nearest
    }
    #expect(reference([3]) == .found(past[1]))
    #expect(reference([2, 3]) == .unknown(.removed(3)))
    #expect(reference([3], incomplete: [2]) == .unknown(.removed(3)))
    #expect(reference([1], incomplete: [2, 3]) == .unknown(.removed(1)))
  }

  @Test("A single run finds nothing behind such a one of its branch either, where no ancestor was integrated")
  func doubtElseOnBranch() {
    let past = [integration(1, "x", on: "main"), integration(2, "y", on: "main")]
    func reference(_ unknown: Set<Int>) -> Reference {
      ReferenceSearch(past, before: Line.id("c"), scope: "s").reference(elseOn: "main", in: Line(commits: "abc")) {
        unknown.contains($0.number) ? .unknown(.removed($0.number)) : .complete
      }
    }
    #expect(reference([]).onBranch == past[1])
    #expect(reference([2]) == Reference(nearest: .unknown(.removed(2))))
  }

  @Test("A history that nobody looked at to its end proves nothing, unless none of what is left was measured")
  func ends() {
    let past = [integration(1, "x")]
    let history = Line(commits: "abc", end: .shallowClone)
    func doubt(_ coverage: KnownCoverage, _ history: Line) -> ReferenceDoubt? {
      ReferenceSearch(past, before: Line.id("c"), scope: "s").reference(elseOn: nil, in: history) { _ in coverage }
        .doubt
    }
    #expect(doubt(.complete, history) == .shallowClone)
    #expect(doubt(.incomplete, history) == nil)
    #expect(doubt(.complete, Line(commits: "abc")) == nil)
  }

  @Test(
    "A gate is judged against what would be the reference, were its commit there; a patch never by the branch alone")
  func judged() {
    let (one, two) = (integration(1, "a"), integration(2, "b"))
    let amended = Reference(nearest: .none(firstUnjudged: nil), onBranch: one)
    #expect(amended.judged(ofPatch: false) == one)
    #expect(amended.judged(ofPatch: true) == nil)
    #expect(Reference(nearest: .found(one), vanished: two).judged(ofPatch: true) == two)
    #expect(amended.compared == one)
    let forgotten = Reference(nearest: .none(firstUnjudged: nil), onBranch: one, vanishedOnBranch: two)
    #expect(forgotten.judged(ofPatch: false) == two)
  }

  @Test("One of a branch whose commit lies beyond a shallow clone is not taken for gone")
  func beyond() {
    let past = [integration(1, "x", on: "main")]
    let history = Line(commits: "abc", absent: ["x": .leftOut])
    let reference = ReferenceSearch(past, before: Line.id("c"), scope: "s")
      .reference(on: "main", in: history) { _ in .complete }
    #expect(reference == Reference(nearest: .unknown(.beyondClone(1, Line.id("x")))))
  }
}
