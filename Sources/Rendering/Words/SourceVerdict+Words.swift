import Model

extension SourceVerdict {
  /// What the page of the source is about.
  var phrase: String {
    if failures > 0 { return CountText.counted(failures, "failure") }
    if !flaky.isEmpty { return CountText.counted(flaky.count, "flaky test") }
    if states.isEmpty { return CountText.counted(knownIssues, "known issue") }
    let passed = states.count { $0 == .passed }
    let all = CountText.counted(states.count, "test")
    return passed == states.count ? "\(all) passed" : "\(CountText.plain(passed)) of \(all) passed"
  }

  /// What stands before the lines with messages.
  var linesLead: String {
    failures > 0 ? "failures on" : flaky.isEmpty ? "known issues on" : "flaky on"
  }
}

extension FailureNotes.Kind {
  /// The name of the glyph in the sprite.
  var glyph: String {
    switch self {
    case .failed: "failed"
    case .flaky: "flaky"
    case .known: "known"
    }
  }

  /// What stands before the name of the test.
  var lead: String {
    switch self {
    case .failed: ""
    case .flaky: "Flaky: "
    case .known: "Known issue in "
    }
  }
}
