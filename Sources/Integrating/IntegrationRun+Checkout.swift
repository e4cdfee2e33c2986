import FoundationEssentials
import Git
import Model

extension IntegrationRun {
  /// Brings the workspace to the commit, and with it the versions that were resolved here before.
  func checkOut() throws(IntegrationStop) {
    try step(.checkout) { (_) throws(IntegrationStop) in
      try reopen(workspace.source)
      do throws(GitError) {
        if target.includesWorkingTree {
          integration.workingTree = try repository.checkOutWorkingTree(
            into: workspace.checkout, submodulesFrom: request.submodules
          ).changes
        } else {
          let summary = try repository.checkOut(
            target.commit, into: workspace.checkout, submodulesFrom: request.submodules)
          submoduleSources = sources(beneath: summary.submodules)
        }
      } catch {
        throw IntegrationStop(outcome: .checkoutError, reason: error.description)
      }
      do {
        try prepareForSandbox()
      } catch {
        throw IntegrationStop(error)
      }
      checkedOutPins = pinsNow
      restoreResolvedVersions()
      try requireManifest()
    }
  }

  /// Lets Martlet into a folder that code of an earlier commit may have shut, or makes it.
  func reopen(_ folder: Folder) throws(IntegrationStop) {
    do throws(IntegratingError) {
      try folder.reopen()
    } catch {
      throw IntegrationStop(error)
    }
  }

  /// The Swift sources of submodules, by path in the repository: the commit has no blobs of them, so they are read
  /// before anything else can write to the workspace.
  private func sources(beneath submodules: [String]) -> [String: [UInt8]] {
    var sources: [String: [UInt8]] = [:]
    for submodule in submodules {
      // A folder that cannot be listed shows no sources.
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: workspace.source.file(submodule))) ?? []
      for name in names where name.hasSuffix(".swift") {
        sources["\(submodule)/\(name)"] = workspace.source.read("\(submodule)/\(name)")
      }
    }
    return sources
  }

  /// The folder of the package in the workspace.
  var packageFolder: Folder {
    target.package == "." ? workspace.source : workspace.source.folder(target.package)
  }

  /// Uncommitted changes may have removed the manifest that the commit has.
  private func requireManifest() throws(IntegrationStop) {
    guard packageFolder.read("Package.swift") == nil else { return }
    throw IntegrationStop(
      outcome: .checkoutError,
      reason:
        "There is no Package.swift in \(target.package == "." ? "the work tree" : target.package). Martlet integrates Swift packages only."
    )
  }

  /// A package that does not commit `Package.resolved` keeps the versions of the last build, as a work tree would.
  private func restoreResolvedVersions() {
    guard packageFolder.read("Package.resolved") == nil, let resolved = memory.read("Package.resolved") else {
      return
    }
    try? packageFolder.write(resolved, to: "Package.resolved")  // Without it SwiftPM resolves again.
  }

  /// Remembers which versions were used, for the next checkout.
  func rememberResolvedVersions() {
    let resolved = packageFolder.read("Package.resolved")
    rememberPins(resolved)
    guard let resolved else { return }
    try? memory.write(resolved, to: "Package.resolved")  // Costs the next build a resolution.
  }
}
