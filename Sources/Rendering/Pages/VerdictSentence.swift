package import Model

/// The findings of one integration, as the opening sentence of its page.
package struct VerdictSentence {
  /// With more red tests, or more characters in their names together, they are only counted.
  private static let mostNamed = 2
  private static let mostCharacters = 70

  private let integration: Integration
  private let withGates: Bool
  private let namesTests: Bool

  /// - Parameters:
  ///   - withGates: whether it tells the failed gates beside red tests.
  ///   - namesTests: whether it names tests that are red or flaky, or ended their process, if they are few, instead of counting
  ///     them.
  package init(_ integration: Integration, withGates: Bool = true, namesTests: Bool = true) {
    (self.integration, self.withGates, self.namesTests) = (integration, withGates, namesTests)
  }

  /// The sentence, without a full stop; the outcome chooses it, and numbers appear only if they were counted.
  package var sentence: String {
    guard integration.cells.isEmpty else { return DestinationWords(integration).sentence }
    return switch integration.outcome {
    case .succeeded, .warnings, .analyzerWarnings: green
    case .testFailures: [testFailures + share, notRun()].compactMap(\.self).joined(separator: "; ")
    case .buildErrors: Self.buildErrors(integration)
    case .incomplete: incomplete
    case .triggerError: Self.triggerFailed
    // Where there is no name for the cause, its reason says it.
    case .checkoutError: headline.map { "Checkout error: \($0)" } ?? "The commit could not be integrated"
    case .canceled:
      integration.reasons.contains(.interrupted) ? "The integration was interrupted" : "The integration was canceled"
    case .internalError: "Martlet ran into an internal error"
    }
  }

  /// The whole of it where a before-trigger failed.
  static let triggerFailed = "A before-trigger failed"

  private var share: String { integration.tests.only.flatMap { $0.isPartial ? " (\($0.share) ran)" : nil } ?? "" }

  private var green: String {
    let counts = integration.tests.counts
    let omitted = Set(integration.omissions.map(\.code))
    let found = Self.warnings(integration).filter { $0.0 > 0 }.map { CountText.counted($0.0, $0.1) }
    let isWarned = integration.outcome != .succeeded
    if counts.listed == 0 {
      let warned = isWarned ? " with \(found.isEmpty ? "a warning" : CountText.list(found))" : ""
      return "The build succeeded\(warned); no tests \(omitted.contains(.testsNotRun) ? "ran" : "were requested")"
    }
    let flaky = self.flaky
    let only = integration.tests.only.flatMap { $0.isPartial ? $0.headline : nil }
    let worse = [integration.worse.map(MeasurementWords.worse)].compactMap(\.self)
    // What is to be done comes before what has been.
    let causes = [flaky?.clause, found.isEmpty ? nil : CountText.list(found)].compactMap(\.self)
    let urgent = only == nil ? (isWarned ? causes : []) + worse : []
    let isFirst = urgent.isEmpty
    let omission = omitted.contains(.testsLeftOut) ? "\(isFirst ? "Some" : "some") tests left out" : nil
    let again = Self.again(integration, isFirst: isFirst)
    let start = only ?? again?.words ?? omission
    // The counts say more of tests, and nothing of gates.
    let isOfGates = only == nil && again?.tellsGates == true
    let glue = isOfGates ? "; " : ": "
    let ofTests = CountText.counted(counts.steady, "test")
    let isBrief = (!isFirst || isOfGates) && namesTests
    let rest =
      Self.remarks(integration, isBrief: isBrief) + (isFirst ? (isWarned ? found : []) + worse : [])
    let beside = isFirst || !isWarned ? flaky?.brief : nil
    if rest.isEmpty, beside == nil, !isWarned, isFirst {
      return start.map { "\($0)\(glue)\(isOfGates ? ofTests : CountText.plain(counts.steady)) passed" }
        ?? "\(ofTests) passed"
    }
    // Behind what is to be done alone, and behind gates, nothing has said that tests are counted.
    let count = isOfGates || start == nil && (isWarned || !isFirst) ? ofTests : CountText.plain(counts.steady)
    let passed = (counts.steady > 0 ? ["\(count) passed"] : []) + [beside].compactMap(\.self)
    let isUnnamed = isWarned && causes.isEmpty && rest.isEmpty && beside == nil
    let sum = (passed + (isUnnamed ? ["a warning"] : rest)).joined(separator: ", ")
    guard isFirst else {
      let clauses = urgent + [start, sum.isEmpty ? nil : sum].compactMap(\.self)
      return (isWarned ? "" : "Green, but ") + clauses.joined(separator: "; ")
    }
    return (start ?? (isWarned ? nil : "Green")).map { "\($0)\(glue)\(sum)" } ?? sum
  }

  /// Returns what is to say of the tests that neither passed nor are red.
  /// - Parameter isBrief: whether known issues, skipped and deleted tests are left out.
  private static func remarks(_ integration: Integration, isBrief: Bool) -> [String] {
    let counts = integration.tests.counts
    // Only silenced issues can leave an integration green although tests are not.
    let silenced = counts.red > 0 ? ["\(CountText.counted(counts.red, "red test")) silenced"] : []
    if isBrief { return silenced + TestSum.missing(in: counts) }
    let aside = TestSum.aside(in: counts, leftOut: integration.tests.only?.leftOut ?? 0)
    // Those that were red are told before.
    let red = Set(integration.issues.redTests(ended: .testDeleted))
    let gone = integration.testChanges?.deleted.count { !red.contains($0) } ?? 0
    return silenced + aside + TestSum.missing(in: counts) + (gone > 0 ? ["\(CountText.plain(gone)) deleted"] : [])
  }

  /// Which tests are flaky, or how many if these are not few or are not to be named, as a clause and behind the number of
  /// those that passed; nil without any.
  private var flaky: (clause: String, brief: String)? {
    let titles = integration.tests.results.filter(\.isFlaky).map(\.quotedTitle)
    if titles.isEmpty { return nil }
    let isMany = !namesTests || titles.count > OutcomeReason.mostFlakyNamed
    let names = CountText.list(titles)
    return (
      "\(isMany ? CountText.counted(titles.count, "test") : names) \(CountText.agreeing(titles.count, "is", "are")) flaky",
      "\(isMany ? CountText.plain(titles.count) : names) flaky"
    )
  }

  /// Returns the causes of warnings other than flaky tests, without what is silenced, which causes none.
  private static func warnings(_ integration: Integration) -> [(Int, String)] {
    let silenced = integration.silencedWarnings.filter { $0.kind == .warning }
    let ofTests = integration.tests.results.reduce(0) { $0 + $1.warnings.count }
    let all = integration.diagnostics.count { $0.severity == .warning } + ofTests
    let warnings = max(0, all - silenced.count { $0.subject != .orderDependence })
    let quiet = Set(silenced.filter { $0.subject == .orderDependence }.compactMap(\.test))
    let dependent = integration.tests.isolation.map { $0.differing.count { !quiet.contains($0.id) } } ?? 0
    let analyzer = integration.findings.filter { $0.kind == .analyzerWarning && $0.status.isOpen }.count
    return [(dependent, "order-dependent test"), (analyzer, "analyzer warning"), (warnings, "warning")]
  }

  /// Returns what is green, or gone, but was red in the baseline, and whether gates are among it.
  ///
  /// - Parameter isFirst: whether it begins the sentence.
  private static func again(_ integration: Integration, isFirst: Bool) -> (words: String, tellsGates: Bool)? {
    guard let baseline = integration.baseline, integration.tests.counts.listed > 0 else { return nil }
    if baseline.outcome == .buildErrors { return (isFirst ? "Builds again" : "builds again", false) }
    func tests(_ ending: IssueRecord.Ending, now state: TestState = .passed) -> [String] {
      let ended = Set(integration.issues.redTests(ended: ending))
      return integration.tests.results.filter { $0.state == state && ended.contains($0.id) }.map(\.title)
    }
    let known = tests(.knownIssue, now: .expectedFailure)
    let deleted = Set(integration.issues.redTests(ended: .testDeleted)).map(\.name)
    let ended = integration.gateIssuesEndedByPassing
    let again = ended.allSatisfy { !IssueWords.again($0).isEmpty } ? " again" : ""
    let gates = ended.compactMap(\.gate).map(GateResult.name(ofRule:))
    let parts = [
      all(tests(.fixed), "test", "fixed"), all(tests(.passedAgain), "test", "passed again"),
      all(known, "test", known.count == 1 ? "marked as a known issue" : "marked as known issues"),
      all(deleted, "red test", "deleted"),
    ].compactMap(\.self)
    let passes = all(gates, "gate", gates.count == 1 ? "passes\(again)" : "pass\(again)")
    let words = (parts + [passes].compactMap(\.self)).joined(separator: ", ")
    if words.isEmpty { return nil }
    return (parts.isEmpty && isFirst ? words.capitalizedFirst : words, passes != nil)
  }

  /// Returns what happened to tests, of which a single one is named; nil without any.
  private static func all(_ names: [String], _ noun: String, _ verb: String) -> String? {
    switch names.count {
    case 0: nil
    case 1: "\(names[0]) \(verb)"
    case let count: "\(CountText.counted(count, noun)) \(verb)"
    }
  }

  private var testFailures: String {
    let counting = integration.countingRedTests
    let gates = withGates ? Self.failedGates(integration, "the ") : nil
    let quit = ended(isAside: true)
    if integration.isFailedGate, let gates = Self.failedGates(integration) {
      return gates.capitalizedFirst + (integration.hasPassedTests ? "; tests passed" : Self.beside([quit]))
    }
    guard !counting.isEmpty else {
      let which = integration.tests.counts.red > 0 ? "No test that counts" : "No test"
      return "\(which) is red, but something failed outside the tests\(Self.beside([gates, quit]))"
    }
    let isOneNamed = counting.count == 1 && namesTests && compared != nil
    if !isOneNamed, counting.contains(where: { [.crashed, .timedOut].contains($0.state) }) {
      return ends(of: counting, besides: [gates, quit])
    }
    return red(counting, gates, quit)
  }

  /// What the tests are compared with; nil if nothing is known of them there.
  private var compared: Baseline? { integration.baseline.flatMap { $0.states.isEmpty ? nil : $0 } }

  /// Returns how red tests ended of which one crashed or timed out, the worst first: by name where they are few.
  private func ends(of red: [TestResult], besides others: [String?]) -> String {
    let worst = red.sorted { ($0.state.rank, $0.id) < ($1.state.rank, $1.id) }
    let length = worst.prefix(Self.mostNamed).reduce(0) { $0 + $1.quotedTitle.count }
    if namesTests, worst.count <= Self.mostNamed, length <= Self.mostCharacters {
      // The rows tell since when each is red, and what else there is.
      let beside = others.compactMap(\.self).prefix(1)
      let issues = integration.issuesOfBadEnds
      let named = worst.inOrder { test in
        let history = integration.histories[test.id]
        return FindingAge(test, baseline: integration.baseline, issues: issues, history: history)?.isNew == true
      }
      return CountText.list(named.map { "\($0.quotedTitle) \($0.endPhrase)" } + beside)
    }
    let kinds = worst.grouped { $0.state.past }.enumerated().map { index, tests in
      let count = index == 0 ? CountText.counted(tests.count, "test") : CountText.plain(tests.count)
      return "\(count) \(tests[0].state.past)"
    }
    let said = CountText.list(kinds)
    let told = compared.map { Self.told(said, anew: said, of: red.count, news(of: notBefore(red, in: $0)), $0.number) }
    return (told ?? said) + Self.beside(others)
  }

  /// Returns how many tests are red that only failed, or what a single one did.
  private func red(_ counting: [TestResult], _ gates: String?, _ quit: String?) -> String {
    let count = counting.count
    let more = Self.beside([gates, quit])
    guard namesTests || count > 1, let baseline = compared else { return "\(Self.red(count))\(more)" }
    let notBefore = notBefore(counting, in: baseline)
    if notBefore.count == count, notBefore.allSatisfy({ baseline.states[$0.id] == nil }) {
      let named = Self.only(notBefore).map { "New test \($0.quotedTitle) \($0.endPhrase)" }
      return (named ?? CountText.counted(count, "new test is", "new tests are") + " red") + more
    }
    let again = news(of: notBefore).again
    if let test = Self.only(notBefore), count == 1 {
      if let gates, quit == nil, again == (Self.gatesCameBack(integration) ? 1 : 0), test.state == .failed {
        return "\(test.quotedTitle) and \(gates)"
      }
      return "\(test.quotedTitle) \(test.endPhrase)\(again == 1 ? " again" : "")\(more)"
    }
    return known(counting, notBefore, baseline) + more
  }

  /// Returns the red tests that were not red before, or for something that was silenced.
  private func notBefore(_ red: [TestResult], in baseline: Baseline) -> [TestResult] {
    let anew = integration.testsRedAnew
    return red.filter { baseline.states[$0.id]?.isRed != true || anew.contains($0.id) }
  }

  /// The red tests that were red before without counting.
  private var countingAgain: Set<TestID> {
    Set(integration.issuesCountingAgain.filter(\.kind.isOfRedTest).compactMap(\.test))
  }

  /// The red tests that were red before for another reason.
  private var changed: Set<TestID> {
    Set(integration.issuesForNewReason.compactMap(\.test)).subtracting(countingAgain)
  }

  private func news(of notBefore: [TestResult]) -> News {
    let comebacks = integration.comebacks
    let again = notBefore.count { comebacks.contains($0.id) }
    return News(
      new: notBefore.count - again, again: again, counting: countingAgain.count, changed: changed.count)
  }

  /// Returns how many tests are red of which not all are new, or how the only one is.
  private func known(_ red: [TestResult], _ notBefore: [TestResult], _ baseline: Baseline) -> String {
    if notBefore.isEmpty, let test = Self.only(red) {
      if countingAgain.contains(test.id) { return "\(test.quotedTitle) is red, and counts again" }
      if changed.contains(test.id) { return "\(test.quotedTitle) is red, for a new reason" }
      let before = baseline.states[test.id] ?? test.state
      let said = "\(test.quotedTitle) \(test.endPhrase)"
      return before == test.state
        ? "\(said), as in \(baseline.number)" : "\(said) (\(before.past) in \(baseline.number))"
    }
    let anew = "\(CountText.counted(red.count, "test")) went red"
    return Self.told(Self.red(red.count), anew: anew, of: red.count, news(of: notBefore), baseline.number)
  }

  /// Returns what else happened, as the end of a sentence.
  private static func beside(_ clauses: [String?]) -> String {
    let told = clauses.compactMap(\.self)
    return told.isEmpty ? "" : ", and \(CountText.list(told))"
  }

  private static func only(_ tests: [TestResult]) -> TestResult? { tests.count == 1 ? tests[0] : nil }

  private static func red(_ count: Int) -> String {
    "\(CountText.counted(count, "test is", "tests are")) red"
  }

  /// How many red tests were not red before, or were so otherwise.
  private struct News {
    var new: Int
    /// Red before, and green in between.
    var again: Int
    /// Red before without counting.
    var counting: Int
    /// Red before for another reason.
    var changed: Int
  }

  /// Returns that tests are red, and how many of them are news.
  ///
  /// - Parameters:
  ///   - said: that they are red, or how they ended.
  ///   - anew: the same where all are new.
  private static func told(_ said: String, anew: String, of count: Int, _ news: News, _ number: Int) -> String {
    if news.new == count { return anew }
    if news.again == count { return "\(said) again" }
    if news.counting == count { return "\(said), and \(CountText.agreeing(count, "counts", "count")) again" }
    let parts = [
      (news.new, "new"), (news.again, "came back"),
      (news.counting, "\(CountText.agreeing(news.counting, "counts", "count")) again"),
      (news.changed, "for a new reason"),
    ].filter { $0.0 > 0 }.map { "\(CountText.plain($0.0)) \($0.1)" }
    return parts.isEmpty ? "\(said), as in \(number)" : "\(said) (\(parts.joined(separator: ", ")))"
  }

  /// Returns the failed gates that count; nil if there are none.
  ///
  /// - Parameter article: what begins the name of a single one in mid-sentence.
  static func failedGates(_ integration: Integration, _ article: String = "") -> String? {
    let failed = integration.countingFailedGates
    let again = gatesCameBack(integration) ? " again" : ""
    switch failed.count {
    case 0: return nil
    case 1: return "\(article)\(failed[0].name) failed\(again)"
    case let number: return "\(CountText.plain(number)) gates failed\(again)"
    }
  }

  /// Whether all failed gates that count failed before, and passed in between.
  private static func gatesCameBack(_ integration: Integration) -> Bool {
    let back = Set(integration.issues.filter { $0.comeback != nil }.compactMap(\.gate))
    let failed = integration.countingFailedGates
    return !failed.isEmpty && failed.allSatisfy { back.contains($0.rule) }
  }

  private static func buildErrors(_ integration: Integration) -> String {
    let errors = integration.diagnostics.filter { $0.severity == .error }
    let isResolving = integration.steps.contains { $0.name == .resolving && $0.hasFailed }
    let failed = isResolving ? "The dependencies could not be resolved" : "The build failed"
    guard !errors.isEmpty else { return failed }
    let noun = errors.allSatisfy(\.isLinker) ? "linker error" : "error"
    let crashes = errors.allSatisfy { $0.isCompilerCrash == true }
    let what =
      crashes
      ? "the compiler crashed\(errors.count == 1 ? "" : " \(CountText.counted(errors.count, "time"))")"
      : CountText.counted(errors.count, noun)
    let files = Set(errors.map { $0.location?.file })
    let place = files.count == 1 ? errors[0].location.map { " in \($0.fileName)" } ?? "" : ""
    return "\(failed): \(what)\(place)"
  }

  /// Returns what the listed tests that ended cannot show.
  private static func unproved(_ reason: OutcomeReason) -> String? {
    switch reason {
    case .testsUncalled(let tests): "\(CountText.counted(tests.count, "test")) passed without being called"
    case .testsUnlisted(let tests, _): "\(CountText.counted(tests.count, "declared test")) did not run"
    default: nil
    }
  }

  /// Returns which test ended the process, or how many did; nil if none did.
  ///
  /// - Parameter isAside: whether it is told beside what is worse.
  private func ended(isAside: Bool) -> String? {
    let quit = integration.tests.results.filter { $0.quit != nil }
    guard namesTests, let test = Self.only(quit), let end = test.quit else {
      return quit.isEmpty ? nil : "\(CountText.counted(quit.count, "test")) ended the process"
    }
    if end.isByTest { return "\(test.quotedTitle) \(end.words)" }
    // The row below has the place.
    return isAside ? "no test of \(test.id.suite) began" : end.sentence(before: test.id.suite, tellsPlace: false)
  }

  /// Returns how many tests did not run, and why, but for those of a class before which the process ended.
  private func notRun(_ noun: String = "test") -> String? {
    let tests = integration.tests.results
    let suites = Set(tests.filter { $0.quit?.isByTest == false }.map { [$0.id.module, $0.id.suite] })
    let count = tests.count { $0.state == .notRun && $0.quit == nil && !suites.contains([$0.id.module, $0.id.suite]) }
    return count > 0 ? MissingTestsWords.notRun(count, stoppedAfter: integration.limitOfTests, noun: noun) : nil
  }

  private var headline: String? { integration.headlineReason?.headline }

  private var incomplete: String {
    if integration.tests.counts.listed == 0 { return "Incomplete: \(headline ?? "no tests are listed")" }
    let parts =
      [ended(isAside: false), notRun("listed test")].compactMap(\.self) + integration.reasons.compactMap(Self.unproved)
    return "Incomplete: \(parts.isEmpty ? "the test run was cut off" : CountText.list(parts))"
  }
}

extension Integration {
  /// The issues of the gates that pass and failed in the baseline.
  fileprivate var gateIssuesEndedByPassing: [Issue] {
    let passed = Set(gates.filter { $0.state == .passed }.map(\.rule))
    return issues.filter { issue in
      issue.status == .resolved && issue.ending == .fixed && issue.gate.map(passed.contains) == true
    }
  }

  /// The red tests that were red before, but not in the baseline.
  fileprivate var comebacks: Set<TestID> {
    Set(issues.filter { $0.kind.isOfRedTest && $0.comeback != nil }.compactMap(\.test))
  }
}

extension StepRecord {
  /// Whether the step's process failed.
  var hasFailed: Bool { signal != nil || (exitStatus ?? 0) != 0 }
}
