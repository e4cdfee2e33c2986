import Model

extension Verdict.Evidence {
  /// The evidence without the silenced issues.
  ///
  /// A silenced red test counts as skipped, so that it is still accounted for. A test is silenced if everything that it
  /// is red for is.
  var withoutSilenced: Verdict.Evidence {
    guard !silenced.isEmpty else { return self }
    var left = self
    let ofTests = Dictionary(grouping: silenced, by: \.test)
    let order = Set(silenced.filter { $0.subject == .orderDependence }.compactMap(\.test))
    for index in left.tests.results.indices {
      let id = left.tests.results[index].id
      if left.tests.results[index].isSilenced(by: ofTests[id] ?? []) { left.tests.results[index].state = .skipped }
      let quiet = silenced.count { $0.kind == .warning && $0.test == id && $0.subject != .orderDependence }
      left.tests.results[index].warnings.removeFirst(min(quiet, left.tests.results[index].warnings.count))
    }
    left.tests.removeReports(in: silenced)
    left.tests.isolation?.differing.removeAll { order.contains($0.id) }
    left.remove(.warning, count: silenced.count { $0.kind == .warning && $0.test == nil })
    left.failedGates.removeAll { gate in silenced.contains { $0.gate == gate.rule } }
    left.analyzerWarnings = max(0, analyzerWarnings - silenced.count { $0.kind == .analyzerWarning })
    return left
  }

  private mutating func remove(_ severity: Diagnostic.Severity, count: Int) {
    for _ in 0..<count {
      guard let index = diagnostics.firstIndex(where: { $0.severity == severity }) else { return }
      diagnostics.remove(at: index)
    }
  }
}
