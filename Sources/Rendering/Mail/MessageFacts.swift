import Model

/// The contents of mails and webhooks about one integration.
struct MessageFacts {
  static let mostIssues = 20
  /// Chat services accept messages of a few thousand characters.
  private static let mostIssuesInChats = 10

  let integration: Integration
  /// The address of the report; nil if none could be made.
  let page: String?
  private let time: LocalTime
  /// The new issues, those that count again, and those with a new reason; errors and red tests first.
  let new: [Issue]
  private let resolved: [Issue]
  /// The results of the tests that have issues.
  private let tested: [TestID: TestResult]

  init(_ integration: Integration, page: String, time: LocalTime) {
    self.integration = integration
    self.page = integration.reasonForNoReport == nil ? page : nil
    self.time = time
    func sorted(_ issues: [Issue]) -> [Issue] {
      Self.kinds.flatMap { kind in issues.filter { $0.kind == kind && kind != .serviceWarning } }
    }
    new = sorted(
      integration.issues.filter { $0.status == .new } + integration.issuesCountingAgain
        + integration.issuesForNewReason)
    resolved = sorted(integration.issues.filter { $0.status == .resolved })
    // Of a test with several results, the one that an issue is about.
    tested = integration.all.reduce(into: [:]) { tested, cell in
      tested.merge(cell.tests.byID) { $0.state.isRed || !$1.state.isRed ? $0 : $1 }
    }
  }

  /// Errors and red tests precede issues that leave an integration green.
  private static let kinds: [Issue.Kind] = {
    let warnings: [Issue.Kind] = [.warning, .analyzerWarning]
    return Issue.Kind.allCases.filter { !warnings.contains($0) } + warnings
  }()

  /// Returns the subject of a mail; no part of it comes from git.
  func subject(of report: Trigger.Mail.Report) -> String {
    let words =
      switch report {
      case .allResolved: noneLeft(on: integration.branch.map { _ in "the branch" })
      case .newIssues where !new.isEmpty: subject(new)
      default: VerdictSentence(integration).sentence
      }
    return OneLine.of("[\(integration.bot) \(integration.number)] \(words)")
  }

  /// Says that no issue of the code is left; nothing was mended where tests were only deleted or marked as known issues.
  ///
  /// - Parameter branch: what the branch is called; nil without one.
  private func noneLeft(on branch: String?) -> String {
    let isMended =
      dropped == 0 && (resolved.isEmpty || resolved.contains { $0.ending?.leavesTheFault != true })
    let place = branch.map { " on \($0)" } ?? ""
    // Those of triggers and of Martlet itself may be open.
    let kind = integration.issues.contains(where: \.status.isOpen) ? "build and test issues" : "issues"
    return isMended ? "All \(kind)\(place) are resolved" : "No open \(kind)\(place)"
  }

  func record(for report: Trigger.Mail.Report) -> [String: TemplateValue] {
    var record = base
    let headline =
      switch report {
      case .allResolved: noneLeft(on: integration.branch)
      case .newIssues where !new.isEmpty: news(new)
      default: VerdictSentence(integration).sentence
      }
    record["headline"] = .shown("\(integration.bot) \(integration.number): \(headline)")
    return record
  }

  /// The unescaped fields, and the same fields for chat services: in `escaped` for services that treat `<…>` as
  /// commands, in `html` for HTML, and in `markdown` for Markdown.
  var webhookRecord: [String: TemplateValue] {
    var record = base
    record["issues"] = records(new, Self.mostIssuesInChats)
    record["moreIssues"] = more(new, than: Self.mostIssuesInChats)
    record["headline"] = .shown("\(integration.bot) \(integration.number): \(VerdictSentence(integration).sentence)")
    record["outcome"] = .text(integration.outcome.rawValue)
    let plain = record
    for (name, escaping) in [("escaped", ChatEscaping.entities), ("html", .html), ("markdown", .markdown)] {
      record[name] = .record(plain.mapValues { escaping.escaped($0) })
    }
    return record
  }

