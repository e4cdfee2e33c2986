import Git
import Model

extension IntegrationRun {
  /// The folder of the package among the commit's files that were put aside.
  var releasePackage: Folder {
    target.package == "." ? workspace.release : workspace.release.folder(target.package)
  }

  /// Runs the scripts before the integration, and puts the commit's files aside with what these did to them, where anything
  /// after the tests will need them.
  func prepareSources() throws(IntegrationStop) {
    let isNeeded = request.actions.contains(.archive) || request.scripts.after.contains(where: \.isScript)
    let before = isNeeded && !request.scripts.before.isEmpty ? WorkspaceFootprint(workspace.source.path) : nil
    try runBeforeTriggers()
    guard isNeeded else { return }
    try putAside(with: before.map { WorkspaceFootprint(workspace.source.path).changes(since: $0) } ?? [])
  }

  /// Checks the commit out once more, into a folder that nothing of the package writes to but what releases it.
  ///
  /// - Parameter prepared: the files that scripts changed, added or removed before the build.
  @discardableResult
  func putAside(with prepared: [String] = []) throws(IntegrationStop) -> Folder {
    if let releaseTree { return releaseTree }
    let place = workspace.releaseCheckout
    try reopen(workspace.release)
    do throws(GitError) {
      if target.includesWorkingTree {
        _ = try repository.checkOutWorkingTree(into: place)
      } else {
        _ = try repository.checkOut(target.commit, into: place)
      }
      try place.bring(prepared, from: workspace.checkout)
    } catch {
      throw IntegrationStop(outcome: .checkoutError, reason: error.description)
    }
    releaseTree = workspace.release
    return workspace.release
  }
}

extension Trigger {
  fileprivate var isScript: Bool {
    if case .script = self { true } else { false }
  }
}
