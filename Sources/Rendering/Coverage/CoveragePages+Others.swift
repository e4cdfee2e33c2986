import Model

extension CoveragePages {
  /// The sources that do not count and whose text is there, then those that only a failure leads to.
  static func others(
    _ report: Report, _ notes: FailureNotes, targets: [String: Set<Int>], counted: Set<String>
  ) -> [SourcePlan] {
    let short = shortPaths(of: report, notes)
    let uncounted = (report.integration.coverage.coverage?.uncounted.sources ?? []).filter {
      report.sources[$0.coverage.path] != nil && !counted.contains($0.coverage.path)
    }
    var tests = PageNames(folder: "test-sources")
    var packages = PageNames(folder: "package-sources", leavingOut: "../")
    var dependencies = PageNames(folder: "dependency-sources", leavingOut: ".build/checkouts/")
    var rest = PageNames(folder: "other-sources", leavingOut: ".build/")
    func claim<Claimed>(_ kind: UncountedSources.Kind, _ claim: (inout PageNames) -> Claimed) -> Claimed {
      switch kind {
      case .test: claim(&tests)
      case .sibling: claim(&packages)
      case .dependency: claim(&dependencies)
      case .generated, .unlisted: claim(&rest)
      }
    }
    var plans = uncounted.map { source in
      let path = source.coverage.path
      return claim(source.kind) { names in
        SourcePlan(
          path: path, fileName: short[path], coverage: source.coverage, bytes: report.sources[path],
          bubbles: notes.bubbles[path] ?? [:],
          targets: targets[path] ?? [], kind: source.kind, names: &names)
      }
    }
    let known = counted.union(plans.map(\.path))
    plans += notes.bubbles.keys.sorted().filter { !known.contains($0) && report.sources[$0] != nil }.map { path in
      SourcePlan(
        path: path, fileName: short[path], coverage: nil, bytes: report.sources[path],
        bubbles: notes.bubbles[path] ?? [:], names: &tests)
    }
    return plans.map { plan in claim(plan.kind ?? .test) { plan.completed(&$0) } }
  }

  /// The names of all sources that something is said about.
  private static func shortPaths(of report: Report, _ notes: FailureNotes) -> ShortPaths {
    let coverage = report.integration.coverage.coverage
    let uncounted = (coverage?.uncounted.sources ?? []).map(\.coverage.path)
    return ShortPaths((coverage?.files ?? []).map(\.path) + uncounted + notes.bubbles.keys)
  }
}
