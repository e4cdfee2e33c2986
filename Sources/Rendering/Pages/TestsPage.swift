import Model

struct TestsPage: ReportSection, Page {
  static let template = "tests"
  /// With more tests than this, suites without problems are folded.
  private static let mostOpen = 60

  let report: ReportContext
  private let number: Int
  /// How the tests ended over all destinations, which is what the page shows.
  private let tests: JudgedTests
  /// Those of the baseline; nil if there is nothing to compare with.
  private let countsBefore: [SuiteKey: TestTree.Counts]?
  private let added: Set<TestID>
  /// The names that renamed tests had in the baseline.
  private let oldNames: [TestID: TestID]
  private let kept: [TestID: TestResult]
  private let result: TestsResult
  /// The destinations that the heading begins with, because their tests did not run.
  private let worse: [Integration]
  /// The tests that end differently for other destinations.
  private let differing: [TestID: DifferingTest]

  /// A suite of a target, or the target itself.
  private struct SuiteKey: Hashable {
    var target: String
    var suite: String?
  }

  /// - Parameter number: the number of the page, from 1.
  init(_ report: ReportContext, number: Int) {
    self.report = report
    self.number = number
    tests = report.judgedTests
    countsBefore = JudgedTests.before(report.integration) { $0.silencedSinceBaseline }.map(Self.counts(before:))
    added = Set(report.integration.testChanges?.added ?? [])
    oldNames = (report.integration.testChanges?.renamed ?? []).keyed(by: \.to, \.from)
    kept = tests.results.keptFromBeginning
    result = TestsResult(report.integration)
    worse = TestsResult.missed(in: report.integration)
    differing = report.integration.cells.isEmpty ? [:] : report.integration.differingTests.keyed(by: \.test)
  }

  private static func counts(before: JudgedTests) -> [SuiteKey: TestTree.Counts] {
    var tests: [SuiteKey: [TestResult]] = [:]
    for test in before.results {
      tests[SuiteKey(target: test.id.module), default: []].append(test)
      tests[SuiteKey(target: test.id.module, suite: test.id.suite), default: []].append(test)
    }
    return tests.mapValues { TestTree.Counts(of: $0, silenced: before.silenced) }
  }

  /// Those of all destinations.
  var counts: TestCounts { tests.counts }

  private var silenced: Set<TestID> { tests.silenced }

  var frame: PageFrame {
    PageFrame(
      title: "Tests of \(integration.bot) \(integration.number): \(worseTitle ?? heading)", root: "", section: .tests,
      trail: [.init("Tests")], facts: report.facts)
  }

  var record: [String: TemplateValue] {
    let longest = tests.results.compactMap(\.ownTime).filter(\.isFinite).max() ?? 0
    let lists = number == 1 ? TestListSections(report: report) : nil
    let errors = didNotRun ? RedSection(report: report).errors : .missing
    return [
      "glyph": .text(worse.first.map { TestsResult($0).glyph } ?? result.glyph),
      "worse": .list(worse.indices.map(record(ofWorse:))),
      "heading": .shown(worse.isEmpty ? heading : result.wordsElsewhere),
      "sums": .list(sums.map(\.record)),
      "total": .optional(
        counts.listed > 1 && !tests.isOfSeveral ? tests.results.ownTime.map { DurationText.fine($0) } : nil),
      "listed": .list(counts.listed > 0 ? lists?.changeLinks ?? [] : []),
      "filteredOut": counts.filteredOut > 0 ? filteredOut : .missing,
      "only": .shown(ifAny: integration.tests.only.map { $0.sentences.joined(separator: " ") }),
      "bar": counts.listed > 0 ? TestSum.bar(of: counts, silenced: tests.silencedCounts).record : .missing,
      "choices": choices,
      "targets": .list(rows(longest: longest)),
      "pager": pager,
      "hasTests": .flag(counts.listed > 0), "missed": missed, "errors": errors,
      "elsewhere": TestsElsewhere.parts(of: integration, but: worse),
      "reasons": .list(
        integration.reasons.map { reason in
          .record([
            "sentence": .shown(reason.sentence),
            "link": didNotRun && errors == .missing ? .text("index.html") : .missing,
          ])
        }),
      "isolation": number == 1 ? UnsteadySection(report: report).isolation : .missing,
      "silenced": lists?.silenced ?? .missing,
      "slow": lists?.slow ?? .missing,
      "deleted": lists?.deleted ?? .missing,
      "sentences": number == 1 && integration.practice?.off?.contains(.names) != true
        ? SentencesSection(report: report).record : .missing,
      "unlisted": number == 1 ? unlisted : .missing,
      "neverRun": number == 1 ? neverRun : .missing,
      "written": number == 1 ? integration.tests.written?.record ?? .missing : .missing,
      "loose": number == 1 ? TranscriptSection(integration.tests.looseOutput).record : .missing,
      "looseLog": .optional(looseLog),
    ]
  }

