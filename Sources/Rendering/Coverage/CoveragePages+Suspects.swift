import Model

extension CoveragePages {
  /// Returns who probably turned tests red that failed in a file, by line.
  func suspects(in path: String) -> [Int: TemplateValue] {
    let issues = report.integration.issues.filter {
      $0.status != .resolved && $0.kind.isOfRedTest && $0.location?.file == path
    }
    return issues.reduce(into: [:]) { found, issue in
      guard let own = issue.location, found[own.line] == nil, let suspect = issue.suspects.named.first else { return }
      let place = suspect.place
      let isHere = place?.file == own.file && place?.line == own.line
      found[own.line] = .record([
        "who": .shown(suspect.name), "sure": .optional(suspect.sureness(of: issue)),
        "changed": .shown(ifAny: isHere ? "this line" : place?.short),
        "changedLink": .optional(
          isHere ? nil : place.flatMap { link(to: $0.file, line: $0.line) }.map { "../\($0)" }),
      ])
    }
  }
}
