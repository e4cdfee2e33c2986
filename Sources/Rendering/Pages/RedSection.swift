import Model
import Syntax

/// What keeps an integration from being green, for its first screen: tests, failed gates, build errors, tests that did
/// not run, and of one that is not red its warnings.
struct RedSection: ReportSection {
  private static let most = 50
  /// The maximum number of warnings with different messages.
  private static let mostWarnings = 10
  /// Fewer tests with one message are not worth a fold.
  private static let leastAlike = 3

  let report: ReportContext
  /// The report whose page has the tables: that of the first destination has those of all.
  let whole: ReportContext

  /// - Parameter whole: the report whose page has the tables; nil for the destination's own.
  init(report: ReportContext, on whole: ReportContext? = nil) {
    self.report = report
    self.whole = whole ?? report
  }

  /// The red tests, failed gates, tests that ended their process, and flaky tests, in the order of the heading.
  var tests: TemplateValue {
    let silences = integration.silencedTests
    let counting = integration.tests.results.filter { $0.endsBadly && silences[$0.id] == nil && tells($0.id) }
      .inOrder { report.age(of: $0)?.isNew == true }
    let gates = integration.countingFailedGates
    let unsteady = whole === report ? UnsteadySection(report: report) : nil
    let unbegun = counting.filter { $0.quit?.isByTest == false }
    let kept = unbegun.flatMap { integration.tests.results.kept(fromBeginningWith: $0) }
    let kinds = [
      (counting.count(where: \.state.isRed), "red test", "red tests"), (gates.count, "failed gate", "failed gates"),
      (counting.count { $0.quit?.isByTest == true }, "test that quit", "tests that quit"),
      (unbegun.count + kept.count, "test that did not begin", "tests that did not begin"),
      (unsteady?.count ?? 0, "flaky test", "flaky tests"),
    ].filter { $0.0 > 0 }
    guard !kinds.isEmpty else { return .missing }
    let rows = alike(counting)
    let untold = rows.dropFirst(Self.most).joined().flatMap { test in
      [test] + integration.tests.results.kept(fromBeginningWith: test)
    }
    let flaky = unsteady?.rows ?? []
    let told = counting.waitingAlike
    let again = self.again(counting, isOne: counting.count + kept.count == 1)
    let rest = rest(counting, beside: again?.command, tellsFlaky: unsteady?.tests.contains(where: \.isFlaky) == true)
    let ages = counting.compactMap(report.age) + gates.compactMap { report.age(of: issue(of: $0)) }
    return .record([
      "caption": .shown(CountText.list(kinds.map { CountText.counted($0.0, $0.1, $0.2) }) + suffix),
      "label": .text(
        counting.contains(where: \.state.isRed) || !gates.isEmpty
          ? "Red"
          : counting.isEmpty
            ? "Flaky" : unbegun.count == counting.count ? "Did not begin" : TestResult.quitWord),
      "rows": .list(rows.prefix(Self.most).filter { $0[0].state.isRed }.map { record(of: $0, without: told) }),
      "gates": .list(gates.map(record(of:))),
      "quits": .list(rows.prefix(Self.most).filter { !$0[0].state.isRed }.map { record(of: $0) }),
      "flaky": .list(flaky),
      "left": left(untold.count + (unsteady?.count ?? 0) - flaky.count, "more test"),
      "all": .text("\(root)tests.html"),
      "hasWho": .flag(
        whole.hasSuspect(among: counting.compactMap { issue(of: $0) } + gates.compactMap { issue(of: $0) })
          || unsteady?.namesSomebody == true),
      "hasSince": .flag(!ages.isEmpty || unsteady?.hasPast == true),
      "again": .optional(again?.words), "command": again.map { .command($0.command) } ?? .missing,
      "rest": .list(rest.map { .record(["words": .shown($0.words), "command": .command($0.command)]) }),
    ])
  }

