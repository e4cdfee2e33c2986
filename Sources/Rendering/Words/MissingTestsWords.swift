package import Model

/// Phrases for listed tests that did not run, the same wherever they are told.
package enum MissingTestsWords {
  /// Returns how many did not run, such as `5 tests did not run (stopped after 9 s)`.
  ///
  /// - Parameters:
  ///   - limit: the seconds after which all tests together were stopped; nil if they were not.
  ///   - noun: what a single one is called.
  static func notRun(_ count: Int, stoppedAfter limit: Double? = nil, noun: String = "test") -> String {
    let stop = limit.map { " (stopped after \(Duration.seconds($0).words))" } ?? ""
    return "\(CountText.counted(count, noun)) did not run\(stop)"
  }

  /// Returns which tests are missing to coverage, such as `2 tests did not run to their end` if one of them quit.
  static func missing(of counts: TestCounts) -> String {
    guard counts.quit > 0 else { return notRun(counts.notRun) }
    return "\(notRun(counts.notRun)) to \(CountText.agreeing(counts.notRun, "its", "their")) end"
  }

  /// The same; nil if all ran.
  static func missing(ifAny counts: TestCounts) -> String? { counts.isWhole ? nil : missing(of: counts) }

  /// Returns why no lines are compared with those of an integration, as a sentence; nil if all of its tests ran.
  package static func lack(of counts: TestCounts, in name: String) -> String? {
    counts.isWhole ? nil : "\(missing(of: counts)) in \(name)."
  }
}
