package import Model

extension PackageModel {
  /// Reads the output of `swift package describe --type json`.
  package static func read(_ bytes: [UInt8]) throws -> PackageModel {
    let package: DescribedPackage = try ToolJSON.read(bytes, of: "the output of swift package describe")
    let runInBuild = package.namesOfTargetsThatRunInBuild
    let inTests = package.namesOfTargetsInTests
    return PackageModel(
      name: package.name,
      targets: package.targets.map {
        Target(
          name: $0.name, module: $0.c99name, type: $0.type, path: $0.path, sources: $0.sources ?? [],
          runsInBuild: runInBuild.contains($0.name), isInTests: inTests.contains($0.name))
      },
      products: (package.products ?? []).map {
        Product(name: $0.name, kind: $0.type?.kind ?? .other, targets: $0.targets ?? [])
      })
  }
}

/// What is read of the output of `swift package describe --type json`.
private struct DescribedPackage: Decodable {
  struct Target: Decodable {
    struct Capability: Decodable {
      var type: String
    }

    var name: String
    var c99name: String?
    var type: String
    var path: String
    var sources: [String]?
    var target_dependencies: [String]?
    /// Of a plugin.
    var plugin_capability: Capability?

    /// Whether the build itself runs it: plugins that are commands run only when somebody asks for them.
    var runsInBuild: Bool { type == "macro" || type == "plugin" && plugin_capability?.type != "command" }
  }

  struct Product: Decodable {
    var name: String
    var type: Kind?
    var targets: [String]?
  }

  /// An object whose only key is the kind.
  struct Kind: Decodable {
    private enum CodingKeys: CodingKey {
      case executable, library
    }

    var kind = PackageModel.Product.Kind.other

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if container.contains(.executable) { kind = .executable }
      guard let linkage = try container.decodeIfPresent([String].self, forKey: .library)?.last else { return }
      kind = ["dynamic": .dynamicLibrary, "static": .staticLibrary][linkage] ?? .other
    }
  }

  var name: String
  var targets: [Target]
  var products: [Product]?

  /// The targets that a test target depends on directly.
  var namesOfTargetsInTests: Set<String> {
    Set(targets.filter { $0.type == "test" }.flatMap { $0.target_dependencies ?? [] })
  }

  /// Macros and plugins of the build, with all that they are made of.
  var namesOfTargetsThatRunInBuild: Set<String> {
    let dependencies = Dictionary(targets.map { ($0.name, $0.target_dependencies ?? []) }) { $0 + $1 }
    var found: Set<String> = []
    var open = targets.filter(\.runsInBuild).map(\.name)
    while let name = open.popLast() {
      if found.insert(name).inserted { open += dependencies[name] ?? [] }
    }
    return found
  }
}
