import Model

extension IntegrationRun {
  /// Adds the places of crashes that only the last words state: the stack has no line for code that the compiler made,
  /// such as the operand of an assertion.
  func locateCrashes(in report: inout TestReport, _ model: PackageModel) {
    for index in report.results.indices {
      let result = report.results[index]
      guard let crash = result.crash, crash.location == nil, let stated = crash.statedPlace,
        let first = result.failures.first, first.location == nil, let file = file(stated.file, model)
      else { continue }
      report.results[index].failures[0].location = SourceLocation(file: file, line: stated.line)
    }
  }

  /// Returns the package's file meant by a path or by `Module/File.swift` in a message; nil for none or several.
  private func file(_ name: String, _ model: PackageModel) -> String? {
    if let relative = sourcePaths.relative(name) { return relative }
    let parts = name.split(separator: "/")
    guard parts.count == 2, let target = model.targets.first(where: { $0.name == parts[0] }) else { return nil }
    let found = target.sourcePaths.filter { $0.split(separator: "/").last == parts[1] }
    return found.count == 1 ? found[0] : nil
  }
}
