/// What the package manager says about a package: its targets and their sources.
package struct PackageModel: Hashable, Sendable, Codable {
  /// One target of the package.
  package struct Target: Hashable, Sendable, Codable {
    package var name: String
    /// What the compiler calls its module.
    package var module: String
    /// SwiftPM's word: `library`, `executable`, `test`, `system-target`, `plugin`, `macro`, `snippet`, `binary`.
    package var type: String
    /// The folder of the sources, relative to the package.
    package var path: String
    /// The source files, relative to `path`.
    package var sources: [String]

    /// - Parameter module: nil where it is the name itself.
    package init(name: String, module: String? = nil, type: String, path: String, sources: [String]) {
      self.name = name
      self.module = module ?? name
      self.type = type
      self.path = path
      self.sources = sources
    }

    package var isTest: Bool { type == "test" }

    /// The source files, relative to the package.
    package var sourcePaths: [String] {
      path.isEmpty || path == "." ? sources : sources.map { "\(path)/\($0)" }
    }
  }

  /// Something that other people get from the package.
  package struct Product: Hashable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable {
      case executable
      case dynamicLibrary, staticLibrary
      /// Plugins, and libraries of which the user decides how they are linked.
      case other
    }

    package var name: String
    package var kind: Kind
    /// The names of the targets that it is made of.
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
  /// How many packages it depends on directly.
  package var dependencyCount: Int

  package init(name: String, targets: [Target], products: [Product] = [], dependencyCount: Int = 0) {
    self.name = name
    self.targets = targets
    self.products = products
    self.dependencyCount = dependencyCount
  }

  package var hasTestTargets: Bool { targets.contains(where: \.isTest) }
}

/// The sources of the package's own targets that have no counters.
package struct UnmeasuredSources: Hashable, Sendable {
  /// Why a source has no counters.
  package enum Kind: String, Codable, CaseIterable, Sendable {
    /// It is in another language than Swift, to which SwiftPM gives counters only where a manifest asks for them.
    case foreign
    /// It is of a plugin, which SwiftPM builds apart and always without counters.
    case plugin
    /// It is of a macro that no test contains: only the compiler runs it, and leaves no counters.
    case macro
    /// It is of a target that was not built, because only other platforms need it.
    case unbuilt
  }

  package struct Source: Hashable, Sendable {
    /// Relative to the package.
    package var path: String
    package var target: String
    package var kind: Kind

    package init(path: String, target: String, kind: Kind) {
      self.path = path
      self.target = target
      self.kind = kind
    }
  }

  package var sources: [Source]

  package init(_ sources: [Source] = []) {
    self.sources = sources
  }

  /// How many there are of some kinds, by the names of the targets; of all kinds when none is given.
  package func counts(_ kinds: Kind...) -> [String: Int] {
    let wanted = sources.lazy.filter { kinds.isEmpty || kinds.contains($0.kind) }
    return Dictionary(wanted.map { ($0.target, 1) }, uniquingKeysWith: +)
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
    UnmeasuredSources(
      targets.filter { !$0.isTest }.flatMap { target -> [UnmeasuredSources.Source] in
        let paths = target.sourcePaths.filter { !measured.contains($0) }
        let isUntestedMacro = target.type == "macro" && paths.count == target.sources.count
        return paths.compactMap { path in
          let kind: UnmeasuredSources.Kind? =
            if !path.hasSuffix(".swift") {
              .foreign
            } else if unbuilt.contains(path) {
              .unbuilt
            } else if target.type == "plugin" {
              .plugin
            } else if isUntestedMacro {
              .macro
            } else {
              nil
            }
          return kind.map { UnmeasuredSources.Source(path: path, target: target.name, kind: $0) }
        }
      })
  }
}
