import Comparing
import Model
import Rendering
import Testing

@Suite("The gate on changed functions that nothing checks")
struct UncheckedGateTests {
  private func function(
    _ lines: ClosedRange<Int>, _ verdict: MutationReport.Verdict, in path: String = "Sources/A/A.swift"
  ) -> MutationReport.Subject {
    MutationReport.Subject(
      path: path, start: SourcePosition(line: lines.lowerBound, column: 12),
      end: SourcePosition(line: lines.upperBound, column: 4), name: "f", tests: 2, verdict: verdict)
  }

  private let unchecked = MutationReport.Verdict.judged([.init(.zero), .init(.one)])
  private let checked = MutationReport.Verdict.judged([.init(.zero), .init(.one, notice: .failed)])

  /// Judged where the lines 3, 12 and 22 were touched, of which the last never ran.
  private func result(
    _ mutants: Answer<MutationReport>?, unmapped: [UnmappedFile] = [], held: GateResult.Base? = nil
  ) -> GateResult {
    var patch = PatchCoverage(
      origin: .integration(4),
      files: [.init(path: "Sources/A/A.swift", ran: [3], partlyRan: [12], neverRan: [22])])
    patch.unmapped = unmapped
    return GateJudgement.told(
      of: [.noUncheckedChanges], coverage: .available(Coverage(files: [])),
      changes: CoverageChanges(comparison: .unknown(reason: "none"), patch: .known(patch)), mutants: mutants,
      held: held)[0]
  }

  private func result(_ functions: [MutationReport.Subject]) -> GateResult {
    result(.known(MutationReport(scope: .all, functions: functions)))
  }

  @Test("It fails for each function of which a touched line ran and that nothing checks")
  func failed() {
    let gate = result([
      function(2...6, unchecked), function(10...14, checked), function(20...24, unchecked),
      function(2...6, unchecked, in: "Sources/A/B.swift"),
    ])
    #expect(gate.state == .failed)
    #expect(
      gate.message
        == "Unchecked-changes gate: 1 of 2 changed functions is not checked by any test: Sources/A/A.swift:2.")
    #expect(gate.lines == [SourceLocation(file: "Sources/A/A.swift", line: 2)])
  }

  @Test("It passes where tests check what could be tried, and where nothing could")
  func passed() {
    let gate = result([function(2...6, checked), function(10...14, checked)])
    #expect(gate.state == .passed && gate.sentence == "2 changed functions checked.")
    let none = result([function(2...6, .notJudged(.result)), function(30...34, unchecked)])
    #expect(none.state == .passed && none.sentence == "No changed function could be tried.")
  }

  @Test("It fails where a changed function was not tried for lack of time, or none could be, with the reason")
  func unknown() {
    let late = result([function(2...6, .notJudged(.time)), function(10...14, checked)])
    #expect(late.state == .failed)
    #expect(late.sentence == "It could not be judged. There was no time for 1 changed function.")
    let reason = result(.unknown(reason: "Functions are not tried without their bodies under a sanitizer."))
    #expect(reason.state == .failed)
    #expect(
      reason.sentence == "It could not be judged. Functions are not tried without their bodies under a sanitizer.")
    let nobody = result(nil)
    #expect(nobody.state == .failed)
    #expect(nobody.sentence == "It could not be judged. No function was tried without its body.")
    let unmapped = result(
      .known(MutationReport(scope: .all, functions: [])),
      unmapped: [UnmappedFile(path: "Sources/A/C.swift", obstacle: .content)])
    #expect(unmapped.state == .failed)
  }

  @Test("It is written as it is read, and has functions tried that nobody asked for otherwise")
  func rule() {
    #expect(CoverageGate(rule: "no-unchecked-changes") == .noUncheckedChanges)
    #expect(CoverageGate.noUncheckedChanges.rule == "no-unchecked-changes")
    #expect(MutationScope.off.needed(by: [.noUncheckedChanges]) == .changed)
    #expect(MutationScope.off.needed(by: [.ratchet]) == .off)
    #expect(MutationScope.all.needed(by: [.noUncheckedChanges]) == .all)
  }
}
