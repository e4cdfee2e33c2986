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
  /// The object files of all modules of the package that were built, by module.
  var objects: [String: [String]]
  /// The sources of the package's modules that were not built, relative to the package: only other platforms need them.
  var unbuiltSources: [String]

  /// Reads what SwiftPM wrote down about the build; everything named lies in the scratch folder.
  ///
  /// SwiftPM describes modules that it does not build, too, so what is not there is no part of the build.
  ///
  /// - Parameter exists: whether there is a file, by its absolute path.
  init(
    _ description: BuildDescription, package: PackagePaths, scratch: PackagePaths, exists: (String) -> Bool
  ) {
    let isOurs = { (path: String) in scratch.relative(path) != nil }
    testExecutables = description.testProducts.filter { isOurs($0.binaryPath) }
      .map { TestExecutable(name: $0.name, path: $0.binaryPath) }
    let linked = Set(description.testProducts.flatMap { description.dependencies[$0.name] ?? [] })
    let own = description.modules.filter { module in
      module.sources.first.map { package.relative($0) != nil && !isOurs($0) } ?? false
    }
    let built = own.map { (module: $0, objects: $0.objects.filter { isOurs($0) && exists($0) }) }
    objects = Dictionary(built.map { ($0.module.name, $0.objects) }, uniquingKeysWith: +).filter { !$0.value.isEmpty }
    let loose = built.filter { !linked.contains($0.module.name) }
    looseObjects = loose.flatMap(\.objects)
    unbuiltSources = loose.filter { $0.objects.isEmpty }.flatMap { $0.module.sources.compactMap(package.relative) }
  }
}
