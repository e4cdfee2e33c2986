import BotFiles
import Git
import Model
import Parsing

extension IntegrationRun {
  /// Lets the package's `.martlet.yml` have its say about what follows.
  ///
  /// A file that is wrong ends the integration before anything of the package runs, as a manifest that does not compile
  /// does: what it meant to choose is not known, and a verdict on something else could be a false green.
  func applyPackageSettings() throws(IntegrationStop) {
    guard let bytes = try packageSettings() else { return }
    do throws(BotFileError) {
      let settings = try PackageSettingsFile.read(bytes)
      (request, integration.settings) = request.applying(settings)
    } catch {
      throw refusal(error.problems.map { Self.diagnostic($0.message, at: $0.place) })
    }
    do {
      target.selection = try TestSelection(filter: request.filter, skip: request.skip)
    } catch {
      throw refusal([Self.diagnostic("\(error)", at: nil)])
    }
  }

  /// The bytes of the file: the commit's, or for uncommitted changes the workspace's; nil when there is none.
  private func packageSettings() throws(IntegrationStop) -> [UInt8]? {
    let name = PackageSettingsFile.name
    guard !target.includesWorkingTree else {
      if let bytes = packageFolder.read(name) { return bytes }
      guard packageFolder.holds(name) else { return nil }
      throw noFile
    }
    let path = target.package == "." ? name : "\(target.package)/\(name)"
    do throws(GitError) {
      if let bytes = try repository.contents(of: path, in: target.commit) { return bytes }
      // What an earlier integration left in the workspace is none of the commit's.
      guard packageFolder.holds(name), try repository.entries(of: target.commit).contains(where: { $0.path == path })
      else { return nil }
    } catch {
      throw IntegrationStop(outcome: .checkoutError, reason: error.description)
    }
    throw noFile
  }

  private var noFile: IntegrationStop {
    refusal([Self.diagnostic("it is no regular file; write the settings into the file itself", at: nil)])
  }

  /// Records what is wrong with the file, so that each becomes an issue at its place.
  private func refusal(_ diagnostics: [Diagnostic]) -> IntegrationStop {
    integration.diagnostics += diagnostics
    for diagnostic in diagnostics {
      diagnosticSteps[diagnostic] = .checkout
      integrator.progress(.diagnostic(diagnostic))
    }
    let count = diagnostics.count == 1 ? "1 error" : "\(diagnostics.count) errors"
    return IntegrationStop(
      outcome: .buildErrors, reason: "The package's \(PackageSettingsFile.name) has \(count), so nothing was built.")
  }

  /// What the file takes out of sight that was asked for.
  var omissions: [PackageOmission] {
    var omissions: [PackageOmission] = []
    func isDropped(_ action: Bot.Action) -> Bool { asked.actions.contains(action) && !request.actions.contains(action) }
    if isDropped(.test) { omissions.append(PackageOmission(.testsNotRun)) }
    if !leftOutTests.isEmpty {
      omissions.append(PackageOmission(.testsLeftOut, names: leftOutTests.map(\.description)))
    }
    if isDropped(.analyze), asked.analyze != nil { omissions.append(PackageOmission(.analysisNotRun)) }
    let own = Set(request.coverageExclude).subtracting(asked.coverageExclude)
    let files = (integration.coverage.coverage?.exclusions ?? []).filter { $0.firstLine == nil && own.contains($0.by) }
    if !files.isEmpty { omissions.append(PackageOmission(.coverageLeftOut, names: files.map(\.path))) }
    return omissions
  }

  private static func diagnostic(_ message: String, at place: FileProblem.Place?) -> Diagnostic {
    let location = SourceLocation(file: PackageSettingsFile.name, line: place?.line ?? 1, column: place?.column)
    return Diagnostic(severity: .error, message: message, location: location)
  }
}