  /// Returns the command that shows again how the tests ended, and what it does; nil without one.
  ///
  /// - Parameter isOne: whether it runs a single test.
  private func again(_ bad: [TestResult], isOne: Bool) -> (words: String, command: String)? {
    guard let again = RepeatCommands.shortest(bad, of: integration) else {
      return RepeatCommands.untilFlakyFails(of: integration)
    }
    if isOne, let issue = report.issues[bad[0].id], report.flakyPast(of: issue) != nil {
      return RepeatCommands(bad[0], of: integration).loop
    }
    return ("\(again.label):", again.command)
  }

  /// Returns the other commands: that for tests that the first one leaves out, and that for a flaky one.
  private func rest(
    _ bad: [TestResult], beside first: String?, tellsFlaky: Bool
  ) -> [(words: String, command: String)] {
    let left = RepeatCommands.rest(bad, of: integration).map { (words: "\($0.label):", command: $0.command) }
    let flaky = tellsFlaky ? RepeatCommands.untilFlakyFails(of: integration, isNamed: true) : nil
    return [left, flaky?.command == first ? nil : flaky].compactMap(\.self)
  }

  var errors: TemplateValue {
    let errors = integration.diagnostics.filter { $0.severity == .error }
    // Where files of one name are meant, their paths tell them apart.
    let paths = Dictionary(grouping: Set(errors.compactMap(\.location?.file)), by: SourceLocation.fileName(of:))
    return table(
      errors, caption: "Errors of the build", label: "Error",
      hasWho: report.hasSuspect(among: errors.compactMap(issue(of:))),
      hasSince: errors.contains { report.age(of: issue(of: $0)) != nil },
      command: integration.outcome == .buildErrors ? integration.buildCommand : nil,
      left: left(errors.count - Self.most, "more error")
    ) {
      let file = $0.location?.file
      let isOne = file.map { paths[SourceLocation.fileName(of: $0)]?.count == 1 } ?? true
      let link = issue(of: $0).flatMap(report.quotation) ?? report.diagnosticPlaces.link(of: $0)
      return record(of: $0, link: link, path: isOne ? nil : file)
    }
  }

  /// The triggers whose failure determines the outcome.
  var triggers: TemplateValue {
    let issues = integration.issues.filter { $0.isOfStoppingTrigger(in: integration) }
    return table(
      issues, caption: "Failed triggers", label: "Trigger", hasWho: report.hasSuspect(among: issues),
      hasSince: issues.contains { report.age(of: $0) != nil }, left: left(issues.count - Self.most, "more trigger")
    ) { issue in
      let run = TriggerRun(of: issue, in: report.books)
      return .record([
        "glyph": .text(report.glyph(of: issue)), "message": .shown(Self.cut(issue.message)),
        "page": .optional(issueIndex.page(of: issue.id)), "kind": .text(""),
        "place": run.map { TemplateValue.name(LogWords.line($0.line)) } ?? .missing, "beside": .missing,
        "link": .optional(run?.link), "source": .missing, "was": .missing, "lastLine": run?.lastLine ?? .missing,
        "trace": report.trace(of: issue, report.age(of: issue)), "notes": .list([]),
      ])
    }
  }

  /// The open warnings of an integration without anything red, those with one message in one row, the new ones first.
  var warnings: TemplateValue {
    guard integration.outcome.isGreen else { return .missing }
    let warnings = integration.issues.filter(\.isOpenWarning)
    let sorted = warnings.filter { $0.status == .new } + warnings.filter { $0.status != .new }
    let alike = sorted.grouped { [$0.kind.rawValue, $0.message] }
    return table(
      alike, most: Self.mostWarnings, caption: "Warnings",
      label: "Warning",
      hasWho: report.hasSuspect(among: alike.prefix(Self.mostWarnings).map { $0[0] }),
      hasSince: alike.prefix(Self.mostWarnings).contains { report.age(of: $0[0]) != nil },
      left: left(alike.dropFirst(Self.mostWarnings).joined().count, "more warning")
    ) { record(of: $0) }
  }

