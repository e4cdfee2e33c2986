import Glibc
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
      return BuildProducts(description, package: paths, scratch: PackagePaths(scratch.path)) {
        access($0, R_OK) == 0
      }
    } catch {
      throw error as? IntegrationStop ?? IntegrationStop(error)
    }
  }
}
