import Comparing
import FoundationEssentials
import Model
import Rendering
import Testing

@Suite("What a gate is judged against")
struct GateBaseTests {
  private static let base = GateResult.Base.commit(CommitID(rawValue: String(repeating: "b", count: 40)), number: 3)

  private static let now = Date(timeIntervalSince1970: 1_790_000_000)

  /// The base that 'no-lost-coverage' keeps behind integration 5.
  private func held(
    _ state: GateResult.State, rule: String = "no-lost-coverage", base: GateResult.Base? = base,
    issue status: Issue.Status = .new, by silence: Silence? = nil, since said: Silence? = nil
  ) -> GateResult.Base? {
    var issue = Issue(id: "g", kind: .gate, status: status, message: "Gate no-lost-coverage: 3 lines do not any more.")
    let record = IssueRecord(
      id: "g", kind: .gate, message: "", location: nil, test: nil, streaks: [.init(opened: 5, lastSeen: 5)])
    (issue.life, issue.silence) = (record.life, silence)
    var integration = Documents.integration(5, issues: [issue])
    integration.gates = [GateResult(rule: rule, state: state, sentence: "3 lines do not any more.", base: base)]
    return GateJudgement.heldBase(
      of: .noLostCoverage, in: IntegrationRecord(integration), [said].compactMap(\.self), at: Self.now)
  }

  @Test("A gate that failed keeps what it failed against")
  func failed() {
    #expect(held(.failed) == Self.base)
    #expect(held(.failed, base: .nothing) == .nothing)
  }

  @Test("The base is written as older programs read it, and one that is nothing is no unknown one")
  func document() throws {
    func text(_ base: GateResult.Base?) throws -> String {
      let result = GateResult(rule: "ratchet", state: .failed, sentence: "It fell.", base: base)
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let bytes = try encoder.encode(result)
      #expect(try JSONDecoder().decode(GateResult.self, from: bytes) == result)
      return String(decoding: bytes, as: UTF8.self)
    }
    let end = #""rule":"ratchet","sentence":"It fell.","#
    #expect(try text(nil) == "{\(end)" + #""state":"failed"}"#)
    #expect(try text(.nothing) == "{\(end)" + #""since":"nothing","state":"failed"}"#)
    #expect(
      try text(Self.base)
        == #"{"base":{"commit":"\#(String(repeating: "b", count: 40))","number":3},"# + end + #""state":"failed"}"#)
    #expect(
      try text(GateResult.Base.commit(CommitID(rawValue: "b"), number: nil)) == #"{"base":{"commit":"b"},"# + end
        + #""state":"failed"}"#)
  }

  @Test("One that passed, or could not be judged, or was not asked for, begins anew")
  func anew() {
    #expect(held(.passed) == nil)
    #expect(held(.notJudged) == nil)
    #expect(held(.failed, rule: "ratchet") == nil)
  }

  @Test("An integration that was not asked for a gate hands on what it owes, and one that passed it does not")
  func handedOn() {
    func integration(_ number: Int, _ gates: [GateResult], owed: [GateResult] = []) -> IntegrationRecord {
      var integration = Documents.integration(number)
      integration.gates = gates
      integration.owedGates = owed
      return IntegrationRecord(integration)
    }
    let failed = GateResult(rule: "ratchet", state: .failed, sentence: "It fell.", base: Self.base)
    let passed = GateResult(rule: "patch=0", state: .passed, sentence: "1 of 2 ran.", base: Self.base)
    let first = integration(5, [failed])
    #expect(first.owed == [failed])
    let second = integration(6, [passed], owed: first.owed)
    #expect(second.owedGates == [failed])
    #expect(GateJudgement.heldBase(of: .ratchet, in: second, at: Self.now) == Self.base)
    #expect(GateJudgement.heldBase(of: .patch(atLeast: 0), in: second, at: Self.now) == nil)
    #expect(integration(7, [passed]).owedGates == nil)
    #expect(HistoryLine(of: second).gateBases == [3])
    #expect(HistoryLine(of: integration(7, [passed])).gateBases == [])
    #expect(HistoryLine(of: integration(8, [])).gateBases == nil)
  }

