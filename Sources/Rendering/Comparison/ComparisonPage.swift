import Model

/// The page that compares two integrations.
package struct ComparisonPage {
  /// The path of the page, relative to the top of a report.
  package static let path = "compare.html"
  /// The path of its commits.
  static let commits = "\(path)#commits"
  /// The maximum number of rows in a table.
  static let most = 300

  /// Links into the two reports; nil where there is no target.
  struct Links: Sendable {
    var before: String?
    var after: String?
    /// The address of a test in the second report.
    var test: @Sendable (TestID) -> String? = { _ in nil }
    /// The name of a test of the second report.
    var title: @Sendable (TestID) -> String? = { _ in nil }
    /// The page of a test for a destination of the second report that does not lead it.
    var testElsewhere: @Sendable (TestID, _ destination: String) -> String? = { _, _ in nil }
    /// The list of the tests of the second report by duration.
    var durations: String?
    /// The page of an issue in the second report.
    var issue: @Sendable (String) -> String? = { _ in nil }
    /// How a test fails in the second integration, for a destination, where its report tells more than the message.
    var failure: @Sendable (TestID, _ destination: String?) -> String? = { _, _ in nil }
    /// The address of a source, or of one of its lines, in the second report.
    var source: @Sendable (String, Int?) -> String? = { _, _ in nil }
    /// The page of a source in the second report, by its path in the repository.
    var file: @Sendable (String) -> String? = { _ in nil }
    /// The report of an earlier integration of the same bot.
    var integration: @Sendable (Int) -> String? = { _ in nil }
    /// The integration of the same bot that is of a commit; nil if none is known.
    var number: @Sendable (CommitID) -> Int? = { _ in nil }
    /// The line of what is no longer found, in the report of the integration that last saw it.
    var lastSource: @Sendable (_ issue: String) -> String? = { _ in nil }
    /// What mended an issue in the second integration.
    var fix: @Sendable (_ issue: String) -> Fix? = { _ in nil }
    /// Who fixed an issue in the second integration of which it is not known how.
    var fixer: @Sendable (_ issue: String) -> String? = { _ in nil }
    /// What was changed by whoever is suspected of an issue of the second integration.
    var hunk: @Sendable (_ issue: String) -> SourceHunk? = { _ in nil }
    /// Whether the first integration is the branch point of the second.
    var isFromBranchPoint = false
    /// The pages that compare the second integration with other ones, and those.
    var others: [(path: String, words: String)] = []
    /// The page that compares it with one that built, and that one.
    var built: (path: String, words: String)?
    /// Links to the steps of the other destinations of the second integration.
    var steps: [TemplateValue] = []
    /// The number of changed files without a source page, where others have one.
    var filesLeft = 0
  }

  let comparison: IntegrationComparison
  let words: ComparisonWords
  let links: Links
  let time: LocalTime

  init(_ comparison: IntegrationComparison, links: Links = Links(), time: LocalTime) {
    (self.comparison, self.links, self.time) = (comparison, links, time)
    words = ComparisonWords(comparison)
  }

  var title: String { words.headline }

  var record: [String: TemplateValue] {
    let start = comparison.before.startedAt
    return [
      "glyph": .text(comparison.after.glyph), "sentence": .heading(words.headline),
      "before": .shown(words.before), "after": .shown(words.after),
      "sides": .list([
        side(comparison.before, words.before, date: time.minute(of: start), link: links.before),
        side(
          comparison.after, words.after, date: time.minute(of: comparison.after.startedAt, beside: start),
          link: links.after),
      ]),
      "others": .list(links.others.map(Self.link)), "between": commitLine,
      "limit": .shown(ifAny: links.built == nil ? words.limit : words.unbuilt),
      "built": links.built.map(Self.link) ?? .missing, "caution": .shown(ifAny: words.caution),
      "circumstances": circumstances, "otherCounts": record(of: untoldCounts.filter { !isOfCoverage($0) }),
      "steps": steps, "stepsOf": .shown(ifAny: comparison.after.destinations?.first?.name),
      "stepsOfOthers": .list(links.steps),
      "foldsSteps": .flag(words.unbuilt != nil), "ofAfter": .optional(figuresOfAfter),
      "hasChange": .flag(stepsHaveChange),
      "tests": words.limit == nil ? tests : .missing, "gates": gates,
      "measured": measured,
      "coverage": hasCoverage ? coverage : .missing, "places": places,
      "unchanged": .optional(unchanged),
      "functions": functions,
      "issues": issues, "commits": commits, "changedFiles": changedFiles,
    ]
  }

  private static func link(_ page: (path: String, words: String)) -> TemplateValue {
    .record(["words": .text(page.words), "link": .text(page.path)])
  }

  private func side(
    _ side: IntegrationComparison.Side, _ label: String, date: String, link: String?
  ) -> TemplateValue {
    .record([
      "glyph": .text(side.glyph), "label": .shown(label), "link": .optional(link),
      "word": .text(side.outcomeWord.lowercasedFirst),
      // That of the only commit stands above.
      "sha": .optional(words.onlyCommit?.id == side.commit.id ? nil : side.commit.id.short),
      "branch": .shown(ifAny: side.branch), "date": .text(date),
      "machineDate": .text(time.machine(of: side.startedAt)),
      "isUp": .flag(side == comparison.before),
      "role": side == comparison.before && links.isFromBranchPoint ? "the branch point" : .missing,
    ])
  }

  private var circumstances: TemplateValue {
    guard !comparison.circumstances.isEmpty else { return .missing }
    return .record([
      "rows": .list(
        comparison.circumstances.map { change in
          .record([
            "name": .shown(change.name), "before": .shown(ifAny: change.before), "after": .shown(ifAny: change.after),
          ])
        })
    ])
  }

  /// The counts that changed and that no section says, since it lists what was counted or has it in its summary.
  private var untoldCounts: [CountChange] {
    let tellsTests = words.limit == nil && comparison.tests.reason == nil
    let tellsLines = words.limit == nil && words.coverageSummary != nil
    return words.changedCounts.filter { count in
      switch count.name {
      case .red, .listed, .passed, .expectedFailures, .skipped, .notRun, .canceled, .flaky: !tellsTests
      case .uncoveredLines, .coveredLines: !tellsLines
      case .warnings: !listsChange(count, of: .warning)
      case .analyzerWarnings: !listsChange(count, of: .analyzerWarning)
      case .filteredOut, .partialLines, .uncoveredRegions, .uncoveredFunctions: true
      }
    }
  }

  /// Whether the new and the resolved issues of a kind are all that a count changed by.
  private func listsChange(_ count: CountChange, of kind: Issue.Kind) -> Bool {
    let new = comparison.issues.new.count { $0.kind == kind }
    let gone = comparison.issues.gone.count { $0.kind == kind }
    return count.change == new - gone
  }

  private var hasCoverage: Bool { words.limit == nil && !isCoverageUnchanged && !words.hasNoCoverage }

  /// Whether the section of the coverage has a count.
  private func isOfCoverage(_ count: CountChange) -> Bool {
    switch count.name {
    case .partialLines, .uncoveredRegions, .uncoveredFunctions: hasCoverage
    case .red, .listed, .passed, .expectedFailures, .skipped, .notRun, .canceled, .flaky, .filteredOut, .warnings,
      .analyzerWarnings, .uncoveredLines, .coveredLines:
      false
    }
  }

  /// The counts of the coverage that changed beside the lines that never ran, as phrases.
  var coverageCounts: TemplateValue {
    .list(
      untoldCounts.filter(isOfCoverage).compactMap { count in
        count.after.map { .record(["words": .text(count.name.counted($0)), "delta": words.delta(of: count).record]) }
      })
  }

  /// Missing without any.
  private func record(of counts: [CountChange]) -> TemplateValue {
    guard !counts.isEmpty else { return .missing }
    let rows = counts.map { count -> TemplateValue in
      .record([
        "label": .text(count.name.label), "before": .text(count.before.map(CountText.plain) ?? "–"),
        "after": .text(count.after.map(CountText.plain) ?? "–"), "delta": words.delta(of: count).record,
      ])
    }
    return .record(["rows": .list(rows)])
  }

  /// The results of the second integration, where they are compared with another one than the first; nil without any.
  private var figuresOfAfter: String? {
    guard links.built != nil else { return nil }
    let tests = [(CountName.red, "red"), (CountName.passed, "passed")].compactMap { name, word in
      comparison.count(name)?.after.flatMap { $0 > 0 ? "\(CountText.plain($0)) \(word)" : nil }
    }
    let lines = (comparison.coverage.after?.lines).map {
      "\(CountText.plain($0.uncovered)) of \(CountText.counted($0.total, "line")) never ran"
    }
    return (tests + [lines].compactMap(\.self)).nonEmpty.map { "\(words.after): \($0.joined(separator: ", "))." }
  }

  /// What needs no section, because nothing of it changed.
  private var unchanged: String? {
    guard words.limit == nil else { return nil }
    let tests = areTestsUnchanged && !words.hasNoTests ? words.sameTests : nil
    let all = [tests, isCoverageUnchanged ? unchangedCoverage : nil]
      .compactMap(\.self)
    return all.isEmpty ? nil : all.joined(separator: "; ").capitalizedFirst
  }

  private var areTestsUnchanged: Bool {
    comparison.tests.reason == nil && comparison.tests.remarks.isEmpty && words.testGroups.isEmpty
  }

  private var tests: TemplateValue {
    if areTestsUnchanged || words.hasNoTests { return .missing }
    let rows = words.testGroups.flatMap { group in group.tests.prefix(group.isBrief ? 1 : .max).map { (group, $0) } }
    return .record([
      "summary": .shown(words.testSummary), "reason": .shown(ifAny: comparison.tests.reason),
      "remarks": .list(comparison.tests.remarks.map { .shown($0) }),
      "hasRows": .flag(!rows.isEmpty), "rows": .list(rows.prefix(Self.most).map { row($1, in: $0) }),
      "left": rows.count > Self.most ? .text(CountText.counted(rows.count - Self.most, "more test")) : .missing,
      "rule": comparison.tests.slower.isEmpty && comparison.tests.faster.isEmpty ? .missing : .text(words.paceRule),
    ])
  }

  private func row(_ test: TestChange, in group: ComparisonWords.TestGroup) -> TemplateValue {
    let isRed = test.after?.state.isRed
    let failure = (isRed ?? test.before?.state.isRed) == true ? test.failure : nil
    let (file, line) = failure?.file == nil ? (test.file, test.line) : (failure?.file, failure?.line)
    let quit = test.isNowQuit || test.isNowWithoutRun ? test.after?.quit : nil
    let place = quit?.location ?? file.flatMap { file in line.map { SourceLocation(file: file, line: $0) } }
    let others = group.isBrief ? group.tests.count - 1 : 0
    let told = isRed == true ? links.failure(test.id, group.destinations.first) : nil
    return .record([
      "name": .shown(test.title), "suite": .shown(home(of: test.id)), "link": .optional(link(to: test.id, in: group)),
      "was": .shown(ifAny: test.was?.description), "suspect": suspect(of: test, in: group),
      "isStop": .flag(test.before?.state.isRed == false && test.after?.state.isRed == true),
      "before": Self.state(of: test.before, isTimed: group.isOfTime),
      "after": Self.state(of: test.after, isTimed: group.isOfTime), "word": .text(group.wordWithPlace),
      "last": lastly(test.last),
      "say": .shown(ifAny: told ?? failure.map { Self.line(of: $0, words.issue(of: test, in: group)) } ?? quit?.call),
      "place": .place(place),
      // A line of the first integration may be another one in the second.
      "placeLink": .optional(
        isRed == true || quit != nil ? place.flatMap { links.source($0.file, $0.line) } : nil),
      "listLink": .optional(group.isBrief ? links.durations : nil),
      "others": others > 0 ? .text("and \(CountText.counted(others, "other test"))") : .missing,
    ])
  }

  /// Returns a failure on one line; the issue of a sanitizer's report has it without the stacks.
  private static func line(of failure: IntegrationRecord.Failure, _ issue: Issue?) -> String {
    guard let issue, issue.kind == .sanitizer, let place = issue.location, place.file == failure.file,
      place.line == failure.line
    else { return FailureLine.brief(of: failure.message) }
    return FailureLine.brief(of: issue.message)
  }

  /// Returns an integration of the same bot, such as the one in which something was last as it is now.
  func lastly(_ number: Int?) -> TemplateValue {
    number.map { .record(["number": .text("\($0)"), "link": .optional(links.integration($0))]) } ?? .missing
  }

  /// Returns the suite of a test, with its target where tests of several targets are listed.
  private func home(of test: TestID) -> String {
    words.testGroups.contains { $0.tests.contains { $0.id.module != test.module } }
      && test.home != test.module ? "\(test.module) / \(test.home)" : test.home
  }

  private func link(to test: TestID, in group: ComparisonWords.TestGroup) -> String? {
    let lead = comparison.after.destinations?.first?.name
    guard let destination = group.destinations.first, destination != lead else { return links.test(test) }
    return links.testElsewhere(test, destination)
  }

  private static func state(of side: TestChange.Side?, isTimed: Bool) -> TemplateValue {
    guard let side else { return .missing }
    let isFlaky = side.isFlaky && side.state == .passed
    let glyph = isFlaky ? "flaky" : side.quit == nil ? side.state.glyph : TestResult.quitGlyph
    return .record([
      "glyph": .text(glyph), "style": .text(side.silenced == true ? "silenced" : glyph),
      "word": .text(side.word + (isFlaky ? ", flaky" : "")),
      "time": isTimed ? .text(DurationText.fine(side.duration)) : .missing,
    ])
  }
}

