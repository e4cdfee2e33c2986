/// How many sources of the package's own targets have no counters, by the names of the targets.
package struct UnmeasuredSources: Hashable, Sendable {
  /// Sources in other languages than Swift, to which SwiftPM gives counters only where a manifest asks for them.
  package var foreign: [String: Int]
  /// Swift sources of plugins, which SwiftPM builds apart and always without counters.
  package var plugins: [String: Int]
  /// Swift sources of macros that no test contains: only the compiler runs them, and leaves no counters.
  package var macros: [String: Int]
  /// Swift sources of targets that were not built, because only other platforms need them.
  package var unbuilt: [String: Int]

  package init(
    foreign: [String: Int] = [:], plugins: [String: Int] = [:], macros: [String: Int] = [:],
    unbuilt: [String: Int] = [:]
  ) {
    self.foreign = foreign
    self.plugins = plugins
    self.macros = macros
    self.unbuilt = unbuilt
  }

  /// Those of all kinds.
  package var all: [String: Int] {
    [plugins, macros, unbuilt].reduce(foreign) { $0.merging($1, uniquingKeysWith: +) }
  }
}

extension PackageModel {
  /// The sources without counters. A Swift source of another kind of target has counters unless it holds no code, so it is
  /// not among them.
  ///
  /// - Parameters:
  ///   - measured: the paths of the sources with counters, relative to the package.
  ///   - unbuilt: the paths of the Swift sources that were not built, relative to the package.
  package func unmeasuredSources(_ measured: Set<String>, unbuilt: Set<String> = []) -> UnmeasuredSources {
    var unmeasured = UnmeasuredSources()
    for target in targets where !target.isTest {
      let paths = target.sourcePaths.filter { !measured.contains($0) }
      let swift = paths.count { $0.hasSuffix(".swift") }
      if paths.count > swift { unmeasured.foreign[target.name] = paths.count - swift }
      let left = paths.count { unbuilt.contains($0) }
      if left > 0 {
        unmeasured.unbuilt[target.name] = left
        continue
      }
      if target.type == "plugin", swift > 0 { unmeasured.plugins[target.name] = swift }
      if target.type == "macro", swift > 0, paths.count == target.sources.count {
        unmeasured.macros[target.name] = swift
      }
    }
    return unmeasured
  }
}
