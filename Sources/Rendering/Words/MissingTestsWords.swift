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

  /// Returns why an issue was not checked, such as `its test did not run, all were stopped after 9 s`.
  ///
  /// - Parameter limit: the seconds after which all tests together were stopped; nil if they were not.
  static func unchecked(stoppedAfter limit: Double?) -> String {
    "its test did not run" + (limit.map { ", all were stopped after \(Duration.seconds($0).words)" } ?? "")
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

extension Integration {
  /// The seconds after which all tests together were stopped; nil if they were not.
  var limitOfTests: Double? { reasons.lazy.compactMap(\.limitOfTests).first }
}
