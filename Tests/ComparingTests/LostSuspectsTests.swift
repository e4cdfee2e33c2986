import Model
import Testing

@testable import Comparing

@Suite("Suspects of a branch that was made again")
struct LostSuspectsTests {
  /// A branch with one commit, beside others.
  private struct Branch: CommitHistory {
    var absent: [CommitID: CommitAbsence] = [:]

    func ancestry(of commit: CommitID, limit: Int) -> Ancestry { Ancestry([commit]) }
    func absence(of commit: CommitID) -> CommitAbsence? { absent[commit] }
    func reaches(_ ancestor: CommitID, from head: CommitID) -> Bool { ancestor == head }
  }

  private static let (eve, fay) = (CommitID(rawValue: "e"), CommitID(rawValue: "f"))

  private func memory(suspecting commits: CommitID?...) -> IssueMemory {
    var record = IssueRecord(
      id: "t-1", kind: .testFailure, message: "no", location: nil, test: nil,
      streaks: [IssueRecord.Streak(opened: 2, lastSeen: 2)])
    record.suspects = commits.map { commit in
      Suspect(name: "Somebody", email: "", confidence: .high, reason: "changed it.", commit: commit)
    }
    return IssueMemory(number: 2, commit: Self.eve, reached: [], records: [record])
  }

  @Test("Who is suspected for a commit that the branch does not have is forgotten, and nobody else is")
  func forgotten() {
    func forgets(_ memory: IssueMemory, _ absent: [CommitID: CommitAbsence] = [:]) -> Bool {
      var left = memory
      let forgotten = left.forgetSuspects(
        apartFrom: Self.fay, in: Branch(absent: absent))
      #expect(left.records[0].suspects == (forgotten.isEmpty ? memory.records[0].suspects : nil))
      return forgotten == ["t-1"]
    }
    #expect(forgets(memory(suspecting: Self.eve)))
    #expect(forgets(memory(suspecting: Self.fay, Self.eve)))
    #expect(forgets(memory(suspecting: Self.eve), [Self.eve: .gone]))
    #expect(!forgets(memory(suspecting: Self.fay)))
    #expect(!forgets(memory(suspecting: nil)), "A toolchain is no commit.")
    #expect(!forgets(memory(suspecting: Self.eve), [Self.eve: .leftOut]), "It may lie behind a shallow clone.")
  }

  @Test("Issues that are gone keep their suspects, as the past does not change")
  func past() {
    var memory = memory(suspecting: Self.eve)
    memory.records[0].streaks[0].closed = 2
    #expect(memory.forgetSuspects(apartFrom: Self.fay, in: Branch()).isEmpty)
    #expect(memory.records[0].suspects?.count == 1)
  }
}
