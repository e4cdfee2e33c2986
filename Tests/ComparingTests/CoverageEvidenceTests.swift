import Comparing
import Model
import Rendering
import Testing

@Suite("Code that runs by chance")
struct CoverageEvidenceTests {
  private let path = "Sources/A/A.swift"

  private func witness(_ number: Int, _ lines: [String]) -> CoverageEvidence.Witness {
    CoverageEvidence.Witness(number: number, coverage: Coverage(files: [CoverageText(lines).coverage]))
  }

  private func comparison(_ new: [String], _ old: [String], _ witnesses: CoverageEvidence) -> CoverageComparison {
    let (new, old) = (CoverageText(new), CoverageText(old))
    let difference = SourceDifference([
      FileDifference(status: .modified, oldPath: path, newPath: path, lines: new.lines(from: old))
    ])
    return CoverageComparison(
      of: Coverage(files: [new.coverage]), with: Coverage(files: [old.coverage]), baseline: 41, difference: difference,
      witnesses: witnesses)
  }

  private func gate(_ gate: CoverageGate, _ comparison: CoverageComparison, now: [String]) -> GateResult {
    GateJudgement.told(
      of: [gate], coverage: .available(Coverage(files: [CoverageText(now).coverage])),
      changes: CoverageChanges(comparison: .known(comparison), patch: .unknown(reason: "Nobody asked.")))[0]
  }

