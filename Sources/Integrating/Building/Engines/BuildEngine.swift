import Model
import Parsing

/// Where one of SwiftPM's build systems leaves what it makes: nothing else knows a path of a build system.
///
/// A value is about one scratch folder and one configuration. Whatever it reads there was made by code that is not trusted.
protocol BuildEngine: Sendable {
  var system: BuildSystem { get }
  /// The folder of what the last build made; nil where only SwiftPM can tell.
  var products: Folder? { get }
  /// What makes counters that can live in a mapped file, as arguments of a build: those of all languages that it counts.
  var counterArguments: [String] { get }
  /// How the name of a folder of resources ends.
  var resourceSuffix: String { get }
  /// The files in which compilers left what they had to say, those of unchanged sources included.
  var diagnosticFiles: [(folder: Folder, name: String)] { get }
  /// Files to remove before a build, relative to the scratch folder: without them it makes anew what it generated itself.
  var stale: [String] { get }
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
  /// Where what is tested is built.
  var engine: any BuildEngine { engine(in: scratch, configuration: request.configuration) }

  func engine(in scratch: Folder, configuration: String) -> any BuildEngine {
    NativeEngine(scratch: scratch, configuration: configuration)
  }
}
