import Model

/// The age of a red test or a failed gate, as far as the baseline shows it.
struct FindingAge: Equatable {
  enum Age: Equatable {
    case new, cameBack, old
    /// Red in a test that was not there before.
    case newTest
    /// Flaky for the first time, or in a test that was not there before.
    case newlyFlaky, newFlakyTest
    /// Red again, in a test that has both failed and passed on the same code before.
    case knownFlaky
    /// Silenced by a person, so that it does not count.
    case silenced
  }

  let age: Age
  /// A further remark, if any.
  let remark: String?

  var isNew: Bool { [.new, .newTest, .newlyFlaky, .newFlakyTest].contains(age) }

  /// Whether it is red only since now, so that what is known of its past stands beside it.
  var isOfNow: Bool { isNew || age == .cameBack || age == .knownFlaky }

  /// Nil for a test that is neither red nor ended its process, and if there is nothing to compare with.
  ///
  /// - Parameter history: the test's results in recent integrations, including this one; nil if none is known.
  init?(_ test: TestResult, baseline: Baseline?, issues: [TestID: Issue], history: TestHistory?) {
    guard let age = FindingAge(test, baseline: baseline, issues: issues) else { return nil }
    let issue = issues[test.id]
    guard age.isOfNow || age.age == .old, issue?.isKnownFlaky == true || history?.flakyIn.isEmpty == false else {
      self = age
      return
    }
    guard age.isOfNow else {
      self.age = age.age
      remark = [age.remark, history.flatMap(FlakyWords.past)].compactMap(\.self).nonEmpty?.joined(separator: "; ")
      return
    }
    let mayBeChance = issue?.isKnownFlaky == true || history?.suggestsChance(for: test) == true
    // What was open before is not new.
    let open = mayBeChance || issue?.status != .unresolved ? nil : FindingAge(of: issue, baseline: baseline)
    let steady = open ?? age
    let remarks =
      mayBeChance
      ? [age.age == .cameBack ? age.remark : nil, history.map(FlakyWords.rate)]
      : [steady.remark, history.flatMap(FlakyWords.past)]
    self.age = mayBeChance ? .knownFlaky : steady.age
    remark = remarks.compactMap(\.self).nonEmpty?.joined(separator: "; ")
  }

  private init?(_ test: TestResult, baseline: Baseline?, issues: [TestID: Issue]) {
    let issue = issues[test.id]
    guard test.endsBadly else { return nil }
    if let told = issue.flatMap(Self.told) {
      (age, remark) = told
      return
    }
    guard let baseline else { return nil }
    let before = baseline.states[test.id]
    let isAnew =
      issue?.status == .new && baseline.issues.contains { $0.test == test.id && $0.status == .silenced }
    if baseline.states.isEmpty {
      // A broken build as the baseline shows nothing about a test, but its issue has a record of earlier integrations.
      guard let told = issue.flatMap(Self.age) else { return nil }
      age = told
    } else {
      let wasBad = test.quit == nil ? before?.isRed == true : baseline.quits.contains(test.id)
      age = before == nil ? .newTest : wasBad && !isAnew ? .old : .new
    }
    remark =
      age != .old ? Self.remark(onNew: before, isAnew: isAnew, in: baseline) : Self.remark(onOld: issue, in: baseline)
  }

  /// Nil if there is nothing to compare with, and if the issue was there when it could first be seen.
  init?(of issue: Issue?, baseline: Baseline?) {
    guard let issue else { return nil }
    if let told = Self.told(issue) {
      (age, remark) = told
      return
    }
    // A gate that judges the first changes was not failed before.
    if baseline == nil, issue.gate != nil, issue.status == .new {
      (age, remark) = (.new, nil)
      return
    }
    guard let baseline, let told = Self.age(of: issue) else { return nil }
    age = told
    remark = age == .new ? nil : Self.remark(onOld: issue, in: baseline)
  }

  /// The age of a flaky test; nil if it is not known where it was flaky.
  ///
  /// - Parameters:
  ///   - since: the first integration in which it was red by chance.
  ///   - isNewTest: whether the test was not there before.
  init?(ofFlakySince since: Int?, in number: Int, baseline: Baseline?, isNewTest: Bool = false) {
    guard let since else { return nil }
    (age, remark) =
      baseline != nil && since == number
      ? (isNewTest ? .newFlakyTest : .newlyFlaky, nil) : (.old, FlakyWords.since(since))
  }

  /// Returns the age that the record of an issue shows; nil for one that may be older than its first integration.
  private static func age(of issue: Issue) -> Age? {
    if issue.status == .new { return .new }
    return (issue.life?.streakAge ?? issue.age) > 0 ? .old : nil
  }

  /// Returns the age that follows from the issue alone.
  private static func told(_ issue: Issue) -> (Age, String?)? {
    if issue.status == .silenced { return (.silenced, issue.silence.map(IssueWords.terms)) }
    return issue.comeback.map { (.cameBack, "last in \($0.lastSeen)") }
  }

  private static func remark(onNew before: TestState?, isAnew: Bool, in baseline: Baseline) -> String? {
    switch before {
    case nil, .passed: nil
    case .some where isAnew: "another failure of this test is silenced"
    case .some(let state): "\(state.word.lowercased()) in \(baseline.number)"
    }
  }

  private static func remark(onOld issue: Issue?, in baseline: Baseline) -> String {
    if let life = issue?.life, life.streakAge > 0 {
      return (["since \(life.streakStart)"] + IssueWords.reason(life)).joined(separator: ", ")
    }
    if let age = issue?.age, age > 1 { return "for \(CountText.counted(age, "integration"))" }
    return "red in \(baseline.number) too"
  }

  var record: TemplateValue {
    let (word, style): (String?, String) =
      switch age {
      case .new: ("New", "new")
      case .newTest: ("New test", "new")
      case .newlyFlaky: ("First time flaky", "old")
      case .newFlakyTest: ("New test, flaky", "old")
      case .cameBack: ("Came back", "new")
      case .knownFlaky: ("Known flaky", "old")
      // The remark already states since when it is red.
      case .old: (remark == nil ? "Old" : nil, "old")
      case .silenced: ("Silenced", "silenced")
      }
    return .record(["word": .optional(word), "style": .text(style), "remark": .optional(remark)])
  }
}
