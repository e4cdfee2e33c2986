import Comparing
import Model
import Testing

@Suite("Gates beside lines that run by chance, and what a falling share comes from")
struct RatchetTests {
  private let path = "Sources/A/A.swift"

  private func comparison(
    _ new: [CoverageText], _ old: [CoverageText], by witness: CoverageText? = nil
  ) -> CoverageComparison {
    let difference = zip(new, old).map { new, old in
      FileDifference(status: .modified, oldPath: old.path, newPath: new.path, lines: new.lines(from: old))
    }
    let witnesses = witness.map { text in
      CoverageEvidence(now: [.init(number: 43, coverage: Coverage(files: [text.coverage]))])
    }
    return CoverageComparison(
      of: Coverage(files: new.map(\.coverage)), with: Coverage(files: old.map(\.coverage)), baseline: 41,
      difference: SourceDifference(difference), witnesses: witnesses ?? CoverageEvidence())
  }

  private func judged(_ gate: CoverageGate, _ new: [CoverageText], _ comparison: CoverageComparison) -> GateResult {
    GateJudgement.told(
      of: [gate], coverage: .available(Coverage(files: new.map(\.coverage))),
      changes: CoverageChanges(comparison: .known(comparison), patch: .unknown(reason: "Nobody asked.")))[0]
  }

  private func ratchet(_ new: [CoverageText], _ old: [CoverageText], by witness: CoverageText? = nil) -> GateResult {
    judged(.ratchet, new, comparison(new, old, by: witness))
  }

  @Test("What was gained by chance does not make up for what was lost for good")
  func gainedByChance() {
    let old = CoverageText(["1| a", "1| b", "0| c", "1| d", "1| e"])
    let new = CoverageText(["0| a", "0| b", "1| c", "0| d", "1| e"])
    let witness = CoverageText(["1| a", "1| b", "0| c", "0| d", "1| e"])
    let result = ratchet([new], [old], by: witness)
    #expect(result.state == .failed)
    #expect(
      result.sentence
        == "The share fell: 2 of 5 lines ran; in integration 41 it was 4 of 5. Lost or new without coverage: Sources/A/A.swift:4."
    )
    let kept = CoverageText(["0| a", "0| b", "1| c", "1| d", "1| e"])
    #expect(
      ratchet([kept], [old], by: witness)
        == GateResult(
          rule: "ratchet", state: .passed,
          sentence:
            "3 of 5 lines ran; in integration 41 it was 4 of 5; 3 lines that run by chance make the difference."
        ))
  }

  @Test("Only lines and parts that stopped to run by chance are exceptions to those that still run")
  func exceptions() {
    let old = CoverageText(["1| a", "0| b", "0| c", "1| d"])
    let new = CoverageText(["0| a", "1| b", "1| c", "1| d"])
    #expect(
      judged(.noLostCoverage, [new], comparison([new], [old], by: old)).sentence
        == "Every unchanged line that ran in 41 still runs, except 1 line that runs by chance.")
    var parts = comparison([new], [old], by: old)
    parts.files[0].partsByChance = [1, 4]
    #expect(
      judged(.noLostCoverage, [new], parts).sentence
        == "Every unchanged line that ran in 41 still runs, except 2 lines that run by chance.")
    let gained = CoverageText(["1| a", "1| b", "0| c", "1| d"])
    #expect(
      judged(.noLostCoverage, [gained], comparison([gained], [old], by: old)).sentence
        == "Every unchanged line that ran in 41 still runs.")
  }

  @Test("Code that was written anew and runs as before is not blamed for being removed")
  func rewritten() {
    let old = [CoverageText(["1| a", "1| b", "1| c"]), CoverageText(["0| d"], path: "Sources/A/B.swift")]
    let new = [CoverageText(["1| x", "1| y", "1| z"]), CoverageText(["0| d", "0| e"], path: "Sources/A/B.swift")]
    #expect(
      ratchet(new, old).sentence
        == "The share fell: 3 of 5 lines ran; in integration 41 it was 3 of 4. Lost or new without coverage: Sources/A/B.swift:2."
    )
    #expect(
      ratchet([CoverageText(["1| x", "1| y"]), old[1]], old).sentence
        == "The share fell: 2 of 3 lines ran; in integration 41 it was 3 of 4. Code that ran was removed: 1 line of Sources/A/A.swift."
    )
    // As many as were removed began to run elsewhere in the file; what is left is new and never ran.
    let tested = CoverageText(["1| a", "1| b", "0| n"])
    #expect(
      ratchet([tested], [CoverageText(["1| a", "1| c", "0| b"])]).sentence
        == "2 of 3 lines ran; in integration 41 it was 2 of 3.")
  }

  @Test("A file that lost lines and removed others is told by both")
  func both() {
    let old = CoverageText(["1| a", "1| b", "1| c", "0| d"])
    #expect(
      ratchet([CoverageText(["0| a", "1| b", "0| d"])], [old]).sentence
        == "The share fell: 1 of 3 lines ran; in integration 41 it was 3 of 4. Lost or new without coverage: Sources/A/A.swift:1. Code that ran was removed: 1 line of Sources/A/A.swift."
    )
  }
}
