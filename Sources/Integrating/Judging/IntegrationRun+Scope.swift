import Model

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
