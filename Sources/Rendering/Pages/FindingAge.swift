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
    /// The same where it failed in every retry, so that it may be more than chance.
    case flakyBefore
    /// Silenced by a person, so that it does not count.
    case silenced
  }

  let age: Age
  /// A further remark, with the integrations that it names; empty for none.
  private(set) var parts: [IssueWords.Part]

  /// The same without links; nil for none.
  var remark: String? { parts.isEmpty ? nil : parts.text }

  /// The rank in lists: what is new comes first, and last what does not count.
  var rank: Int { isNew ? 0 : age == .silenced ? 2 : Self.rankOfKnown }
  static let rankOfKnown = 1

  /// The same where its remark stands elsewhere.
  var unremarked: FindingAge {
    var age = self
    age.parts = []
    return age
  }

  var isNew: Bool { [.new, .newTest, .newlyFlaky, .newFlakyTest].contains(age) }

  /// Whether it says that the test was not there before.
  var isOfNewTest: Bool { [.newTest, .newFlakyTest].contains(age) }

  /// Whether it is red only since now, so that what is known of its past stands beside it.
  var isOfNow: Bool { isNew || [.cameBack, .knownFlaky, .flakyBefore].contains(age) }

  /// Nil for a test that is neither red nor ended its process, and if there is nothing to compare with.
  ///
  /// - Parameter history: the test's results in recent integrations, including this one; nil if none is known.
  init?(_ test: TestResult, baseline: Baseline?, issues: [TestID: Issue], history: TestHistory?) {
    guard let age = FindingAge(test, baseline, issues, history) else { return nil }
    let issue = issues[test.id]
    guard age.isOfNow || age.age == .old, issue?.isKnownFlaky == true || history?.flakyIn.isEmpty == false else {
      self = age
      return
    }
    guard age.isOfNow else {
      self.age = age.age
      parts = Self.phrase([age.parts, history.flatMap(FlakyWords.past)])
      return
    }
    let mayBeChance = issue?.isKnownFlaky == true || history?.suggestsChance(for: test) == true
    // What was open before is not new.
    let open = mayBeChance || issue?.status != .unresolved ? nil : FindingAge(of: issue, baseline: baseline)
    let steady = open ?? age
    let rate = history.map { [IssueWords.Part(words: FlakyWords.rate($0))] }
    // It has failed before, if not for the whole integration.
    self.age = mayBeChance ? .knownFlaky : steady.age == .new ? .flakyBefore : steady.age
    parts = Self.phrase(
      mayBeChance
        ? [age.age == .cameBack ? age.parts : nil, rate] : [steady.parts, history.flatMap(FlakyWords.past)])
  }

  private static func phrase(_ phrases: [[IssueWords.Part]?]) -> [IssueWords.Part] {
    phrases.compactMap { $0?.nonEmpty }.phrase()
  }

  private init?(_ test: TestResult, _ baseline: Baseline?, _ issues: [TestID: Issue], _ history: TestHistory?) {
    let issue = issues[test.id]
    guard test.endsBadly else { return nil }
    if let told = issue.flatMap({ Self.told($0, history) }) {
      (age, parts) = told
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
    let elder = age == .newTest ? issue.flatMap { issues.values.elder(of: $0) } : nil
    parts =
      elder.map(IssueWords.ending(as:))
      ?? (age != .old
        ? Self.remark(onNew: before, isAnew: isAnew, in: baseline) : Self.remark(onOld: issue, in: baseline))
  }

  /// Nil if there is nothing to compare with, and if the issue was there when it could first be seen.
  init?(of issue: Issue?, baseline: Baseline?) {
    guard let issue else { return nil }
    if let told = Self.told(issue, nil) {
      (age, parts) = told
      return
    }
    // A gate that judges the first changes was not failed before.
    if baseline == nil, issue.gate != nil, issue.status == .new {
      (age, parts) = (.new, [])
      return
    }
    guard let baseline, let told = Self.age(of: issue) else { return nil }
    age = told
    parts = age == .new ? [] : Self.remark(onOld: issue, in: baseline)
  }

  /// The age of a flaky test; nil if it is not known where it was flaky.
  ///
  /// - Parameters:
  ///   - since: the first integration in which it was red by chance.
  ///   - isNewTest: whether the test was not there before.
  init?(ofFlakySince since: Int?, in number: Int, baseline: Baseline?, isNewTest: Bool = false) {
    guard let since else { return nil }
    let isFirst = baseline != nil && since == number
    age = isFirst ? isNewTest ? .newFlakyTest : .newlyFlaky : .old
    parts = isFirst ? [] : [FlakyWords.since(since)]
  }

  /// Returns the age that the record of an issue shows; nil for one that may be older than its first integration.
  private static func age(of issue: Issue) -> Age? {
    if issue.status == .new { return .new }
    return (issue.life?.streakAge ?? issue.age) > 0 ? .old : nil
  }

  /// Returns the age that follows from the issue alone.
  ///
  /// - Parameter history: that of its test, which knows what other branches had of it.
  private static func told(_ issue: Issue, _ history: TestHistory?) -> (Age, [IssueWords.Part])? {
    if issue.status == .silenced {
      return (.silenced, [issue.silence.map { IssueWords.Part(words: IssueWords.terms(of: $0)) }].compactMap(\.self))
    }
    guard issue.comeback != nil, let life = issue.life else { return nil }
    return (.cameBack, IssueWords.before(life, on: history?.branchBeforeComeback(of: issue)).phrase())
  }

  private static func remark(
    onNew before: TestState?, isAnew: Bool, in baseline: Baseline
  ) -> [IssueWords.Part] {
    switch before {
    case nil, .passed: []
    case .some where isAnew: [.init(words: "another failure of this test is silenced")]
    case .some(let state): [.init(words: "\(state.word.lowercased()) in ", number: baseline.number)]
    }
  }

  private static func remark(onOld issue: Issue?, in baseline: Baseline) -> [IssueWords.Part] {
    if let life = issue?.life, life.streakAge > 0 {
      let words = life.cameBackFrom == nil ? "since" : IssueWords.opening(of: life)
      let since = [IssueWords.Part(words: "\(words) ", number: life.streakStart)]
      return ([since] + IssueWords.reasonPhrases(life)).phrase(separator: ", ")
    }
    if let age = issue?.age, age > 1 { return [.init(words: "for \(CountText.counted(age, "integration"))")] }
    return [.init(words: "red in ", number: baseline.number), .init(words: " too")]
  }

  /// - Parameter link: returns the address of an integration's report, relative to the page; nil for one without.
  func record(_ link: (Int) -> String? = { _ in nil }) -> TemplateValue {
    let (word, style): (String?, String) =
      switch age {
      case .new: ("New", "new")
      case .newTest: ("New test", "new")
      case .newlyFlaky: ("First time flaky", "old")
      case .newFlakyTest: ("New test, flaky", "old")
      case .cameBack: ("Came back", "new")
      case .knownFlaky: ("Known flaky", "old")
      // The remark says where it was.
      case .flakyBefore: (nil, "old")
      // The remark already states since when it is red.
      case .old: (parts.isEmpty ? "Old" : nil, "old")
      case .silenced: ("Silenced", "silenced")
      }
    return .record([
      "word": .optional(word), "style": .text(style), "remark": parts.isEmpty ? .missing : parts.record(link),
    ])
  }
}
