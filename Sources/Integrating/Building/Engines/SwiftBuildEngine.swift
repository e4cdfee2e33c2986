import Glibc
import Model
import Parsing

/// Swift Build, which links the tests of each test target into a library and makes a program that runs them.
///
/// What it leaves for itself is described nowhere; what is read here was measured with Swift 6.3.1.
struct SwiftBuildEngine: BuildEngine {
  let scratch: Folder
  let configuration: String
  /// The folder of the products relative to the scratch folder, where SwiftPM was asked for it.
  var named: String?
  /// Whether programs that run tests are asked for.
  var buildsTests = true
  /// Whether it passes over changes of resources that are embedded in code, as it does before Swift 6.4.
  var missesEmbedded = false

  var system: BuildSystem { .swiftbuild }

  /// From Swift 6.4 on there is a link of the configuration's name.
  var products: Folder? { (scratch.link(configuration) ?? named).flatMap(folder) }

  private func folder(_ place: String) -> Folder? {
    let parts = place.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { !["", ".", ".."].contains($0) }
    return isPlain ? scratch.folder(place) : nil
  }

  /// It counts C, too.
  var counterArguments: [String] {
    NativeEngine(scratch: scratch, configuration: configuration).counterArguments
      + ["-Xcc", "-mllvm", "-Xcc", "-runtime-counter-relocation"]
  }

  /// It tells only then what is wrong with a plugin.
  var explainingArguments: [String] { ["-v"] }

  var resourceSuffix: String { ".bundle" }

  func outcome(
    in products: Folder, of package: PackagePaths, model: () throws(IntegrationStop) -> PackageModel
  ) throws(IntegrationStop) -> BuildProducts {
    let model = try model()
    let tests = buildsTests ? model.targets.filter(\.isTest) : []
    for target in tests { try requireOwn(target, of: package, in: model) }
    let linked = objectsLinked(into: tests, from: products, in: model)
    var built = BuildProducts(
      testExecutables: try tests.map { (target) throws(IntegrationStop) in try program(of: target, in: products) },
      looseObjects: [], objects: [:], unbuiltSources: [], index: scratch.file(Self.root))
    for target in tests { built.objects[target.module] = objects(of: target, in: model) }
    // Tests hold the main function of a program under another name.
    for target in model.targets
    where ["executable", "library"].contains(target.type) {
      let name = Self.image(of: target, in: model)
      guard !linked.contains(name) else { continue }
      if products.size(of: name) > 0 {
        built.looseObjects.append(products.file(name))
      } else {
        built.unbuiltSources += target.sourcePaths
      }
    }
    return built
  }

  /// The program that runs the tests of a target, which are in a library beside it. Those of targets that the package has
  /// no more stay there as well, so the folder is not asked.
  private func program(
    of target: PackageModel.Target, in products: Folder
  ) throws(IntegrationStop) -> BuildProducts.TestExecutable {
    let (program, library) = ("\(target.name)-test-runner", "\(target.name).so")
    for name in [program, library] where products.size(of: name) == 0 {
      throw IntegrationStop(
        outcome: .internalError,
        reason:
          "Swift Build left no \(name) in \(products.path), so the tests of \(target.name) cannot be run. 'martlet help toolchains' tells which toolchains were tried; 'build-system: native' builds otherwise."
      )
    }
    return BuildProducts.TestExecutable(
      name: target.name, path: products.file(program), images: [products.file(library)])
  }

  /// All objects of a module, joined; that of a program is in the program.
  private static func image(of target: PackageModel.Target, in model: PackageModel) -> String {
    guard target.type == "executable" else { return "\(target.name).o" }
    let product = model.products.first { $0.kind == .executable && $0.targets.contains(target.name) }
    return product?.name ?? target.name
  }

  /// The names of the products that are linked into tests. What is linked and is not among them only counts twice over, as
  /// one.
  private func objectsLinked(
    into tests: [PackageModel.Target], from products: Folder, in model: PackageModel
  ) -> Set<String> {
    let folder = PackagePaths(products.path)
    return Set(tests.flatMap { list("LinkFileList", of: $0, in: model) ?? [] }.compactMap(folder.relative))
  }

