import Model

/// One test as a row of the page of all tests.
struct TestRow {
  private let test: TestResult
  private let page: String?
  private let unbegunPage: String?
  private let destination: String?
  private let suspect: TemplateValue
  private let openIssue: TemplateValue
  private let findingAge: FindingAge?
  private let isAdded: Bool
  private let oldName: TestID?
  private let anchor: String
  private let longest: Double
  private let sources: ShownSources
  private let elsewhere: TemplateValue
  private let address: (Int) -> String?

  /// - Parameters:
  ///   - page: that of the test; nil if it has none.
  ///   - unbegunPage: the page of what kept the test from beginning, which all tests of its class share; nil for one that
  ///     began.
  ///   - destination: the destinations for which it ended so; nil if it did for all.
  ///   - suspect: who is suspected of it, and what they changed.
  ///   - openIssue: how it last ended, if that is an issue which is open as it did not run.
  ///   - isAdded: whether the baseline has no such test.
  ///   - oldName: the name that it had there, if that was another.
  ///   - longest: how long the longest test ran without waiting for others, which fills its bar, in seconds.
  ///   - elsewhere: how it ended for the other destinations for which it did not end as here.
  ///   - address: returns the address of an integration's report; nil for one without.
  init(
    _ test: TestResult, page: String?, unbegunPage: String?, destination: String?, suspect: TemplateValue,
    openIssue: TemplateValue, findingAge: FindingAge?, isAdded: Bool, oldName: TestID?, anchor: String,
    longest: Double, sources: ShownSources, elsewhere: TemplateValue, address: @escaping (Int) -> String?
  ) {
    self.test = test
    self.page = page
    self.unbegunPage = unbegunPage
    self.destination = destination
    (self.suspect, self.openIssue) = (suspect, openIssue)
    self.findingAge = findingAge
    (self.isAdded, self.oldName) = (isAdded, oldName)
    self.anchor = anchor
    self.longest = longest
    self.sources = sources
    self.elsewhere = elsewhere
    self.address = address
  }

  /// Returns the class by which the filter's style selects rows: each belongs to one filter, so that their counts add up.
  static func filter(of state: TestState, isFlaky: Bool) -> String {
    switch state {
    case .crashed, .timedOut, .failed: "red-t"
    case .canceled: "canceled-t"
    case .expectedFailure: "known-t"
    case .skipped: "skipped-t"
    case .passed: isFlaky ? "flaky-t" : "passed-t"
    case .notRun: "notrun-t"
    }
  }

  var record: TemplateValue {
    let transcript = TranscriptSection(test.transcript)
    return .record([
      "anchor": .text(anchor),
      "filters": .text(filters),
      "isRed": .flag(test.endsBadly),
      "name": .name(test.title),
      "function": test.displayName == nil ? .missing : .shown(test.id.name),
      "page": .optional(page ?? unbegunPage),
      "glyph": .text(unbegunPage == nil ? test.glyph : TestResult.quitGlyph),
      "word": .text(test.stateWord), "destination": .shown(ifAny: destination),
      "findingAge": findingAge?.record(address) ?? .missing,
      "isAdded": .flag(isAdded && findingAge?.isOfNewTest != true),
      "tags": .list(test.tags.map { .shown($0) }),
      "remarks": .list(remarks.map { .shown(FailureLine.firstLine($0)) }),
      "line": line, "suspect": suspect, "openIssue": openIssue, "elsewhere": elsewhere,
      "duration": test.state == .notRun && test.time == nil
        ? .missing : .text(DurationText.fine(ifKnown: test.ownTime)),
      "waited": .optional(test.waited > 0 ? DurationText.fine(test.waited) : nil),
      // Durations that read alike have bars alike.
      "bar": test.ownTime.map { Bar(share: DurationText.fineRounded($0) / DurationText.fineRounded(longest)).record }
        ?? .missing,
      "place": .place(place), "placeLink": sources.link(to: place),
      "allCases": allCases,
      "kinds": .list(
        CaseRow.kinds(of: test.isParameterised && passedCases == nil ? test.arguments ?? [] : []).map {
          CaseRow.record(ofAlike: $0, row(of:))
        }),
      "transcript": transcript.saysMore && transcript.isShort && !transcript.repeats(test.failures, test.crash)
        ? transcript.record : .missing,
      "longTranscript": transcript.saysMore && !transcript.isShort ? .text(transcript.words) : .missing,
    ])
  }

  /// Where it failed, otherwise where it is declared, as one that did not begin.
  private var place: SourceLocation? {
    (test.endsBadly && unbegunPage == nil ? test.badEnds.first?.location : nil) ?? test.location
  }

  private var filters: String {
    Self.filter(of: test.state, isFlaky: test.isFlaky)
      + (test.state.isRed && findingAge?.isNew == true ? " new-t" : "") + (isAdded ? " added-t" : "")
  }

  /// The cases of a test that passed with all of them, of which only their number is to be told; nil for any other test.
  private var passedCases: [TestArgument]? {
    test.state == .passed && test.isParameterised && test.arguments?.allSatisfy(\.isPlain) == true
      ? test.arguments : nil
  }

  private var allCases: TemplateValue {
    guard let passedCases, let words = test.caseCount else { return .missing }
    return .record(CaseRow.fold(passedCases[...], words: words, row(of:)))
  }

  private func row(of argument: TestArgument) -> CaseRow {
    CaseRow(argument: argument, sources: sources, isOfFlaky: test.isFlaky)
  }

  private var line: TemplateValue {
    guard !test.isParameterised || test.arguments?.allSatisfy({ $0.failures.isEmpty }) == true else { return .missing }
    guard test.state != .passed else { return .missing }
    return test.failures.first.map { FailureLine($0, of: test).record } ?? .missing
  }

  private var remarks: [String] {
    var remarks: [String] = []
    if let oldName { remarks.append("was \(oldName)") }
    if findingAge?.age == .silenced, let terms = findingAge?.remark { remarks.append(terms.capitalizedFirst) }
    if unbegunPage == nil, let end = test.quit?.words ?? RunWords.cutOff(test) { remarks.append(end) }
    if let reason = test.skipReason, !reason.isEmpty { remarks.append(reason) }
    let redCases = FlakyWords.redCases(of: test)
    if passedCases == nil, let cases = redCases ?? test.caseCount { remarks.append(cases) }
    let failures = test.failures.count + (test.leftOut?.failures ?? 0)
    let told = (test.arguments ?? []).count(where: \.state.isRed)
    if failures > max(told, 1) { remarks.append(CountText.counted(failures, "failure")) }
    for issue in test.knownIssues.prefix(3) { remarks.append(FailureLine.known(issue)) }
    for warning in test.warnings.prefix(3) { remarks.append("warning: \(warning.message)") }
    if let alone = test.alone { remarks.append("run alone: \(alone.state.word.lowercased())") }
    if !test.attachments.isEmpty { remarks.append(CountText.counted(test.attachments.count, "attachment")) }
    if redCases == nil, let attempts = FlakyWords.attempts(of: test) { remarks.append(attempts) }
    return remarks
  }
}

extension TestResult {
  var isParameterised: Bool { arguments?.isEmpty == false }
}
