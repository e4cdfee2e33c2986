package import Model

extension CircumstanceChange {
  /// Returns what differs besides the commits, as far as both documents record it.
  package static func changes(from before: IntegrationRecord, to after: IntegrationRecord) -> [CircumstanceChange] {
    var changes: [CircumstanceChange] = []
    func add(_ name: String, _ value: (IntegrationRecord) -> String?) {
      let (one, other) = (value(before), value(after))
      if one != other { changes.append(CircumstanceChange(name, before: one, after: other)) }
    }
    add("toolchain") { $0.toolchain }
    add("configuration") { $0.configuration }
    add("sandbox") { $0.sandbox }
    add("package") { $0.package }
    add("uncommitted changes") { $0.workingTree.map { CountText.counted($0.count, "file") } }
    for library in Set(before.tests.source.keys).intersection(after.tests.source.keys).sorted() {
      add("results of \(library)") { $0.tests.source[library] }
    }
    // Documents written by older versions of Martlet have no circumstances.
    if let old = before.circumstances, let new = after.circumstances {
      let isOneCommit = before.commit.id == after.commit.id
      // What says no machine was carried out on the one that keeps it.
      add(Circumstance.machine) { $0.circumstances?.machine ?? MachineSettings.ownName }
      let own = isOneCommit ? [Circumstance.machine] : ofCommits(old, new).union([Circumstance.machine])
      changes += self.changes(from: old, to: new).filter { !own.contains($0.name) }
    }
    return changes + settings(from: before.settings ?? [], to: after.settings ?? [])
  }

  /// Returns what may change how code behaves and no commit changed: a variable, or the version of a dependency.
  package static func ofCode(from before: IntegrationRecord, to after: IntegrationRecord) -> [CircumstanceChange] {
    changes(from: before, to: after).filter { change in
      Circumstance(change.name, "").isDependency || change.name.hasPrefix("environment.")
    }
  }

  /// Returns the names of the dependencies that differ because the commits do: those that both commits pin, and those
  /// that only one of them has.
  private static func ofCommits(_ before: [Circumstance], _ after: [Circumstance]) -> Set<String> {
    let old = Set(before.filter(\.isDependency).map(\.name))
    let new = Set(after.filter(\.isDependency).map(\.name))
    func pinned(_ side: [Circumstance]) -> Set<String> { Set(side.filter { $0.committed == true }.map(\.name)) }
    return old.symmetricDifference(new).union(pinned(before).intersection(pinned(after)))
  }

  /// Compares two lists of circumstances, leaving out the dependencies if one side has none, because older versions of
  /// Martlet did not record them.
  static func changes(from before: [Circumstance], to after: [Circumstance]) -> [CircumstanceChange] {
    guard before.contains(where: \.isDependency) == after.contains(where: \.isDependency) else {
      return changes(from: before.filter { !$0.isDependency }, to: after.filter { !$0.isDependency })
    }
    let old = before.keyed(by: \.name, \.value)
    let new = after.keyed(by: \.name, \.value)
    let names = after.map(\.name) + before.map(\.name).filter { new[$0] == nil }
    return names.filter { old[$0] != new[$0] }.map { CircumstanceChange($0, before: old[$0], after: new[$0]) }
  }

  /// Returns the settings whose effective value comes from a different source.
  private static func settings(from before: [SettingOrigin], to after: [SettingOrigin]) -> [CircumstanceChange] {
    let change = changes(
      from: before.map { Circumstance($0.setting, whose($0.source)) },
      to: after.map { Circumstance($0.setting, whose($0.source)) })
    return change.map { CircumstanceChange("\($0.name) of .martlet.yml", before: $0.before, after: $0.after) }
  }

  private static func whose(_ source: SettingOrigin.Source) -> String {
    switch source {
    case .bot: "the bot's counts"
    case .commandLine: "the command line's counts, or the default"
    case .package: "the package's counts"
    case .both: "both together"
    }
  }
}
