import Model

/// Words for the map from tests to lines.
package enum TestMapWords {
  /// Returns what one test ran.
  static func summary(functions: Int, files: Int) -> String {
    functions > 0
      ? "\(CountText.counted(functions, "function")) in \(CountText.counted(files, "file"))"
      : "none of the package's own functions"
  }

  /// Of lines that make a value for all tests.
  static let once = "runs once per process"

  /// Of lines that only the failed attempt of a flaky test ran, beside that test.
  static let onlyFailed = "only when it failed"

  /// Of lines that ran while no test did, too, as what instances of XCTest's classes run before the first test starts.
  static let outside = "also outside of tests"

  /// Of lines that only ran so.
  static let onlyOutside = "only outside of tests"

  /// Of lines of whose own code nothing ran, though the code around it did.
  static let never = "no test; only the code around it ran"

  /// Returns who ran lines that belong to none of the tests on record.
  /// - Parameter isWhole: whether the lines of all tests are known.
  static func noTest(isWhole: Bool) -> String { isWhole ? "no test on its own" : "no test on record" }

  /// The same about lines that somebody asks for.
  package static let onceSentence = "Some of it runs once per process, and counts for the first test."

  /// Says which integration answers, where newer ones mapped no tests.
  package static func source(_ bot: String, _ number: Int) -> String { "As in \(bot)/\(number)." }

  static let noChange = "It ran none of the changed lines."

  /// Of the changed line that speaks for who is suspected of what a test failed on.
  static let onlyChange = "the only changed line that it ran"

  /// Of the files that changed besides that of the line; where not only its commit did it, with since when.
  static func otherFiles(_ count: Int, since baseline: Int?) -> String {
    baseline.map { "\(CountText.counted(count, "other file")) changed since \($0)" }
      ?? CountText.counted(count, "other changed file")
  }

  /// Returns what is known about which tests ran which lines, for the coverage page; nil if it was not requested.
  /// - Parameter skipped: tests that began only to be skipped, of which lines are no matter.
  static func known(_ map: Answer<TestMap>?, skipped: Set<TestID> = []) -> String? {
    switch map {
    case nil: nil
    case .unknown(let reason): "Which tests ran which lines is not known. \(reason)"
    case .known(let map):
      ([CountText.counted(map.tests.count { !skipped.contains($0) }, "test") + " on record."] + map.gaps
        + [idle(map.idle.filter { !skipped.contains($0) })].compactMap(\.self))
        .joined(separator: " ")
    }
  }

  /// Names the tests that ran nothing of the package; nil if there are none.
  private static func idle(_ tests: [TestID]) -> String? {
    guard !tests.isEmpty else { return nil }
    let names = ShortList.text(tests.map(\.description), first: 10)
    return "\(CountText.counted(tests.count, "test")) ran none of the package's own lines: \(names)."
  }
}
