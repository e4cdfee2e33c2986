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
      files = coverage.files.keyed(by: \.path)
    }
  }

  /// The flaky tests of one integration, with the lines that each test runs on its own.
  package struct FailedAttempts: Sendable {
    private let tests: Set<TestID>
    private let map: TestMap

    /// Nil if no test was flaky, and unless it is known which lines each test that ran runs on its own.
    package init?(of document: IntegrationRecord, _ map: TestMap?) {
      let cases = document.tests.cases
      tests = Set(cases.filter { $0.flaky == true }.map(\.id))
      guard let map, !tests.isEmpty else { return nil }
      let ran = cases.filter { ![.skipped, .notRun, .canceled].contains($0.state) }
      guard Set(ran.map(\.id)).isSubset(of: map.tests) else { return nil }
      self.map = map
    }

    /// The flaky tests whose failed attempts may account for a line that ran: no test runs it on its own, but these run
    /// others of its file.
    func tests(ran line: Int, in path: String) -> Set<TestID> {
      guard map.tests(ofLine: line, in: path).isEmpty, let file = map.files[path] else { return [] }
      return Set(file.lines.lazy.map(\.set)).reduce(into: []) { found, set in
        found.formUnion(map.sets[set].lazy.map { map.tests[$0] }.filter(tests.contains))
      }
    }
  }

  /// Other integrations of the commit under comparison, which include the earlier integration if that has the same
  /// commit and equal circumstances.
  package var now: [Witness]
  /// Other integrations of the earlier commit.
  package var before: [Witness]
  /// Those of the compared integration, and of the earlier one.
  package var attemptsNow: FailedAttempts?
  package var attemptsBefore: FailedAttempts?
  /// The number of the earlier integration if its commit has the same code, so that only chance can make a difference.
  package var sameCode: Int?

  package init(now: [Witness] = [], before: [Witness] = []) {
    self.now = now
    self.before = before
  }

  /// One of the two compared integrations.
  package struct Side {
    let document: IntegrationRecord
    let coverage: Coverage
    let map: TestMap?
    let witnesses: [Witness]

    /// - Parameter witnesses: the others of its commit.
    package init(_ document: IntegrationRecord, _ coverage: Coverage, _ map: TestMap?, witnesses: [Witness]) {
      self.document = document
      self.coverage = coverage
      self.map = map
      self.witnesses = witnesses
    }
  }

  /// Puts together what shows that lines run by chance.
  ///
  /// - Parameter haveSameCode: whether the earlier commit and the other one differ in nothing that runs.
  package init(of now: Side, beside before: Side, haveSameCode: (CommitID, CommitID) -> Bool) {
    self.init(now: now.witnesses, before: before.witnesses)
    attemptsNow = FailedAttempts(of: now.document, now.map)
    attemptsBefore = FailedAttempts(of: before.document, before.map)
    guard now.document.workingTree == nil, before.document.endedAlike(now.document) else { return }
    let (earlier, commit) = (before.document.commit.id, now.document.commit.id)
    if earlier == commit {
      self.now.append(Witness(number: before.document.number, coverage: before.coverage))
    } else if haveSameCode(earlier, commit) {
      sameCode = before.document.number
    }
  }

  package var isEmpty: Bool {
    now.isEmpty && before.isEmpty && attemptsNow == nil && attemptsBefore == nil && sameCode == nil
  }
}

extension IntegrationRecord {
  /// Whether only chance can make a difference between this integration and another.
  package func isAlike(_ other: IntegrationRecord) -> Bool {
    commit.id == other.commit.id && endedAlike(other)
  }

  /// Whether the same tests ended the same in both, none of them red, under the same circumstances.
  fileprivate func endedAlike(_ other: IntegrationRecord) -> Bool {
    tests.counts.red == 0 && CircumstanceChange.changes(from: self, to: other).isEmpty
      && tests.states == other.tests.states && dependencies == other.dependencies
  }

  /// The versions of the dependencies by name; empty for a document of an older Martlet, which may have had others.
  private var dependencies: [String: String] {
    let all = (circumstances ?? []).filter(\.isDependency)
    return all.keyed(by: \.name, \.value)
  }
}

extension IntegrationRecord.Tests {
  fileprivate var states: [TestID: TestState] {
    cases.keyed(by: \.id, \.state)
  }
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
  /// The flaky tests whose failed attempts served as evidence.
  private(set) var flakyTests: Set<TestID> = []
  private let attempts: CoverageEvidence
  private let paths: (now: String, before: String)
  /// The lines that ran only in such attempts, ascending.
  private var ofAttempts: [Int] = []

  init(_ witnesses: CoverageEvidence, of path: String, before oldPath: String) {
    now = witnesses.now.compactMap { Sight($0, path) }
    before = witnesses.before.compactMap { Sight($0, oldPath) }
    (attempts, paths) = (witnesses, (path, oldPath))
  }

  /// Whether a line that ran on only one side runs by chance.
  ///
  /// - Parameter ran: whether the line runs now; in the earlier integration it was the other way round. Lines are asked
  ///   for in ascending order, and before regions.
  mutating func isByChance(line: Int, oldLine: Int?, ran: Bool) -> Bool {
    let tests =
      ran
      ? attempts.attemptsNow?.tests(ran: line, in: paths.now)
      : oldLine.flatMap { attempts.attemptsBefore?.tests(ran: $0, in: paths.before) }
    if let tests, !tests.isEmpty {
      flakyTests.formUnion(tests)
      ofAttempts.append(line)
      return true
    }
    return isByChance(
      now.filter { $0.lines[line] == !ran }, before.filter { sight in oldLine.map { sight.lines[$0] == ran } ?? false })
  }

  /// Whether a region that ran on only one side runs by chance.
  mutating func isByChance(_ span: RegionSpan, old: RegionSpan?, ran: Bool) -> Bool {
    span.holds(anyOf: ofAttempts)
      || isByChance(
        now.filter { $0.regions[span] == !ran },
        before.filter { sight in old.map { sight.regions[$0] == ran } ?? false })
  }

  private mutating func isByChance(_ ofNow: [Sight], _ ofBefore: [Sight]) -> Bool {
    tellingNow.formUnion(ofNow.map(\.number))
    tellingBefore.formUnion(ofBefore.map(\.number))
    guard ofNow.isEmpty, ofBefore.isEmpty else { return true }
    if let number = attempts.sameCode { tellingBefore.insert(number) }
    return attempts.sameCode != nil
  }
}
