import Comparing
import Model
import Rendering
import Testing

@Suite("Patch coverage and gates")
struct PatchAndGateTests {
  private let old = CoverageText(["1| a", "3| b"])

  private func coverage(_ text: CoverageText) -> Coverage { Coverage(files: [text.coverage]) }

  private func patch(_ text: CoverageText) -> PatchCoverage {
    let difference = SourceDifference([
      FileDifference(status: .modified, oldPath: text.path, newPath: text.path, lines: text.lines(from: old))
    ])
    return PatchCoverage(of: coverage(text), touchedBy: difference, origin: .integration(41))
  }

  private func result(
    _ gate: CoverageGate, _ lines: [String], before: CoverageText? = CoverageText(["1| a", "3| b"])
  ) -> GateResult {
    let text = CoverageText(lines)
    let comparison: Answer<CoverageComparison> =
      before.map { .known(text.compared(with: $0)) } ?? .unknown(reason: "There is no earlier integration.")
    let results = GateJudgement.told(
      of: [gate], coverage: .available(coverage(text)),
      changes: CoverageChanges(comparison: comparison, patch: .known(patch(text))),
      earlier: before == nil ? .none : .comparable)
    return results[0]
  }

  @Test("The patch has the touched lines that hold code, by what became of them")
  func touched() {
    let patch = patch(CoverageText(["1| a", " | // c", "0| d", "2| e", "3| b", "0| f"]))
    #expect(patch.tally == LineTally(total: 3, covered: 1, partial: 0))
    #expect(patch.files.map(\.neverRan) == [[3, 6]])
    #expect(patch.neverRan.map(\.description) == ["Sources/A/A.swift:3", "Sources/A/A.swift:6"])
    #expect(patch.newLines == ["Sources/A/A.swift": [2, 3, 4, 6]])
  }

  @Test("Touched lines with comments alone are no code, though LLVM counts them inside of functions")
  func silent() throws {
    let text = CoverageText(["1| a", "0| // c", "0| d", "1| // e", "3| b"])
    let difference = SourceDifference([
      FileDifference(status: .modified, oldPath: text.path, newPath: text.path, lines: text.lines(from: old))
    ])
    func patch(_ silent: Set<Int>) -> PatchCoverage {
      PatchCoverage(of: coverage(text), touchedBy: difference, origin: .parent) { path, lines in
        #expect(path == text.path && lines == [2, 3, 4])
        return silent
      }
    }
    #expect(patch([2, 4]).files.map(\.neverRan) == [[3]] && patch([2, 4]).files.map(\.silent) == [[2, 4]])
    #expect(patch([2, 4]).tally == LineTally(total: 1, covered: 0))
    #expect(patch([]).tally == LineTally(total: 3, covered: 1))
    #expect(patch([2, 3, 4]).files.isEmpty)
  }

