package import Model

/// Sentences about tests that do not count, some of which a bot has in quarantine.
package enum QuarantineWords {
  /// Returns how many issues of tests are silenced, such as `1 issue that does not count`.
  static func silenced(_ count: Int) -> String {
    "\(CountText.counted(count, "issue")) that \(CountText.agreeing(count, "does", "do")) not count"
  }

  /// Returns how to count a test again that a bot's file has in quarantine.
  static func takeOut(of file: String) -> String {
    "To count it again, take the test out of the quarantine in \(file)."
  }

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
