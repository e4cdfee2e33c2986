package import Comparing
package import Git
package import Model
import Processes

/// The integration that is compared with, as it was read.
struct BaselineReading {
  var baseline: Baseline?
  var document: IntegrationRecord?
  /// The number of the integration where the branch came from; nil if it came from none.
  var branchPoint: Int?
  /// The commit since which commits are new; nil if there is none, and the integrated one stands alone.
  var origin: CommitID?
  /// The commits that came since then, newest first; empty where that is not known.
  var commits: [Commit] = []
  /// What is known of issues from before; nil if nothing is.
  var memory: IssueMemory?
  /// The last integration of the same package, where none is comparable: it could not find all that this one finds.
  var incomparable: IntegrationRecord?
}

extension IntegrationRun {
  var pastResults: PastResults { integrator.home.results(of: bot) }

  /// Returns the document of an earlier integration; nil if it is no longer kept, or if it is of another version and so no
  /// baseline.
  func document(of number: Int) -> IntegrationRecord? { pastResults.document(of: number) }

  /// Reads the integration to compare with, and the commits that came since.
  func readBaseline() -> BaselineReading {
    let name = asked.destination?.name
    guard let entry = integrationBefore(inScope: scope), let document = document(of: entry.number) else {
      guard let last = lastOfPackage else { return BaselineReading() }
      let result = name.flatMap { pastResults.last(for: $0, from: last) } ?? last
      return BaselineReading(memory: pastResults.memory(of: result), incomparable: last)
    }
    // A destination that leads by now has a result of its own there.
    guard let name, document.destination?.name != name else { return reading(of: document) }
    return reading(of: pastResults.last(for: name, from: document) ?? document)
  }

  /// Reads what a destination after the first one came to when it was last built for.
  ///
  /// - Parameter whole: what the first one is compared with.
  func readBaseline(of destination: String, beside whole: BaselineReading) -> BaselineReading {
    let document = whole.document
    if let last = pastResults.last(for: destination, from: document) { return reading(of: last) }
    let names = Set((asked.bot.destinations?.all ?? []).map(\.name))
    if let former = document?.destination(besides: names, where: isBuilt(like:)),
      let last = pastResults.last(for: former, from: document)
    {
      return reading(of: last)
    }
    let last = pastResults.last(for: destination, from: whole.incomparable)
    return BaselineReading(memory: last.map(pastResults.memory), incomparable: whole.incomparable)
  }

  /// Returns the commit of the last integration before a cell's that compiled everything for its destination, so that its
  /// tests could tell.
  func lastBuilt(before cell: Cell) -> CommitID? {
    guard let name = asked.destination?.name else {
      return referenceSearch(inScope: scope).lastBuilt(on: target.branch, in: claimed.repository)?.commit
    }
    return pastResults.last(for: name, from: cell.reference.document, where: \.isBuilt)?.commit.id
  }

  /// - Parameter document: that of an integration, or of one of its cells.
  func reading(of document: IntegrationRecord) -> BaselineReading {
    let baseline = Baseline(document)
    let origin = referenceSearch(inScope: scope).origin(after: baseline.commit, in: claimed.repository)
    // A history that cannot be walked leaves the commit alone.
    let commits = try? origin.map { try claimed.repository.commits(from: $0, to: target.commit, limit: 500) }
    return BaselineReading(
      baseline: baseline, document: document, branchPoint: branchPoint(after: document), origin: origin,
      commits: commits ?? [],
      memory: pastResults.memory(of: document))
  }

  /// A branch that came from no other one, such as the default one, is not searched for its origin each time.
  private func branchPoint(after document: IntegrationRecord) -> Int? {
    guard let branch = target.branch, document.branch != branch || document.branchPoint != nil else { return nil }
    return referenceSearch(inScope: scope).branchPoint(of: branch, in: claimed.repository)?.number
  }

  /// The last integration of the same package, which knows issues if nothing is comparable, as after a change of the test
  /// filter. Runs by hand of one commit with different filters know nothing of each other.
  private var lastOfPackage: IntegrationRecord? {
    integrationBefore(inScope: nil, countsSameCommit: request.place != nil).flatMap { document(of: $0.number) }
      .flatMap { $0.package == target.package ? $0 : nil }
  }

  /// Returns what the last integration of the same package knows of issues; nil unless it is later than another one, so that
  /// it was asked for something else.
  func laterMemory(than number: Int) -> IssueMemory? {
    guard let entry = integrationBefore(inScope: nil, countsSameCommit: request.place != nil), entry.number > number,
      let last = document(of: entry.number), last.package == target.package
    else { return nil }
    guard let name = asked.destination?.name else { return pastResults.memory(of: last) }
    return pastResults.last(for: name, from: last).flatMap { pastResults.memory(of: $0) }
  }

