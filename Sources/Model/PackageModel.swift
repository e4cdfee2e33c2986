/// A package as described by the package manager: its targets and their sources.
package struct PackageModel: Hashable, Sendable, Codable {
  /// A target of the package.
  package struct Target: Hashable, Sendable, Codable {
    package var name: String
    /// The compiler's name for the module.
    package var module: String
    /// SwiftPM's word: `library`, `executable`, `test`, `system-target`, `plugin`, `macro`, `snippet`, `binary`.
    package var type: String
    /// The folder of the sources, relative to the package.
    package var path: String
    /// The source files, relative to `path`.
    package var sources: [String]
    /// Whether code of it runs while the package is built: in a macro, a plugin, or a tool that a plugin starts.
    package var runsInBuild: Bool
    /// Whether a test target depends on it directly, so that its tests can call it.
    package var isInTests: Bool

    /// - Parameter module: nil if it is the same as the name.
    package init(
      name: String, module: String? = nil, type: String, path: String, sources: [String], runsInBuild: Bool = false,
      isInTests: Bool = false
    ) {
      self.name = name
      self.module = module ?? name
      self.type = type
      self.path = path
      self.sources = sources
      self.runsInBuild = runsInBuild
      self.isInTests = isInTests
    }

    package var isTest: Bool { type == "test" }

    /// Whether only the compiler runs it. Swift Build links such a macro into tests of what uses it, which cannot call it.
    package var isUntestedMacro: Bool { type == "macro" && !isInTests }

    /// The source files, relative to the package.
    package var sourcePaths: [String] {
      path.isEmpty || path == "." ? sources : sources.map { "\(path)/\($0)" }
    }
  }

  /// Something that the package offers to others.
  package struct Product: Hashable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable {
      case executable
      case dynamicLibrary, staticLibrary
      /// Plugins, and libraries whose linkage is up to the client.
      case other
    }

    package var name: String
    package var kind: Kind
    /// The names of the targets in the product.
    package var targets: [String]

    package init(name: String, kind: Kind, targets: [String] = []) {
      self.name = name
      self.kind = kind
      self.targets = targets
    }
  }

  package var name: String
  package var targets: [Target]
  package var products: [Product]

  package init(name: String, targets: [Target], products: [Product] = []) {
    self.name = name
    self.targets = targets
    self.products = products
  }

  package var hasTestTargets: Bool { targets.contains(where: \.isTest) }
}

/// The sources of the package's own targets that have no counters.
package struct UnmeasuredSources: Hashable, Sendable {
  /// Why a source has no counters.
  package enum Kind: String, Codable, CaseIterable, Sendable {
    /// It is in a language other than Swift, for which SwiftPM adds counters only if the manifest asks for them.
    case foreign
    /// It belongs to a plugin, which SwiftPM builds separately and always without counters.
    case plugin
    /// It belongs to a macro that no test depends on: only the compiler runs it, and leaves no counters.
    case macro
    /// It belongs to a target that was not built because only other platforms need it.
    case unbuilt
  }

  package struct Source: Hashable, Sendable {
    /// Relative to the package.
    package var path: String
    package var target: String
    package var kind: Kind
  }

  package var sources: [Source]

  package init(_ sources: [Source] = []) {
    self.sources = sources
  }

  /// Returns the number of sources of the given kinds, by target name; of all kinds if none is given.
  package func counts(_ kinds: Kind...) -> [String: Int] {
    let wanted = sources.lazy.filter { kinds.isEmpty || kinds.contains($0.kind) }
    return Dictionary(wanted.map { ($0.target, 1) }, uniquingKeysWith: +)
  }
}

extension PackageModel {
  /// Returns the sources without counters. A Swift source of any other kind of target has counters unless it holds no
  /// code, so it is not included.
  ///
  /// - Parameters:
  ///   - measured: the paths of the sources with counters, relative to the package.
  ///   - unbuilt: the paths of the Swift sources that were not built, relative to the package.
  package func unmeasuredSources(_ measured: Set<String>, unbuilt: Set<String> = []) -> UnmeasuredSources {
    UnmeasuredSources(
      targets.filter { !$0.isTest }.flatMap { target -> [UnmeasuredSources.Source] in
        let paths = target.sourcePaths.filter { !measured.contains($0) }
        return paths.compactMap { path in
          let kind: UnmeasuredSources.Kind? =
            if !path.hasSuffix(".swift") {
              .foreign
            } else if unbuilt.contains(path) {
              .unbuilt
            } else if target.type == "plugin" {
              .plugin
            } else if target.isUntestedMacro {
              .macro
            } else {
              nil
            }
          return kind.map { UnmeasuredSources.Source(path: path, target: target.name, kind: $0) }
        }
      })
  }
}
