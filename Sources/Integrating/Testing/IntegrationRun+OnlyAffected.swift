import Comparing
import FoundationEssentials
import Git
import Model
import Rendering
import Storing
import Syntax

/// What a bot with `only: affected` runs in one integration.
struct ChosenTests {
  private(set) var told: OnlyAffected
  /// The tests without a reason to run; they run nevertheless where everything does.
  private let leftOut: Set<TestID>
  /// The tests whose failure is nothing new.
  private let known: Set<TestID>

  init(_ decision: OnlyAffectedTests, of listed: Int, since: Int?, known: Set<TestID>) {
    leftOut = decision.leftOut
    told = OnlyAffected(
      since: since, ran: listed - decision.leftOut.count, listed: listed, everything: decision.everything)
    self.known = known
  }

  /// Those that do not run; none where everything does.
  var unaffected: Set<TestID> { told.isPartial ? leftOut : [] }

  /// Takes note of how the tests ended that would have been left out.
  ///
  /// - Parameter before: what earlier integrations noted.
  mutating func note(_ results: [TestResult], after before: OnlyAffected.Misses) {
    told.misses = before
    guard !told.isPartial, !leftOut.isEmpty else { return }
    let red = results.filter { $0.state.isRed && !known.contains($0.id) }.map(\.id)
    let missed = red.filter(leftOut.contains)
    let trial = OnlyAffected.Misses(integrations: 1, red: red.count, missed: missed.count)
    told.trial = trial
    told.missed = missed.isEmpty ? nil : missed
    told.misses = before + trial
  }
}

extension IntegrationRun {
  /// The last integration that ran everything, and what came of the tests since.
  private struct WholeIntegration {
    var mapped: MappedIntegration
    /// The number of integrations since.
    var count: Int
    /// The tests that did not pass when they ran last.
    var unsteady: Set<TestID>
  }

  /// Decides which tests run; nil if the bot does not ask for the affected ones only.
  ///
  /// - Parameters:
  ///   - listed: the selected tests.
  ///   - dependencies: the versions that the package was built with.
  func choose(among listed: [TestID], _ dependencies: [Circumstance]) throws(IntegrationStop) -> ChosenTests? {
    guard request.tests.only == .affected, !listed.isEmpty else { return nil }
    let model = try modelQuestion.model()
    let whole = lastWhole()
    let evidence = whole.flatMap { self.evidence(of: $0, model, dependencies) }
    let decision = OnlyAffectedTests(
      among: listed, since: evidence, in: model, cause: request.cause, every: request.tests.every)
    return ChosenTests(
      decision, of: listed.count, since: evidence == nil ? nil : whole?.mapped.document.number,
      known: whole?.unsteady ?? [])
  }

  /// Takes note of what ran, beside what earlier integrations tell.
  func note(_ chosen: inout ChosenTests?, _ results: [TestResult]) throws(IntegrationStop) {
    guard chosen != nil else { return }
    try stopping { chosen?.note(results, after: try context.index.misses(of: bot)) }
  }

  /// Finds the last integration of the branch in which everything ran and was mapped.
  private func lastWhole() -> WholeIntegration? {
    let behind = behindBranch
    let candidates = past.reversed().filter {
      $0.isComparable(in: scope) && $0.branch == target.branch && !behind.contains($0.number)
    }
    var (seen, unsteady): (Set<TestID>, Set<TestID>) = ([], [])
    for (count, entry) in candidates.prefix(request.tests.every).enumerated() {
      let folder = context.integrations.folder("\(entry.number)")
      // What cannot be read determines nothing.
      guard let stored = try? StoredIntegration(in: folder), stored.document.package == target.package else { continue }
      let tests = stored.document.tests
      for test in tests.cases where test.unaffected != true && seen.insert(test.id).inserted {
        if test.state != .passed && test.state != .expectedFailure || test.flaky == true { unsteady.insert(test.id) }
      }
      if count == 0 { unsteady.formUnion(stored.document.issues.filter(\.status.isOpen).compactMap(\.test)) }
      guard let only = tests.only, !only.isPartial, folder.holds(TestMapDocument.fileName),
        let map = try? stored.testMap(beneath: target.package)
      else { continue }
      return WholeIntegration(
        mapped: MappedIntegration(document: stored.document, map: map), count: count, unsteady: unsteady)
    }
    return nil
  }

  /// Compares what is integrated with an earlier integration; nil if the repository does not have its commit any more.
  private func evidence(
    of whole: WholeIntegration, _ model: PackageModel, _ dependencies: [Circumstance]
  ) -> OnlyAffectedTests.Evidence? {
    guard let past = past(since: whole.mapped, dependencies) else { return nil }
    let document = whole.mapped.document
    let edits = past.changed.filter { $0.hasSuffix(".swift") }.compactMap { path in
      edit(of: path, since: document.commit.id).map { (path, $0) }
    }
    let lines = document.tests.cases.compactMap { test in test.line.map { (test.id, $0) } }
    return OnlyAffectedTests.Evidence(
      past: past, edits: Dictionary(edits) { $1 }, lines: Dictionary(lines) { $1 },
      always: whole.unsteady.union(testsWithSharedSetUp(past, model)),
      circumstance: changedCircumstance(since: document),
      count: whole.count, age: integrator.clock.now().timeIntervalSince(document.endedAt))
  }

  private func edit(of path: String, since commit: CommitID) -> SourceEdit? {
    let repositoryPath = PackagePlace(target.package).inRepository(path)
    // A file that is not on both sides, or cannot be read, has no edit.
    guard let old = try? context.claimed.repository.contents(of: repositoryPath, in: commit), let new = text(of: path)
    else { return nil }
    return SourceEdit(from: SourceCode(old, path: path), to: SourceCode(new, path: path))
  }

  /// The first condition other than the commit that differs.
  private func changedCircumstance(since document: IntegrationRecord) -> String? {
    if document.sandbox != context.start.sandbox { return "sandbox" }
    func values(_ all: [Circumstance]) -> [String: String] {
      Dictionary(all.filter { !$0.isDependency }.map { ($0.name, $0.value) }) { $1 }
    }
    let (before, now) = (values(document.circumstances ?? []), values(circumstances))
    return Set(before.keys).union(now.keys).sorted().first { before[$0] != now[$0] }
  }

  /// The tests in files with a set-up for all tests of a class, which runs before the first of them and so is in no map.
  private func testsWithSharedSetUp(_ past: AffectedTests.Past, _ model: PackageModel) -> Set<TestID> {
    let files = model.testSources.keys.filter { path in
      text(of: path).map { $0.holds("class func setUp") || $0.holds("static func setUp") } ?? false
    }
    return Set(past.files.filter { files.contains($0.value) }.keys)
  }
}

extension PastIndex {
  /// Returns how many red tests of a bot `only: affected` would have left out until now.
  fileprivate func misses(of bot: String) throws(IntegratingError) -> OnlyAffected.Misses {
    try ask { store throws(StoringError) in try store.misses(of: bot) }
  }
}