extension ComparisonPage {
  /// A function of one file, with its lines by category of change.
  private struct Function {
    var path: String
    var name: String
    /// The first of its lines in a list of places.
    var first: Int
    /// The number of its places in the lists.
    var places: Int
    var counts: [ComparisonWords.PlaceGroup.Kind: Int] = [:]

    var worse: Int { (counts[.lost] ?? 0) + (counts[.new] ?? 0) }
  }

  /// The functions with lines that were lost, never ran or were gained; missing if hardly any has more than one place, since
  /// the places have their functions.
  var functions: TemplateValue {
    let functions = touchedFunctions
    let places = functions.reduce(0) { $0 + $1.places }
    guard !functions.isEmpty, functions.count * 4 <= places * 3 else { return .missing }
    return .record([
      "summary": .text(CountText.counted(functions.count, "function")),
      "rows": .list(functions.prefix(Self.most).map(row)),
      "hasLost": .flag(functions.contains { $0.counts[.lost] != nil }),
      "hasNew": .flag(functions.contains { $0.counts[.new] != nil }),
      "hasGained": .flag(functions.contains { $0.counts[.gained] != nil }),
      "left": functions.count > Self.most
        ? .text(CountText.counted(functions.count - Self.most, "more function")) : .missing,
    ])
  }