  var base: [String: TemplateValue] {
    let commit = integration.commit
    return [
      "bot": .shown(integration.bot), "number": .number(integration.number),
      "branch": .shown(ifAny: integration.branch), "tag": .shown(ifAny: integration.tag),
      "commit": .text(commit.id.short),
      "commitSubject": .shown(OneLine.of(commit.summary)), "author": .shown(OneLine.of(commit.author)),
      "more": integration.commits.count > 1
        ? .text("and \(CountText.counted(integration.commits.count - 1, "more commit"))") : .missing,
      "date": .text("\(time.minute(of: integration.endedAt)) \(time.zone(of: integration.endedAt))"),
      "verdict": .shown(VerdictSentence(integration).sentence),
      "before": .optional(before),
      "reasons": .list(reasons.prefix(10).map { .shown(OneLine.of($0.sentence)) }),
      "issues": records(new),
      "moreIssues": more(new), "resolved": records(resolved),
      "hasResolved": .flag(!resolved.isEmpty),
      "isRed": .flag(integration.outcome.tone == .red), "isAmber": .flag(integration.outcome.tone == .amber),
      "isGreen": .flag(integration.outcome.tone == .green), "isGrey": .flag(integration.outcome.tone == .grey),
      "moreResolved": more(resolved), "open": .optional(open),
      "openRed": records(openRed), "openRest": .optional(openRest),
      "tests": .optional(tests),
      "coverage": .optional(coverage), "patch": .shown(ifAny: patch),
      "command": .optional(command(for: new)), "page": .shown(ifAny: page),
      "link": page.map(TemplateValue.link) ?? .missing, "noReport": .shown(ifAny: integration.reasonForNoReport),
    ]
  }

  func told(_ issue: Issue) -> MessageIssue {
    MessageIssue(
      issue, result: issue.test.flatMap { tested[$0] },
      gate: issue.gate.flatMap { rule in integration.gates.first { $0.rule == rule } })
  }

  /// The reasons, without those in the heading or among the new issues.
  private var reasons: [OutcomeReason] {
    let isGreen = integration.outcome.isGreen
    return integration.reasons.filter { reason in
      switch reason {
      case _ where reason == integration.headlineReason: !new.isEmpty
      case .testsRed, .testsNotRun, .gap(.notRun): false
      case .testsFlaky, .compilerWarnings, .analyzerWarnings, .testWarnings, .orderDependent: !isGreen
      case .gateFailed(let gate): !new.contains { $0.gate == gate.rule }
      case .gap(.contradiction): !new.contains { $0.kind == .quit }
      default: true
      }
    }
  }

  private func records(_ issues: [Issue], _ most: Int = mostIssues) -> TemplateValue {
    .list(issues.prefix(most).map { told($0).record })
  }

  func more(_ issues: [Issue], than most: Int = mostIssues) -> TemplateValue {
    let noun = issues.allSatisfy { $0.status == .new } ? "more new issue" : "more issue"
    return issues.count > most ? .text(CountText.counted(issues.count - most, noun)) : .missing
  }

  private var before: String? {
    guard let baseline = integration.baseline else { return nil }
    let place = integration.followsItsBranch ? nil : baseline.branch.map { " on \($0)" }
    let name = "\(integration.bot) \(baseline.number)"
    return "Compared with \(name)\(place ?? ""), which \(baseline.wholeOutcome.was)."
  }

  /// Returns what is new, as the heading of a mail; of an incomplete integration it begins with that.
  func news(_ issues: [Issue]) -> String {
    incomplete.map { "\($0), \(quit(of: issues) ?? counts(of: issues))" } ?? counts(of: issues)
  }

  /// Returns the same with the names of the issues, as a subject.
  ///
  /// - Parameter whose: a clause about who caused them.
  func subject(_ issues: [Issue], _ whose: String = "") -> String {
    if let incomplete, let quit = quit(of: issues) { return "\(incomplete.capitalizedFirst)\(whose): \(quit)" }
    let first = issues.first.map { told($0).title } ?? ""
    let titles = issues.count > 1 ? "\(first) and \(issues.count - 1) more" : first
    return "\(news(issues).capitalizedFirst)\(whose): \(titles)"
  }

  /// That the integration is incomplete, with the number of tests that did not run; nil for any other.
  private var incomplete: String? {
    guard integration.outcome == .incomplete else { return nil }
    let unseen = integration.all.reduce(0) { $0 + $1.tests.counts.unseen }
    return "incomplete" + (unseen > 0 ? " (\(CountText.counted(unseen, "test")) not run)" : "")
  }

  /// Returns which test ended the process, and by what; nil unless that is the only issue.
  private func quit(of issues: [Issue]) -> String? {
    guard issues.count == 1, issues[0].kind == .quit, issues[0].status == .new,
      let test = issues[0].test.flatMap({ tested[$0] }), let quit = test.quit
    else { return nil }
    let deed = quit.isByTest ? quit.call.map { "called \($0)" } ?? quit.words : quit.words
    return "\(test.title) \(deed)\(issues[0].comeback == nil ? "" : " again")"
  }