  @Test("What another integration of this commit ran is not lost, and what it did not run is not gained")
  func now() throws {
    let (new, old) = (["1| new", "0| a", "2| b", "0| c"], ["1| a", "0| b", "1| c"])
    let comparison = comparison(
      new, old, CoverageEvidence(now: [witness(43, ["1| new", "5| a", "0| b", "0| c"]), witness(44, new)]))
    let file = try #require(comparison.file(at: path))
    #expect(
      file.byChance == [
        FileComparison.Line(line: 2, category: .lost, before: 1, isByChance: true),
        FileComparison.Line(line: 3, category: .gained, before: 0, isByChance: true),
      ])
    #expect(comparison.lostLines.map(\.line) == [4])
    // They are what they are; only nothing is made of it.
    #expect(file.counts[.lost] == 2 && file.counts[.gained] == 1 && file.lines(.gained).isEmpty)
    #expect(comparison.byChance[.lost] == 1 && comparison.byChance[.gained] == 1)
    #expect(file.regions == file.counts && comparison.regionsByChance == comparison.byChance)
    // The one that saw the same proves nothing.
    #expect(comparison.witnesses == [43] && comparison.baselineWitnesses == [])
  }

  @Test("Where both commits have the same code, only chance loses and gains lines")
  func sameCode() throws {
    let (new, old) = (["0| a", "1| b"], ["1| a", "0| b"])
    #expect(gate(.noLostCoverage, comparison(new, old, CoverageEvidence()), now: new).state == .failed)
    var evidence = CoverageEvidence()
    evidence.sameCode = 41
    let comparison = comparison(new, old, evidence)
    #expect(try #require(comparison.file(at: path)).byChance.map(\.line) == [1, 2])
    #expect(comparison.witnesses == [41] && comparison.baselineWitnesses == [41])
    #expect(gate(.noLostCoverage, comparison, now: new).state == .passed)
  }

  @Test("What another integration of the earlier commit did not run was no coverage to lose")
  func before() throws {
    let (new, old) = (["1| new", "0| a", "2| b"], ["1| a", "0| b"])
    let comparison = comparison(new, old, CoverageEvidence(before: [witness(40, ["0| a", "1| b"])]))
    let file = try #require(comparison.file(at: path))
    #expect(file.byChance.map(\.line) == [2, 3] && file.isChanged)
    #expect(comparison.lostLines.isEmpty && comparison.lines(.gained).isEmpty)
    #expect(comparison.witnesses == [40] && comparison.baselineWitnesses == [40])
    let section = IntegrationRecord.ChangesSection(
      CoverageChanges(comparison: .known(comparison), patch: .unknown(reason: "")))
    #expect(section.witnesses == [40] && section.baselineWitnesses == [40])
    #expect(section.files?.map(\.byChance) == [[2, 3]])
    #expect(section.files?.map(\.lost) == [nil])
    #expect(section.byChance == comparison.byChance && section.byChance?.uncoveredChange == 0)
  }

  @Test("Only chance makes a difference to a green integration of the same commit, or of one with the same code")
  func sides() {
    func evidence(
      beside commit: Character, _ state: TestState = .passed, isDirty: Bool = false, haveSameCode: Bool = false
    ) -> CoverageEvidence {
      func side(_ number: Int, _ commit: Character) -> CoverageEvidence.Side {
        var integration = Documents.integration(number, commit: commit, tests: [Documents.test("a", state)])
        if isDirty, number == 42 {
          integration.workingTree = WorkingTreeChanges(modified: [path], added: [], deleted: [])
        }
        return CoverageEvidence.Side(IntegrationRecord(integration), Coverage(files: []), nil, witnesses: [])
      }
      return CoverageEvidence(of: side(42, "a"), beside: side(41, commit)) { _, _ in haveSameCode }
    }
    #expect(evidence(beside: "a").now.map(\.number) == [41])
    #expect(evidence(beside: "a", .failed).isEmpty && evidence(beside: "a", isDirty: true).isEmpty)
    #expect(evidence(beside: "b").isEmpty && evidence(beside: "b", haveSameCode: true).sameCode == 41)
    #expect(evidence(beside: "b", isDirty: true, haveSameCode: true).isEmpty)
  }

  @Test("What only the failed attempt of a flaky test ran is neither gained nor lost")
  func failedAttempt() throws {
    let (plain, odd) = (["2| if", "0| odd"], ["3| if", "1| odd"])
    let test = TestID(module: "ATests", suite: "", name: "isEven()")
    let map = TestMap(
      tests: [test], sets: [[0]], files: [path: TestMap.File(lines: [.init(lines: 1...1, set: 0)], functions: [])])
    func attempts(isFlaky: Bool, _ map: TestMap?) -> CoverageEvidence.FailedAttempts? {
      var result = Documents.test("a", .passed)
      (result.id, result.isFlaky) = (test, isFlaky)
      return CoverageEvidence.FailedAttempts(of: IntegrationRecord(Documents.integration(42, tests: [result])), map)
    }
    #expect(attempts(isFlaky: false, map) == nil && attempts(isFlaky: true, nil) == nil)
    #expect(attempts(isFlaky: true, TestMap(tests: [], sets: [], files: map.files)) == nil)
    var evidence = CoverageEvidence()
    evidence.attemptsNow = attempts(isFlaky: true, map)
    let gained = comparison(odd, plain, evidence)
    #expect(gained.lines(.gained).isEmpty && gained.byChance[.gained] == 1)
    #expect(gained.regionsByChance[.gained] == 1 && gained.flakyTests == [test])
    #expect(comparison(plain, odd, evidence).lostLines.map(\.line) == [2])
    evidence.attemptsBefore = evidence.attemptsNow
    let lost = comparison(plain, odd, evidence)
    #expect(lost.lostLines.isEmpty && lost.byChance[.lost] == 1 && lost.flakyTests == [test])
    // A line that a test runs on its own is gained, whoever was flaky.
    let whole = TestMap(
      tests: [test], sets: [[0]], files: [path: TestMap.File(lines: [.init(lines: 1...2, set: 0)], functions: [])])
    evidence.attemptsNow = attempts(isFlaky: true, whole)
    #expect(comparison(odd, plain, evidence).lines(.gained).map(\.line) == [2])
  }

  @Test("Without a witness that differs, lost is lost")
  func agreeing() {
    let (new, old) = (["0| a", "1| b"], ["1| a", "1| b"])
    let comparison = comparison(
      new, old, CoverageEvidence(now: [witness(43, new)], before: [witness(40, old)]))
    #expect(comparison.lostLines.map(\.line) == [1])
    #expect(comparison.witnesses.isEmpty && comparison.linesByChance.isEmpty)
    let other = CoverageEvidence.Witness(
      number: 44, coverage: Coverage(files: [CoverageText(["1| a"], path: "Sources/A/B.swift").coverage]))
    #expect(self.comparison(new, old, CoverageEvidence(now: [other])).lostLines.map(\.line) == [1])
  }

  @Test("A part of a line that runs by chance is not lost")
  func parts() throws {
    func file(_ part: UInt64) -> Coverage {
      var file = CoverageText(["3| a ?? b"]).coverage
      file.functions[0].regions.append(
        CoverageRegion(
          start: SourcePosition(line: 1, column: 5), end: SourcePosition(line: 1, column: 8), count: part))
      return Coverage(files: [file])
    }
    func comparison(_ witnesses: CoverageEvidence) -> CoverageComparison {
      CoverageComparison(
        of: file(0), with: file(1), baseline: 41, difference: SourceDifference([]), witnesses: witnesses)
    }
    #expect(comparison(CoverageEvidence()).lostParts.map(\.line) == [1])
    let settled = comparison(CoverageEvidence(now: [.init(number: 43, coverage: file(2))]))
    #expect(settled.lostParts.isEmpty && settled.regionsByChance[.lost] == 1)
    #expect(settled.files.map(\.partsByChance) == [[1]] && settled.linesByChance.map(\.line) == [1])
  }

  @Test("No gate fails for what runs by chance, and says so")
  func gates() {
    let (new, old) = (["0| a", "1| b"], ["1| a", "1| b"])
    let chance = comparison(new, old, CoverageEvidence(now: [witness(43, old)]))
    #expect(
      gate(.noLostCoverage, chance, now: new)
        == GateResult(
          rule: "no-lost-coverage", state: .passed,
          sentence: "Every unchanged line that ran in 41 still runs, except 1 line that runs by chance."))
    #expect(
      gate(.ratchet, chance, now: new)
        == GateResult(
          rule: "ratchet", state: .passed,
          sentence:
            "1 of 2 lines ran; in integration 41 it was 2 of 2; 1 line that runs by chance makes the difference."
        ))
    #expect(gate(.ratchet, comparison(new, old, CoverageEvidence()), now: new).state == .failed)
  }
}
