/// Holds the table of targets, the manifest and the imports against each other.
struct ImportRules {
  var table: TargetTable
  var manifest: PackageManifest
  /// The Swift files below `Sources`.
  var sources: [SwiftText]

  /// Modules of the toolchain that any target may import.
  static let system: Set<String> = ["FoundationEssentials", "Glibc", "Synchronization"]

  /// What is shipped: neither tests nor the ground that tests stand on.
  private var products: [PackageManifest.Target] {
    manifest.targets.filter { $0.kind != "testTarget" && $0.path?.hasPrefix("Tests/") != true }
  }

  /// Targets of the manifest that the table lacks or forbids something, and the other way round.
  func violationsOfManifest() -> [Violation] {
    var found: [Violation] = []
    for target in products {
      guard table.permissions[target.name] != nil else {
        found.append(manifest(target, "target '\(target.name)' is missing in the table of \(TargetTable.file)"))
        continue
      }
      for dependency in target.dependencies where !table.allows(target.name, toImport: dependency) {
        found.append(
          manifest(target, "target '\(target.name)' depends on '\(dependency)', which the table does not allow"))
      }
    }
    let names = Set(products.map(\.name))
    for name in table.permissions.keys.sorted() where !names.contains(name) {
      found.append(
        Violation(
          file: TargetTable.file, line: table.lines[name], rule: "the table names '\(name)', which is no target"))
    }
    return found
  }

  /// C modules that not exactly one Swift target depends on.
  func violationsOfCModules() -> [Violation] {
    let swift = Set(sources.compactMap(Self.target))
    return products.filter { !swift.contains($0.name) }.compactMap { module in
      let users = products.filter { $0.dependencies.contains(module.name) }.map(\.name)
      guard users.count != 1 else { return nil }
      let who = users.isEmpty ? "no target depends" : "\(users.joined(separator: ", ")) depend"
      return manifest(module, "\(who) on '\(module.name)'; exactly one Swift target may import a C module")
    }
  }

  /// Imports that the manifest or the table do not allow.
  func violationsOfImports() -> [Violation] {
    sources.flatMap { source -> [Violation] in
      guard let name = Self.target(of: source) else { return [] }
      let declared = Set(products.first { $0.name == name }?.dependencies ?? [])
      return Self.imports(of: source).compactMap { module, line in
        if Self.system.contains(module) { return nil }
        if declared.contains(module), table.allows(name, toImport: module) { return nil }
        return Violation(file: source.path, line: line, rule: "target '\(name)' may not import '\(module)'")
      }
    }
  }

  private func manifest(_ target: PackageManifest.Target, _ rule: String) -> Violation {
    Violation(file: "Package.swift", line: target.line, rule: rule)
  }

  /// `Sources/Model/Step.swift` belongs to `Model`; what is only embedded, for others to compile, belongs to none.
  private static func target(of source: SwiftText) -> String? {
    if source.path.contains("/Embedded/") { return nil }
    return source.path.split(separator: "/").dropFirst().first.map(String.init)
  }

  /// The modules that a file imports, with the lines, from 1.
  static func imports(of source: SwiftText) -> [(module: String, line: Int)] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor"]
    let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    return source.code.enumerated().flatMap { number, line in
      line.split(separator: ";").compactMap { statement in
        let words = statement.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
        guard words.first == "import" else { return nil }
        let module = words.dropFirst().drop { kinds.contains($0) }.first?.split(separator: ".").first
        return module.map { (String($0), number + 1) }
      }
    }
  }
}