  /// The tests that did not run, if their number determines the outcome.
  var notRun: TemplateValue {
    guard integration.outcome == .incomplete else { return .missing }
    let told = Set(
      integration.tests.results.flatMap { integration.tests.results.kept(fromBeginningWith: $0) }.map(\.id))
    let tests = integration.tests.results.filter { $0.state == .notRun && $0.quit == nil && !told.contains($0.id) }
    return table(
      tests.filter(\.wasCutOff) + tests.filter { !$0.wasCutOff },
      caption: "Listed tests that did not run to their end", label: "No result",
      hasWho: onlyAuthor != nil, hasSince: integration.baseline?.states.isEmpty == false,
      left: left(tests.count - Self.most, "more test")
    ) { test in
      .record([
        "glyph": .text(test.glyph), "name": .name(test.title), "suite": .shown(test.id.home),
        "link": .optional(report.link(to: test.id)),
        "say": .shown(ifAny: RunWords.cutOff(test)?.capitalizedFirst),
        "who": .shown(ifAny: onlyAuthor), "sure": .text(onlyAuthorWords),
        "since": .shown(ifAny: RunWords.missing(test, before: integration.baseline)), "trace": .missing,
        "place": .place(test.location), "placeLink": sources.link(to: test.location),
      ])
    }
  }

  private func table<Row>(
    _ rows: [Row], most: Int = most, caption: String, label: String, hasWho: Bool, hasSince: Bool,
    command: String? = nil, left: TemplateValue,
    _ record: (Row) -> TemplateValue
  ) -> TemplateValue {
    guard !rows.isEmpty else { return .missing }
    return .record([
      "caption": .text(caption), "label": .text(label), "rows": .list(rows.prefix(most).map(record)),
      "hasWho": .flag(hasWho), "hasSince": .flag(hasSince),
      "command": command.map(TemplateValue.command) ?? .missing, "left": left,
    ])
  }

  /// Who made all commits since the baseline; nil without a baseline, and for several people.
  private var onlyAuthor: String? {
    guard let baseline = integration.baseline, baseline.states.isEmpty == false else { return nil }
    let authors = Set(integration.commits.map(\.author))
    return authors.count == 1 ? authors.first : nil
  }

  private var onlyAuthorWords: String {
    integration.commits.count == 1 ? "only commit" : "all \(CountText.counted(integration.commits.count, "commit"))"
  }

  /// Returns how many things the rows do not show; missing if they show all.
  private func left(_ count: Int, _ noun: String) -> TemplateValue {
    count > 0 ? .text(CountText.counted(count, noun)) : .missing
  }

  private func issue(of error: Diagnostic) -> Issue? {
    integration.issues.first { $0.isOfError && $0.location == error.location && $0.message == error.message }
  }

  /// Tests that failed with one message make one row, from three on.
  private func alike(_ red: [TestResult]) -> [[TestResult]] {
    let messages: [String?] = red.map { test in
      test.failures.first.flatMap { failure in
        test.state == .failed
          ? "\(destinations(of: test.id) ?? "") \(FoundationErrorText.reduced(failure.message))" : nil
      }
    }
    let counts = Dictionary(messages.compactMap { $0 }.map { ($0, 1) }, uniquingKeysWith: +)
    return red.indices.grouped { index in
      messages[index].flatMap { counts[$0, default: 0] >= Self.leastAlike ? ["", $0] : nil } ?? ["\(index)"]
    }.map { $0.map { red[$0] } }
  }

