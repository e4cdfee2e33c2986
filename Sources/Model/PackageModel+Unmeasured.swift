extension PackageModel {
  /// How many sources have no counters, by the name of their target: SwiftPM instruments Swift only, unless a manifest
  /// asks for more. A Swift source without counters holds no code, and is not among them.
  ///
  /// - Parameter measured: the paths of the sources with counters, relative to the package.
  package func unmeasuredSources(_ measured: Set<String>) -> [String: Int] {
    var counts: [String: Int] = [:]
    for target in targets where !target.isTest {
      let count = target.sourcePaths.count { !$0.hasSuffix(".swift") && !measured.contains($0) }
      if count > 0 { counts[target.name] = count }
    }
    return counts
  }
}
