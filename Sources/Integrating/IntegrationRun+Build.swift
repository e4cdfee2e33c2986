import Glibc
import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Fetches what the build will ask for; skipped when that is nothing, or is there already.
  func resolve() throws(IntegrationStop) {
    guard manifests.needFetching, memory.read("resolved") != resolvedKey else { return }
    try fetch()
  }

  private func fetch(note: String? = nil) throws(IntegrationStop) {
    try step(.resolving) { (record) throws(IntegrationStop) in
      findRouter()
      let result = try runSwiftPM(
        "swift-package", packageArguments + cacheArguments(for: .resolving) + resolvingArguments + ["resolve"],
        step: .resolving, note: note, record: &record)
      rememberResolvedVersions()
      guard result.succeeded else { return }
      if let caches = caches(for: .resolving) { manifestCache.keep(from: caches) }
      try? memory.write(resolvedKey, to: "resolved")  // Costs the next integration this step.
    }
  }

  /// What decides which versions of what are fetched, and from where.
  private var resolvedKey: [UInt8] {
    let files = ["Package.resolved", ".swiftpm/configuration/mirrors.json", ".swiftpm/configuration/registries.json"]
    let contents = files.map { String(decoding: packageFolder.read($0) ?? [], as: UTF8.self) }
    let parts =
      contents + [manifests.contents, resolvingArguments, manifestEnvironment].map { $0.joined(separator: "\u{0}") }
    return Array(SHA256.digest(of: parts).utf8)
  }

  /// Those of the bot's arguments that `swift package` must be given as well.
  var resolvingArguments: [String] { ResolvingArguments(of: request.build.arguments).words }

  /// The variables that a manifest may ask for.
  var manifestEnvironment: [String] {
    environment(for: .building).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// Builds the package and its tests with coverage; a failing build is recorded, not thrown.
  func build() throws(IntegrationStop) {
    guard !hasErrors else { return }
    let said = integration.diagnostics
    try buildOnce()
    guard failedFetching, lacksWhatWasFetched else { return }
    integration.diagnostics = said
    let first = integration.steps.count - 1
    try fetch(note: "Martlet: The build lacked what it needs, and has no network. It is run once more after this.\n")
    guard !hasErrors else { return }
    let failed = integration.steps.remove(at: first)
    try buildOnce()
    integration.steps[integration.steps.count - 1].add(failed)
  }

  private var hasErrors: Bool { integration.diagnostics.contains { $0.severity == .error } }

  /// Whether a build that wanted to fetch, and had no network, may find everything there once it is resolved anew.
  ///
  /// What was fetched for an integration before can be gone, or a manifest can tell more than its text and variables do.
  private var lacksWhatWasFetched: Bool {
    guard case .contained = containment else { return false }
    return manifests.needFetching && !integration.steps.contains { $0.name == .resolving }
  }

  private func buildOnce() throws(IntegrationStop) {
    passed.insert(.resolving)
    try step(.building) { (record) throws(IntegrationStop) in
      let warmth = BuildWarmth(arguments: buildArguments, in: memory)
      record.warm = warmth.isWarm(hasProducts: binaries.exists)
      let builds = BuildRecords(in: memory)
      if record.warm == true { record.audited = builds.lastAudit }
      let stamp = BuildStamp(of: self)
      if let last = stamp.upToDateBuild(in: memory) {
        products = last.products
        isBuilt = true
        integration.diagnostics = last.diagnostics
        return
      }
      stamp.invalidate(in: memory)
      warmth.noteBegin()
      builds.append(integration, settings: buildSettings)
      let generated = GeneratedSources(scratch: scratch, products: binaries, memory: memory)
      generated.forget()
      if let pause = generated.pause(at: integrator.clock.now()) { _ = integrator.cancellation.wait(atMost: pause) }
      let result = try runSwiftPM("swift-build", buildArguments, step: .building, record: &record)
      generated.noteEnd(at: integrator.clock.now())
      rememberResolvedVersions()
      guard result.succeeded else { return }
      isBuilt = true
      products = try readProducts()
      warmth.noteEnd()
      stamp.record(products, diagnostics: integration.diagnostics, in: memory)
    }
  }

  /// The arguments that every build of this workspace must be given alike, so that none undoes another's work.
  var buildArguments: [String] {
    packageArguments + cacheArguments(for: .building)
      + (request.configuration == "debug" ? [] : ["--configuration", request.configuration])
      + (request.actions.contains(.test) ? ["--build-tests"] : [])
      + (request.measuresCoverage ? ["--enable-code-coverage"] + continuousCounters.buildArguments : [])
      + request.build.sanitize.flatMap { ["--sanitize", $0.rawValue] } + request.build.arguments
  }

  /// What stands for all that the bot, and not the commit, says about a build.
  var buildSettings: String { SHA256.digest(of: buildArguments + ["\u{0}"] + manifestEnvironment) }

  var packageArguments: [String] {
    ["--package-path", packageFolder.path, "--scratch-path", scratch.path]
  }

  var paths: PackagePaths { PackagePaths(packageFolder.path) }

  /// The folder of what the build made.
  var binaries: Folder { Self.products(in: scratch, configuration: request.configuration) }

  /// The folder of what a build in some scratch folder made.
  ///
  /// SwiftPM makes a link of the configuration's name to it, which is followed one step and no further.
  static func products(in scratch: Folder, configuration name: String) -> Folder {
    let parts = scratch.link(name)?.split(separator: "/", omittingEmptySubsequences: false) ?? []
    let isPlain = !parts.isEmpty && parts.allSatisfy { !["", ".", ".."].contains($0) }
    return scratch.folder(isPlain ? parts.joined(separator: "/") : name)
  }

  private func readProducts() throws(IntegrationStop) -> BuildProducts {
    do {
      let description = try BuildDescription.read(binaries.read("description.json") ?? [])
      try requireOwn(description)
      return BuildProducts(description, package: paths, scratch: PackagePaths(scratch.path)) {
        access($0, R_OK) == 0
      }
    } catch {
      throw error as? IntegrationStop ?? IntegrationStop(error)
    }
  }
}
