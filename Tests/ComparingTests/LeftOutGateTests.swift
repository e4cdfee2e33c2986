import Comparing
import Model
import Testing

@Suite("Gates beside lines that are left out on request")
struct LeftOutGateTests {
  private static let path = "Sources/A/A.swift"
  private let old = LeftOutText([CoverageText(["1| a", "1| b", "1| c", "0| d"])])

  /// The same text with some lines left out, and how they run now.
  private func now(_ lines: [String], without range: ClosedRange<Int>) -> LeftOutText {
    LeftOutText([CoverageText(lines)], markers: [Self.path: [range]])
  }

  @Test("Lines that ran and are left out now do not count as still running, and fail nothing")
  func passed() {
    #expect(
      now(["1| a", "0| b", "0| c", "0| d"], without: 2...4).judged(.noLostCoverage, since: old)
        == GateResult(
          rule: "no-lost-coverage", state: .passed,
          sentence:
            "Every unchanged line that ran in 41 still runs, except 2 lines that are now left out. Left out: Sources/A/A.swift:2–3.",
          files: [Self.path]))
  }

  @Test("Beside lost lines those that are left out are named, too")
  func failed() {
    let result = now(["0| a", "0| b", "1| c", "0| d"], without: 2...2).judged(.noLostCoverage, since: old)
    #expect(result.state == .failed)
    #expect(
      result.sentence
        == "1 unchanged line that ran in 41 no longer runs: Sources/A/A.swift:1. 1 line that ran in 41 is now left out: Sources/A/A.swift:2."
    )
    #expect(result.location == SourceLocation(file: Self.path, line: 1))
  }

  @Test("Lines that are no code any more were not seen to run either")
  func noCode() {
    let new = LeftOutText([CoverageText(["1| a", " | b", "1| c", "0| d"])])
    #expect(
      new.judged(.noLostCoverage, since: old).sentence
        == "Every unchanged line that ran in 41 still runs, except 1 line that no longer counts. No longer counted: Sources/A/A.swift:2."
    )
  }

  @Test("A share that rose only because lines were left out is told as such")
  func ratchet() {
    #expect(
      now(["1| a", "0| b", "0| c", "0| d"], without: 2...4).judged(.ratchet, since: old)
        == GateResult(
          rule: "ratchet", state: .passed,
          sentence:
            "1 of 1 line ran; in integration 41 it was 3 of 4. 3 lines that counted in 41 are left out now, 2 of which ran then: Sources/A/A.swift:2–4. Had they counted, the share would have fallen.",
          files: [Self.path]))
    #expect(
      now(["1| a", "1| b", "1| c", "0| d"], without: 4...4).judged(.ratchet, since: old).sentence
        == "3 of 3 lines ran; in integration 41 it was 3 of 4. 1 line that counted in 41 is left out now, and it had never run: Sources/A/A.swift:4."
    )
  }

  @Test("Where only sums say how the lines that are left out run, the share may have fallen")
  func mayHaveFallen() {
    // One of the two lines runs now, and which one is not known.
    let new = now(["1| a", "1| b", "1| c", "0| new", "0| d"], without: 3...4)
    #expect(
      new.judged(.ratchet, since: old).sentence
        == "The share fell: 2 of 3 lines ran; in integration 41 it was 3 of 4. Code that ran is no longer counted: 1 line of Sources/A/A.swift. 1 line that counted in 41 is left out now, and it ran then: Sources/A/A.swift:3."
    )
    let many = LeftOutText([CoverageText(["1| a", "1| b", "1| c", "0| d", "0| e"])])
    let more = now(["1| a", "1| b", "1| c", "0| d", "1| new", "0| e"], without: 4...6)
    #expect(more.compared(with: many).leftOut.runningNow == 0...1)
    let fewer = LeftOutText([CoverageText(["1| a", "1| b", "0| d", "0| e"])])
    let gap = now(["1| a", "0| b", "1| new", "0| d", "0| e"], without: 2...5)
    #expect(gap.compared(with: fewer).leftOut.runningNow == 0...1)
    #expect(
      gap.judged(.ratchet, since: fewer).sentence
        == "1 of 1 line ran; in integration 41 it was 2 of 4. 3 lines that counted in 41 are left out now, 1 of which ran then: Sources/A/A.swift:2, 4–5. Had they counted, the share may have fallen."
    )
  }

  @Test("When everything is left out, that is said, and no share")
  func everything() {
    let new = LeftOutText([CoverageText(["0| a", "0| b", "0| c", "0| d"])], whole: [Self.path])
    #expect(
      new.judged(.ratchet, since: old).sentence
        == "There is no code to cover. 4 lines that counted in 41 are left out now, 3 of which ran then: Sources/A/A.swift:1–4."
    )
  }

  @Test("A ratchet that goes by kept totals does not claim that nothing is left out")
  func byTotals() {
    let new = now(["1| a", "1| b", "1| c", "0| d"], without: 4...4)
    func sentence(_ coverage: Coverage) -> String {
      GateJudgement.told(
        of: [.ratchet], coverage: .available(coverage),
        changes: CoverageChanges(
          comparison: .known(CoverageComparison(baseline: 41, before: old.coverage.totals, files: [])),
          patch: .unknown(reason: "Nobody asked.")))[0].sentence
    }
    #expect(
      sentence(new.coverage)
        == "3 of 3 lines ran; in integration 41 it was 3 of 4. It is not known whether lines that counted in integration 41 are left out now."
    )
    #expect(sentence(old.coverage) == "3 of 4 lines ran; in integration 41 it was 3 of 4.")
  }
}
