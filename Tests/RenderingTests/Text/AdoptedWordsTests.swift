import FoundationEssentials
import Model
import Rendering
import Testing

@Suite("What runs by hand and terminals take over from bots")
struct AdoptedWordsTests {
  @Test("A silence of a bot's issue holds in a run by hand, whichever number began it there, and names the bot")
  func silence() {
    let silence = Silence(
      issue: "t-1", scope: .streak, reason: "known", author: "Ann", since: .distantPast, number: 7, message: "no")
    let commit = CommitID(rawValue: "a")
    func effect(_ silence: Silence) -> Silence.Effect {
      silence.effect(onIssue: "t-1", found: [], streakStart: 2, commit: commit, at: .distantFuture)
    }
    #expect(effect(silence) == .none)
    let adopted = silence.adopted(from: "watched")
    #expect(effect(adopted) == .holds)
    #expect(IssueWords.sentence(of: adopted) == "silenced by Ann in watched: “known”")
    // One that is for a commit stays so.
    var ofCommit = silence
    (ofCommit.scope, ofCommit.commit) = (.integration, CommitID(rawValue: "b"))
    #expect(effect(ofCommit.adopted(from: "watched")) == .none)
  }

  @Test("Terminals tell a step in the words of pages")
  func steps() {
    #expect(StepWords.phrase(.beforeTriggers) == "before triggers")
    #expect(MachineWords.activity("before-triggers", nil) == "before triggers")
    #expect(MachineWords.activity("of a newer Martlet", nil) == "of a newer Martlet")
    #expect(MachineWords.activity(nil, nil) == "running")
    #expect(MachineWords.activity("testing", "Resources") == "waits in Slurm's queue: Resources")
  }
}