  /// Proves that the tests were built of this package.
  private func requireOwn(
    _ target: PackageModel.Target, of package: PackagePaths, in model: PackageModel
  ) throws(IntegrationStop) {
    let own = PackagePaths(scratch.path)
    for source in list("SwiftFileList", of: target, in: model) ?? []
    where package.relative(source) == nil && own.relative(source) == nil {
      throw IntegrationStop(foreignSources: source, product: target.name, package: package, in: scratch)
    }
  }

  /// The objects of a target's own sources as the index names them: relative to the folder of all objects, as if that were
  /// the root. Nil where nobody knows.
  private func objects(of target: PackageModel.Target, in model: PackageModel) -> [String]? {
    let root = PackagePaths(intermediates.path)
    return list("LinkFileList", of: target, in: model)?.compactMap(root.relative)
      .filter { $0.split(separator: "/").dropLast(2).last == "Objects-normal" }.map { "/\($0)" }
  }
}

extension SwiftBuildEngine {
  /// The folder of all that it makes.
  private static let root = "out"

  private var intermediates: Folder { scratch.folder("\(Self.root)/Intermediates.noindex") }

  /// Whether a folder is of this configuration: it is named like that of the products.
  private func isOfConfiguration(_ name: String) -> Bool {
    if let products { return products.path.split(separator: "/").last.map(String.init) == name }
    return name.lowercased().hasPrefix("\(configuration)-")
  }

  /// The folders in which targets of this package and others are built.
  private var targets: [Folder] {
    intermediates.names().filter { $0.hasSuffix(".build") }.map(intermediates.folder).flatMap { package in
      package.names().filter(isOfConfiguration).map(package.folder)
    }
    .flatMap { configuration in configuration.names().filter { $0.hasSuffix(".build") }.map(configuration.folder) }
  }

  /// The folders of a target's objects, one for each architecture.
  private func objectFolders(_ target: Folder) -> [Folder] {
    let folder = target.folder("Objects-normal")
    return folder.names().map(folder.folder)
  }

  /// What was handed to the compiler or the linker for a test target, a path in each line.
  private func list(_ kind: String, of target: PackageModel.Target, in model: PackageModel) -> [String]? {
    let package = intermediates.folder("\(model.name).build")
    let folders = package.names().filter(isOfConfiguration).flatMap {
      objectFolders(package.folder("\($0)/\(target.name).build"))
    }
    guard let bytes = folders.lazy.compactMap({ $0.read("\(target.name).\(kind)") }).first else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { Self.unquoted($0) }
  }

  /// A path as response files have it, with backslashes before blanks and quotes.
  private static func unquoted(_ line: Substring) -> String {
    var path = ""
    var isQuoted = false
    for character in line {
      if character == "\\", !isQuoted {
        isQuoted = true
      } else {
        path.append(character)
        isQuoted = false
      }
    }
    return path
  }

  var diagnosticFiles: [(folder: Folder, name: String)] {
    targets.flatMap(objectFolders).flatMap { folder in
      folder.names().filter { $0.hasSuffix(".dia") }.map { (folder, $0) }
    }
  }

  /// What the driver remembers of the programs that run tests, which consist of generated sources only; and the plans of
  /// builds where they hold the bytes of resources that may have changed.
  func stale(embedsResources: Bool) -> [String] {
    let lists = targets.filter(Self.isRunner).flatMap(objectFolders).flatMap { folder in
      folder.names().filter { $0.hasSuffix(".priors") }.map { folder.file($0) }
    }
    let plans = intermediates.folder("XCBuildData")
    let embedded =
      missesEmbedded && embedsResources
      ? plans.names().filter { $0.hasSuffix(".xcbuilddata") }.map(plans.folder).flatMap { plan in
        plan.filesBeneath().map { plan.file($0) }
      } : []
    return (lists + embedded).map { String($0.dropFirst(scratch.path.count + 1)) }
  }

  private static func isRunner(_ target: Folder) -> Bool { target.path.hasSuffix("-test-runner.build") }

  var generatesSources: Bool {
    scratch.folder("plugins").holds("outputs")
      || targets.contains { !Self.isRunner($0) && !$0.folder("DerivedSources").names().isEmpty }
  }
}
