/// The manifest of a package with one library.
enum SmallManifest {
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
