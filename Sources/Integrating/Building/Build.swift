import Glibc
import Model
import Parsing
import Processes

/// The result of fetching what a build needs.
struct Resolution {
  var findings = Findings()
  /// SwiftPM's last progress message before it failed to resolve the dependencies; nil if it succeeded or was not run.
  var failure: String?
}

struct Build {
  /// What was compiled and linked; nil if that failed.
  var products: BuildProducts?
  /// The findings, including those of the resolution before the build.
  var findings: Findings
  /// The test targets in which the build did not look for XCTest tests.
  var unsearchedTargets: [String] = []
  /// SwiftPM's last progress message before a second attempt to resolve the dependencies failed.
  var failedResolving: String?
}

/// What one run of a build came to.
struct BuildAttempt {
  var build: Build
  /// Whether it failed when it began to fetch something, with no error in a source.
  var wantedToFetch: Bool
}

extension IntegrationRun {
  /// Fetches what the build will need, unless that is nothing or already there.
  func resolve() throws(IntegrationStop) -> Resolution {
    mustResolve ? try fetch() : Resolution()
  }

  /// Whether there is something to fetch, as far as that is known before SwiftPM is asked.
  var mustResolve: Bool { manifests.needFetching && memory.read("resolved") != resolvedKey }

  private func fetch(after known: Findings = Findings(), note: String? = nil) throws(IntegrationStop) -> Resolution {
    try step(.resolving) { (record) throws(IntegrationStop) in
      warnOfNetwork()
      // Canceled, it did not start either.
      let agent = try stopping(unless: integrator.cancellation) { try openKeyAgent() }
      defer { agent?.close() }
      let ran = try runSwiftPM(
        "swift-package", packageArguments + cacheArguments(for: .resolving) + resolvingArguments + ["resolve"],
        step: .resolving, note: note, after: known, record: &record)
      rememberResolvedVersions(areResolved: ran.result.succeeded)
      guard ran.result.succeeded else {
        return Resolution(findings: ran.findings, failure: ran.progress ?? "")
      }
      if let caches = caches(for: .resolving) { manifestCache.keep(from: caches) }
      try? memory.write(resolvedKey, to: "resolved")  // A failure costs the next integration this step.
      return Resolution(findings: ran.findings)
    }
  }

  /// A digest of what determines which versions of which dependencies are fetched, and from where.
  private var resolvedKey: [UInt8] {
    let files = ["Package.resolved", ".swiftpm/configuration/mirrors.json", ".swiftpm/configuration/registries.json"]
    let contents = files.map { packageFolder.text(of: $0) ?? "" }
    let parts =
      contents + [manifests.contents, resolvingArguments, manifestEnvironment].map { $0.joined(separator: "\u{0}") }
    return Array(SHA256.digest(of: parts).utf8)
  }

  /// The bot's arguments that must also be passed to `swift package`.
  var resolvingArguments: [String] { ResolvingArguments(of: request.arguments).words }

