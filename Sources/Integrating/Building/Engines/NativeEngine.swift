import Glibc
import Model
import Parsing

/// SwiftPM's own build system, which links all tests of a package into one program.
struct NativeEngine: BuildEngine {
  let scratch: Folder
  let configuration: String

  /// SwiftPM links to it under the configuration's name; the link is followed one step and no further.
  var products: Folder? { folder }

  private var folder: Folder {
    let parts = scratch.linkTarget(of: configuration)?.split(separator: "/", omittingEmptySubsequences: false) ?? []
    let isPlain = !parts.isEmpty && parts.allSatisfy { !["", ".", ".."].contains($0) }
    return scratch.folder(isPlain ? parts.joined(separator: "/") : configuration)
  }

  /// Only Swift is counted.
  var counterArguments: [String] { ["-Xswiftc", "-Xllvm", "-Xswiftc", "-runtime-counter-relocation"] }

  var explainingArguments: [String] { [] }

  var resourceSuffix: String { ".resources" }

  var diagnosticFiles: [(folder: Folder, name: String)] {
    let products = folder
    return products.names().filter { $0.hasSuffix(".build") }.flatMap { module in
      let folder = products.folder(module)
      return folder.names().filter { $0.hasSuffix(".dia") }.map { (folder, $0) }
    }
  }

  var plan: BuildPlan? { scratch.read(planName).map { BuildPlan($0, at: scratch.file(planName)) } }

  private var planName: String { "\(configuration).yaml" }

  var planFiles: [String] { [planName, "\(place)/\(Self.descriptionName)"] }

  /// What SwiftPM keeps of a plan besides.
  private static let descriptionName = "description.json"

  var output: Folder { folder }

  func undeclaredImports(in plan: BuildPlan, by isWanted: (BuildPlan.Task) -> Bool) -> [UndeclaredImport] {
    plan.undeclaredImports(by: isWanted) { task in
      guard let records = task.folder.map(folder.folder), let module = task.moduleName else { return [] }
      // The second is that of a module that is compiled as a whole.
      return MakeRule.files(in: records.read("\(module).emit-module.d") ?? records.read("\(module).d") ?? [])
    }
  }

  func leftovers(of plan: BuildPlan) -> Leftovers {
    let (products, place) = (folder, place)
    let paths = PackagePaths(scratch.path)
    // The path of a folder that is copied as a whole ends with a slash.
    let outputs = plan.tasks.flatMap(\.outputs).map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    let made = Set(outputs.compactMap(paths.relative))
    // Without a plan of this folder nothing is known.
    guard !made.isEmpty else { return Leftovers() }
    var found = Leftovers()
    for name in products.names() {
      let path = "\(place)/\(name)"
      if Self.moduleFolders.contains(name) {
        let modules = products.folder(name).names().filter { $0.hasSuffix(".swiftmodule") }
        found.modules += modules.map { "\(path)/\($0)" }.filter { !made.contains($0) }
      } else if name.hasSuffix(resourceSuffix) {
        let files = products.folder(name).filesBeneath().map { "\(path)/\($0)" }
        found.files += files.filter { !Self.isMade($0, beneath: path, made) }
      } else if !made.contains(path), products.isProgram(name) {
        found.files.append(path)
      }
    }
    return found
  }

  /// The names of the folders of modules, those of tools apart from the others.
  private static let moduleFolders = ["Modules", "Modules-tool"]

  /// Whether a file, or a folder around it, is what a task makes.
  private static func isMade(_ file: String, beneath folder: String, _ made: Set<String>) -> Bool {
    var path = file[...]
    while path.utf8.count >= folder.utf8.count {
      if made.contains(String(path)) { return true }
      path = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    }
    return false
  }

