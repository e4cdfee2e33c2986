import Comparing
import Rendering
import Testing

@testable import Model

@Suite("Changed lines that do not count")
struct UncountedPatchTests {
  private static let path = "../Core/C.swift"
  private static let added = LineMap(hunks: [.init(old: 2..<2, new: 2..<4)])

  private func source(
    _ path: String = path, of package: String? = "Core", _ lines: [String] = ["1| a", "0| b", "0| // c", "1| d"]
  ) -> UncountedSources.Source {
    UncountedSources.Source(
      kind: package == nil ? .unlisted : .sibling, group: package ?? "",
      coverage: CoverageText(lines, path: path).coverage)
  }

  private func changed(_ lines: LineMap?, _ path: String = path) -> SourceDifference {
    SourceDifference([FileDifference(status: .modified, oldPath: path, newPath: path, lines: lines)])
  }

  private func patch(_ difference: SourceDifference, _ sources: [UncountedSources.Source]) -> PatchCoverage {
    var coverage = Coverage(files: [CoverageText(["1| a"]).coverage])
    coverage.uncounted.sources = sources
    return PatchCoverage(of: coverage, touchedBy: difference, origin: .integration(41)) { path, lines in
      path == Self.path ? Set(lines).intersection([3]) : []
    }
  }

  private func judged(_ patch: PatchCoverage) -> GateResult {
    let changes = CoverageChanges(comparison: .unknown(reason: "Nobody asked."), patch: .known(patch))
    return GateJudgement.told(
      of: [.patchFullyCovered], coverage: .available(Coverage(files: [])), changes: changes)[0]
  }

  @Test("Changed lines of which a part never ran are said to have run partly")
  func partly() {
    func passed(_ ran: [Int], _ partlyRan: [Int]) -> String {
      let file = PatchCoverage.File(path: "A.swift", ran: ran, partlyRan: partlyRan, neverRan: [])
      return judged(PatchCoverage(origin: .integration(41), files: [file])).sentence
    }
    #expect(passed([], [1]) == "The changed line ran partly.")
    #expect(passed([1, 2], [3]) == "All 3 changed lines ran, 1 of them partly.")
    #expect(passed([1], []) == "The changed line ran.")
  }

  @Test("Those of another package of the repository are in no sum, and the gate names them and says why")
  func sibling() {
    let patch = patch(changed(Self.added), [source()])
    #expect(patch.tally == LineTally())
    #expect(
      patch.uncounted == [
        UncountedPatchFile(path: Self.path, package: "Core", lines: LineTally(total: 1), neverRan: [2])
      ])
    #expect(
      judged(patch).told
        == GateResult(
          rule: "patch-fully-covered", state: .passed,
          sentence:
            "No counted line differs from 41. Changed lines of ../Core/C.swift do not count: they are of another package of this repository, which a bot with `package: Core` would count.",
          files: [Self.path]))
  }

  @Test("So are those of none of the targets, also of a file that no page shows")
  func unlisted() {
    var coverage = Coverage(files: [])
    coverage.uncounted.unshown = [source(of: nil)]
    let patch = PatchCoverage(of: coverage, touchedBy: changed(Self.added), origin: .integration(41))
    #expect(
      judged(patch).sentence
        == "No counted line differs from 41. Changed lines of ../Core/C.swift do not count: they are in none of the package's targets."
    )
  }

  @Test(
    "So are sources of the package that have no counters, each kind with its reason",
    arguments: [
      (UnmeasuredSources.Kind.foreign, "they are not Swift, and SwiftPM gives them no counters"),
      (.plugin, "they belong to a plugin, which SwiftPM builds without counters"),
      (.macro, "they belong to a macro that only the compiler runs"),
      (.unbuilt, "they belong to a target that was not built"),
    ])
  func unmeasured(_ kind: UnmeasuredSources.Kind, reason: String) {
    let path = "Sources/CSum/sum.c"
    var coverage = Coverage(files: [CoverageText(["1| a"]).coverage])
    coverage.unmeasured = UnmeasuredSources([.init(path: path, target: "CSum", kind: kind)])
    func patch(_ lines: LineMap?) -> PatchCoverage {
      PatchCoverage(of: coverage, touchedBy: changed(lines, path), origin: .integration(41))
    }
    let sentence = "No counted line differs from 41. Changes of \(path) do not count: \(reason)."
    #expect(judged(patch(Self.added)).sentence == sentence)
    #expect(judged(patch(nil)).sentence == sentence)
    // Lines that are gone need no test.
    let deleted = patch(LineMap(hunks: [.init(old: 2..<4, new: 2..<2)]))
    #expect(judged(deleted).sentence == "No counted line differs from 41.")
  }

  @Test("Beside changed lines that count they are named, whether those ran or not")
  func besideOthers() {
    let own = CoverageText(["0| a"])
    var coverage = Coverage(files: [own.coverage])
    coverage.uncounted.sources = [source()]
    let difference = SourceDifference(
      [Self.path, own.path].map { path in
        FileDifference(
          status: .modified, oldPath: path, newPath: path, lines: LineMap(hunks: [.init(old: 1..<1, new: 1..<2)]))
      })
    let result = judged(PatchCoverage(of: coverage, touchedBy: difference, origin: .integration(41)))
    #expect(result.state == .failed)
    #expect(
      result.sentence
        == "1 of 1 changed line never ran: Sources/A/A.swift:1. Changed lines of ../Core/C.swift do not count: they are of another package of this repository, which a bot with `package: Core` would count."
    )
  }

  @Test("Where no changed line of them holds code, nothing is said of them")
  func withoutCode() {
    let differences = [
      SourceDifference([]), changed(.identity), changed(LineMap(hunks: [.init(old: 3..<3, new: 3..<4)])),
    ]
    for difference in differences {
      let patch = patch(difference, [source()])
      #expect(patch.uncounted == [])
      #expect(judged(patch).sentence == "No counted line differs from 41.")
    }
  }

  @Test(
    "Tests, dependencies from elsewhere and generated sources are no such files",
    arguments: [UncountedSources.Kind.test, .dependency, .generated])
  func others(_ kind: UncountedSources.Kind) {
    let source = UncountedSources.Source(
      kind: kind, group: "x", coverage: CoverageText(["0| a", "0| b"], path: Self.path).coverage)
    let patch = patch(changed(Self.added), [source])
    #expect(patch.uncounted == [])
    #expect(judged(patch).sentence == "No counted line differs from 41.")
    #expect(judged(self.patch(changed(.identity), [source])).sentence == "No counted line differs from 41.")
  }

  @Test("A file whose lines nobody can follow is named, without lines, as any of them may have changed")
  func unknown() {
    #expect(
      patch(changed(nil), [source()]).uncounted == [UncountedPatchFile(path: Self.path, package: "Core", lines: nil)])
  }

  @Test("Of many packages and files the first are named, and the rest is counted")
  func many() {
    let files = ["E", "D", "C", "B", "A"].map { (folder: String) in
      UncountedPatchFile(path: "\(folder)/x", package: folder, lines: nil)
    }
    #expect(
      files.clauses(first: 2) { "<\($0)>" } == [
        "lines that changed, or may have, in <E/x>, <D/x> and 3 more do not count: they are of other packages of this repository, which bots with `package: A`, `package: B`, `package: C` and 2 more would count"
      ])
  }
}