  /// Returns how many issues of each kind are new, how many returned, how many are of flaky tests, how many count again,
  /// and how many have a new reason.
  private func counts(of issues: [Issue]) -> String {
    let changed = Set(integration.issuesForNewReason.map(\.id))
    let again = issues.filter { $0.status != .new && !changed.contains($0.id) }
    let anew = issues.filter { changed.contains($0.id) }
    let issues = issues.filter { $0.status == .new }
    let (flaky, steady) = (issues.filter(\.isKnownFlaky), issues.filter { !$0.isKnownFlaky })
    let groups = [
      ("new", steady.filter { $0.comeback == nil }), ("recurring", steady.filter { $0.comeback != nil }),
      ("known flaky", flaky),
    ]
    return CountText.list(
      groups.flatMap { adjective, issues in
        Self.words(of: issues) { kind, count in
          // A gate that fails is no new gate, nor is a test that quits a new test.
          if kind == .gate || kind == .quit {
            let isBack = issues.contains { $0.kind == kind && $0.comeback != nil }
            return isBack ? kind.countedAgain(count) : kind.counted(count)
          }
          return CountText.counted(count, "\(adjective) \(kind.noun)", "\(adjective) \(kind.plural)")
        }
      }
        + Self.words(of: again) { "\($0.counted($1)) \(CountText.agreeing($1, "counts", "count")) again" }
        + Self.words(of: anew) { "\($0.counted($1)) for a new reason" })
  }

  /// Returns words about each kind of issue, and how many of it there are, where there are any.
  private static func words(of issues: [Issue], _ words: (Issue.Kind, Int) -> String) -> [String] {
    kinds.compactMap { kind in
      let count = issues.count { $0.kind == kind }
      return count > 0 ? words(kind, count) : nil
    }
  }

  /// The issues that were open before, and counted.
  private var old: [Issue] {
    let told = Set(new.map(\.id))
    return integration.issues.filter {
      $0.status == .unresolved && $0.kind != .serviceWarning && !told.contains($0.id)
    }
  }

  /// Those of them that make this integration red.
  private var openRed: [Issue] { old.filter(\.isOpenRed) }

  /// How many other ones of each kind are open, as a phrase; nil if there are none.
  private var openRest: String? {
    let rest = old.filter { !$0.isUnchecked && !$0.isOpenRed }
    let counts = Self.words(of: rest) { $0.counted($1) }
    return counts.isEmpty ? nil : (openRed.isEmpty ? "" : "and ") + CountText.list(counts)
  }

  /// How many issues are no longer looked for since this integration.
  private var dropped: Int { integration.issues.count { $0.status == .dropped } }

  private var open: String? {
    let open = openOrUnchecked
    if dropped == 0 { return open }
    let words = "\(CountText.counted(dropped, "issue is", "issues are")) \(Issue.Status.dropped.words)."
    return [open, words].compactMap(\.self).joined(separator: " ")
  }

  private var openOrUnchecked: String? {
    let unchecked = old.count(where: \.isUnchecked)
    let open = old.count - unchecked
    let wasNot = "\(CountText.agreeing(unchecked, "was", "were")) not checked."
    if open == 0 { return unchecked == 0 ? nil : "\(CountText.counted(unchecked, "older issue")) \(wasNot)" }
    let words = CountText.counted(open, "older issue is open", "older issues are open")
    return unchecked == 0 ? "\(words)." : "\(words), \(CountText.plain(unchecked)) \(wasNot)"
  }

