import Model

/// Whether a red test is new or old, as far as the baseline tells.
struct Standing: Equatable {
  let isNew: Bool
  /// Whether a person has silenced it, so that it does not count.
  let isSilenced: Bool
  /// What more is known.
  let remark: String?

  /// Nil for a test that is not red, and where nothing is known to compare with.
  init?(_ test: TestResult, baseline: Baseline?, issues: [TestID: Issue]) {
    let silence = issues[test.id]?.status == .silenced ? issues[test.id]?.silence : nil
    isSilenced = test.state.isRed && issues[test.id]?.status == .silenced
    if isSilenced {
      isNew = false
      remark = silence.map(IssueWords.sentence) ?? "it does not count"
      return
    }
    guard test.state.isRed, let baseline else { return nil }
    let before = baseline.states[test.id]
    if baseline.states.isEmpty {
      // A broken build before it says nothing of a test, but its issue remembers the integrations before that one.
      guard let issue = issues[test.id], issue.status == .new || issue.life.map({ $0.streakAge > 0 }) == true else {
        return nil
      }
      isNew = issue.status == .new
    } else {
      isNew = before?.isRed != true
    }
    if isNew {
      remark =
        switch before {
        case nil where baseline.states.isEmpty: "\(baseline.number) listed no tests"
        case nil: "not a test of \(baseline.number)"
        case .passed: nil
        case .some(let state): "\(state.word.lowercased()) in \(baseline.number)"
        }
    } else if let life = issues[test.id]?.life, life.streakAge > 0 {
      remark = "since \(life.streakStart)"
    } else if let age = issues[test.id]?.age, age > 1 {
      remark = "first seen \(CountText.plain(age)) integrations ago"
    } else {
      remark = "red in \(baseline.number) too"
    }
  }

  var record: TemplateValue {
    .record(["isNew": .flag(isNew), "isSilenced": .flag(isSilenced), "remark": .optional(remark)])
  }
}
