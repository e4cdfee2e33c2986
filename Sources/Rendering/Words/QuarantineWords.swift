package import Model

/// Sentences about the tests that a bot has in quarantine.
package enum QuarantineWords {
  /// Returns the state of a quarantined test, without its name and without a stop.
  package static func state(of finding: QuarantinedTest.Finding) -> String {
    let day = LocalTime.day(finding.until) ?? finding.until
    switch finding.state {
    case .unlisted: return "in quarantine through \(day), but no such test is listed"
    case .ended: return "its quarantine ended on \(day), so it counts"
    case .holds where finding.quit == true:
      return "in quarantine through \(day), but it ended its process, which counts"
    case .holds:
      let passed = finding.passed.map { "; passed in the last \(CountText.counted($0, "integration"))" } ?? ""
      return "in quarantine through \(day)\(passed)\(finding.isDone ? "; take it out" : "")"
    }
  }
}
