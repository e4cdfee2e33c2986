import Comparing
import Git
import Model
import Rendering
import Syntax

/// The phases in which the tests run, and what to tell about them.
struct OrderedTests {
  var phases: [[TestID]]
  var told: TestsRunFirst?
}

/// An earlier integration whose tests were mapped.
struct MappedIntegration {
  var document: IntegrationRecord
  var map: TestMap
}

extension IntegrationRun {
  /// Decides which tests run first: those that reach what changed, if it is known what they reach.
  ///
  /// - Parameters:
  ///   - xctest: the tests of XCTest that are to run.
  ///   - swiftTesting: the tests of Swift Testing that are to run.
  ///   - programs: the number of programs that the tests are in.
  ///   - start: how long it took to start the test programs, in seconds.
  ///   - dependencies: the versions that the package was built with.
  func order(
    ofXCTest xctest: [TestID], swiftTesting: [TestID], in programs: Int, start: Double,
    _ dependencies: [Circumstance]
  ) throws(IntegrationStop) -> OrderedTests {
    let listed = xctest + swiftTesting
    let usual = OrderedTests(phases: [listed])
    guard request.tests.first == .affected, listed.count > 1, let mapped = lastMapped() else { return usual }
    let cases = mapped.document.tests.cases
    let times = TestPhases.Times(
      tests: Dictionary(cases.map { ($0.id, $0.duration) }, uniquingKeysWith: max),
      all: mapped.document.steps.first { $0.name == .testing }?.duration ?? 0, start: start)
    // The order of tests that take no time is not worth looking at what changed.
    guard TestPhases.mayPay(times), let past = past(since: mapped, dependencies) else { return usual }
    let number = mapped.document.number
    switch AffectedTests.find(among: listed, since: past, in: try modelQuestion.model()) {
    case .any(let obstacle):
      return OrderedTests(phases: [listed], told: TestsRunFirst(since: number, because: obstacle))
    case .some(let affected):
      let phases = TestPhases.phases(
        ofXCTest: xctest, swiftTesting: swiftTesting, in: programs, first: affected, mapped.map, times)
      return OrderedTests(
        phases: phases.tests, told: phases.first > 0 ? TestsRunFirst(since: number, tests: phases.first) : nil)
    }
  }

  /// Finds the newest map, of the same branch if there is one, which fewer commits separate from this one.
  private func lastMapped() -> MappedIntegration? {
    let maps = past.reversed().filter { entry in
      entry.isComparable(in: scope) && context.integrations.folder("\(entry.number)").holds(TestMapDocument.fileName)
    }
    let newest = maps.first { $0.branch == target.branch } ?? maps.first
    // What cannot be read determines no order.
    guard let newest, let stored = try? StoredIntegration(in: context.integrations.folder("\(newest.number)")),
      stored.document.package == target.package, let map = try? stored.testMap(beneath: target.package)
    else { return nil }
    return MappedIntegration(document: stored.document, map: map)
  }

  /// Compares the files with those of the map; nil if the repository does not have its commit any more.
  func past(since mapped: MappedIntegration, _ dependencies: [Circumstance]) -> AffectedTests.Past? {
    let document = mapped.document
    let place = PackagePlace(target.package)
    guard let then = try? claimed.repository.entries(of: document.commit.id),
      let now = try? claimed.repository.entries(of: target.commit)
    else { return nil }
    var paths = Set(Set(then).symmetricDifference(now).map(\.path))
    if let changes = source?.workingTree { paths.formUnion(changes.modified + changes.added + changes.deleted) }
    let changed = Set(paths.map(place.fromPackage))
    let sources = Set(changed.filter { mapped.map.files[$0] != nil || $0.hasSuffix(".swift") })
    guard let difference = try? difference(from: document.commit.id, of: sources) else { return nil }
    let cases = document.tests.cases
    return AffectedTests.Past(
      map: mapped.map, files: Dictionary(cases.compactMap { test in test.file.map { (test.id, $0) } }) { $1 },
      red: Set(cases.filter(\.state.isRed).map(\.id)), changed: changed,
      difference: withoutSilentHunks(difference, since: document.commit.id),
      toolchainChanged: document.toolchainMark.differs(from: toolchainMark),
      dependenciesChanged: Self.versions(document.circumstances ?? []) != Self.versions(dependencies))
  }

  static func versions(_ circumstances: [Circumstance]) -> [String: String] {
    Dictionary(circumstances.filter(\.isDependency).map { ($0.name, $0.value) }) { $1 }
  }

  /// Leaves out the changes of comments and blank lines.
  private func withoutSilentHunks(_ difference: SourceDifference, since commit: CommitID) -> SourceDifference {
    SourceDifference(
      difference.files.map { file in
        guard let lines = file.lines, let oldPath = file.oldPath, let newPath = file.newPath else { return file }
        // Without its text, every change of a file counts.
        guard let old = text(of: oldPath, at: commit), let new = text(of: newPath) else { return file }
        let (then, now) = (SourceCode(old, path: oldPath), SourceCode(new, path: newPath))
        var file = file
        file.lines = LineMap(
          hunks: lines.hunks.filter { hunk in
            then.silent(Array(hunk.old)).count < hunk.old.count || now.silent(Array(hunk.new)).count < hunk.new.count
          })
        return file
      })
  }
}