  /// The touched functions: those that got worst first, then by path and line.
  private var touchedFunctions: [Function] {
    let groups = words.placeGroups.filter { [.lost, .new, .gained].contains($0.kind) }
    let told = groups.flatMap { group in
      group.places.compactMap { file, place in
        place.function.map { (kind: group.kind, path: file.path, name: $0, place: place) }
      }
    }
    let functions = told.sorted { ($0.path, $0.place.first) < ($1.path, $1.place.first) }
      .grouped { [$0.path, $0.name] }.map { places in
        Function(
          path: places[0].path, name: places[0].name, first: places[0].place.first, places: places.count,
          counts: Dictionary(places.map { ($0.kind, $0.place.count) }, uniquingKeysWith: +))
      }
    return functions.enumerated().sorted { ($1.element.worse, $0.offset) < ($0.element.worse, $1.offset) }
      .map(\.element)
  }

  private func row(of function: Function) -> TemplateValue {
    func count(_ kind: ComparisonWords.PlaceGroup.Kind) -> TemplateValue {
      .text(function.counts[kind].map(CountText.plain) ?? "–")
    }
    return .record([
      "name": .name(function.name),
      "file": .name(SourceLocation.fileName(of: function.path)),
      "link": .optional(links.source(function.path, function.first)), "lost": count(.lost),
      "newNeverRan": count(.new), "gained": count(.gained),
    ])
  }
}

