import Comparing
import Model
import Rendering
import Testing

@Suite("Gates where not everything is known")
struct UnknownGateTests {
  private let path = "Sources/A/A.swift"
  private let old = CoverageText(["1| a", "3| b"])

  /// A result with a second file, about which the diff says nothing.
  private func result(
    _ gate: CoverageGate, _ lines: [String], _ obstacle: FileDifference.Obstacle = .content
  ) -> GateResult {
    let text = CoverageText(lines)
    let hidden = CoverageText(["1| a", "0| b"], path: "Gen.swift").coverage
    let difference = SourceDifference([
      FileDifference(status: .modified, oldPath: path, newPath: path, lines: text.lines(from: old)),
      FileDifference(status: .modified, oldPath: "Gen.swift", newPath: "Gen.swift", lines: nil, obstacle: obstacle),
    ])
    let coverage = Coverage(files: [text.coverage, hidden])
    let changes = CoverageChanges(
      comparison: .known(
        CoverageComparison(
          of: coverage, with: Coverage(files: [old.coverage, hidden]), baseline: 41, difference: difference)),
      patch: .known(PatchCoverage(of: coverage, touchedBy: difference, origin: .integration(41))))
    return GateJudgement.told(of: [gate], coverage: .available(coverage), changes: changes)[0]
  }

