extension IntegrationRecord {
  /// What the integration leaves owed: the conditions that it failed, and those that an earlier one failed and that it
  /// was not asked for.
  package var owed: [GateResult] {
    let failed = (gates ?? []).filter { $0.state == .failed }
    return (failed + (owedGates ?? [])).filter { result in
      guard let base = result.base, base.number != number else { return false }
      return !issues.contains { issue in
        // Whoever silences it for one integration does not take it as it is.
        issue.status == .silenced && issue.knownSubject == .gate(result.rule) && issue.silence?.scope != .integration
      }
    }
  }

  /// The numbers of the integrations against which its owed conditions are judged until they are passed; nil if it judged
  /// none.
  var gateBases: [Int]? {
    gates == nil && owedGates == nil ? nil : Set(owed.compactMap { $0.base?.number }).sorted()
  }
}
