package import Comparing
package import Git
package import Model

extension Repository: CommitHistory {
  package func ancestry(of commit: CommitID, limit: Int) -> Ancestry {
    var commits: [CommitID] = []
    do throws(GitError) {
      commits = try ancestors(of: commit, limit: limit)
      if commits.count >= limit { return Ancestry(commits, end: .limit(limit)) }
      guard let last = commits.last, case .leftOut = try firstParent(of: last) else { return Ancestry(commits) }
      return Ancestry(commits, end: .shallowClone)
    } catch {
      return Ancestry(commits, end: .unreadable(reason: error.description))
    }
  }
}
