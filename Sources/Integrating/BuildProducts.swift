import Model
import Parsing

/// What a build left in the scratch folder, as far as tests and coverage need it.
struct BuildProducts: Codable, Sendable {
  /// A test executable.
  struct TestExecutable: Codable, Sendable {
    var name: String
    var path: String
  }

  var testExecutables: [TestExecutable]
  /// The object files of the package's modules that no test executable contains.
  var looseObjects: [String]

  /// Reads what SwiftPM wrote down about the build; everything named lies in the scratch folder.
  init(_ description: BuildDescription, package: PackagePaths, scratch: PackagePaths) {
    let isOurs = { (path: String) in scratch.relative(path) != nil }
    testExecutables = description.testProducts.filter { isOurs($0.binaryPath) }
      .map { TestExecutable(name: $0.name, path: $0.binaryPath) }
    let linked = Set(description.testProducts.flatMap { description.dependencies[$0.name] ?? [] })
    let loose = description.modules.filter { module in
      let isOwn = module.sources.first.map { package.relative($0) != nil && !isOurs($0) } ?? false
      return isOwn && !linked.contains(module.name)
    }
    looseObjects = loose.flatMap(\.objects).filter(isOurs)
  }
}
