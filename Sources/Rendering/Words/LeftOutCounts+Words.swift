package import Model

extension LeftOutCounts {
  /// What was left out of a test's report, with a sentence for each kind.
  package var sentences: [String] {
    [
      (failures, "more failure"), (knownIssues, "more known issue"), (warnings, "more warning"), (cases, "more case"),
    ].compactMap { count, noun in
      count.map { "\(CountText.counted($0, noun)) of this test \(CountText.agreeing($0, "was", "were")) left out." }
    }
  }
}
