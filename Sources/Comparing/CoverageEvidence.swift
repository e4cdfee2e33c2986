package import Model

/// What other integrations of the two commits say about the lines that one comparison finds lost or gained.
///
/// A line that one integration of a commit ran and another one did not, under equal circumstances, runs by chance: no
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

  /// Other integrations of the commit that is compared; the earlier one is among them when it is alike and of the same
  /// commit.
  package var now: [Witness]
  /// Other integrations of the earlier commit.
  package var before: [Witness]

  package init(now: [Witness] = [], before: [Witness] = []) {
    self.now = now
    self.before = before
  }

  package var isEmpty: Bool { now.isEmpty && before.isEmpty }
}

/// What the witnesses say about one file.
struct FileEvidence {
  /// What one of them saw.
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
  /// The numbers of those that showed something, and are of the commit that is compared.
  private(set) var tellingNow: Set<Int> = []
  /// The same of the earlier commit.
  private(set) var tellingBefore: Set<Int> = []

  init(_ witnesses: CoverageEvidence, of path: String, before oldPath: String) {
    now = witnesses.now.compactMap { Sight($0, path) }
    before = witnesses.before.compactMap { Sight($0, oldPath) }
  }

  /// Whether a line runs by chance that ran on one side only.
  /// - Parameter ran: whether it runs now; it is the other way round in the earlier integration.
  mutating func isByChance(line: Int, oldLine: Int?, ran: Bool) -> Bool {
    isByChance(
      now.filter { $0.lines[line] == !ran }, before.filter { sight in oldLine.map { sight.lines[$0] == ran } ?? false })
  }

  /// The same for a region.
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
