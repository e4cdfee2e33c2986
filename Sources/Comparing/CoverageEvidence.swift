package import Model

/// Other integrations of the two compared commits, as evidence about lost and gained lines.
///
/// A line that ran in one integration of a commit and not in another, under equal circumstances, runs by chance: no
/// change of the source made the difference.
package struct CoverageEvidence: Sendable {
  /// The complete coverage of one integration.
  package struct Witness: Sendable {
    package var number: Int
    fileprivate let files: [String: FileCoverage]

    package init(number: Int, coverage: Coverage) {
      self.number = number
      files = Dictionary(coverage.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Other integrations of the commit under comparison, which include the earlier integration if that has the same
  /// commit and equal circumstances.
  package var now: [Witness]
  /// Other integrations of the earlier commit.
  package var before: [Witness]

  package init(now: [Witness] = [], before: [Witness] = []) {
    self.now = now
    self.before = before
  }

  package var isEmpty: Bool { now.isEmpty && before.isEmpty }
}

/// The witnesses' evidence about one file.
struct FileEvidence {
  /// The lines and regions of the file in one witness, and whether each of them ran.
  private struct Sight {
    var number: Int
    var lines: [Int: Bool] = [:]
    var regions: [RegionSpan: Bool] = [:]

    init?(_ witness: CoverageEvidence.Witness, _ path: String) {
      guard let file = witness.files[path] else { return nil }
      number = witness.number
      for line in file.lines { lines[line.line] = line.count > 0 }
      regions = file.distinctRegions.mapValues { $0.count > 0 }
    }
  }

  private let now: [Sight]
  private let before: [Sight]
  /// The numbers of the integrations of the compared commit that served as evidence.
  private(set) var tellingNow: Set<Int> = []
  /// The numbers of the integrations of the earlier commit that served as evidence.
  private(set) var tellingBefore: Set<Int> = []

  init(_ witnesses: CoverageEvidence, of path: String, before oldPath: String) {
    now = witnesses.now.compactMap { Sight($0, path) }
    before = witnesses.before.compactMap { Sight($0, oldPath) }
  }

  /// Whether a line that ran on only one side runs by chance.
  ///
  /// - Parameter ran: whether the line runs now; in the earlier integration it was the other way round.
  mutating func isByChance(line: Int, oldLine: Int?, ran: Bool) -> Bool {
    isByChance(
      now.filter { $0.lines[line] == !ran }, before.filter { sight in oldLine.map { sight.lines[$0] == ran } ?? false })
  }

  /// Whether a region that ran on only one side runs by chance.
  mutating func isByChance(_ span: RegionSpan, old: RegionSpan?, ran: Bool) -> Bool {
    isByChance(
      now.filter { $0.regions[span] == !ran }, before.filter { sight in old.map { sight.regions[$0] == ran } ?? false })
  }

  private mutating func isByChance(_ ofNow: [Sight], _ ofBefore: [Sight]) -> Bool {
    tellingNow.formUnion(ofNow.map(\.number))
    tellingBefore.formUnion(ofBefore.map(\.number))
    return !ofNow.isEmpty || !ofBefore.isEmpty
  }
}