  /// The integration before, of the bot's branch, of the same commit or in the commit's history.
  ///
  /// - Parameters:
  ///   - scope: nil for one that may have tested something else.
  ///   - countsSameCommit: whether it may be one of the same commit beside the branch.
  private func integrationBefore(inScope scope: String?, countsSameCommit: Bool = true) -> IndexedIntegration? {
    referenceSearch(inScope: scope).previous(
      on: request.place == nil ? nil : target.branch, in: claimed.repository,
      countsSameCommit: countsSameCommit)
  }

  /// - Parameter scope: nil to compare with what may have tested something else.
  func referenceSearch(inScope scope: String?) -> ReferenceSearch {
    ReferenceSearch(
      past, before: target.commit, includesWorkingTree: target.includesWorkingTree,
      isBehind: context.start.isBehindBranch, scope: scope)
  }

  /// The numbers of the earlier integrations of this very commit; none where more than the commit was integrated.
  var earlierOfCommit: Set<Int> {
    target.includesWorkingTree ? [] : Set(past.filter { $0.commit == target.commit && !$0.isDirty }.map(\.number))
  }
}

extension IntegrationRun {
  /// What must be equal for two integrations to be comparable.
  ///
  /// What a package chooses itself is part of its commits: if it were part of the scope, a commit that leaves out a
  /// test would have nothing to be compared with, and no gate anything to judge by.
  ///
  /// It is that of the first destination for all of them.
  var scope: String { context.firstScope ?? scope(filter: asked.tests.filter, skip: asked.tests.skip) }

  private func scope(filter: [String], skip: [String]) -> String {
    // Not the toolchain's default, so that comparisons continue after a newer toolchain builds differently.
    let system = request.buildSystem == .swiftbuild ? [BuildSystem.swiftbuild.rawValue] : []
    let build = system + request.sanitize.map(\.rawValue) + request.arguments
    // Nothing of what tests show can be compared with an integration that was not asked for any.
    let actions = asked.actions.contains(.test) ? [] : ["\u{0}", "without tests"]
    let parts =
      [target.package, request.configuration] + filter + ["\u{0}"] + skip + (build.isEmpty ? [] : ["\u{0}"] + build)
      + actions
    return FileSystemName.fingerprint(parts.joined(separator: "\u{0}"))
  }

  /// What says how a package is compiled, apart from its configuration.
  private static let buildSettings: Set = ["arguments", "build-system", "sanitize", "traits"]

  /// Returns the stages in which what comes before would have found what this integration finds: where only the choice of
  /// tests differs, the build. Nil for none.
  func comparableStages(of reference: BaselineReading) -> Set<IssueMemory.Stage>? {
    guard let last = reference.incomparable else { return Set(IssueMemory.Stage.allCases) }
    func settings(_ all: [Circumstance]) -> [String: String] {
      all.filter { Self.buildSettings.contains($0.name) }.keyed(by: \.name, \.value)
    }
    let isBuiltAlike =
      last.destination?.name == asked.destination?.name && last.configuration == request.configuration
      && settings(last.circumstances ?? []) == settings(circumstances)
    return isBuiltAlike ? [.build] : nil
  }

  /// Why there is no integration to compare with, as a sentence.
  var noBaselineReason: String {
    let scope = scope
    // A reconstructed entry does not say what its scope was.
    let known = past.filter { $0.scope.map($0.isComparable) ?? false }
    guard !known.isEmpty, !known.contains(where: { $0.scope == scope }) else {
      return "There is no earlier integration to compare with."
    }
    let whole = self.scope(filter: [], skip: [])
    return known.contains { $0.scope == whole }
      ? "There is no earlier integration with the same selection of tests."
      : "There is no earlier integration with the same package folder, build settings and selection of tests."
  }
}

extension Repository: CommitHistory {
  package func ancestry(of commit: CommitID, limit: Int) -> Ancestry {
    var commits: [CommitID] = []
    do throws(GitError) {
      commits = try commitNames(to: commit, limit: limit)
      if commits.count >= limit { return Ancestry(commits, end: .limit(limit)) }
      guard let last = commits.last, case .leftOut = try firstParent(of: last) else { return Ancestry(commits) }
      return Ancestry(commits, end: .shallowClone)
    } catch {
      return Ancestry(commits, end: .unreadable(reason: error.description))
    }
  }
}
