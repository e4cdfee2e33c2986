import BotFiles
import Git
import Model
import Parsing

extension IntegrationRun {
  /// Reads the package's `.martlet.yml`, which affects everything that follows.
  ///
  /// A faulty file ends the integration before anything of the package runs, as a manifest that does not compile does:
  /// what it was meant to choose is unknown, and a verdict on something else could be a false green.
  func read(_ bytes: [UInt8]) throws(IntegrationStop) -> PackageSettings {
    do throws(BotFileError) {
      return try PackageSettingsFile.read(bytes)
    } catch {
      throw refusal(error.problems.map { Self.diagnostic($0.message, at: $0.place) })
    }
  }

  /// Returns the bytes of the file: the commit's, or for uncommitted changes the workspace's; nil if there is none.
  func packageSettings() throws(IntegrationStop) -> [UInt8]? {
    let name = PackageSettingsFile.name
    guard !target.includesWorkingTree else {
      if let bytes = packageFolder.read(name) { return bytes }
      guard packageFolder.holds(name) else { return nil }
      throw noFile
    }
    let path = PackagePlace(target.package).inRepository(name)
    return try stopping(as: .checkoutError) {
      if let bytes = try claimed.repository.contents(of: path, in: target.commit) { return bytes }
      // What an earlier integration left in the workspace does not belong to the commit.
      guard packageFolder.holds(name),
        try claimed.repository.entries(of: target.commit).contains(where: { $0.path == path })
      else { return nil }
      throw noFile
    }
  }

  private var noFile: IntegrationStop {
    refusal([Self.diagnostic("it is not a regular file; write the settings into the file itself", at: nil)])
  }

  /// Returns a stop for errors in the file, each of which becomes an issue at its place.
  func refusal(_ diagnostics: [Diagnostic]) -> IntegrationStop {
    for diagnostic in diagnostics { integrator.progress(.diagnostic(diagnostic)) }
    var findings = Findings()
    findings.add(diagnostics, of: .checkout)
    let count = CountText.counted(diagnostics.count, "error")
    return IntegrationStop(
      outcome: .buildErrors, reason: "The package's \(PackageSettingsFile.name) has \(count), so nothing was built.",
      findings: findings)
  }

  /// Returns what was requested but left out because of the file.
  func omissions(in cell: Cell) -> [PackageOmission] {
    let leftOutTests = cell.reached.tests?.leftOut ?? []
    var omissions: [PackageOmission] = []
    func isDropped(_ action: Bot.Action) -> Bool { asked.actions.contains(action) && !request.actions.contains(action) }
    if isDropped(.test) { omissions.append(PackageOmission(.testsNotRun)) }
    if !leftOutTests.isEmpty {
      omissions.append(PackageOmission(.testsLeftOut, names: leftOutTests.map(\.description)))
    }
    if isDropped(.analyze), asked.analyze != nil { omissions.append(PackageOmission(.analysisNotRun)) }
    let own = Set(request.coverage.exclude).subtracting(asked.coverage.exclude)
    let files = (cell.coverage?.coverage?.exclusions ?? []).filter { $0.firstLine == nil && own.contains($0.by) }
    if !files.isEmpty { omissions.append(PackageOmission(.coverageLeftOut, names: files.map(\.path))) }
    return omissions
  }

  static func diagnostic(_ message: String, at place: FileProblem.Place?) -> Diagnostic {
    let location = SourceLocation(file: PackageSettingsFile.name, line: place?.line ?? 1, column: place?.column)
    return Diagnostic(severity: .error, message: message, location: location)
  }
}