  /// Where the log has what was printed outside any test: where the process ended before one could begin, if it did.
  private var looseLog: String? {
    guard report.books.contains(where: { $0.step == .testing }) else { return nil }
    let last = integration.tests.results.lazy.compactMap { report.logLines.lastLine(before: $0)?.link }.first
    return last ?? ReportPaths.log(.testing)
  }

  /// The states, but for those that the heading has: of tests that are not red, those that passed, are flaky or have no
  /// result.
  private var sums: [StateSum] {
    guard counts.listed > 0 else { return [] }
    let known = JudgedTests.before(integration) { $0.baseline?.silencedTests ?? [] }
    let before = comparable == nil ? nil : known.map { (all: $0.counts, silenced: $0.silencedCounts) }
    let sums = StateSum.all(of: counts, silenced: tests.silencedCounts, baseline: before)
    return counts.red > 0 ? sums : sums.dropFirst().filter { $0.count == 0 || !$0.isInHeading }
  }

  private var filteredOut: TemplateValue {
    let before = comparable?.filteredOut
    return .record([
      "count": .text(CountText.plain(counts.filteredOut)),
      "delta": before.flatMap { $0 == counts.filteredOut ? nil : Delta(counts.filteredOut, from: $0, .neutral) }.record,
    ])
  }

  /// The counts to compare with those of this integration; nil if either of the two did not reach its tests.
  private var comparable: TestCounts? {
    integration.reachedTests == nil ? nil : integration.baseline?.reachedTests
  }

  private var didNotRun: Bool { result.didNotRun }

  /// How many tests ran before those of this integration did not.
  private var missed: TemplateValue {
    let before = didNotRun ? integration.baseline.flatMap(TestSum.ran(in:)) : nil
    return before?.record { report.address(of: $0) } ?? .missing
  }

  /// What became of the tests, on the page of another destination than the first one with its name.
  private var heading: String { result.words(for: integration.isCell ? integration.destination?.name : nil) }

  /// The beginning of the title where tests did not run: it has no room for both.
  private var worseTitle: String? { worse.first.map { TestsResult($0).words(for: $0.destination?.name) } }

  private func record(ofWorse index: Int) -> TemplateValue {
    let cell = worse[index]
    return .record([
      "words": index == 0 ? .text(TestsResult(cell).words) : .missing,
      "name": .shown(cell.destination?.name ?? ""), "link": .text("\(cell.placeOfReport)tests.html"),
      "after": .text(index == worse.count - 1 ? ";" : ","),
    ])
  }

  /// Returns how a test ended for the other destinations for which it did not end as told; where it ended badly for some,
  /// it passed for all others.
  private func elsewhere(_ test: TestResult) -> TemplateValue {
    guard let differing = differing[test.id] else { return .list([]) }
    let told = tests.destination(of: test.id)
    let names = integration.all.compactMap(\.destination?.name).filter { name in
      guard name != told, let state = differing.states[name] else { return false }
      return state != test.state && !(test.endsBadly && state == .passed)
    }
    return .list(names.map { DestinationsSection(report: report).mark(of: differing, for: $0) })
  }

  /// Returns the destinations for which a test ended as told, or the only one; nil if that is so for all.
  private func destination(of test: TestID) -> String? {
    guard !integration.cells.isEmpty else { return nil }
    let told = tests.destination(of: test)
    return RedSection(report: report).destinations(of: test) ?? (told == integration.destination?.name ? nil : told)
  }

  /// Returns the page of a test in the report of the destination that tells how it ended; nil if it has none.
  private func page(of test: TestResult) -> String? {
    guard let telling = report.telling(test.id) else {
      return tests.destination(of: test.id).flatMap { integration.page(of: test.id, for: $0) }
    }
    guard TestPage.isNeeded(for: test) else { return nil }
    return RedSection(report: telling, on: report).root + telling.paths.page(of: test.id)
  }

  /// Returns the issue that represents a test that ended badly.
  private func issue(of test: TestResult) -> Issue? {
    report.telling(test.id).flatMap { RedSection(report: $0, on: report).issue(of: test) }
  }

  /// Returns the age of a bad end.
  private func age(of test: TestResult) -> FindingAge? {
    report.telling(test.id)?.age(of: test, keptFromBeginningWith: kept[test.id])
  }

  private static let red = "red"
  /// With more tests, those that are red are on no screen together.
  private static let mostUnchosen = 100

  /// Whether it shows at first only those that are red.
  private var showsRed: Bool { counts.red > 0 && counts.listed > Self.mostUnchosen }