  @Test("A gate says which files it counts that the package leaves out")
  func counted() {
    let new = CoverageText(["1| a", "0| b"])
    let patch = PatchCoverage(
      of: Coverage(files: [new.coverage]),
      touchedBy: SourceDifference([FileDifference(status: .added, oldPath: nil, newPath: new.path, lines: nil)]),
      origin: .nothing)
    let result = GateJudgement.told(
      of: [.patch(atLeast: 50)], coverage: .available(Coverage(files: [new.coverage])),
      changes: CoverageChanges(comparison: .unknown(reason: ""), patch: .known(patch)), counted: [new.path])[0]
    #expect(
      result.sentence.hasSuffix(" Gates also count files that the package's .martlet.yml leaves out: \(new.path)."))
    #expect(result.files == [new.path])
  }

  @Test("Whoever silences its issue takes the coverage as it is, but not for one integration alone")
  func silenced() {
    #expect(held(.failed, issue: .silenced) == nil)
    #expect(held(.failed, issue: .silenced, by: silence(.integration)) == Self.base)
  }

  @Test("Whoever silences it after the integration takes it as it is, until the silence ends")
  func silencedSince() {
    #expect(held(.failed, since: silence(.streak)) == nil)
    #expect(held(.failed, since: silence(.ever)) == nil)
    #expect(held(.failed, since: silence(.integration)) == Self.base)
    #expect(held(.failed, since: silence(.streak, until: Self.now)) == Self.base)
    #expect(held(.failed, since: silence(.streak, of: "other")) == Self.base)
    #expect(held(.failed, since: silence(.streak, number: 4)) == Self.base)
  }

  private func silence(
    _ scope: Silence.Scope, of issue: String = "g", number: Int = 5, until: Date? = nil
  ) -> Silence {
    Silence(
      issue: issue, scope: scope, reason: "known", author: "Ada", since: Self.now, until: until, number: number,
      commit: IntegrationRecord(Documents.integration(5)).commit.id, message: "")
  }

  /// What a gate says about a patch of some lines that ran, and some that never did.
  private func passed(
    _ lines: Int, never: Int = 0, by gate: CoverageGate = .patchFullyCovered, since held: GateResult.Base?
  ) -> String {
    let new = CoverageText(["1| a"] + (0..<lines).map { "1| new \($0)" } + (0..<never).map { "0| never \($0)" })
    let difference = SourceDifference([
      FileDifference(
        status: .modified, oldPath: new.path, newPath: new.path, lines: new.lines(from: CoverageText(["1| a"])))
    ])
    let coverage = Coverage(files: [new.coverage])
    let patch = PatchCoverage(of: coverage, touchedBy: difference, origin: .integration(3))
    return GateJudgement.told(
      of: [gate], coverage: .available(coverage),
      changes: CoverageChanges(comparison: .unknown(reason: ""), patch: .known(patch)), held: held)[0].sentence
  }

  @Test("A gate that passes although some lines never ran says which share ran, with tenths only if it asks for any")
  func passedShare() {
    #expect(passed(5, never: 1, by: .patch(atLeast: 80), since: nil) == "5 of 6 changed lines ran (83.3%).")
    #expect(passed(2, never: 1, by: .patch(atLeast: 66.6), since: nil) == "2 of 3 changed lines ran (66.7%).")
  }

  @Test("A gate that passes what it failed before says since when it is told, as the patch beside it is another one")
  func passedSince() {
    #expect(passed(2, since: nil) == "Both changed lines ran.")
    #expect(passed(2, since: Self.base) == "Both lines changed since integration 3 ran.")
    #expect(passed(1, since: .nothing) == "The line changed since the beginning ran.")
    #expect(passed(0, since: nil) == "No counted line differs from 3.")
    #expect(
      passed(0, since: GateResult.Base.commit(CommitID(rawValue: "b"), number: nil))
        == "No counted line changed since the commit before the first integration.")
  }

  @Test("Where earlier coverage is of something else, it is not said that there was none")
  func references() {
    func results(_ earlier: GateJudgement.EarlierCoverage) -> [GateResult] {
      GateJudgement.told(
        of: [.noLostCoverage, .ratchet], coverage: .available(Coverage(files: [])),
        changes: CoverageChanges(comparison: .unknown(reason: "It is gone."), patch: .unknown(reason: "")),
        earlier: earlier)
    }
    for (earlier, sentence) in [
      (
        GateJudgement.EarlierCoverage.none,
        "No earlier integration has complete coverage to compare with."
      ),
      (.unrelated, "No earlier integration with complete coverage can be compared with this one."),
    ] {
      #expect(results(earlier).map(\.sentence) == [sentence, sentence])
      #expect(results(earlier).allSatisfy { $0.state == .notJudged })
    }
    #expect(
      results(.comparable).map(\.sentence) == [
        "It could not be judged. It is gone.", "It could not be judged. It is gone.",
      ])
    #expect(results(.comparable).allSatisfy { $0.state == .failed })
  }

  @Test("An older document, which kept no base, and one that was its own base hold nothing")
  func old() {
    #expect(held(.failed, base: nil) == nil)
    #expect(held(.failed, base: GateResult.Base.commit(CommitID(rawValue: "b"), number: 5)) == nil)
  }
}