  @Test(
    "A gate that passes but for a file that cannot be followed could not be judged",
    arguments: [
      (FileDifference.Obstacle.content, "the diff does not say how the lines moved"),
      (.submodule, "a submodule came, moved or went"), (.links, "links on the way to it changed, or lead nowhere"),
      (.renames, "too many files came and went at once to look for renamed ones"),
    ])
  func unmapped(_ obstacle: FileDifference.Obstacle, _ words: String) {
    for gate in [CoverageGate.patchFullyCovered, .patch(atLeast: 80)] {
      #expect(
        result(gate, ["1| a", "3| b", "1| c"], obstacle)
          == GateResult(
            rule: gate.rule, state: .failed,
            sentence: "It could not be judged. Which lines changed is not known in Gen.swift, because \(words).",
            files: ["Gen.swift"]))
    }
    #expect(
      result(.noLostCoverage, ["1| a", "3| b"], obstacle)
        == GateResult(
          rule: "no-lost-coverage", state: .failed,
          sentence: "It could not be judged. Whether lines were lost is not known in Gen.swift, because \(words).",
          files: ["Gen.swift"]))
  }

  @Test("A gate that fails anyway names its lines and says what is not known")
  func both() {
    #expect(
      result(.patchFullyCovered, ["1| a", "3| b", "0| c"]).sentence
        == "1 of 1 changed line never ran: Sources/A/A.swift:3. Which lines changed is not known in Gen.swift, because the diff does not say how the lines moved."
    )
    let lost = result(.noLostCoverage, ["1| a", "0| b"])
    #expect(
      lost.sentence
        == "1 unchanged line that ran in 41 no longer runs: Sources/A/A.swift:2. Whether lines were lost is not known in Gen.swift, because the diff does not say how the lines moved."
    )
    #expect(lost.files == ["Gen.swift", "Sources/A/A.swift"])
    #expect(lost.location == SourceLocation(file: path, line: 2))
  }

  @Test("Of many files the first ten are named")
  func many() {
    let files = (1...12).map { UnmappedFile(path: "F\($0).swift", obstacle: .renames) }
    #expect(
      files.sentences("Which lines changed", first: 2) == [
        "Which lines changed is not known in F1.swift, F2.swift and 10 more, because too many files came and went at once to look for renamed ones."
      ])
  }

  // MARK: Lost parts

  /// A file of a function with a part in its second line.
  private func file(_ lines: [String], part: UInt64, through end: Int = 2) -> FileCoverage {
    var file = CoverageText(lines).coverage
    file.functions[0].regions.append(
      CoverageRegion(
        start: SourcePosition(line: 2, column: 6), end: SourcePosition(line: end, column: 7), count: part))
    return file
  }

  private func comparison(_ now: FileCoverage, _ then: FileCoverage, _ map: LineMap = .identity) -> CoverageComparison {
    CoverageComparison(
      of: Coverage(files: [now]), with: Coverage(files: [then]), baseline: 41,
      difference: SourceDifference([
        FileDifference(status: .modified, oldPath: path, newPath: path, lines: map)
      ]))
  }

  private func judged(_ comparison: CoverageComparison) -> GateResult {
    GateJudgement.told(
      of: [.noLostCoverage], coverage: .available(Coverage(files: [])),
      changes: CoverageChanges(comparison: .known(comparison), patch: .unknown(reason: "none")))[0]
  }

  @Test("A part of a line that still runs is lost coverage, too")
  func lostPart() {
    let text = ["1| a", "3| b ?? c"]
    #expect(
      judged(comparison(file(text, part: 0), file(text, part: 2))).told
        == GateResult(
          rule: "no-lost-coverage", state: .failed,
          sentence: "1 line now runs only partly: Sources/A/A.swift:2.",
          location: SourceLocation(file: path, line: 2), files: [path]))
    #expect(judged(comparison(file(text, part: 2), file(text, part: 2))).state == .passed)
  }

  @Test("A part of which a line is lost is told by that line alone")
  func lostLine() {
    let now = file(["1| a", "3| if b {", "0| c", "3| }"], part: 0, through: 4)
    let then = file(["1| a", "3| if b {", "1| c", "3| }"], part: 1, through: 4)
    let comparison = comparison(now, then)
    #expect(comparison.lostLines.map(\.line) == [3])
    #expect(comparison.lostParts == [])
    #expect(
      judged(comparison).sentence == "1 unchanged line that ran in 41 no longer runs: Sources/A/A.swift:3.")
  }

  @Test("A part in which the text changed is another one, and not lost")
  func changedPart() {
    let text = ["1| a", "3| b { x in", " | c", "3| }"]
    let then = file(text, part: 1, through: 4)
    let changed = comparison(file(text, part: 0, through: 4), then, LineMap(hunks: [.init(old: 3..<4, new: 3..<4)]))
    #expect(changed.lostParts == [])
    #expect(changed.regions[.lost] == 0)
    #expect(changed.regions[.newNeverRan] == 1)
    #expect(changed.regions[.deletedRan] == 1)
    #expect(judged(changed).state == .passed)
    // What changed before or behind it is nothing to it.
    for line in [1, 5] {
      let other = LineMap(hunks: [.init(old: line..<line, new: line..<line)])
      #expect(comparison(file(text, part: 0, through: 4), then, other).lostParts.map(\.line) == [2])
    }
  }

  // MARK: The ratchet

  private func ratchet(_ now: [FileCoverage], _ then: [FileCoverage], _ files: [FileDifference]) -> GateResult {
    let coverage = Coverage(files: now)
    let comparison = CoverageComparison(
      of: coverage, with: Coverage(files: then), baseline: 41, difference: SourceDifference(files))
    return GateJudgement.told(
      of: [.ratchet], coverage: .available(coverage),
      changes: CoverageChanges(comparison: .known(comparison), patch: .unknown(reason: "none")))[0]
  }

  @Test("The ratchet names code that counts only now")
  func included() {
    let now = CoverageText(["1| a", "0| b", "0| c"]).coverage
    let result = ratchet([now], [CoverageText(["1| a", " | b", " | c"]).coverage], [])
    #expect(
      result.sentence
        == "The share fell: 1 of 3 lines ran; in integration 41 it was 1 of 1. Counted only now, and never ran: Sources/A/A.swift:2–3."
    )
    #expect(result.location == SourceLocation(file: path, line: 2))
  }

  @Test("The ratchet tells code that was removed from code that is no longer counted")
  func removed() {
    let (kept, gone) = (CoverageText(["0| a"]).coverage, CoverageText(["1| a", "1| b"], path: "Gone.swift").coverage)
    let deletion = FileDifference(status: .deleted, oldPath: "Gone.swift", newPath: nil, lines: nil)
    let start = "The share fell: 0 of 1 line ran; in integration 41 it was 2 of 3."
    let removed = ratchet([kept], [kept, gone], [deletion])
    #expect(removed.sentence == "\(start) Code that ran was removed: 2 lines of Gone.swift.")
    #expect(removed.files == ["Gone.swift"])
    #expect(
      ratchet([kept], [kept, gone], []).sentence
        == "\(start) Code that ran is no longer counted: 2 lines of Gone.swift.")
    let hidden = FileDifference(status: .modified, oldPath: "Gone.swift", newPath: "Gone.swift", lines: nil)
    #expect(
      ratchet([kept], [kept, gone], [hidden]).sentence
        == "\(start) Which lines changed is not known in Gone.swift, because the diff does not say how the lines moved."
    )
  }
}