  /// The tests, for each destination where there are several.
  var tests: String? {
    let all = integration.all.compactMap { cell in
      Self.tests(of: cell).map { tests in
        integration.cells.isEmpty ? tests : "\(cell.destination?.name ?? ""): \(tests)"
      }
    }
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  private static func tests(of integration: Integration) -> String? {
    let counts = integration.tests.counts
    guard counts.listed > 0 else { return nil }
    let delta = integration.deltas?.tests.map { " (\(CountText.signed($0.listed)))" } ?? ""
    let silenced = integration.silencedTests.count
    let rare = [
      (silenced, "silenced"), (counts.quit, "ended the process"), (counts.unseen, "not run"),
      (counts.canceled, "canceled"),
    ]
    let parts =
      [(counts.red - silenced, "red")]
      + (rare + [(counts.skipped, "skipped"), (counts.flaky, "flaky")]).filter { $0.0 > 0 }
    return "\(CountText.counted(counts.listed, "test"))\(delta), "
      + parts.map { "\(CountText.plain($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  var coverage: String? {
    guard let coverage = integration.coverageOfTests.coverage else { return nil }
    let lines = coverage.totals.lines
    let some = coverage.isWhole ? "" : "Coverage is incomplete: "
    let delta = integration.deltas?.coverage.map { " (\(CountText.signed($0.lines.uncovered)))" } ?? ""
    return "\(some)\(CountText.plain(lines.uncovered))\(delta) of \(CountText.counted(lines.total, "line")) never ran"
  }

  private var patch: String? {
    // The gate tells the same.
    if new.contains(where: { told($0).tellsPatch }) { return nil }
    // Without an earlier integration everything is new, and the coverage says the same.
    guard let patch = integration.changes?.patch.value, patch.origin != .nothing else { return nil }
    var parts: [String] = []
    if patch.tally.uncovered > 0 {
      let all = LinePlaces(patch.neverRan)
      let places = all.text(first: 5, SourceLocation.fileName(of:))
      let left = all.lineCount(behind: 5) > 0 ? " …" : ""
      parts.append(
        "\(CountText.plain(patch.tally.uncovered)) of \(CountText.counted(patch.tally.total, "changed line")) never ran: \(places)\(left)"
      )
    }
    if !patch.unmapped.isEmpty {
      parts.append("which lines changed is not known in \(CountText.counted(patch.unmapped.count, "file"))")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Returns the command that shows the issues again, or without any the older red ones: SwiftPM's where it shows them,
  /// otherwise Martlet's; nil where all is well.
  func command(for issues: [Issue]) -> String? {
    let issues = issues.isEmpty ? openRed : issues
    if issues.isEmpty, integration.outcome.isGreen { return nil }
    if let tests = testCommand(for: issues) { return tests }
    if issues.count == 1, let result = issues[0].test.flatMap({ tested[$0] }) {
      return RepeatCommands(result, of: integration).swift
    }
    let areOfBuild = issues.contains { $0.test == nil && [.error, .linkerError, .warning].contains($0.kind) }
    return areOfBuild ? integration.buildCommand ?? integration.repeatCommand : integration.repeatCommand
  }

  /// Returns the command that shows again how the issues' tests ended; nil if they have no test.
  private func testCommand(for issues: [Issue]) -> String? {
    let tests = issues.filter { $0.kind.isOfRedTest || $0.kind == .quit }.compactMap(\.test)
    // One command builds for one destination: the first in which any of them is red or quits.
    return integration.all.lazy.compactMap { cell in
      let results = cell.tests.byID
      return RepeatCommands.again(
        tests.compactMap { results[$0] }.filter(\.endsBadly), of: cell)?.command
    }.first
  }
}

/// The escaping that prevents a chat service from treating other people's text as markup.
enum ChatEscaping {
  /// Slack requires these three, and shows other entities literally
  /// (https://api.slack.com/reference/surfaces/formatting#escaping).
  case entities
  case html
  /// Discord accepts a backslash before any punctuation (https://support.discord.com/hc/en-us/articles/210298617).
  case markdown

  func escaped(_ value: TemplateValue) -> TemplateValue {
    switch value {
    case .text(let text): .text(escaped(text))
    case .name(let text): .name(escaped(text))
    case .heading(let text): .heading(escaped(text))
    case .list(let values): .list(values.map(escaped))
    case .record(let fields): .record(fields.mapValues(escaped))
    case .missing, .flag, .number, .html, .command: value
    }
  }

  private func escaped(_ text: String) -> String {
    switch self {
    case .entities:
      text.reduce(into: "") { escaped, character in
        switch character {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        default: escaped.append(character)
        }
      }
    case .html: String(decoding: HTMLEscaper.escape(Array(text.utf8)), as: UTF8.self)
    case .markdown:
      text.unicodeScalars.reduce(into: "") { escaped, scalar in
        if Self.markup.contains(scalar) { escaped.append("\\") }
        escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// Emphasis, code, spoilers and links; `:` for bare addresses and emoji, `@` and `#` for mentions and headings.
  private static let markup = Set("\\*_~`|[]()<>:@#".unicodeScalars)
}

extension Issue {
  /// Whether the issue was found again and makes the integration red.
  fileprivate var isOpenRed: Bool {
    !isCarriedOver && (kind.isOfRedTest || [.error, .linkerError, .quit, .gate].contains(kind))
  }
}