  /// - Parameter told: the tests whose line, and what they wait for in it, is told of another.
  private func record(of tests: [TestResult], without told: Set<TestID> = []) -> TemplateValue {
    let test = tests[0]
    let isTold = told.contains(test.id)
    let kept = integration.tests.results.kept(fromBeginningWith: test)
    let page = root + paths.page(of: test.id)
    let failure = test.badEnds.first ?? test.firstFailure
    let isHelper = failure?.location.map { $0.file != test.location?.file } == true && test.location != nil
    let wait = onlyAwait(of: test)
    let access = changedAccess(of: test)
    let place = wait ?? access ?? failure?.location ?? test.location
    // Of a test that failed, the operands tell more than its line.
    let line = test.stacks.lazy.compactMap(\.firstOwn).first?.location ?? test.quit?.location ?? wait ?? access
    let source: TemplateValue = isTold ? .missing : line.map(sourceLine(at:)) ?? .missing
    // The line has the call at which it hangs.
    let reason = source == .missing ? test.hang?.explanation(of: test) : test.hang?.reason(of: test)
    let issue = issue(of: test)
    let age = report.age(of: test)
    let elder = age?.age == .newTest ? issue.flatMap { whole.wordsOfElder(of: $0, root: root) } : nil
    let why = isTold ? HangReport.alike : reason ?? test.crash?.calls
    // What kept all tests of a class from beginning is told of the class.
    let isUnbegun = test.quit?.isByTest == false
    return .record([
      "glyph": .text(test.glyph), "word": .shown(ifAny: word(for: test, showsLine: source != .missing)),
      "name": .name(isUnbegun ? test.id.home : test.title),
      "link": .text(page), "suite": .shown(isUnbegun ? test.id.module : test.id.home),
      "destination": .shown(ifAny: destinations(of: test.id)),
      "cases": .optional(test.redCases),
      "alike": isUnbegun
        ? fold([test] + kept) { "\(CountText.counted($0, "test")) did not run" }
        : fold(Array(tests.dropFirst())) { "and \(CountText.counted($0, "more test")) with this message" },
      "caseName": .shown(ifAny: test.caseName(with: failure)),
      // What a test did to end its process is said above.
      "line": test.quit == nil ? failure.map { FailureLine($0, of: test, beside: place).record } ?? .missing : .missing,
      "why": .shown(ifAny: why), "elder": isTold ? .missing : elder ?? .missing, "source": source,
      "lastLine": report.logLines.lastLine(before: test).map { line in
        .record(["text": .shown(line.text), "link": .text(root + line.link)])
      } ?? .missing,
      "stack": report.stack(of: test, root: root),
      "place": .place(place),
      "placeLink": .text(
        place.flatMap { sources.link(to: $0.file, line: $0.line) }.map { root + $0 }
          ?? (failure?.location == nil ? page : "\(page)#message-1")),
      "calledFrom": test.quit?.calledFrom.map(declaration) ?? .missing,
      // A test that did not begin has nothing to do with it.
      "declared": isHelper && test.quit?.calledFrom == nil && test.quit?.isByTest != false
        ? test.location.map(declaration) ?? .missing : .missing,
      "trace": whole.trace(of: issue, elder == nil ? age : age?.unremarked, test: test.id, beside: place),
    ])
  }

  /// Returns the tests that what is said of one says it of, too; missing without any.
  private func fold(_ others: [TestResult], _ words: (Int) -> String) -> TemplateValue {
    guard !others.isEmpty else { return .missing }
    return .record([
      "words": .text(words(others.count)),
      "tests": .list(
        others.map { test in
          .record(["name": .shown(test.title), "link": .optional(report.link(to: test.id).map { root + $0 })])
        }),
    ])
  }

  private func declaration(_ place: SourceLocation) -> TemplateValue {
    .record([
      "place": .place(place),
      "placeLink": .optional(sources.link(to: place.file, line: place.line).map { root + $0 }),
    ])
  }

  /// How a test ended.
  private func word(for test: TestResult, showsLine: Bool) -> String? {
    guard let quit = test.quit else { return FlakyWords.repeated(test) }
    return quit.isByTest
      ? report.quitWords(of: test, showsCall: showsLine)
      : report.quitWords(of: test, showsCall: false, "before its first test")
  }

  /// The place where a suspended test probably waits: the only one in its body where it can.
  private func onlyAwait(of test: TestResult) -> SourceLocation? {
    guard test.hang?.kind == .suspended, let declared = test.location,
      let places = sources[declared.file]?.code.awaits(inFunctionAt: declared.line), places.count == 1
    else { return nil }
    return SourceLocation(file: declared.file, line: places[0].line, column: places[0].column)
  }

  /// Returns the access in a sanitizer's report whose line was changed, which may not be the one that it begins with; nil
  /// without one.
  private func changedAccess(of test: TestResult) -> SourceLocation? {
    guard test.isRedBySanitizerAlone, let changed = issue(of: test).flatMap(issueIndex.suspect)?.place
    else { return nil }
    return test.sanitizerReports.lazy.flatMap(\.accesses).first {
      $0.file == changed.file && $0.line == changed.line
    }
  }