  /// The filters, whose counts add up to all tests, but for those of what is new among the red and of what was added.
  /// Where all tests are of one, there is nothing to choose.
  private var choices: TemplateValue {
    let new = tests.results.count { $0.state.isRed && age(of: $0)?.isNew == true }
    let red = silenced.isEmpty ? "Red" : silenced.count == counts.red ? "Silenced" : "Red or silenced"
    let all: [(id: String, word: String, glyph: String?, count: Int)] = [
      (Self.red, red, "failed", counts.red), ("new", "Newly red", nil, new < counts.red ? new : 0),
      ("flaky", "Flaky", "flaky", counts.flaky),
      (
        "notrun", counts.quit == 0 ? "Not run" : counts.unseen == 0 ? TestResult.quitWord : "Not run or quit",
        notRunGlyph, counts.notRun
      ),
      ("known", "Known issue", "known", counts.expectedFailures), ("skipped", "Skipped", "skipped", counts.skipped),
      ("canceled", "Canceled", "canceled", counts.canceled),
      ("passed", "Passed", "passed", counts.steady),
      ("added", "Added", nil, added.count > 1 && added.count < counts.listed ? added.count : 0),
    ]
    let rest = all.filter { $0.count > 0 }
    guard rest.count > 1 else { return .missing }
    return .record([
      "all": .text(CountText.plain(counts.listed)), "showsAll": .flag(!showsRed),
      "rest": .list(
        rest.map { choice in
          .record([
            "id": .text(choice.id), "word": .text(choice.word), "count": .text(CountText.plain(choice.count)),
            "isChosen": .flag(showsRed && choice.id == Self.red),
            "glyph": .optional(choice.glyph),
          ])
        }),
    ])
  }

  /// What stands for the tests that did not run; the sign of their rows, where that is the same for all.
  private var notRunGlyph: String {
    let quit = tests.results.count { $0.quit != nil }
    return counts.notRun == quit + kept.count ? TestResult.quitGlyph : TestState.notRun.glyph
  }

  /// Tests that the sources declare, and that are in no list of tests.
  private var unlisted: TemplateValue {
    let tests = integration.tests.unlisted
    guard !tests.isEmpty else { return .missing }
    // Where all have one cause, it stands above them.
    let isOneCause = Set(tests.map(\.cause)).count == 1
    return .record([
      "count": .text(
        CountText.counted(tests.count, "test") + (isOneCause ? ", \(tests[0].cause.words)" : "")),
      "hasWhy": .flag(!isOneCause),
      "rows": .list(
        tests.prefix(500).map { test in
          let place = SourceLocation(file: test.file, line: test.line)
          return .record([
            "name": .shown(test.name), "why": isOneCause ? .missing : .text(test.cause.words),
            "place": .place(place), "placeLink": sources.link(to: place),
          ])
        }),
      "more": tests.count > 500 ? .text(CountText.counted(tests.count - 500, "more test")) : .missing,
    ])
  }

  /// Methods that look like tests but are not, by target.
  private var neverRun: TemplateValue {
    let methods = integration.tests.neverRun
    guard !methods.isEmpty else { return .missing }
    return .record([
      "count": .text(CountText.counted(methods.count, "method")),
      "delta": integration.deltas?.neverRun.flatMap { Delta($0, from: 0, .moreIsWorse) }.record ?? .missing,
      "rows": .list(
        methods.prefix(500).map { method in
          .record([
            "name": .shown(method.name), "target": .shown(method.target), "why": .text(method.cause.sentence),
            "place": .place(method.location), "placeLink": sources.link(to: method.location),
          ])
        }),
      "more": methods.count > 500 ? .text(CountText.counted(methods.count - 500, "more method")) : .missing,
    ])
  }

  private var pager: TemplateValue {
    Pager.record(
      report.paging.pages.indices.map { TestPaging.path($0 + 1) }, current: number - 1, of: "the tests",
      note: "Names and states are filtered on this page only.")
  }

  /// Returns the targets on this page; the figures of a target or a suite cover all its tests, on any page.
  private func rows(longest: Double) -> [TemplateValue] {
    let whole = report.tree
    let here = Set(report.paging.pages[number - 1].map(\.id))
    return whole.targets.compactMap { target in
      let suites = target.suites.compactMap { suite in
        let shown = suite.tests.filter { here.contains($0.id) }
        let isOnly = target.suites.count == 1
        return shown.isEmpty ? nil : record(of: suite, isOnly: isOnly, in: target, shown: shown, longest: longest)
      }
      return suites.isEmpty ? nil : record(of: target, suites: suites)
    }
  }

  /// Returns how long the tests of a target or a suite ran; empty where no run has that time.
  private func time(of some: [TestResult]) -> String {
    tests.isOfSeveral ? "" : DurationText.fine(ifKnown: some.ownTime)
  }

