import Glibc
import Model
import Parsing

/// Swift Build, which links the tests of each test target into a library and makes a program that runs them.
///
/// The layout of its files is undocumented; what is read here was measured with Swift 6.3.1.
struct SwiftBuildEngine: BuildEngine {
  let scratch: Folder
  let configuration: String
  /// The products folder relative to the scratch folder, if SwiftPM was asked for it.
  var named: String?
  /// Whether programs that run tests are built.
  var buildsTests = true
  /// Whether Swift Build overlooks changes to resources that are embedded in code, as it does before Swift 6.4.
  var missesEmbedded = false

  /// From Swift 6.4 on, there is a link with the configuration's name.
  var products: Folder? { (scratch.linkTarget(of: configuration) ?? named).flatMap(folder) }

  private func folder(_ place: String) -> Folder? {
    let parts = place.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { !["", ".", ".."].contains($0) }
    return isPlain ? scratch.folder(place) : nil
  }

  /// C is counted, too.
  var counterArguments: [String] {
    NativeEngine(scratch: scratch, configuration: configuration).counterArguments
      + ["-Xcc", "-mllvm", "-Xcc", "-runtime-counter-relocation"]
  }

  /// Only with this option does it report what is wrong with a plugin.
  var explainingArguments: [String] { ["-v"] }

  var resourceSuffix: String { ".bundle" }

  /// It prints nothing but percentages; C compilers leave files as well.
  var plan: BuildPlan? { nil }
  var planFiles: [String] { [] }

  var output: Folder { scratch.folder(Self.root) }

  func undeclaredImports(in plan: BuildPlan, by isWanted: (BuildPlan.Task) -> Bool) -> [UndeclaredImport] { [] }

  func leftovers(of plan: BuildPlan) -> Leftovers { Leftovers() }

  func compiled(in plan: BuildPlan, by isWanted: (BuildPlan.Task) -> Bool) -> [String] { [] }

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
    // Tests contain the main function of a program under another name.
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

  /// Returns the program that runs the tests of a target, whose library is beside it. The folder is not listed, since
  /// it also keeps the programs of targets that the package no longer has.
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

  /// Returns the name of the file with all objects of a module, joined; a program's objects are in the program itself.
  private static func image(of target: PackageModel.Target, in model: PackageModel) -> String {
    guard target.type == "executable" else { return "\(target.name).o" }
    let product = model.products.first { $0.kind == .executable && $0.targets.contains(target.name) }
    return product?.name ?? target.name
  }

  /// Returns the names of the products that are linked into tests. A linked product that is missing here merely appears
  /// twice and is counted once.
  private func objectsLinked(
    into tests: [PackageModel.Target], from products: Folder, in model: PackageModel
  ) -> Set<String> {
    let folder = PackagePaths(products.path)
    return Set(tests.flatMap { list("LinkFileList", of: $0, in: model) ?? [] }.compactMap(folder.relative))
  }

  /// Throws unless the tests were built from this package.
  private func requireOwn(
    _ target: PackageModel.Target, of package: PackagePaths, in model: PackageModel
  ) throws(IntegrationStop) {
    let own = PackagePaths(scratch.path)
    for source in list("SwiftFileList", of: target, in: model) ?? []
    where package.relative(source) == nil && own.relative(source) == nil {
      throw IntegrationStop(foreignSources: source, product: target.name, package: package, in: scratch)
    }
  }

  /// Returns the objects of a target's own sources under the names that the index uses: relative to the folder of all
  /// objects, as if that were the root. Nil if they are unknown.
  private func objects(of target: PackageModel.Target, in model: PackageModel) -> [String]? {
    let root = PackagePaths(intermediates.path)
    return list("LinkFileList", of: target, in: model)?.compactMap(root.relative)
      .filter { $0.split(separator: "/").dropLast(2).last == "Objects-normal" }.map { "/\($0)" }
  }
}

extension SwiftBuildEngine {
  /// The folder of everything that Swift Build makes.
  private static let root = "out"

  private var intermediates: Folder { scratch.folder("\(Self.root)/Intermediates.noindex") }

  /// Whether a folder belongs to this configuration: if so, it is named like the products folder.
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

  /// Returns the folders of a target's objects, one for each architecture.
  private func objectFolders(_ target: Folder) -> [Folder] {
    let folder = target.folder("Objects-normal")
    return folder.names().map(folder.folder)
  }

  /// Returns the paths that were passed to the compiler or the linker for a test target, one per line.
  private func list(_ kind: String, of target: PackageModel.Target, in model: PackageModel) -> [String]? {
    let package = intermediates.folder("\(model.name).build")
    let folders = package.names().filter(isOfConfiguration).flatMap {
      objectFolders(package.folder("\($0)/\(target.name).build"))
    }
    guard let bytes = folders.lazy.compactMap({ $0.read("\(target.name).\(kind)") }).first else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { Self.unquoted($0) }
  }

  /// Decodes a path from a response file, which puts backslashes before blanks and quotes.
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

  /// Returns the driver's records of the programs that run tests, which consist of generated sources only, and the
  /// build plans if they contain the bytes of resources that may have changed.
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
