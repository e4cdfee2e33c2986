import Comparing
import Model
import Testing

@Suite("Sources that are reached through links")
struct LinkedSourcesTests {
  private static let path = "Sources/Lib/S.swift"
  private static let real = "Shared/S.swift"
  private let map = LineMap(hunks: [.init(old: 2..<2, new: 2..<3)])

  private func difference(
    _ files: [FileDifference], then: [String: TreePlace] = [path: .file(real)],
    now: [String: TreePlace] = [path: .file(real)]
  ) -> SourceDifference {
    SourceDifference(files).following(Set(then.keys).union(now.keys), from: then, to: now)
  }

  private var changed: FileDifference {
    FileDifference(status: .modified, oldPath: Self.real, newPath: Self.real, lines: map)
  }

  @Test("A linked file that changed changed by its link's path, too")
  func changedFile() {
    let seen = difference([changed])
    #expect(
      seen.file(at: Self.path)
        == FileDifference(status: .modified, oldPath: Self.path, newPath: Self.path, lines: map))
    #expect(seen.file(at: Self.real) == changed)
    let coverage = Coverage(files: [CoverageText(["1| a", "0| b"], path: Self.path).coverage])
    let patch = PatchCoverage(of: coverage, touchedBy: seen, origin: .integration(1))
    #expect(patch.neverRan == [SourceLocation(file: Self.path, line: 2)])
    #expect(patch.unmapped == [])
  }

  @Test("A linked file that did not change is as it was, also when its link is written in another way")
  func same() {
    #expect(difference([]).file(at: Self.path) == nil)
    let link = FileDifference(status: .modified, oldPath: Self.path, newPath: Self.path, lines: nil)
    #expect(difference([link]).file(at: Self.path) == nil)
    #expect(difference([link]).obstacle(at: Self.path) == nil)
  }

  @Test("A file that came with its link is new, and all of a first commit is")
  func new() {
    let new = FileDifference(status: .added, oldPath: nil, newPath: Self.real, lines: map)
    let seen = difference([new], then: [:])
    #expect(
      seen.file(at: Self.path) == FileDifference(status: .added, oldPath: nil, newPath: Self.path, lines: map))
  }

  @Test("A file that was renamed in a linked folder is one by the paths through the link")
  func renamed() {
    let renamed = FileDifference(status: .renamed, oldPath: "Shared/Old.swift", newPath: Self.real, lines: map)
    let old = "Sources/Lib/Old.swift"
    let seen = difference([renamed], then: [old: .file("Shared/Old.swift")], now: [Self.path: .file(Self.real)])
    #expect(
      seen.file(at: Self.path) == FileDifference(status: .renamed, oldPath: old, newPath: Self.path, lines: map))
    let kept = CoverageText(["1| a", "1| b"], path: Self.path).coverage
    let before = CoverageText(["1| a"], path: old).coverage
    let comparison = CoverageComparison(
      of: Coverage(files: [kept]), with: Coverage(files: [before]), baseline: 1, difference: seen)
    #expect(comparison.files.map(\.oldPath) == [old])
    #expect(comparison.unmapped == [])
  }

  @Test("A file that takes its link's place, and one that gives way to a link, keep their history")
  func replaced() {
    let moved = FileDifference(status: .renamed, oldPath: Self.real, newPath: Self.path, lines: map)
    let link = FileDifference(status: .deleted, oldPath: Self.path, newPath: nil, lines: nil)
    #expect(
      difference([link, moved], now: [Self.path: .file(Self.path)]).file(at: Self.path)
        == FileDifference(status: .modified, oldPath: Self.path, newPath: Self.path, lines: map))
    let left = FileDifference(status: .renamed, oldPath: Self.path, newPath: Self.real, lines: map)
    let newLink = FileDifference(status: .added, oldPath: nil, newPath: Self.path, lines: nil)
    #expect(
      difference([left, newLink], then: [Self.path: .file(Self.path)]).file(at: Self.path)
        == FileDifference(status: .modified, oldPath: Self.path, newPath: Self.path, lines: map))
  }

  @Test("A path is not followed when a link on its way changed or leads nowhere")
  func changedLink() {
    let other = [Self.path: TreePlace.file("Shared/Other.swift")]
    #expect(difference([], then: other).obstacle(at: Self.path) == .links)
    #expect(difference([changed], then: other).obstacle(at: Self.path) == .links)
    #expect(difference([], then: [:]).obstacle(at: Self.path) == .links)
    #expect(difference([], now: [Self.path: .astray]).obstacle(at: Self.path) == .links)
    #expect(difference([], then: [Self.path: .astray]).obstacle(at: Self.path) == .links)
    #expect(difference([], now: [:]).obstacle(from: Self.path) == .links)
    let gone = FileDifference(status: .deleted, oldPath: Self.real, newPath: nil, lines: nil)
    #expect(difference([gone], now: [:]).obstacle(from: Self.path) == nil)
    #expect(difference([gone], now: [:]).file(from: Self.path)?.status == .deleted)
  }

  @Test("A link into a submodule that moved is as little known as the submodule")
  func submodule() {
    let inner = FileDifference(
      status: .modified, oldPath: "Shared", newPath: "Shared", lines: nil, obstacle: .submodule)
    #expect(difference([inner]).obstacle(at: Self.path) == .submodule)
  }

  @Test("Since nothing, the files of a submodule are new with all their lines, by whatever path")
  func newSubmodule() {
    let inner = FileDifference(status: .added, oldPath: nil, newPath: "Shared", lines: nil, obstacle: .submodule)
    let own = FileDifference(status: .added, oldPath: nil, newPath: "A.swift", lines: map)
    let seen = SourceDifference([inner, own]).sinceNothing([Self.real, "A.swift"])
    #expect(seen.obstacle(at: Self.real) == nil && seen.file(at: Self.real)?.status == .added)
    #expect(seen.file(at: "A.swift") == own)
    let linked = seen.following([Self.path], from: [:], to: [Self.path: .file(Self.real)])
    #expect(
      linked.file(at: Self.path) == FileDifference(status: .added, oldPath: nil, newPath: Self.path, lines: .allNew))
  }

  @Test("What is said of files without links stays as it is")
  func others() {
    let files = [changed, FileDifference(status: .deleted, oldPath: "B.swift", newPath: nil, lines: nil)]
    let places: [String: TreePlace] = ["B.swift": .file("B.swift"), Self.real: .file(Self.real)]
    #expect(difference(files, then: places, now: [Self.real: .file(Self.real)]) == SourceDifference(files))
  }

  // MARK: Folders

  @Test("A file that comes into a folder from outside is new with all its lines, and one that leaves it is gone")
  func beneath() throws {
    let came = FileDifference(status: .renamed, oldPath: "other/M.swift", newPath: "pk/M.swift", lines: .identity)
    let left = FileDifference(status: .renamed, oldPath: "pk/L.swift", newPath: "other/L.swift", lines: .identity)
    let inside = SourceDifference([came, left]).beneath("pk")
    #expect(inside.file(at: "M.swift")?.status == .added)
    #expect(inside.file(at: "M.swift")?.oldPath == nil)
    #expect(inside.file(from: "L.swift")?.status == .deleted)
    let coverage = Coverage(files: [CoverageText(["1| a", "0| b"], path: "M.swift").coverage])
    let patch = PatchCoverage(of: coverage, touchedBy: inside, origin: .integration(1))
    #expect(patch.tally == LineTally(total: 2, covered: 1))
    let comparison = CoverageComparison(of: coverage, with: Coverage(files: []), baseline: 1, difference: inside)
    #expect(comparison.lines[.newRan] == 1)
    #expect(comparison.lines[.newNeverRan] == 1)
  }

  @Test(
    "A file outside of a folder that is asked for belongs to it, by a path that leads out, and so does its submodule")
  func besides() {
    let core = FileDifference(status: .modified, oldPath: "Core/C.swift", newPath: "Core/C.swift", lines: .identity)
    let came = FileDifference(status: .renamed, oldPath: "pk/L.swift", newPath: "Core/L.swift", lines: .identity)
    let other = FileDifference(status: .modified, oldPath: "Core/O.swift", newPath: "Core/O.swift", lines: .identity)
    let module = FileDifference(
      status: .modified, oldPath: "Vendor", newPath: "Vendor", lines: nil, obstacle: .submodule)
    let part = SourceDifference([core, came, other, module]).beneath(
      "pk", and: ["Core/C.swift", "Core/L.swift", "Vendor/V/V.swift"])
    #expect(part.files.map(\.newPath) == ["../Core/C.swift", "../Core/L.swift", "../Vendor"])
    #expect(part.file(at: "../Core/L.swift")?.oldPath == "L.swift")
    #expect(part.obstacle(at: "../Vendor/V/V.swift") == .submodule)
  }

  @Test("Files that could become sources are looked at by the ends of their names")
  func suffixes() {
    let suffixes = SourceDifference.suffixes(of: ["Sources/A.swift", "B.metal", "Deep.d/plain"])
    #expect(suffixes.isSuperset(of: ["swift", "c", "metal", ""]))
    #expect(!suffixes.contains("txt") && !suffixes.contains("d/plain"))
  }
}