  @Test("Of lines of headers the sentence says that calls from Swift are not all counted", arguments: ["h", "c"])
  func headers(_ suffix: String) {
    let path = "Sources/C/a.\(suffix)"
    let (old, text) = (CoverageText(["1| a", "3| b"], path: path), CoverageText(["1| a", "0| b", "0| c"], path: path))
    let difference = SourceDifference([
      FileDifference(status: .modified, oldPath: path, newPath: path, lines: text.lines(from: old))
    ])
    let results = GateJudgement.told(
      of: [.patchFullyCovered, .noLostCoverage], coverage: .available(coverage(text)),
      changes: CoverageChanges(
        comparison: .known(text.compared(with: old)),
        patch: .known(PatchCoverage(of: coverage(text), touchedBy: difference, origin: .integration(41)))),
      earlier: .comparable)
    let doubt = suffix == "h" ? " Not all calls from Swift into headers are counted." : ""
    #expect(
      results.map(\.sentence) == [
        "1 of 1 changed line never ran: \(path):3.\(doubt)",
        "1 unchanged line that ran in 41 no longer runs: \(path):2.\(doubt)",
      ])
  }

  @Test("A patch that touches no code has no files")
  func empty() {
    #expect(patch(old).files.isEmpty)
    #expect(patch(CoverageText(["1| a", "3| b", " | // c"])).files.isEmpty)
  }

  @Test("A fully covered patch passes, and one that is not names its lines")
  func patchFullyCovered() {
    #expect(
      result(.patchFullyCovered, ["1| a", "3| b", "1| c"]).told
        == GateResult(rule: "patch-fully-covered", state: .passed, sentence: "The changed line ran."))
    #expect(
      result(.patchFullyCovered, ["1| a", "3| b", "1| c", "0| d"]).told
        == GateResult(
          rule: "patch-fully-covered", state: .failed,
          sentence: "1 of 2 changed lines never ran: Sources/A/A.swift:4.",
          location: SourceLocation(file: "Sources/A/A.swift", line: 4), files: ["Sources/A/A.swift"]))
    #expect(result(.patchFullyCovered, ["1| a", "3| b"]).sentence == "No counted line differs from 41.")
  }

  @Test("A share of the patch may be missing, exactly so much", arguments: [(50.0, true), (50.1, false), (0, true)])
  func share(least: Double, passes: Bool) {
    let result = result(.patch(atLeast: least), ["1| a", "3| b", "1| c", "0| d"])
    #expect(result.state == (passes ? .passed : .failed))
    if !passes {
      #expect(
        result.sentence == "1 of 2 changed lines never ran: Sources/A/A.swift:4.")
    }
  }

  @Test(
    "A share that is met to the decimal is enough", arguments: [(161, 1000, 16.1), (161, 250, 64.4), (327, 500, 65.4)])
  func decimals(ran: Int, total: Int, least: Double) {
    func state(_ ran: Int) -> GateResult.State {
      let lines = (0..<total).map { "\($0 < ran ? 1 : 0)| new \($0)" }
      return result(.patch(atLeast: least), ["1| a", "3| b"] + lines).state
    }
    #expect(state(ran) == .passed && state(ran - 1) == .failed)
  }

  @Test("The first ten lines are named and the others counted")
  func manyLines() {
    let lines = ["1| a", "3| b"] + (0..<26).map { "\($0 % 2)| new \($0)" }
    #expect(
      result(.patchFullyCovered, lines).sentence
        == "13 of 26 changed lines never ran: Sources/A/A.swift:3, 5, 7, 9, 11, 13, 15, 17, 19, 21 and 3 more.")
  }

  @Test("Lost coverage fails its gate; without anything earlier there is nothing to lose")
  func lost() {
    #expect(
      result(.noLostCoverage, ["1| a", "0| b"]).told
        == GateResult(
          rule: "no-lost-coverage", state: .failed,
          sentence: "1 unchanged line that ran in 41 no longer runs: Sources/A/A.swift:2.",
          location: SourceLocation(file: "Sources/A/A.swift", line: 2), files: ["Sources/A/A.swift"]))
    #expect(
      result(.noLostCoverage, ["1| a", "1| b", "0| new"]).sentence
        == "Every unchanged line that ran in 41 still runs.")
    #expect(
      result(.noLostCoverage, ["1| a"], before: nil)
        == GateResult(
          rule: "no-lost-coverage", state: .notJudged,
          sentence: "No earlier integration has complete coverage to compare with."))
  }

  @Test("The ratchet compares shares exactly")
  func ratchet() {
    #expect(result(.ratchet, ["1| a", "3| b", "1| c"]).state == .passed)
    #expect(result(.ratchet, ["1| a", "3| b"]).sentence == "2 of 2 lines ran; in integration 41 it was 2 of 2.")
    #expect(
      result(.ratchet, ["1| a", "3| b", "0| c"]).sentence
        == "The share fell: 2 of 3 lines ran; in integration 41 it was 2 of 2. Lost or new without coverage: Sources/A/A.swift:3."
    )
  }

  @Test("A result keeps all lines that it failed for, and the shares that it judges by")
  func figures() {
    let lines = { (numbers: [Int]) in numbers.map { SourceLocation(file: "Sources/A/A.swift", line: $0) } }
    let patch = result(.patch(atLeast: 80), ["1| a", "3| b", "1| c", "0| d", "0| e"])
    #expect(patch.lines == lines([4, 5]))
    #expect(patch.share == Tally(total: 3, covered: 1))
    #expect(result(.patchFullyCovered, ["1| a", "3| b"]).share == Tally(total: 0, covered: 0))
    let lost = result(.noLostCoverage, ["0| a", "0| b"])
    #expect(lost.lines == lines([1, 2]) && lost.share == nil)
    let ratchet = result(.ratchet, ["1| a", "3| b", "0| c"])
    #expect(ratchet.share == Tally(total: 3, covered: 2) && ratchet.shareBefore == Tally(total: 2, covered: 2))
    #expect(result(.patchFullyCovered, ["1| a", "3| b", "1| c"]).lines == nil)
    let partly = PatchCoverage(
      origin: .integration(41), files: [.init(path: "A.swift", ran: [1], partlyRan: [2], neverRan: [3])])
    let told = GateJudgement.told(
      of: [.patchFullyCovered], coverage: .available(coverage(old)),
      changes: CoverageChanges(comparison: .unknown(reason: "There is nothing."), patch: .known(partly)))
    #expect(told.map(\.share) == [Tally(total: 3, covered: 2)] && told.map(\.partial) == [1] && patch.partial == nil)
  }

  @Test("Lines of several files are named with each file once")
  func places() {
    let lines = [("A", 1), ("A", 2), ("A", 3), ("A", 9), ("B", 4)].map { SourceLocation(file: $0, line: $1) }
    #expect(LinePlaces(lines).text(first: 10) == "A:1–3, 9; B:4")
    #expect(LinePlaces(lines).text(first: 1) == "A:1–3")
    #expect(LinePlaces(lines).lineCount(behind: 1) == 2)
  }

  @Test("What cannot be judged because something went wrong fails with the reason")
  func unknown() {
    func sentences(_ report: CoverageReport, _ changes: CoverageChanges?) -> [String] {
      let results = GateJudgement.told(
        of: [.patchFullyCovered, .noLostCoverage], coverage: report, changes: changes)
      #expect(results.allSatisfy { $0.state == .failed })
      return results.map(\.sentence)
    }
    #expect(
      sentences(.unavailable(reason: "No test process left its counters."), nil)
        == [String](
          repeating: "No coverage. No test process left its counters.", count: 2))
    #expect(
      sentences(.available(Coverage(files: [], isComplete: false, reason: "XCTest died of signal 9.")), nil)
        == [String](repeating: "The coverage is incomplete. XCTest died of signal 9.", count: 2))
    #expect(
      sentences(
        .available(coverage(old)),
        CoverageChanges(comparison: .unknown(reason: "It is gone."), patch: .unknown(reason: "It is gone.")))
        == [String](repeating: "It could not be judged. It is gone.", count: 2))
  }

  @Test(
    "A rule is read as it is written",
    arguments: [
      ("patch-fully-covered", CoverageGate.patchFullyCovered), ("patch=80", .patch(atLeast: 80)),
      ("patch=82.5", .patch(atLeast: 82.5)), ("no-lost-coverage", .noLostCoverage), ("ratchet", .ratchet),
    ])
  func rules(rule: String, gate: CoverageGate) {
    #expect(CoverageGate(rule: rule) == gate)
    #expect(gate.rule == rule)
  }

  @Test(
    "Other rules are refused",
    arguments: ["", "patch", "patch=", "patch=101", "patch=-1", "patch=a", "patch=1e1", "patch=1=2", "Ratchet"])
  func badRules(rule: String) {
    #expect(CoverageGate(rule: rule) == nil)
  }

  @Test("A failed gate is an issue with one name whatever lines it names, and makes the integration red")
  func issues() {
    let first = result(.patchFullyCovered, ["1| a", "3| b", "0| c"])
    let second = result(.patchFullyCovered, ["1| a", "3| b", "0| c", "0| d"])
    let issues = [first, second].map { gate in
      Finding.named(IssueFinder.issues(diagnostics: [], tests: [], gates: [.init(.gate(gate.rule), gate.message)]))
    }
    #expect(issues.map(\.count) == [1, 1])
    #expect(issues[0][0].id == issues[1][0].id)
    #expect(issues[0][0].kind == .gate)
    #expect(
      issues[0][0].message == "Full patch gate: 1 of 1 changed line never ran: Sources/A/A.swift:3.")
    var evidence = Verdict.Evidence(built: true, diagnostics: [], tests: TestReport(), expectsTests: false)
    evidence.failedGates = [first]
    #expect(Verdict.of(evidence).told == ToldVerdict(.testFailures, [first.message], onlyGatesFailed: true))
  }
}
