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
    let named = memory.read(Self.namedProducts).map { String(decoding: $0, as: UTF8.self) }
    let known = named.flatMap { $0.hasPrefix(productsHead) ? String($0.dropFirst(productsHead.count)) : nil }
    return engine(in: scratch, configuration: request.configuration, named: known)
  }

  private var productsHead: String { "\(request.configuration)\n" }

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
    let named = try askForProducts(arguments, in: place, for: purpose)
    // Without the note SwiftPM is asked again.
    if !isRelease { try? memory.write(Array((productsHead + named).utf8), to: Self.namedProducts) }
    let engine = engine(in: place, configuration: configuration, named: named)
    guard let products = engine.products else { throw IntegrationStop(unknownProducts: named, in: place) }
    return (engine, products)
  }

  /// Asks SwiftPM for the folder of the products, relative to the scratch folder.
  private func askForProducts(_ arguments: [String], in scratch: Folder, for purpose: Purpose)
    throws(IntegrationStop) -> String
  {
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
    let words = String(decoding: answer.standardOutput, as: UTF8.self)
    let line = words.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
    guard answer.result.succeeded, let place = PackagePaths(scratch.path).relative(line) else {
      throw IntegrationStop(unknownProducts: line, in: scratch)
    }
    return place
  }
}

extension IntegrationStop {
  fileprivate init(unknownProducts answer: String, in scratch: Folder) {
    let words = answer.isEmpty ? "nothing" : "'\(answer)'"
    self.init(
      outcome: .internalError,
      reason:
        "SwiftPM was asked for the folder of what it built, and answered \(words), which is none in \(scratch.path). 'martlet help toolchains' tells which toolchains were tried."
    )
  }
}
