import Model

extension PracticeEvidence {
  /// Only where something was measured.
  var measurements: PracticeHint? {
    let measured = tests.results.flatMap { test in (trends[test.id] ?? []).map { (test, $0) } }
    guard !measured.isEmpty else { return nil }
    let compared = measured.compactMap { $0.1.newest }
    let higher = measured.filter { $0.1.newest?.change.course() == .higher }
    let isMoved = measured.contains { $0.1.points.first?.differing.isEmpty == false }
    let sentences = [
      compared.isEmpty
        ? "\(Self.values(measured.count, "has", "have")) no earlier one to compare with."
        : Self.sentence(higher, of: compared),
      // The toolchain's doing must not look like a commit's.
      isMoved && !compared.isEmpty ? "More than the commits differs since, as the entries say." : nil,
    ]
    // What is slower is what somebody should see, however many are not.
    let others = measured.filter { $0.1.newest?.change.course() != .higher }
    return PracticeHint(
      .measurements, compared.isEmpty ? .unknown : higher.isEmpty ? .good : .attention,
      sentences.compactMap(\.self).joined(separator: " "),
      entries: (higher + others).prefix(PracticeCard.mostEntries).map { test, trend in
        PracticeHint.Entry(test: test.id, location: test.location, words: MeasurementWords.entry(trend))
      })
  }

  private static func sentence(
    _ higher: [(TestResult, MeasurementTrend)],
    of compared: [(change: MeasurementChange, since: MeasurementTrend.Point)]
  ) -> String {
    let numbers = Set(compared.map(\.since.number))
    let than = numbers.count == 1 ? "than in \(numbers.first ?? 0)" : "than when they were last measured"
    guard !higher.isEmpty else {
      let verb = compared.allSatisfy(\.change.after.isTime) ? "slower" : "higher"
      return "\(values(compared.count, "is", "are")) no \(verb) \(than), as far as they vary."
    }
    let word = higher.allSatisfy { $0.1.newest?.change.after.isTime == true } ? "slower" : "higher"
    return
      "\(higher.count) of \(values(compared.count, "is", "are", by: higher.count)) \(word) \(than) by more than they vary."
  }

  private static func values(_ count: Int, _ one: String, _ many: String, by verb: Int? = nil) -> String {
    "\(count) measured \(count == 1 ? "value" : "values") \((verb ?? count) == 1 ? one : many)"
  }
}
