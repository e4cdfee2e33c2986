import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Fetches what the package depends on; skipped when it depends on nothing or the versions are there already.
  func resolve() throws(IntegrationStop) {
    let key = (packageFolder.read("Package.swift") ?? []) + (packageFolder.read("Package.resolved") ?? [])
    guard manifest.contains(".package("), memory.read("resolved") != key else { return }
    try step(.resolving) { (record) throws(IntegrationStop) in
      findRouter()
      let result = try runSwiftPM(
        "swift-package", packageArguments + ["resolve"], step: .resolving, record: &record)
      rememberResolvedVersions()
      guard result.succeeded else { return }
      let resolved =
        (packageFolder.read("Package.swift") ?? []) + (packageFolder.read("Package.resolved") ?? [])
      try? memory.write(resolved, to: "resolved")  // Costs the next integration this step.
    }
  }

  /// Builds the package and its tests with coverage; a failing build is recorded, not thrown.
  func build() throws(IntegrationStop) {
    guard !integration.diagnostics.contains(where: { $0.severity == .error }) else { return }
    try step(.building) { (record) throws(IntegrationStop) in
      let stamp = BuildStamp(of: self)
      if let last = stamp.upToDateBuild(in: memory) {
        products = last.products
        isBuilt = true
        integration.diagnostics = last.diagnostics
        return
      }
      stamp.invalidate(in: memory)
      let result = try runSwiftPM("swift-build", buildArguments, step: .building, record: &record)
      rememberResolvedVersions()
      guard result.succeeded else { return }
      isBuilt = true
      products = try readProducts()
      stamp.record(products, diagnostics: integration.diagnostics, in: memory)
    }
  }

  /// Runs one of SwiftPM's programs in the workspace, and takes in the diagnostics it prints and leaves behind.
  func runSwiftPM(
    _ program: String, _ arguments: [String], step: Step, record: inout StepRecord
  ) throws(IntegrationStop) -> ProcessResult {
    let log = try StepLog(step, in: kept, mask: mask)
    let paths = paths
    var parser = BuildLog { paths.relative($0) }
    var shown: BuildProgress?
    let purpose: Purpose = step == .resolving ? .resolving : step == .archiving ? .archiving : .building
    let command = Command(
      toolchain.program(program), arguments, environment: environment(for: purpose),
      workingDirectory: packageFolder.path
    ).contained(in: sandbox(for: purpose))
    let progress = integrator.progress
    var running: [String] = []
    func attempt() throws(IntegrationStop) -> ProcessResult {
      try log.run(
        command, limits: request.resources.limits(wallClock: request.limits.step),
        cancellation: integrator.cancellation,
        supervision: Supervision(willStop: { tree, _ in running = tree.members().map(\.name) }), record: &record
      ) {
        parser.append($0.bytes)
        guard let now = parser.progress, now != shown else { return }
        shown = now
        progress(.activity(words: now.words, done: now.done, total: now.total))
      }
    }
    var result = try attempt()
    if let failure = request.resources.failure(result),
      request.resources.wasKilledByOthers(result) || result.why == .byItself && parser.gaveNoReason
    {
      // Nothing in the commit is to blame for what the machine did, and what was built already stays.
      parser = BuildLog { paths.relative($0) }
      try log.note("Martlet: \(program) \(failure). It is run once more.\n")
      result = try attempt()
    }
    try log.close()
    isBuilt = result.succeeded
    collectDiagnostics(printed: parser.finish())
    if let stop = stopSentence(result, program, running) {
      integration.diagnostics.append(Diagnostic(severity: .error, message: stop))
    }
    if let failure = request.resources.failure(result),
      !integration.diagnostics.contains(where: { $0.severity == .error })
    {
      let words = parser.lastWords.joined(separator: "\n")
      integration.diagnostics.append(
        Diagnostic(severity: .error, message: words.isEmpty ? "\(program) \(failure), and said no reason." : words))
    }
    if !result.succeeded, step == .resolving { explainSandbox() }
    isBuilt = false
    return result
  }

  /// Why Martlet stopped a program of SwiftPM; nil when it did not.
  private func stopSentence(_ result: ProcessResult, _ program: String, _ running: [String]) -> String? {
    if let excess = request.resources.excess(result) { return "\(program) was stopped: \(excess)." }
    // What is killed may be one of the compilers, of which SwiftPM says no more than that.
    if let shortage = ResourceLimits.shortage(result) { return "\(program) failed while \(shortage)." }
    guard case .timedOut(let limit) = result.why else { return nil }
    let names = Set(running).subtracting(["bwrap", "slirp4netns", program]).sorted()
    let others = names.isEmpty ? "" : " It was running \(names.joined(separator: ", "))."
    return "\(program) was stopped, because it took longer than \(limit.words).\(others)"
  }

  /// Says which dependencies the sandbox keeps out, since SwiftPM only says that they are not there.
  private func explainSandbox() {
    guard case .contained(_, let policy) = containment else { return }
    let manifest = String(decoding: packageFolder.read("Package.swift") ?? [], as: UTF8.self)
    let outside = OutsideDependencies(
      manifest: manifest, folder: packageFolder.path,
      reachable: [workspace.source.path] + policy.read + policy.write)
    integration.diagnostics += outside.advice.map { Diagnostic(severity: .error, message: $0) }
  }

  /// The arguments that every build of this workspace must be given alike, so that none undoes another's work.
  var buildArguments: [String] {
    packageArguments + (request.configuration == "debug" ? [] : ["--configuration", request.configuration])
      + (request.actions.contains(.test) ? ["--build-tests"] : [])
      + (request.measuresCoverage ? ["--enable-code-coverage"] + continuousCounters.buildArguments : [])
      + request.build.sanitize.flatMap { ["--sanitize", $0.rawValue] } + request.build.arguments
  }

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
      return BuildProducts(description, package: paths, scratch: PackagePaths(scratch.path))
    } catch {
      throw error as? IntegrationStop ?? IntegrationStop(error)
    }
  }
}