extension ComparisonPage {
  /// The values that the tests of either integration measured.
  var measured: TemplateValue {
    let rows = comparison.tests.measured
    guard !rows.isEmpty else { return .missing }
    return .record([
      "summary": .shown(ifAny: words.measuredSummary), "hasChange": .flag(rows.contains { $0.change != nil }),
      "rows": .list(rows.prefix(Self.most).map(row)),
      "left": rows.count > Self.most
        ? .text(CountText.counted(rows.count - Self.most, "more measured value")) : .missing,
      "rule": .text(MeasurementWords.rule(comparison.tests.measurementRule)),
    ])
  }

  private func row(_ measured: MeasuredTest) -> TemplateValue {
    func value(_ figure: MeasuredFigure?) -> TemplateValue { .optional(figure.map { "\($0.average)" }) }
    func side(_ figure: MeasuredFigure?) -> TemplateValue {
      .shown(ifAny: figure.map(MeasurementWords.figure))
    }
    return .record([
      "name": .shown(measured.title), "suite": .shown(measured.id.home), "link": .optional(links.test(measured.id)),
      "metric": .shown((measured.after ?? measured.before)?.metric ?? ""), "before": side(measured.before),
      "beforeValue": value(measured.before), "afterValue": value(measured.after),
      "after": side(measured.after), "change": MeasurementRow.record(of: measured.change),
    ])
  }
}
