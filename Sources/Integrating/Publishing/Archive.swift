import Comparing
import Glibc
import Model
import Parsing
import Processes

/// The result of the release build.
struct Archive {
  /// The findings, including those of the integration before it.
  var findings: Findings
  var model: PackageModel
  /// The files that were kept; nil if the build failed.
  var files: [ArchivedFile]?
}

extension IntegrationRun {
  /// Builds the products as they are released, from the commit's files that were put aside and in a clean scratch
  /// folder of their own, and keeps them.
  ///
  /// Only a green integration is archived. A release build that fails turns it red.
  ///
  /// - Returns: nil if nothing is to be archived.
  func archive(after cell: Cell) throws(IntegrationStop) -> Archive? {
    guard request.actions.contains(.archive), cell.verdict?.outcome.isGreen == true else { return nil }
    try auditBeforeArchive()
    let model = try modelQuestion.model()
    return try step(.archiving) { (record) throws(IntegrationStop) in
      try putAside()
      try stopping {
        try releaseScratch.remove()
        try releaseScratch.create()
        // Versions that a package does not pin are released as they were tested.
        if releasePackage.read("Package.resolved") == nil, let resolved = memory.read("Package.resolved") {
          try releasePackage.write(resolved, to: "Package.resolved")
        }
      }
      let ran = try runSwiftPM(
        "swift-build", releaseArguments, step: .archiving, after: cell.findings, record: &record)
      guard ran.result.succeeded else { return Archive(findings: ran.findings, model: model) }
      return try stopping { Archive(findings: ran.findings, model: model, files: try keepProducts(of: model)) }
    }
  }

  private var releaseArguments: [String] {
    ["--package-path", releasePackage.path, "--scratch-path", releaseScratch.path] + systemArguments
      + cacheArguments(for: .archiving) + ["--configuration", "release"] + request.arguments
  }

  var releaseScratch: Folder { claimed.workspace.releaseScratch(for: target.package) }

  /// Copies executables, libraries and their resources, writes their checksums, and points `latest` to them.
  private func keepProducts(of model: PackageModel) throws -> [ArchivedFile] {
    let (engine, built) = try engineAfterBuild(releaseArguments, for: .archiving)
    let names = built.names()
    let kinds = Self.kinds(of: model, by: engine)
    let wanted = names.filter { kinds[$0] != nil }
    guard !wanted.isEmpty else {
      journal.warn(.nothingToArchive)
      return []
    }
    let archive = try kept.folder("archive").create()
    for name in wanted { try copy(name, from: built, to: archive) }
    let files = try checksums(of: archive).map { file in
      var file = file
      file.kind = file.path.split(separator: "/").first.flatMap { kinds[String($0)] }
      return file
    }
    try archive.write(files.map { "\($0.sha256)  \($0.path)\n" }.joined(), to: "SHA256SUMS")
    try integrator.home.integrations(of: bot).link("latest", to: "\(number)/archive")
    return files
  }

  /// Returns what the package makes, by the name under which the build leaves it.
  private static func kinds(of model: PackageModel, by engine: any BuildEngine) -> [String: ArchivedFile.Kind] {
    let resources = model.targets.map {
      ("\(model.name)_\($0.name)\(engine.resourceSuffix)", ArchivedFile.Kind.resource)
    }
    let products = model.products.compactMap { product -> (String, ArchivedFile.Kind)? in
      switch product.kind {
      case .executable: (product.name, .executable)
      case .dynamicLibrary: ("lib\(product.name).so", .dynamicLibrary)
      case .staticLibrary: ("lib\(product.name).a", .staticLibrary)
      case .other: nil
      }
    }
    return Dictionary(products + resources, uniquingKeysWith: { first, _ in first })
  }

  /// Copies a file, or a folder of resources; links are left out.
  private func copy(_ name: String, from source: Folder, to place: Folder) throws {
    if try place.copy(name, from: source) {
      if access(source.file(name), X_OK) == 0 { chmod(place.file(name), 0o755) }
      return
    }
    let folder = source.folder(name)
    let inside = folder.names()
    guard !inside.isEmpty else { return }
    let copied = try place.folder(name).create()
    for entry in inside { try copy(entry, from: folder, to: copied) }
  }

  /// How many files are named to sha256sum at once: the longest paths (PATH_MAX) fit into the arguments of a program.
  private static let mostSummed = 256

  private func checksums(of archive: Folder) throws -> [ArchivedFile] {
    let paths = archive.filesBeneath().filter { $0 != "SHA256SUMS" }
    return try stride(from: 0, to: paths.count, by: Self.mostSummed).flatMap { start in
      try checksums(of: paths[start...].prefix(Self.mostSummed), in: archive)
    }
  }

  private func checksums(of paths: ArraySlice<String>, in archive: Folder) throws -> [ArchivedFile] {
    var sandbox = sandbox(for: .measuring)
    sandbox?.readable = [archive.path]
    sandbox?.writable = []
    let answer = try Command(
      "sha256sum", ["--zero", "--"] + Array(paths),
      environment: ["PATH": integrator.environment["PATH"] ?? "/usr/bin:/bin"],
      workingDirectory: archive.path
    ).contained(in: sandbox).collect(limits: Limits(), cancellation: integrator.cancellation, limit: 16 << 20)
    guard answer.result.succeeded else {
      throw IntegratingError(
        .service,
        "cannot compute the checksums of the archive in \(archive.path): \(String(decoding: answer.standardError.prefix(400), as: UTF8.self)) Check that sha256sum of the GNU coreutils works."
      )
    }
    return answer.standardOutput.split(separator: 0).compactMap { line in
      let text = String(decoding: line, as: UTF8.self)
      guard text.utf8.count > 66 else { return nil }
      let path = String(text.dropFirst(66))
      return ArchivedFile(
        path: path, bytes: archive.size(of: path), sha256: String(text.prefix(64)))
    }
  }
}
