import Model

extension IntegrationRun {
  /// Takes note of what a step did to the checked-out files; SwiftPM itself may write which versions it resolved, and a
  /// macro or a tool of the build that is built for coverage, as the package is, leaves its counters.
  ///
  /// - Parameter who: the beginning of a sentence; nil where the files are as they should be.
  func noteFootprint(of who: String?) {
    let now = WorkspaceFootprint(workspace.source.path)
    defer { footprint = now }
    guard let who, let before = footprint else { return }
    let prefix = target.package == "." ? "" : "\(target.package)/"
    var exempt: Set = ["\(prefix)Package.resolved"]
    if request.measuresCoverage { exempt.insert("\(prefix)default.profraw") }
    if let sentence = now.sentence(since: before, who: who, exempt: exempt) { serviceWarnings.append(sentence) }
  }
}
