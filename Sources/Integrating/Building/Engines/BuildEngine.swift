import Glibc
import Model
import Parsing
import Processes

/// One of SwiftPM's build systems and the paths of what it makes; no other code knows a path of a build system.
///
/// A value describes one scratch folder and one configuration. Everything it reads there was made by untrusted code.
protocol BuildEngine: Sendable {
  /// The folder of the last build's products; nil if only SwiftPM knows it.
  var products: Folder? { get }
  /// The build arguments that put counters into a mapped file, for all languages that the build system counts.
  var counterArguments: [String] { get }
  /// The build arguments that make a build explain a failure for which the last one gave no reason.
  var explainingArguments: [String] { get }
  /// The suffix of the names of resource folders.
  var resourceSuffix: String { get }
  /// The files with the compilers' diagnostics, including those about unchanged sources.
  var diagnosticFiles: [(folder: Folder, name: String)] { get }
  /// The last build's plan, if the log says which of its tasks printed what; nil if it does not.
  var plan: BuildPlan? { get }
  /// The files without which a build is planned anew, relative to the scratch folder; empty if there is no plan.
  var planFiles: [String] { get }
  /// Returns the files whose removal makes a build remake what it generated itself, relative to the scratch folder.
  ///
  /// - Parameter embedsResources: whether the package has resources that become code.
  func stale(embedsResources: Bool) -> [String]
  /// The folder of all that is built.
  var output: Folder { get }
  /// Returns the imports of modules on which the importing target does not depend.
  ///
  /// - Parameter isWanted: tells by which tasks.
  func undeclaredImports(in plan: BuildPlan, by isWanted: (BuildPlan.Task) -> Bool) -> [UndeclaredImport]
  /// Returns what is left of earlier builds that a plan does not make.
  func leftovers(of plan: BuildPlan) -> Leftovers
  /// Returns the files whose removal makes a build compile code again, relative to the scratch folder.
  ///
  /// - Parameter isWanted: tells of which tasks.
  func compiled(in plan: BuildPlan, by isWanted: (BuildPlan.Task) -> Bool) -> [String]
  /// Whether the last build generated sources that share a module with others, as plugins and resources do.
  var generatesSources: Bool { get }

  /// Returns the products of a successful build.
  ///
  /// - Parameter model: SwiftPM's description of the package, if the build itself does not provide one.
  /// - Throws: if the products cannot be those of the package.
  func outcome(
    in products: Folder, of package: PackagePaths, model: () throws(IntegrationStop) -> PackageModel
  ) throws(IntegrationStop) -> BuildProducts
}

extension IntegrationRun {
  private static let namedProducts = "products"

  /// The engine of the build that is tested.
  var engine: any BuildEngine {
    engine(in: scratch, configuration: request.configuration, named: rememberedProducts)
  }

  /// The products folder that SwiftPM named when it was last asked about a build like this one.
  private var rememberedProducts: String? {
    let named = memory.text(of: Self.namedProducts)
    return named.flatMap { $0.hasPrefix(productsHead) ? String($0.dropFirst(productsHead.count)) : nil }
  }

  private func rememberProducts(_ named: String) {
    // Without the note, SwiftPM is asked again.
    try? memory.create().write(productsHead + named, to: Self.namedProducts)
  }

  /// The inputs that determine where the products are: the bot's arguments may select another platform.
  private var productsHead: String {
    ([request.configuration] + request.arguments).joined(separator: "\u{0}") + "\n"
  }

  private func engine(in scratch: Folder, configuration: String, named: String?) -> any BuildEngine {
    switch context.buildSystem {
    case .native: NativeEngine(scratch: scratch, configuration: configuration)
    case .swiftbuild:
      SwiftBuildEngine(
        scratch: scratch, configuration: configuration, named: named,
        buildsTests: request.actions.contains(.test),
        missesEmbedded: toolchain.version < Toolchain.firstToPreferSwiftBuild)
    }
  }

