import Comparing
import Model
import Rendering

extension GateResult {
  /// What it tells in words, without the lines and figures that pages make rows of.
  var told: GateResult {
    var told = self
    (told.lines, told.share, told.partial, told.shareBefore) = (nil, nil, nil, nil)
    return told
  }
}

extension GateJudgement {
  /// The judged conditions as people are told.
  static func told(
    of gates: [CoverageGate], coverage: CoverageReport, changes: CoverageChanges?,
    mutants: Answer<MutationReport>? = nil, earlier: EarlierCoverage = .comparable, held: GateResult.Base? = nil,
    counted: [String] = []
  ) -> [GateResult] {
    gates.map {
      GateResult(
        result(
          of: $0, coverage: coverage, changes: changes, mutants: mutants, earlier: earlier, held: held,
          counted: counted))
    }
  }
}