  private func record(of error: Diagnostic, link: String?, path: String?) -> TemplateValue {
    // The compiler often repeats a note for each candidate of an overloaded function.
    var said: Set<String> = []
    let notes = error.notes.filter { said.insert($0.message).inserted }
    let issue = issue(of: error)
    return .record([
      "glyph": .text("build-errors"), "message": .shown(Self.cut(error.message)),
      "page": .optional(issue.flatMap { issueIndex.page(of: $0.id) }),
      "kind": .shown(error.isLinker ? "linker" : error.category ?? ""),
      "place": error.location.map { .name($0.shortWithColumn) } ?? .missing,
      "beside": .shown(ifAny: path),
      "link": .optional(link),
      "source": error.location.map(sourceLine(at:)) ?? .missing, "was": lineBefore(error), "lastLine": .missing,
      "trace": report.trace(of: issue, report.age(of: issue), beside: error.location),
      "notes": .list(
        notes.prefix(5).map { note in
          .record([
            "message": .shown(Self.cut(note.message)),
            "place": .place(ifAny: note.location?.wordsOfNote),
            "placeLink": .optional(note.location.flatMap { report.logPlaces.address(of: $0) }),
          ])
        }),
    ])
  }

  /// Returns the line that stood in the place of an error's, if this change replaced it by that one; otherwise missing.
  private func lineBefore(_ error: Diagnostic) -> TemplateValue {
    guard let issue = issue(of: error), let place = issue.location,
      let hunk = report.quotedChange(of: issue, at: place), hunk.file == place.file
    else { return .missing }
    let (removed, added) = (hunk.lines.filter { $0.change == .removed }, hunk.lines.filter { $0.change == .added })
    guard removed.count == 1, added.map(\.number) == [place.line] else { return .missing }
    let text = removed[0].text.drop(while: \.isWhitespace)
    return .html(HighlightedSource(Array(text.utf8), path: hunk.file).html(ofLine: 1))
  }

  /// - Parameter alike: the warnings with one message.
  private func record(of alike: [Issue]) -> TemplateValue {
    let warning = alike[0]
    let kinds = (warning.kind == .analyzerWarning ? ["analyzer"] : []) + IssueWords.destinations(of: warning)
    return .record([
      "glyph": .text("warning"), "message": .shown(Self.cut(warning.message)),
      "page": .optional(issueIndex.page(of: warning.id)),
      "kind": .shown(kinds.joined(separator: ", ")),
      "place": warning.location.map { .name($0.shortWithColumn) } ?? .missing,
      "beside": alike.count > 1 ? .text("and \(CountText.counted(alike.count - 1, "more place"))") : .missing,
      "link": sources.link(to: warning.location),
      "source": warning.location.map(sourceLine(at:)) ?? .missing, "was": .missing, "lastLine": .missing,
      "trace": report.trace(of: warning, report.age(of: warning), beside: warning.location), "notes": .list([]),
    ])
  }

  private func sourceLine(at location: SourceLocation) -> TemplateValue {
    SourceExcerpt(of: location, in: sources, around: 1)?.onlyLine ?? .missing
  }

  private static func cut(_ message: String) -> String {
    message.utf8.count <= 2000 ? message : String(message.prefix(1500)) + " …"
  }
}

extension Issue {
  /// Whether it is a build error, which has a row of its own on the first screen.
  var isOfError: Bool { kind == .error || kind == .linkerError }

  /// Whether it is of a trigger that failed before anything was built, which has a row there, too.
  func isOfStoppingTrigger(in integration: Integration) -> Bool {
    kind == .triggerError && isFound && integration.outcome == .triggerError
  }

  /// Whether it is a warning of the compiler or of an analyzer that counts.
  var isOpenWarning: Bool {
    (kind == .warning || kind == .analyzerWarning) && status.isOpen && !isCarriedOver
  }
}
