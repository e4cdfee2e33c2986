import Model

extension IntegrationRun {
  private var buildPlace: BotWorkspace.BuildPlace {
    BotWorkspace.BuildPlace(
      package: target.package, system: context.buildSystem, cell: asked.buildName)
  }

  /// The folder in which SwiftPM builds the package.
  var scratch: Folder { claimed.workspace.scratch(for: buildPlace) }

  /// Martlet's memory of the scratch folder, out of reach of the code that is built there.
  var memory: Folder { claimed.workspace.memory(for: buildPlace) }

  /// The module cache that the builds in the scratch folder see.
  var modules: Folder { claimed.workspace.modules(for: buildPlace) }

  /// Empties the scratch folder if it was filled for another package folder or by another toolchain, is to be clean, or
  /// contains something that code of an earlier commit has shut, so that no build could continue from there.
  ///
  /// SwiftPM does not notice: measured with 6.3.1, it takes the plan that it finds there and silently builds the
  /// sources of the old folder. A commit would be judged by the sources of another.
  func claimScratch() throws(IntegrationStop) {
    guard request.cleans || !ownsScratch || scratch.isShut || modules.isShut else { return }
    try stopping {
      try dropScratch()
      try memory.create().write(scratchOwner, to: "owner")
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

  /// The last line is that of the memory of printed warnings: what was built without one would tell none of them.
  private var scratchOwner: [UInt8] {
    Array("\(packageFolder.path)\n\(toolchain.name)\n\(toolchain.stamp)\nwarnings\n".utf8)
  }
}

extension IntegrationStop {
  /// Ends an integration whose build used the sources of another package: SwiftPM followed a plan that it had found.
  init(foreignSources place: String, product: String, package: PackagePaths, in scratch: Folder) {
    self.init(
      outcome: .internalError,
      reason:
        "SwiftPM built \(product) of the sources in \(place) instead of those in \(package.folder). Remove \(scratch.path) and integrate again."
    )
  }
}
