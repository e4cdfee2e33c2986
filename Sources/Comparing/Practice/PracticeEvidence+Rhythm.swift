import Model

extension PracticeEvidence {
  /// Only where the integration has a baseline to be told from.
  var beat: PracticeHint? {
    guard let rhythm, let baseline else { return nil }
    let several = commitCount > 1 ? " It covers \(commitCount) commits, between which more may have happened." : ""
    switch rhythm {
    case .redFirst:
      return PracticeHint(.rhythm, .good, "A new test is red, and nothing that was green broke: the test came first.")
    case .madePass: return PracticeHint(.rhythm, .good, "What was red in \(baseline) is green.\(several)")
    case .refactored:
      return PracticeHint(.rhythm, .good, "Files changed since \(baseline), and the same tests are green.\(several)")
    case .sabotage:
      return PracticeHint(
        .rhythm, .good, "The files are those of before \(baseline), which was red: the tests can fail.")
    case .bornGreen:
      let born = tests.results.filter { added.contains($0.id) && $0.state == .passed }
      return PracticeHint(
        .rhythm, .unknown,
        "\(Self.tests(born.count)) \(born.count == 1 ? "is" : "are") new and green: no integration saw \(born.count == 1 ? "it" : "them") red.\(several)",
        entries: born.prefix(PracticeCard.mostEntries).map { PracticeHint.Entry(test: $0.id, location: $0.location) })
    case .broke: return PracticeHint(.rhythm, .attention, "What was green in \(baseline) is not any more.\(several)")
    case .stillRed:
      return PracticeHint(
        .rhythm, .attention,
        redStreak > 1 ? "\(redStreak) integrations in a row are red." : "It was red in \(baseline), and still is.")
    }
  }
}