  /// Returns the engine and the products folder after a build; asks SwiftPM for the folder if there is no other way.
  func engineAfterBuild(_ arguments: [String], for purpose: Purpose) throws(IntegrationStop)
    -> (engine: any BuildEngine, products: Folder)
  {
    let isRelease = purpose == .archiving
    let configuration = isRelease ? "release" : request.configuration
    let place = isRelease ? releaseScratch : scratch
    let known = isRelease ? engine(in: place, configuration: configuration, named: nil) : engine
    if let products = known.products { return (known, products) }
    let named = try products(in: place, by: askForProducts(arguments, for: purpose))
    if !isRelease { rememberProducts(named) }
    let engine = engine(in: place, configuration: configuration, named: named)
    guard let products = engine.products else { throw IntegrationStop(unknownProducts: named, in: place, toolchain) }
    return (engine, products)
  }

  /// Asks a toolchain newer than any that was tried for the answers needed after a build, before the first build in a
  /// scratch folder: a missing answer must not surface only after minutes of building.
  func requireAnswers() throws(IntegrationStop) {
    guard toolchain.version > Toolchain.newestTried, rememberedProducts == nil else { return }
    let answer = try askForProducts(buildArguments, for: .building)
    // The build reports what is wrong with the package, but a usage error is not the package's fault.
    guard answer.result.succeeded || answer.result.end == .exited(EX_USAGE) else { return }
    let named = try products(in: scratch, by: answer)
    try modelQuestion.requireReadable()
    rememberProducts(named)
  }

  private func askForProducts(_ arguments: [String], for purpose: Purpose) throws(IntegrationStop) -> CollectedOutput {
    let answer = try stopping {
      try command("swift-build", arguments + ["--show-bin-path"], for: purpose)
        .collect(limits: limits(for: purpose), cancellation: integrator.cancellation, limit: 1 << 20)
    }
    if answer.result.why == .canceled { throw .canceled }
    return answer
  }

  /// Returns the folder that SwiftPM named, relative to the scratch folder.
  private func products(in scratch: Folder, by answer: CollectedOutput) throws(IntegrationStop) -> String {
    let said = answer.result.succeeded ? answer.standardOutput : answer.standardError
    let lines = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    let line = (answer.result.succeeded ? lines.last : lines.first) ?? ""
    guard answer.result.succeeded, let place = PackagePaths(scratch.path).relative(line) else {
      throw IntegrationStop(unknownProducts: line, in: scratch, toolchain)
    }
    return place
  }
}

extension IntegrationStop {
  fileprivate init(unknownProducts answer: String, in scratch: Folder, _ toolchain: Toolchain) {
    let words = answer.isEmpty ? "nothing" : "'\(answer)'"
    self.init(
      outcome: .internalError,
      reason:
        "SwiftPM was asked for the folder of what it builds, and answered \(words), which is none in \(scratch.path). \(toolchain.triedWords)"
    )
  }
}

/// What a package made once and no longer has, relative to the scratch folder.
struct Leftovers: Hashable {
  /// Modules, which sources can still import.
  var modules: [String] = []
  /// Programs, libraries and resources, which tests can still use.
  var files: [String] = []
}

/// The parts of a build's output that tests and coverage need.
struct BuildProducts: Codable, Sendable {
  struct TestExecutable: Codable, Sendable {
    var name: String
    var path: String
    /// The files with the code of the tests and of what they test: the program itself, or libraries that it loads.
    var images: [String]
  }

  var testExecutables: [TestExecutable]
  /// The files with code of the package's modules that no test executable contains in full.
  var looseObjects: [String]
  /// The object files of the package's built modules, by module, as the index names them.
  var objects: [String: [String]]
  /// The sources of the package's unbuilt modules, relative to the package; only other platforms need them.
  var unbuiltSources: [String]
  /// The path of the index that the compiler wrote.
  var index: String

  /// The files that contain the code of all tests.
  var images: [String] { testExecutables.flatMap(\.images) }
}
