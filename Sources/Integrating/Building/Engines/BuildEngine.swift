import Glibc
import Model
import Parsing
import Processes

/// Where one of SwiftPM's build systems leaves what it makes: nothing else knows a path of a build system.
///
/// A value is about one scratch folder and one configuration. Whatever it reads there was made by code that is not trusted.
protocol BuildEngine: Sendable {
  var system: BuildSystem { get }
  /// The folder of what the last build made; nil where only SwiftPM can tell.
  var products: Folder? { get }
  /// What makes counters that can live in a mapped file, as arguments of a build: those of all languages that it counts.
  var counterArguments: [String] { get }
  /// What has a build that failed without a word say why, as arguments of the next one.
  var explainingArguments: [String] { get }
  /// How the name of a folder of resources ends.
  var resourceSuffix: String { get }
  /// The files in which compilers left what they had to say, those of unchanged sources included.
  var diagnosticFiles: [(folder: Folder, name: String)] { get }
  /// Files to remove before a build, relative to the scratch folder: without them it makes anew what it generated itself.
  ///
  /// - Parameter embedsResources: whether the package has resources that become code.
  func stale(embedsResources: Bool) -> [String]
  /// Whether the last build generated sources that share a module with others, as plugins and resources do.
  var generatesSources: Bool { get }

  /// What a build that succeeded left.
  ///
  /// - Parameters:
  ///   - products: the folder of what it made.
  ///   - package: the package that was to be built.
  ///   - model: what SwiftPM says about the package, where the build itself does not tell.
  /// - Throws: where what is there cannot be what was to be built.
  func outcome(
    in products: Folder, of package: PackagePaths, model: () throws(IntegrationStop) -> PackageModel
  ) throws(IntegrationStop) -> BuildProducts
}

extension IntegrationRun {
  private static let namedProducts = "products"

  /// Where what is tested is built.
  var engine: any BuildEngine {
    engine(in: scratch, configuration: request.configuration, named: rememberedProducts)
  }

  /// The folder that SwiftPM named when it was last asked about a build like this one.
  private var rememberedProducts: String? {
    let named = memory.read(Self.namedProducts).map { String(decoding: $0, as: UTF8.self) }
    return named.flatMap { $0.hasPrefix(productsHead) ? String($0.dropFirst(productsHead.count)) : nil }
  }

  private func rememberProducts(_ named: String) {
    // Without the note SwiftPM is asked again.
    try? memory.create().write(Array((productsHead + named).utf8), to: Self.namedProducts)
  }

  /// What decides where the products are: arguments of the bot may name another platform.
  private var productsHead: String {
    ([request.configuration] + request.build.arguments).joined(separator: "\u{0}") + "\n"
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

  /// The same once something is built, and the folder of what was made: SwiftPM is asked where else nobody can tell.
  ///
  /// - Parameter arguments: those of the build.
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

  /// Asks a toolchain newer than all that were tried, before the first build in a scratch folder, what has to be known
  /// after it: what it does not tell must not come out after minutes of building.
  func requireAnswers() throws(IntegrationStop) {
    guard toolchain.version > Toolchain.newestTried, rememberedProducts == nil else { return }
    let answer = try askForProducts(buildArguments, for: .building)
    // What is wrong with the package is told by the build; what is wrong with the words of the command is not its fault.
    guard answer.result.succeeded || answer.result.end == .exited(EX_USAGE) else { return }
    let named = try products(in: scratch, by: answer)
    try modelQuestion.requireReadable()
    rememberProducts(named)
  }

  /// Asks SwiftPM for the folder of the products.
  private func askForProducts(_ arguments: [String], for purpose: Purpose) throws(IntegrationStop) -> CollectedOutput {
    let folder = purpose == .archiving ? releasePackage : packageFolder
    let answer: CollectedOutput
    do {
      answer = try Command(
        toolchain.program("swift-build"), arguments + ["--show-bin-path"], environment: environment(for: purpose),
        workingDirectory: folder.path
      ).contained(in: sandbox(for: purpose)).collect(
        limits: request.resources.limits(wallClock: request.limits.step, writing: foldersWritten(by: purpose)),
        cancellation: integrator.cancellation, limit: 1 << 20)
    } catch {
      throw IntegrationStop(error)
    }
    if answer.result.why == .canceled { throw .canceled }
    return answer
  }

  /// The folder that SwiftPM named, relative to the scratch folder.
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
