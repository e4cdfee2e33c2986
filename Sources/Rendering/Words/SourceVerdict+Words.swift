import Model

extension SourceVerdict {
  /// What the page of the source is about.
  var phrase: String {
    if let red { return red }
    if let bad { return bad }
    if !flaky.isEmpty {
      return flaky.count < states.count
        ? "\(CountText.plain(flaky.count)) of \(CountText.counted(states.count, "test")) flaky"
        : CountText.counted(flaky.count, "flaky test")
    }
    if states.isEmpty { return CountText.counted(knownIssues, "known issue") }
    let passed = states.count { $0 == .passed }
    let all = CountText.counted(states.count, "test")
    let others = Set(states).subtracting([.passed]).sorted { $0.rank < $1.rank }.map(others)
    return others.isEmpty
      ? "\(all) passed" : "\(CountText.plain(passed)) of \(all) passed, \(others.joined(separator: ", "))"
  }

  /// How many of its tests are red, and how they ended; nil if none is.
  private var red: String? {
    let ends = Set(states.filter(\.isRed)).sorted { $0.rank < $1.rank }
    let parts = ends.enumerated().map { index, state in
      let count = states.count { $0 == state }
      let all = CountText.counted(states.count, "test")
      return index > 0
        ? "\(CountText.plain(count)) \(state.past)"
        : count == states.count ? "\(all) \(state.past)" : "\(CountText.plain(count)) of \(all) \(state.past)"
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// How many tests ended otherwise, and how.
  private func others(as state: TestState) -> String {
    let count = states.count { $0 == state }
    if state == .expectedFailure { return CountText.counted(count, "known issue") }
    let quits = state == .notRun ? declaredQuits : 0
    return [(count - quits, state.word.lowercased()), (quits, "ended the process")].filter { $0.0 > 0 }
      .map { "\(CountText.plain($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  /// How many tests failed in it, and how; nil if none did.
  var bad: String? {
    let ends = ended.sorted { $0.key.rank < $1.key.rank }
      .map { "\(CountText.counted($1.count, "test")) \($0.past)" }
    let quits =
      (quit.isEmpty ? [] : ["\(CountText.counted(quit.count, "test")) ended the process"])
      + (unbegun.isEmpty ? [] : ["the process ended before \(CountText.counted(unbegun.count, "test"))"])
    let parts = ends + (failures > 0 ? [CountText.counted(failures, "failure")] : []) + quits
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Returns what stands before the tests that say something about a line; nil if one of them failed there.
  func lead(at line: Int) -> String? {
    switch kinds[line] {
    case [.known]: "known issue"
    case [.flaky]: "flaky"
    default: nil
    }
  }

  /// Returns the tests that say something about a line, as they stand before its number.
  func tests(at line: Int) -> TemplateValue {
    let tests = names[line] ?? []
    let first = tests.prefix(2).enumerated().map { index, test in
      TemplateValue.record([
        "glue": .text(index == 0 ? "" : tests.count == 2 ? " and " : ", "), "title": .shown(test.title),
        "page": .optional(test.page),
      ])
    }
    let more = tests.count > 2 ? TemplateValue.text(" and \(CountText.plain(tests.count - 2)) more") : .missing
    return tests.isEmpty ? .missing : .record(["first": .list(first), "rest": more])
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