  func compiled(in plan: BuildPlan, by isWanted: (BuildPlan.Task) -> Bool) -> [String] {
    let paths = PackagePaths(scratch.path)
    let tasks = plan.tasks.filter(isWanted)
    let objects = tasks.flatMap { $0.outputs.compactMap(paths.relative) }
      .filter { $0.hasSuffix(".o") || $0.hasSuffix(".swiftmodule") }
    // The driver's records say that nothing changed.
    return objects + records(of: Set(tasks.compactMap(\.folder)).sorted())
  }

  /// The products folder relative to the scratch folder.
  private var place: String { String(folder.path.dropFirst(scratch.path.count).drop { $0 == "/" }) }

  /// Returns the driver's records of modules.
  private func records(of modules: [String]) -> [String] {
    modules.flatMap { module in
      folder.folder(module).names().filter { $0.hasSuffix(".priors") }.map { "\(place)/\(module)/\($0)" }
    }
  }

  /// Returns the driver's records of the modules that consist of generated sources only, the lists of tests.
  func stale(embedsResources: Bool) -> [String] {
    records(of: folder.names().filter(Self.isList))
  }

  private static func isList(_ module: String) -> Bool {
    module.hasSuffix("PackageTests.build") || module.hasSuffix("PackageDiscoveredTests.build")
  }

  var generatesSources: Bool {
    let products = folder
    return scratch.folder("plugins").holds("outputs")
      || products.names().contains { $0.hasSuffix(".build") && products.folder($0).holds("DerivedSources") }
  }

  func outcome(
    in products: Folder, of package: PackagePaths, model: () throws(IntegrationStop) -> PackageModel
  ) throws(IntegrationStop) -> BuildProducts {
    let description = try stopping { try BuildDescription.read(products.read(Self.descriptionName) ?? []) }
    for product in description.testProducts where !package.roots.contains(product.packagePath) {
      throw IntegrationStop(foreignSources: product.packagePath, product: product.name, package: package, in: scratch)
    }
    return built(description, in: products, of: package) { access($0, R_OK) == 0 }
  }

  /// Extracts the products from SwiftPM's description of the build; ignores everything outside the scratch folder.
  ///
  /// SwiftPM also describes modules that it does not build, so missing files are not part of the build.
  ///
  /// - Parameter exists: whether a file exists at an absolute path.
  private func built(
    _ description: BuildDescription, in products: Folder, of package: PackagePaths, exists: (String) -> Bool
  ) -> BuildProducts {
    let scratch = PackagePaths(scratch.path)
    let isOurs = { (path: String) in scratch.relative(path) != nil }
    let tests = description.testProducts.filter { isOurs($0.binaryPath) }
    let own = description.modules.filter { module in
      module.sources.first.map { package.relative($0) != nil && !isOurs($0) } ?? false
    }
    let modules = own.map { (module: $0, objects: $0.objects.filter { isOurs($0) && exists($0) }) }
    let tested = Set(
      modules.filter { !description.testedObjects.isDisjoint(with: $0.objects) }.map(\.module.name))
    // A tool's sources count once, as those of any program.
    let loose = modules.filter { !$0.module.isOfTool && !tested.contains($0.module.name) }
    return BuildProducts(
      testExecutables: tests.map { .init(name: $0.name, path: $0.binaryPath, images: [$0.binaryPath]) },
      looseObjects: loose.flatMap(\.objects),
      objects: Dictionary(modules.map { ($0.module.name, $0.objects) }, uniquingKeysWith: +)
        .filter { !$0.value.isEmpty },
      unbuiltSources: loose.filter { $0.objects.isEmpty }.flatMap { $0.module.sources.compactMap(package.relative) },
      index: products.folder("index").file("store"))
  }
}

extension Folder {
  /// Whether a name is that of a file that can be run or loaded.
  fileprivate func isProgram(_ name: String) -> Bool {
    let path = file(name)
    return linkTarget(of: name) == nil && stat(path).map { $0.st_mode & S_IFMT == S_IFREG } == true
      && access(path, X_OK) == 0
  }
}
