/// The manifests of small packages.
enum SmallManifest {
  /// That of a package with one target and its tests.
  static func tested(_ name: String) -> String {
    """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(
      name: "\(name)",
      targets: [.target(name: "\(name)"), .testTarget(name: "\(name)Tests", dependencies: ["\(name)"])])

    """
  }

  /// That of a package with one library.
  static func text(_ name: String, dependencies: String = "", targets: String) -> String {
    """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(
      name: "\(name)", products: [.library(name: "\(name)", targets: ["\(name)"])], dependencies: [\(dependencies)],
      targets: [\(targets)])

    """
  }
}

extension GitFolder {
  /// A repository with the smallest package that builds, which has no tests.
  static func tiny(in scratch: ScratchFolder) throws -> GitFolder {
    let repository = try GitFolder("Tiny", in: scratch)
    try repository.commit(
      "Begin",
      [
        "Package.swift": SmallManifest.text("Tiny", targets: #".target(name: "Tiny")"#),
        "Sources/Tiny/Tiny.swift": "public let answer = 42\n",
      ])
    return repository
  }
}
