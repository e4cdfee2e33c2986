import Model

extension IntegrationRun {
  private var buildPlace: BotWorkspace.BuildPlace {
    BotWorkspace.BuildPlace(
      package: target.package, system: context.buildSystem, cell: isCell ? asked.destination?.name : nil)
  }

  /// The folder in which SwiftPM builds the package.
  var scratch: Folder { context.claimed.workspace.scratch(for: buildPlace) }

  /// What Martlet remembers about the scratch folder, out of reach of the code that is built there.
  var memory: Folder { context.claimed.workspace.memory(for: buildPlace) }

  /// What the scratch folder's builds see as their module cache.
  var modules: Folder { context.claimed.workspace.modules(for: buildPlace) }

  /// Empties the scratch folder when it was filled for another package folder or by another toolchain, is to be clean, or
  /// code of an earlier commit has shut something in it, so that no build could go on from there.
  ///
  /// SwiftPM does not notice: measured with 6.3.1, it takes the plan it finds there and builds the sources of the old
  /// folder, without a word. A commit would be judged by the sources of another.
  func claimScratch() throws(IntegrationStop) {
    guard request.build.cleans || !ownsScratch || scratch.isShut || modules.isShut else { return }
    do throws(IntegratingError) {
      try dropScratch()
      try memory.create().write(scratchOwner, to: "owner")
    } catch {
      throw IntegrationStop(error)
    }
  }

  /// Removes what was built, and what is remembered of it.
  func dropScratch() throws(IntegratingError) {
    try memory.remove()
    try modules.takeAway()
    try scratch.takeAway()
  }

  /// Whether the scratch folder was filled for this package folder and by this toolchain.
  var ownsScratch: Bool { memory.read("owner") == scratchOwner }

  private var scratchOwner: [UInt8] {
    Array("\(packageFolder.path)\n\(toolchain.programs)\n\(toolchain.name)\n".utf8)
  }
}

extension IntegrationStop {
  /// What was built was built of another package: SwiftPM went by a plan that it had found.
  init(foreignSources place: String, product: String, package: PackagePaths, in scratch: Folder) {
    self.init(
      outcome: .internalError,
      reason:
        "SwiftPM built \(product) of the sources in \(place) instead of those in \(package.folder). Remove \(scratch.path) and integrate again."
    )
  }
}
