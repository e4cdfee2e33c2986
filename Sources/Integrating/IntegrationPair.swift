import Comparing
import Git
package import Model
import Rendering

/// Two finished integrations that are to be compared.
package struct IntegrationPair {
  private let before: StoredIntegration
  private let after: StoredIntegration

  package init(_ before: StoredIntegration, _ after: StoredIntegration) {
    self.before = before
    self.after = after
  }

  /// Compares them: by their documents, by their coverage by lines where both have one, and by the repository of the
  /// second where it is still there.
  package func comparison() throws(IntegratingError) -> IntegrationComparison {
    let (one, other) = (before.document, after.document)
    let repository: Repository
    do throws(GitError) {
      repository = try Repository(at: other.repository)
    } catch {
      let reason = "The repository of \(other.bot) \(other.number) could not be read. \(error)"
      return IntegrationComparison(
        from: one, to: other, coverage: .unknown(reason: reason),
        commits: CommitsBetween(.unknown, reason: reason))
    }
    return IntegrationComparison(
      from: one, to: other, coverage: try coverage(in: repository),
      commits: repository.commits(between: one.commit.id, and: other.commit.id, limit: 200))
  }

  private func coverage(in repository: borrowing Repository) throws(IntegratingError) -> Answer<CoverageComparison> {
    let (one, other) = (before.document, after.document)
    for stored in [before, after] where stored.document.workingTree != nil {
      return .unknown(reason: "\(stored.name) had uncommitted changes, whose lines no commit has.")
    }
    let old: Coverage
    let new: Coverage
    switch (try lines(of: before), try lines(of: after)) {
    case (.unknown(let reason), _), (_, .unknown(let reason)): return .unknown(reason: reason)
    case (.known(let before), .known(let after)): (old, new) = (before, after)
    }
    do throws(GitError) {
      let difference = try repository.difference(
        from: one.commit.id, to: .commit(other.commit.id), of: Set((old.files + new.files).map(\.path)),
        beneath: other.package)
      return .known(CoverageComparison(of: new, with: old, baseline: one.number, difference: difference))
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// The coverage by lines, with paths relative to the second's package.
  private func lines(of stored: StoredIntegration) throws(IntegratingError) -> Answer<Coverage> {
    guard let coverage = try stored.coverage()?.coverage(beneath: after.document.package) else {
      return .unknown(reason: "\(stored.name) has no coverage by lines.")
    }
    guard coverage.isComplete else {
      return .unknown(reason: "The coverage of \(stored.name) is incomplete. \(coverage.reason ?? "")")
    }
    return .known(coverage)
  }
}

extension StoredIntegration {
  fileprivate var name: String { "\(document.bot) \(document.number)" }
}
