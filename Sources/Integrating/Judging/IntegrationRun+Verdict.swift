import Comparing
import Git
import Model
import Parsing

extension IntegrationRun {
  /// Decides the outcome from what was built and tested, and from which of it people have silenced.
  func judge(_ cell: inout Cell) throws(IntegrationStop) -> Verdict {
    let known = try knownIssues(beside: cell)
    cell.known = known
    let integration = cell.integration
    let issues = follow(cell, by: reach(of: cell, in: integration), known, in: integration)
    cell.issues = issues
    cell.omissions = omissions(in: cell)
    let tests = cell.reached.tests
    let baseline = cell.baseline
    var evidence =
      Verdict.Evidence(
        built: cell.reached.build?.products != nil, diagnostics: cell.findings.diagnostics, tests: integration.tests,
        gaps: tests?.gaps ?? [],
        failuresOutsideTests: tests?.unattributedFailures.count ?? 0,
        testsBefore: request.actions.contains(.test) ? baseline?.tests.listed : nil,
        testSourcesChanged: baseline.map { testSourcesChanged(since: $0, cell.model) } ?? true,
        hasTestTargets: cell.model?.hasTestTargets ?? true,
        isFiltered: !(request.tests.filter + request.tests.skip).isEmpty,
        expectsTests: request.tests.areExpected && request.actions.contains(.test))
    evidence.bot = request.bot.name.isEmpty ? nil : request.bot.name
    evidence.unmatchedFilters = unmatched(.filter, among: request.tests.filter, in: tests)
    evidence.unmatchedSkips = unmatched(.skip, among: request.tests.skip, in: tests)
    evidence.failedResolving = cell.failedResolving
    evidence.failedGates = (cell.comparison?.gates ?? []).filter { $0.state == .failed }
    evidence.analyzerWarnings = cell.reached.analyzed?.analysis?.findings.count ?? 0
    evidence.silenced = issues.silenced
    evidence.omissions = cell.omissions
    return Verdict.of(evidence)
  }

  /// The expressions of one kind that match no test, in their order; none where tests could not be listed, which may be
  /// those that they match.
  private func unmatched(_ option: TestPattern.Option, among patterns: [String], in tests: TestRun?) -> [String] {
    guard let tests, let unmatched = tests.unmatched, !tests.mayLackTests else { return [] }
    return patterns.filter { unmatched.contains(TestPattern($0, option: option)) }
  }

  /// Whether a test source was edited or removed since the baseline, or a target may have been, so that fewer tests are
  /// no surprise.
  private func testSourcesChanged(since baseline: Baseline, _ model: PackageModel?) -> Bool {
    if target.includesWorkingTree { return true }
    let place = PackagePlace(target.package)
    let folders = (model?.targets ?? []).filter(\.isTest).map { "\(place.inRepository($0.path))/" }
    // The folders of targets that are gone are no longer known, but no target goes without the manifest changing.
    let beginnings = folders + ["Package.swift", "Package@swift-"].map(place.inRepository)
    return contents(beneath: beginnings, at: baseline.commit) != contents(beneath: beginnings, at: target.commit)
  }

  /// The names of the blobs whose paths begin in some ways.
  private func contents(beneath beginnings: [String], at commit: CommitID) -> [String: String] {
    // A commit that cannot be read any more proves nothing.
    let entries = (try? claimed.repository.entries(of: commit)) ?? []
    let wanted = entries.filter { entry in beginnings.contains { entry.path.hasPrefix($0) } }
    return wanted.keyed(by: \.path, \.id)
  }
}
