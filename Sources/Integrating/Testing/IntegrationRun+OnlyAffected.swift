import Comparing
import FoundationEssentials
import Git
import Model
import Parsing
import Processes
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
  /// What the last integrations of the branch tell.
  private struct Recent {
    /// The last integration that ran everything, with its map.
    var whole: MappedIntegration?
    /// The number of integrations since.
    var count = 0
    /// The tests that did not pass when they ran last.
    var unsteady: Set<TestID> = []
    /// What failed that only a run of everything can tell again.
    var failure: OnlyAffected.Everything?
  }

  /// Decides which tests run; nil if the bot does not ask for the affected ones only.
  ///
  /// - Parameters:
  ///   - listed: the selected tests.
  ///   - dependencies: the versions that the package was built with.
  func choose(among listed: [TestID], _ dependencies: [Circumstance]) throws(IntegrationStop) -> ChosenTests? {
    guard request.tests.only == .affected, !listed.isEmpty else { return nil }
    let model = try modelQuestion.model()
    let recent = recent()
    let evidence = recent.whole.flatMap { self.evidence(of: $0, recent, model, dependencies) }
    let decision = OnlyAffectedTests(
      among: listed, since: evidence, in: model, cause: request.cause, every: request.tests.every,
      after: request.scripts.before.isEmpty ? recent.failure : .scripts)
    return ChosenTests(
      decision, of: listed.count, since: evidence == nil ? nil : recent.whole?.document.number, known: recent.unsteady)
  }

  /// Takes note of what ran, beside what earlier integrations tell.
  func note(_ chosen: inout ChosenTests?, _ results: [TestResult]) throws(IntegrationStop) {
    guard chosen != nil else { return }
    try stopping { chosen?.note(results, after: try context.index.misses(of: bot)) }
  }

  /// Looks for the last integration of the branch in which everything ran and was mapped.
  private func recent() -> Recent {
    let candidates = past.reversed().filter {
      $0.isComparable(in: scope) && $0.branch == target.branch && !$0.isBehindBranch
    }
    var recent = Recent()
    var seen: Set<TestID> = []
    var (knowsGates, knowsTests) = (false, false)
    for (count, entry) in candidates.prefix(request.tests.every).enumerated() {
      let folder = context.integrations.folder("\(entry.number)")
      // What cannot be read determines nothing.
      guard let stored = try? StoredIntegration(in: folder), stored.document.package == target.package else { continue }
      let document = stored.document
      for test in document.tests.cases where test.unaffected != true && seen.insert(test.id).inserted {
        if test.state != .passed && test.state != .expectedFailure || test.flaky == true {
          recent.unsteady.insert(test.id)
        }
      }
      if count == 0 { recent.unsteady.formUnion(document.issues.filter(\.status.isOpen).compactMap(\.test)) }
      if !knowsTests, document.outcome != .buildErrors {
        knowsTests = true
        if document.failedOutsideTests { recent.failure = .outsideTests }
      }
      if !knowsGates, document.gates?.contains(where: { $0.state != .notJudged }) == true {
        knowsGates = true
        if owesGate(document) { recent.failure = recent.failure ?? .gates }
      }
      guard let only = document.tests.only, !only.isPartial, !document.failedOutsideTests,
        folder.holds(TestMapDocument.fileName), let map = try? stored.testMap(beneath: target.package)
      else { continue }
      recent.whole = MappedIntegration(document: document, map: map)
      recent.count = count
      break
    }
    return recent
  }

  /// Whether a gate failed there that is still asked for and that nobody silenced.
  private func owesGate(_ document: IntegrationRecord) -> Bool {
    let asked = Set(request.coverage.gates.map(\.rule))
    return (document.gates ?? []).contains { gate in
      gate.state == .failed && asked.contains(gate.rule)
        && !document.issues.contains { $0.status == .silenced && $0.knownSubject == .gate(gate.rule) }
    }
  }

  /// Compares what is integrated with an earlier integration; nil if the repository does not have its commit any more.
  private func evidence(
    of whole: MappedIntegration, _ recent: Recent, _ model: PackageModel, _ dependencies: [Circumstance]
  ) -> OnlyAffectedTests.Evidence? {
    guard var past = past(since: whole, dependencies) else { return nil }
    let localDependencies = localDependencies
    if localDependencies == nil { past.dependenciesChanged = true }
    let document = whole.document
    let edits = past.changed.filter { $0.hasSuffix(".swift") }.compactMap { path in
      edit(of: path, since: document.commit.id).map { (path, $0) }
    }
    let lines = document.tests.cases.compactMap { test in test.line.map { (test.id, $0) } }
    return OnlyAffectedTests.Evidence(
      past: past, edits: Dictionary(edits) { $1 }, sources: names(in: model, past.changed, since: document.commit.id),
      lines: Dictionary(lines) { $1 }, always: recent.unsteady, circumstance: changedCircumstance(since: document),
      // What tests may read elsewhere is as little known as a package there.
      localDependency: localDependencies?.first ?? request.sandbox.read.first, count: recent.count,
      age: integrator.clock.now().timeIntervalSince(document.endedAt))
  }

  /// The names in the sources of the product as they were at a commit, and in those of tests as they are now.
  private func names(
    in model: PackageModel, _ changed: Set<String>, since commit: CommitID
  ) -> [String: SourceNames] {
    var names: [String: SourceNames] = [:]
    for target in model.targets where ["library", "executable", "test"].contains(target.type) {
      for path in target.sourcePaths where path.hasSuffix(".swift") {
        let text = target.isTest || !changed.contains(path) ? text(of: path) : text(of: path, at: commit)
        if let text { names[path] = SourceNames(SourceCode(text, path: path)) }
      }
    }
    return names
  }

  private func edit(of path: String, since commit: CommitID) -> SourceEdit? {
    guard let old = text(of: path, at: commit), let new = text(of: path) else { return nil }
    return SourceEdit(from: SourceCode(old, path: path), to: SourceCode(new, path: path))
  }

  /// The packages outside of the repository that SwiftPM takes as they lie there; nil if it is not known.
  private var localDependencies: [String]? {
    guard manifests.dependOnPackages else { return [] }
    let roots = PackagePaths(claimed.workspace.source.path).roots
    return LocalDependencies.read(scratch.read("workspace-state.json") ?? [])?.filter { path in
      !roots.contains { path == $0 || path.hasPrefix("\($0)/") }
    }
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
}

extension PastIndex {
  /// Returns how many red tests of a bot `only: affected` would have left out until now.
  fileprivate func misses(of bot: String) throws(IntegratingError) -> OnlyAffected.Misses {
    try ask { store throws(StoringError) in try store.misses(of: bot) }
  }
}
