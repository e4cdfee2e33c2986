import Comparing
import Model
import Testing

@Suite("Changed files that are left out as a whole")
struct HiddenPatchTests {
  private static let path = "Sources/A/B.swift"
  private static let allNew = LineMap(hunks: [.init(old: 1..<1, new: 1..<5)])
  private let whole = CoverageExclusion(path: path, lines: LineTally(total: 3), by: "Sources/A/B*")

  private func changed(
    _ status: FileDifference.Status, _ lines: LineMap?, from old: String? = nil
  ) -> SourceDifference {
    SourceDifference([FileDifference(status: status, oldPath: old, newPath: Self.path, lines: lines)])
  }

  private func patch(_ difference: SourceDifference, _ exclusion: CoverageExclusion? = nil) -> PatchCoverage {
    PatchCoverage(
      of: Coverage(files: [CoverageText(["1| a"]).coverage], exclusions: [exclusion ?? whole]), touchedBy: difference,
      origin: .integration(41))
  }

  private func sentence(_ patch: PatchCoverage) -> String {
    let changes = CoverageChanges(comparison: .unknown(reason: "Nobody asked."), patch: .known(patch))
    return GateJudgement.told(
      of: [.patchFullyCovered], coverage: .available(Coverage(files: [])), changes: changes)[0].sentence
  }

  @Test("A new file that a glob or a marker leaves out is named, and passes")
  func new() {
    let patch = patch(changed(.added, Self.allNew))
    #expect(patch.leftOut == [Self.path])
    #expect(
      sentence(patch)
        == "No counted line differs from 41. Changed lines of Sources/A/B.swift are left out."
    )
  }

  @Test("So is one of which a marker leaves out every line")
  func allLines() {
    var marked = whole
    (marked.firstLine, marked.lastLine) = (1, 4)
    #expect(patch(changed(.added, Self.allNew), marked).leftOut == [Self.path])
    #expect(patch(changed(.modified, nil, from: Self.path), marked).leftOut == [Self.path])
  }

  @Test("Beside changed lines that ran, it is named as well")
  func besideOthers() {
    let counted = CoverageText(["1| a"])
    let difference = SourceDifference([
      FileDifference(status: .added, oldPath: nil, newPath: Self.path, lines: Self.allNew),
      FileDifference(status: .added, oldPath: nil, newPath: counted.path, lines: Self.allNew),
    ])
    #expect(
      sentence(patch(difference))
        == "The changed line ran. Changed lines of Sources/A/B.swift are left out.")
  }

  @Test("One that is as it was, that only moved, or only lost lines has no changed line")
  func unchanged() {
    let differences = [
      SourceDifference([]), changed(.renamed, .identity, from: "Old.swift"),
      changed(.modified, LineMap(hunks: [.init(old: 2..<4, new: 2..<2)]), from: Self.path),
    ]
    for difference in differences {
      #expect(patch(difference).leftOut == [])
      #expect(sentence(patch(difference)) == "No counted line differs from 41.")
    }
  }

  @Test("One whose lines cannot be followed is named, as any of them may have changed, and fails nothing")
  func unknown() {
    let patch = patch(changed(.modified, nil, from: Self.path))
    #expect(patch.leftOut == [Self.path] && patch.unmapped == [])
    let submodule = SourceDifference([
      FileDifference(status: .modified, oldPath: "Sources", newPath: "Sources", lines: nil, obstacle: .submodule)
    ])
    #expect(self.patch(submodule).leftOut == [Self.path])
  }

  @Test("Of very many, the first are named, and the rest is counted")
  func many() {
    var patch = PatchCoverage(origin: .integration(41), files: [])
    patch.leftOut = (10...22).map { "\($0).swift" }
    #expect(
      sentence(patch)
        == "No counted line differs from 41. Changed lines of 10.swift, 11.swift, 12.swift, 13.swift, 14.swift, "
        + "15.swift, 16.swift, 17.swift, 18.swift, 19.swift and 3 more are left out.")
  }
}