  /// The environment variables that a manifest may read.
  var manifestEnvironment: [String] {
    environment(for: .building).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// Builds the package and its tests with coverage; a failed build is a result, not an error.
  ///
  /// - Returns: nil if errors were found before.
  func build(after resolution: Resolution) throws(IntegrationStop) -> Build? {
    guard !resolution.findings.hasErrors else { return nil }
    return try settle(attemptBuild(after: resolution), after: resolution)
  }

  /// Builds once. SwiftPM is asked for the package's targets meanwhile, unless the answer needs what may have to be
  /// fetched.
  func attemptBuild(after resolution: Resolution) throws(IntegrationStop) -> BuildAttempt {
    if !manifests.needFetching { try modelQuestion.ask() }
    return try buildOnce(after: resolution)
  }

  /// Fetches what an attempt lacked and builds once more; returns what it built if it lacked nothing.
  func settle(_ attempt: BuildAttempt, after resolution: Resolution) throws(IntegrationStop) -> Build {
    guard attempt.wantedToFetch, lacksWhatWasFetched else { return attempt.build }
    let first = journal.steps.count - 1
    let again = try fetch(
      after: resolution.findings,
      note: "Martlet: The build lacked what it needs, and has no network. It is run once more after this.\n")
    guard !again.findings.hasErrors else { return Build(findings: again.findings, failedResolving: again.failure) }
    let build = try buildOnce(after: again).build
    journal.join(first)
    return build
  }

  /// Whether a build that tried to fetch without a network might succeed after another resolution.
  ///
  /// What an earlier integration fetched may be gone, or a manifest may depend on more than its text and variables.
  private var lacksWhatWasFetched: Bool {
    guard case .contained = containment else { return false }
    return manifests.needFetching && !journal.steps.contains { $0.name == .resolving }
  }

  private func buildOnce(after resolution: Resolution) throws(IntegrationStop) -> BuildAttempt {
    try step(.building) { (record) throws(IntegrationStop) in
      let warmth = BuildWarmth(arguments: buildArguments, in: memory)
      record.warm = warmth.isWarm(hasProducts: engine.products?.exists ?? false)
      let builds = BuildRecords(in: memory)
      if record.warm == true { record.audited = builds.lastAudit }
      let stamp = BuildStamp(of: self)
      // Who runs a commit again may have changed what no stamp knows, such as a library of the machine.
      if request.cause != .rerun, let products = stamp.upToDateProducts(in: memory) {
        let found = diagnostics(printed: rememberedWarnings.warnings, serialized: serializedDiagnostics())
        return BuildAttempt(
          build: Build(products: products, findings: Findings(diagnostics: found + chanceWarnings)),
          wantedToFetch: false)
      }
      try requireAnswers()
      stamp.invalidate(in: memory)
      warmth.noteBegin()
      builds.append(context.start, settings: buildSettings)
      let ran = try compile(after: resolution, record: &record)
      rememberResolvedVersions(areResolved: true)
      guard ran.result.succeeded else {
        return BuildAttempt(build: Build(findings: ran.findings), wantedToFetch: ran.wantedToFetch)
      }
      let products = try readProducts()
      warmth.noteEnd()
      // Only a build that has something to do reports which tests it does not look for.
      if ran.unsearchedTargets.isEmpty {
        stamp.record(products, in: memory)
      }
      return BuildAttempt(
        build: Build(products: products, findings: ran.findings, unsearchedTargets: ran.unsearchedTargets),
        wantedToFetch: false)
    }
  }

  /// Builds what SwiftPM finds to have changed, and what it would overlook.
  private func compile(after resolution: Resolution, record: inout StepRecord) throws(IntegrationStop) -> SwiftPMRun {
    let generated = GeneratedSources(engine: engine, scratch: scratch, memory: memory)
    generated.forget(
      embedsResources: manifests.contain(anyOf: [".embedInCode"]), usesPlugins: manifests.contain(anyOf: ["plugins"]))
    if let pause = generated.pause(at: integrator.clock.now()) { _ = integrator.cancellation.wait(atMost: pause) }
    try forgetOldCode()
    try prepareModules()
    var ran = try runSwiftPM(
      "swift-build", buildArguments, step: .building, after: resolution.findings, record: &record)
    let changes = overlookedChanges
    let reason = try stopping { try ran.result.succeeded ? changes.settle() : changes.settleFailure() }
    if let reason {
      try prepareModules()
      ran = try runSwiftPM(
        "swift-build", buildArguments, step: .building, note: "Martlet: \(reason)\n", after: resolution.findings,
        record: &record)
      if ran.result.succeeded { changes.noteEnd() }
    }
    if ran.result.succeeded { ran.findings.add(chanceWarnings, of: .building) }
    generated.noteEnd(at: integrator.clock.now())
    return ran
  }

  /// The arguments that all builds of this workspace must share, so that none undoes another's work.
  var buildArguments: [String] {
    packageArguments + cacheArguments(for: .building) + planningArguments + compilerSettings
      + (request.actions.contains(.test) ? ["--build-tests"] : [])
      + Self.indexArguments + moduleArguments + request.arguments
  }

  /// A build keeps its plan while no manifest changes, whatever else it depends on.
  private var planningArguments: [String] {
    manifests.planDependsOnMore ? ["--disable-build-manifest-caching"] : []
  }

  /// The index tells where the tests of XCTest are. To index the toolchain's own modules as well takes seconds of a build
  /// from scratch, and nobody reads that.
  private static let indexArguments = ["-Xswiftc", "-index-ignore-system-modules"]

  /// The arguments that determine how the sources are compiled, apart from the bot's additional arguments.
  var compilerSettings: [String] {
    request.configurationArguments
      + (request.coverage.isMeasured ? ["--enable-code-coverage"] + counterArguments : [])
      + request.sanitizerArguments
  }

  private var counterArguments: [String] { continuousCounters.areUsed ? engine.counterArguments : [] }

  /// A digest of everything that the bot, rather than the commit, says about a build.
  var buildSettings: String { SHA256.digest(of: buildArguments + ["\u{0}"] + manifestEnvironment) }

  var packageArguments: [String] {
    ["--package-path", packageFolder.path, "--scratch-path", scratch.path] + systemArguments
  }

  /// The build system, stated explicitly even if it is the default.
  var systemArguments: [String] { ["--build-system", context.buildSystem.rawValue] }

  var paths: PackagePaths { PackagePaths(packageFolder.path) }

  /// The same, with the sources of the repository's other packages: where tests fail and programs crash.
  var sourcePaths: PackagePaths {
    PackagePaths(packageFolder.path, repository: claimed.workspace.source.path, package: target.package)
  }

  private func readProducts() throws(IntegrationStop) -> BuildProducts {
    let (engine, products) = try engineAfterBuild(buildArguments, for: .building)
    return try engine.outcome(in: products, of: paths) { () throws(IntegrationStop) in try modelQuestion.model() }
  }
}

/// The arguments of a build that determine its dependencies, and how and from where these are fetched.
///
/// Without them, the resolution would not match what the build asks for; it might even fix what the build should
/// reject, such as an outdated `Package.resolved`.
struct ResolvingArguments {
  private static let flags: Set<String> = [
    "--force-resolved-versions", "--disable-automatic-resolution", "--only-use-versions-from-resolved-file",
    "--skip-update", "--enable-prefetching", "--disable-prefetching", "--disable-scm-to-registry-transformation",
    "--use-registry-identity-for-scm", "--replace-scm-with-registry", "--experimental-prune-unused-dependencies",
    "--enable-all-traits", "--disable-default-traits", "--netrc", "--enable-netrc", "--disable-netrc",
    "--enable-keychain", "--disable-keychain", "--enable-signature-validation", "--disable-signature-validation",
    "--enable-dependency-cache", "--disable-dependency-cache", "--enable-experimental-prebuilts",
    "--disable-experimental-prebuilts", "--disable-package-manifest-caching", "--experimental-xcframeworks-on-linux",
  ]
  private static let options: Set<String> = [
    "--traits", "--netrc-file", "--config-path", "--security-path", "--cache-path", "--default-registry-url",
    "--resolver-fingerprint-checking", "--resolver-signing-entity-checking", "--manifest-cache", "--toolchain",
    "--package-manager-resources-directory", "--multiroot-data-file", "--experimental-prebuilts-download-url",
    "--experimental-prebuilts-root-cert", "-Xbuild-tools-swiftc", "-Xmanifest",
  ]
  /// Options of the build alone; the word after an option is its value, whatever it looks like.
  private static let others: Set<String> = [
    "-Xcc", "-Xswiftc", "-Xlinker", "-Xcxx", "-Xxcbuild", "-c", "--configuration", "-j", "--jobs", "--target",
    "--product", "--triple", "--sdk", "--arch", "--swift-sdk", "--experimental-swift-sdk", "--swift-sdks-path",
    "--experimental-swift-sdks-path", "--destination", "--toolset", "--pkg-config-path", "--sanitize",
    "--explicit-target-dependency-import-check", "--build-system", "-debug-info-format", "--package-path",
    "--scratch-path", "--build-path", "--experimental-test-entry-point-path", "--experimental-lto-mode",
  ]

  /// The arguments in their original order, with their values; `swift package` accepts all of them.
  let words: [String]

  /// - Parameter arguments: the arguments of `swift build`.
  init(of arguments: [String]) {
    var found: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      let name = word.prefix { $0 != "=" }
      let isWhole = name.endIndex == word.endIndex
      if isWhole, Self.flags.contains(word) {
        found.append(word)
      } else if Self.options.contains(String(name)) {
        found += isWhole ? [word] + rest.prefix(1) : [word]
        if isWhole { rest = rest.dropFirst() }
      } else if isWhole, Self.others.contains(word) {
        rest = rest.dropFirst()
      }
    }
    words = found
  }
}
