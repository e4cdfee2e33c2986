import Git
import Model

/// Keeps track of whether the commit's files were put aside, which happens once, when they are needed.
final class ReleaseCheckout {
  fileprivate var folder: Folder?
}

extension IntegrationRun {
  /// The package's folder among the commit's files that were put aside.
  var releasePackage: Folder {
    target.package == "." ? context.claimed.workspace.release : context.claimed.workspace.release.folder(target.package)
  }

  /// Runs the scripts before the integration, and puts the commit's files aside, with the changes that these made, if
  /// anything after the tests will need them.
  func prepareSources(_ state: inout IntegrationState) throws(IntegrationStop) {
    let isNeeded = request.actions.contains(.archive) || request.scripts.after.contains(where: \.isScript)
    let before = isNeeded && !request.scripts.before.isEmpty ? snapshot() : nil
    try runBeforeTriggers(&state)
    guard isNeeded else { return }
    try putAside(with: before.map { snapshot().changes(since: $0) } ?? [])
  }

  /// Checks the commit out once more, into a folder that nothing of the package writes to except what releases it.
  ///
  /// - Parameter prepared: the files that scripts changed, added or removed before the build.
  @discardableResult
  func putAside(with prepared: [String] = []) throws(IntegrationStop) -> Folder {
    if let folder = release.folder { return folder }
    let place = context.claimed.workspace.releaseCheckout
    try reopen(context.claimed.workspace.release)
    try stopping(as: .checkoutError) {
      if target.includesWorkingTree {
        _ = try context.claimed.repository.checkOutWorkingTree(into: place)
      } else {
        _ = try context.claimed.repository.checkOut(target.commit, into: place)
      }
      try place.bring(prepared, from: context.claimed.workspace.checkout)
    }
    release.folder = context.claimed.workspace.release
    return context.claimed.workspace.release
  }
}
