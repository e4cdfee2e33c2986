import Model

extension IntegrationRun {
  /// Takes note of what a step did to the checked-out files; SwiftPM itself may write which versions it resolved.
  ///
  /// - Parameter who: the beginning of a sentence; nil where the files are as they should be.
  func noteFootprint(of who: String?) {
    let now = WorkspaceFootprint(workspace.source.path)
    defer { footprint = now }
    guard let who, let before = footprint else { return }
    let resolved = target.package == "." ? "Package.resolved" : "\(target.package)/Package.resolved"
    if let sentence = now.sentence(since: before, who: who, exempt: [resolved]) { serviceWarnings.append(sentence) }
  }
}
