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

    package init(name: String, kind: Kind) {
      self.name = name
      self.kind = kind
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