  /// Returns the counts of a target or a suite in the baseline; nil if there is no comparison.
  private func before(_ target: String, _ suite: String? = nil) -> TestTree.Counts? {
    guard integration.outcome.isConclusive, integration.outcome != .buildErrors, let countsBefore else { return nil }
    return countsBefore[SuiteKey(target: target, suite: suite)] ?? TestTree.Counts(all: TestCounts())
  }

  private func record(of target: TestTree.Target, suites: [TemplateValue]) -> TemplateValue {
    let sign = TestTree.sign(of: target.tests, silenced: silenced)
    return .record([
      "name": .shown(target.name),
      "anchor": .text(ReportPaths.anchor(ofTarget: target.name)),
      "glyph": .text(sign.glyph), "style": .text(sign.style),
      "summary": TestTree.summary(target.tests, silenced: silenced, before: before(target.name)),
      "duration": .text(time(of: target.tests)),
      "library": .optional(target.library),
      "suites": .list(suites),
    ])
  }

  /// Returns what ended the process before any test of a suite began; missing for any other suite.
  private func cause(of suite: TestTree.Suite) -> TemplateValue {
    guard let first = suite.tests.first(where: { $0.quit?.isByTest == false }), let quit = first.quit else {
      return .missing
    }
    func place(_ location: SourceLocation) -> TemplateValue {
      .record(["place": .place(location), "placeLink": sources.link(to: location)])
    }
    return .record([
      "words": .shown(quit.sentence(before: suite.title, tellsPlace: false)),
      "issue": .optional(issue(of: first).flatMap { issueIndex.page(of: $0.id) }),
      "at": quit.location.map(place) ?? .missing, "calledFrom": quit.calledFrom.map(place) ?? .missing,
      "suspect": suspect(of: first),
    ])
  }

  /// Returns the page of what ended the process before a test began; nil for a test that began.
  private func unbegunPage(of test: TestResult) -> String? {
    let first = kept[test.id] ?? test
    return first.quit?.isByTest == false ? page(of: first) : nil
  }

  /// Returns how a test that did not run last ended, if that is an open issue, with its page; missing for any other test.
  private func openIssue(of test: TestResult) -> TemplateValue {
    guard test.state == .notRun, test.quit == nil, kept[test.id] == nil,
      let issue = integration.issues.first(where: { $0.isUnchecked && $0.kind.isOfRedTest && $0.test == test.id }),
      let ending = TestState.allCases.first(where: { $0.issueKind == issue.kind }),
      let last = issueIndex.record(of: issue)?.streaks.last
    else { return .missing }
    return .record([
      "words": .text("\(ending.word.lowercased()) in \(last.lastSeen)"),
      "link": .optional(issueIndex.page(of: issue.id)),
    ])
  }

  /// Returns who is suspected of a red test, and the changed line that speaks for it; missing where nobody is.
  private func suspect(of test: TestResult) -> TemplateValue {
    guard let issue = issue(of: test), let suspect = issueIndex.suspect(of: issue) else { return .missing }
    return report.record(of: suspect, issue, issueIndex.record(of: issue)?.suspectedHunk)
  }

  private func record(
    of suite: TestTree.Suite, isOnly: Bool, in target: TestTree.Target, shown: [TestResult], longest: Double
  ) -> TemplateValue {
    let libraries = Set(suite.tests.map(\.library.rawValue)).sorted()
    let cause = cause(of: suite)
    let sign = TestTree.sign(of: suite.tests, silenced: silenced)
    // Where none of its tests began, their rows say which are new.
    let before = cause == .missing ? before(target.name, suite.name) : nil
    return .record([
      "name": .shown(suite.title),
      "type": .shown(ifAny: suite.displayName == nil ? nil : suite.path), "cause": cause,
      "isFolded": .flag(
        tests.results.count > Self.mostOpen && suite.tests.allSatisfy { $0.state == .passed && !$0.isFlaky }
      ),
      "glyph": .text(sign.glyph), "style": .text(sign.style),
      // The row of the target already has the summary of its only suite.
      "summary": isOnly ? .missing : TestTree.summary(suite.tests, silenced: silenced, before: before),
      "duration": .text(isOnly ? "" : time(of: suite.tests)),
      "library": target.library == nil ? .text(libraries.joined(separator: ", ")) : "",
      "tests": .list(
        shown.map { test in
          TestRow(
            test, page: page(of: test), unbegunPage: unbegunPage(of: test), destination: destination(of: test.id),
            // What kept all from beginning is told of the suite.
            suspect: test.quit?.isByTest == false ? .missing : suspect(of: test), openIssue: openIssue(of: test),
            findingAge: age(of: test), isAdded: added.contains(test.id), oldName: oldNames[test.id],
            anchor: paths.anchor(of: test.id), longest: longest,
            sources: report.sources(for: report.telling(test.id) ?? report), elsewhere: elsewhere(test),
            address: { report.address(of: $0, with: test.id) }
          ).record
        }),
    ])
  }
}
