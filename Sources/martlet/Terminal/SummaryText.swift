import FoundationEssentials
import Model
import Rendering

/// The output of `martlet run` at the end, and of `martlet show` later: the verdict, red tests and their locations, the
/// figures, and the report.
///
/// Commits and tests are written by others, so their text must not reach the terminal as control characters.
struct SummaryText: CustomStringConvertible {
  let integration: IntegrationRecord
  /// The first page of the report; nil if it no longer exists.
  let page: String?
  /// Whether to report what the build started from.
  var tellsBuild = false
  /// The most findings of one kind to list before the rest is only counted.
  private static let limit = 50

  private var errors: [[String]] {
    integration.findings.filter { [.error, .linkerError].contains($0.kind) }.map {
      Self.indented(Self.line("error", about: $0))
    }
  }

  /// Returns what a compiler would print of an issue; its column tells it from another in the same line.
  private static func line(_ severity: String, about issue: IntegrationRecord.FlatIssue) -> String {
    let location = issue.file.flatMap { file in
      issue.line.map { SourceLocation(file: file, line: $0, column: issue.column) }
    }
    return "\(location.map { "\($0): " } ?? "")\(severity): \(issue.message)"
  }

  var description: String {
    var lines = [headline]
    lines += integration.reasons.flatMap { Self.indented("  \($0)") }
    if let changes = integration.workingTree {
      lines.append("  With uncommitted changes: \(CountText.counted(changes.count, "file")).")
    }
    lines +=
      section(destinations) + section(errors) + section(redTests) + section(unsteadyTests)
      + section(quarantine) + section(worseValues) + section(warnings)
    lines.append("")
    if integration.tests.counts.listed > 0 { lines.append("Tests     \(testSentence)") }
    if let only = integration.tests.only, !only.isPartial {
      lines.append("Selection \(only.sentences.joined(separator: " "))")
    }
    lines += coverageSentence.map { ["Coverage  \($0)"] } ?? []
    lines += changeLines
    if tellsBuild {
      lines += integration.branch.map { ["Branch    \($0)"] } ?? []
      lines += integration.tag.map { ["Tag       \($0)"] } ?? []
    }
    if let settingsLine { lines.append(settingsLine) }
    if let machine = integration.circumstances?.machine { lines.append("Machine   \(machine)") }
    if tellsBuild, let build = integration.steps.buildWords(time: { $0.formatted(.iso8601) }) {
      lines.append("Build     \(build)")
    }
    if let page { lines.append("Report    \(page)") }
    return VisibleText.of(lines.joined(separator: "\n"))
  }

  static func line(about single: SingleFile, at path: String) -> String {
    let size = "\((single.bytes.count + 999) / 1000) kB"
    let pages = "\(CountText.counted(single.pageCount, "page"))"
    let left = single.leftCount > 0 ? ", \(single.leftCount) of the report left out" : ""
    return VisibleText.of("One file  \(path) (\(size), \(pages)\(left))")
  }

  private var headline: String {
    let only = integration.tests.only.flatMap { $0.isPartial ? " with \($0.headline)" : nil } ?? ""
    let worse = integration.worse.map { ", but \(MeasurementWords.worse($0))" } ?? ""
    return
      "\(integration.bot) \(integration.number): \(integration.toldOutcome)\(only)\(worse), \(integration.commit.id.short) \(integration.commit.summary)"
  }

  private func section(_ entries: [[String]]) -> [String] {
    guard !entries.isEmpty else { return [] }
    let rest = entries.count - Self.limit
    return [""] + entries.prefix(Self.limit).flatMap { $0 } + (rest > 0 ? ["… and \(rest) more, in the report"] : [])
  }

  /// The outcome of each destination, with the tests that are red there but not for the leading one, or since another
  /// integration.
  private var destinations: [[String]] {
    let apart = Set(integration.issues.filter { $0.elsewhere != nil }.compactMap(\.test))
    let known = Set(integration.tests.cases.filter(\.state.isRed).map(\.id)).subtracting(apart)
    return ([integration] + (integration.cells ?? [])).compactMap { cell in
      guard let destination = cell.destination, integration.cells != nil else { return nil }
      // The leading destination has the gates of all.
      let outcome = destination.outcome.map { $0 == cell.outcome ? cell.toldOutcome : $0.rawValue } ?? "not built"
      let counts = cell.tests.counts
      let flaky = counts.flaky > 0 ? ", \(counts.flaky) flaky" : ""
      let tests =
        counts.listed > 0 ? ", \(counts.steady) of \(CountText.counted(counts.listed, "test")) passed\(flaky)" : ""
      let optional = destination.required ? "" : " (optional)"
      let head = "\(destination.name)\(optional): \(outcome)\(destination.outcome == nil ? "" : tests)"
      guard !destination.leads else { return [head] }
      let red = cell.tests.cases.filter { $0.state.isRed && !known.contains($0.id) }
      let news = Self.news(in: cell)
      return [head] + red.prefix(Self.limit).flatMap { Self.lines(of: $0, news[$0.id]) }
    }
  }

  /// The lines about a test that is red for a destination.
  ///
  /// - Parameter news: since when it is red, and who is suspected.
  private static func lines(of test: IntegrationRecord.Case, _ news: String?) -> [String] {
    var lines = ["  \(test.state.rawValue): \(test.id)"]
    if let failure = test.failures.first {
      let place = place(failure.file, failure.line) ?? place(test.file, test.line)
      lines += indented("    \(place.map { "\($0): " } ?? "")\(FailureText.shown(failure.message))")
    }
    return lines + [news.map { "    \($0)" }].compactMap(\.self)
  }

  /// The tests that count first, then the silenced ones.
  private var redTests: [[String]] {
    let silences = integration.silencedTests
    let quiet = integration.silencedFindings
    let news = Self.news(in: integration)
    let flaky = Set(integration.issues.filter { $0.knownFlaky == true }.compactMap(\.test))
    let red = integration.tests.cases.filter(\.state.isRed)
    return (red.filter { silences[$0.id] == nil } + red.filter { silences[$0.id] != nil }).map { test in
      var lines = ["\(test.state.rawValue): \(test.id)"]
      if flaky.contains(test.id) {
        let numbers = (test.history?.flakyIn ?? []).prefix(Self.limit).reversed().map { "\($0)" }
        lines.append("  known flaky: passed and failed on the same code in \(CountText.list(numbers))")
      }
      if let silence = silences[test.id]?.silence { lines += Self.indented("  \(IssueWords.sentence(of: silence))") }
      for failure in test.failures {
        let place = Self.place(failure.file, failure.line) ?? Self.place(test.file, test.line)
        let isQuiet = silences[test.id] == nil && quiet[test.id]?.contains(Fingerprint.of(failure.message)) == true
        lines += Self.indented(
          "  \(isQuiet ? "silenced: " : "")\(place.map { "\($0): " } ?? "")\(FailureText.shown(failure.message))"
        )
      }
      lines += (test.leftOut?.sentences ?? []).map { "  \($0)" }
      if silences[test.id] == nil { lines += news[test.id].map { ["  \($0)"] } ?? [] }
      return lines
    }
  }

  /// The tests that the bot's file has in quarantine, but for red ones, which stand above with their quarantine.
  private var quarantine: [[String]] {
    let told = integration.silencedTests.filter { $0.value.silence?.isQuarantine == true }
    return (integration.tests.quarantine ?? []).filter { told[$0.test] == nil }.map { finding in
      Self.indented("\(finding.test): \(QuarantineWords.state(of: finding)) (\(finding.reason))")
    }
  }

  /// For each test that quit or is red and not known to be flaky, whether it is new or since when it is red, and who probably caused
  /// it, in the whole or for one of its destinations; for the leading one where that differs.
  private static func news(in integration: IntegrationRecord) -> [TestID: String] {
    let told = integration.findings.map { issue(Issue($0), in: integration) }.filter { issue in
      issue.status.isOpen && (issue.kind.isOfRedTest || issue.kind == .quit) && !issue.isKnownFlaky
        && (issue.status == .new || issue.life != nil || issue.age > 0)
    }
    return Dictionary(
      told.compactMap { issue in issue.test.map { ($0, news(of: issue, in: integration)) } },
      uniquingKeysWith: { first, _ in first })
  }

  private static func news(of issue: Issue, in integration: IntegrationRecord) -> String {
    let age = issue.status == .new ? [issue.toldStatus] : IssueWords.history(of: issue)
    return (age + [integration.suspect(of: issue)?.brief(of: issue)].compactMap(\.self)).joined(separator: ", ")
  }

  /// Returns an issue as the leading destination has it, if others have it since another integration.
  private static func issue(_ issue: Issue, in integration: IntegrationRecord) -> Issue {
    guard !issue.elsewhere.isEmpty, let name = integration.destination?.name, var own = issue.told(for: name) else {
      return issue
    }
    // It stands beside the others.
    own.destinations = []
    return own
  }

  static func place(_ file: String?, _ line: Int?) -> String? {
    file.flatMap { file in line.map { "\(file):\($0)" } }
  }

  /// Tests that ended their process, flaky ones, and those with a different result when run alone.
  private var unsteadyTests: [[String]] {
    let news = Self.news(in: integration)
    let differing = Dictionary(
      (integration.tests.isolation?.differing ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return integration.tests.cases.map { test in
      var lines: [String] = []
      if let quit = test.quit {
        lines.append("\(quit.isByTest ? "quit" : "not run"): \(test.id)")
        let place = quit.location.map { "\($0): " } ?? ""
        lines += Self.indented("  \(place)\(quit.words)")
        lines += news[test.id].map { ["  \($0)"] } ?? []
      }
      if test.flaky == true {
        let attempts = test.attempts ?? []
        lines.append("flaky: \(test.id): \(attempts.map(\.state.rawValue).joined(separator: ", then "))")
        lines += attempts.compactMap(\.message).prefix(1).flatMap { Self.indented("  \(FailureText.shown($0))") }
      }
      if let alone = differing[test.id] {
        lines.append(
          "order-dependent: \(test.id): \(test.state.rawValue) with the others, \(alone.alone.rawValue) alone")
        lines += alone.message.map { Self.indented("  \($0)") } ?? []
      }
      return lines
    }.filter { !$0.isEmpty }
  }

  /// The measured values that became worse.
  private var worseValues: [[String]] {
    integration.worseValues.map { test, trend in
      ["worse: \(test): \(MeasurementWords.news(trend) ?? trend.metric)"]
    }
  }

  private var testSentence: String {
    let counts = integration.tests.counts
    return "\(counts.listed) listed: \(integration.testSum)"
      + (counts.filteredOut > 0 ? "; \(counts.filteredOut) filtered out" : "")
      + (integration.destination.map { " (\($0.name))" } ?? "")
  }

  /// Nil if nothing was measured for the reason that is told above.
  private var coverageSentence: String? {
    let coverage = integration.coverage
    guard let lines = coverage.totals?.lines else {
      if integration.lacksCoverageByOutcome { return nil }
      return "not available. \(coverage.reason ?? "No reason was recorded.")"
    }
    guard lines.total > 0 else { return "no source line contains code" }
    let note = coverage.complete ? "" : "; incomplete: \(coverage.reason ?? "a process left no coverage data")"
    let remarks = coverage.exclusionRemarks.map { "; \($0)" }.joined()
    let ran =
      lines.uncovered == 0
      ? "\(CountText.all(lines.total, "line")) ran"
      : "\(lines.uncovered) of \(CountText.counted(lines.total, "line")) never ran"
    if lines.total == 1, lines.partial == 1 { return "the line partly ran\(note)\(remarks)" }
    let partly = lines.partial > 0 ? ", \(lines.partial) \(lines.uncovered == 0 ? "of them partly" : "partly ran")" : ""
    return "\(ran)\(partly)\(note)\(remarks)"
  }

  /// The settings that the package chose itself, so that its choice is not mistaken for the only possibility.
  private var settingsLine: String? {
    let own = (integration.settings ?? []).filter { [.package, .both].contains($0.source) }.map(\.setting)
    return own.isEmpty ? nil : "Settings  \(own.joined(separator: ", ")) from .martlet.yml"
  }

  /// Changes in the coverage, and the gates' verdicts; failed gates are among the reasons.
  private var changeLines: [String] {
    var lines: [String] = []
    if let changes = integration.coverage.changes {
      let summary = ChangeSummary(changes, notRun: integration.tests.counts.notRun)
      lines.append("Patch     \(summary.patch)")
      lines += [summary.lostSentence, summary.lostPartsSentence].compactMap(\.self).map { "Lost      \($0)" }
      lines += [summary.patchLeftOut].compactMap(\.self).map { "Left out  \($0)" }
      lines += summary.patchUncounted.map { "Uncounted \($0)" }
      lines += summary.leftOutSentences.map { "Left out  \($0)" }
      lines += [summary.chanceSentence].compactMap(\.self).map { "Chance    \($0)" }
    }
    lines += integration.coverage.mutants.flatMap(MutantWords.summary).map { ["Mutants   \($0)"] } ?? []
    let ended = integration.issues.filter { $0.status == .resolved && $0.ending == .fixed }
    return lines
      + (integration.gates ?? []).filter { $0.state != .failed }.map { gate in
        let again = ended.first { $0.knownSubject == .gate(gate.rule) }.map { IssueWords.again(Issue($0)) } ?? ""
        return
          "Gate      \(gate.shortName) \(gate.state == .passed ? "passed\(again)" : "was not judged: \(gate.clause)")"
      }
  }

  /// Splits a text into lines, indenting all but the first, so that none can be mistaken for part of its surroundings.
  static func indented(_ text: String) -> [String] {
    // A carriage return followed by a line feed is a single character in Swift.
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.enumerated().map { index, line in
      index == 0 ? String(line) : "    \(line)"
    }
  }
}

extension SummaryText {
  /// The most warnings to list before the rest is only counted.
  private static let mostWarnings = 10

  /// Martlet's own problems, and the warnings of compiler and analyzer with their locations. For a red integration only
  /// new ones, since there is something else to fix first.
  var warnings: [[String]] {
    let wanted = integration.issues.filter { issue in
      switch issue.kind {
      case .warning: issue.test == nil && isToTell(issue)
      case .analyzerWarning: isToTell(issue)
      default: false
      }
    }
    let newFirst = wanted.filter { $0.status == .new } + wanted.filter { $0.status != .new }
    let rest = newFirst.count - Self.mostWarnings
    let lines = (service + newFirst.prefix(Self.mostWarnings)).map { Self.indented(Self.line("warning", about: $0)) }
    return lines + (rest > 0 ? [["… and \(CountText.counted(rest, "more warning")), in the report"]] : [])
  }

  private func isToTell(_ issue: IntegrationRecord.FlatIssue) -> Bool {
    // What was not found this time is in the list of issues.
    if issue.carriedOver == true { return false }
    return integration.outcome.isGreen ? issue.status.isOpen : issue.status == .new
  }

  /// Martlet's own warnings. An earlier one is shown only if the integration got far enough to find it again.
  private var service: [IntegrationRecord.FlatIssue] {
    let isComplete = integration.tests.counts.listed > 0
    return integration.issues.filter {
      $0.kind == .serviceWarning && ($0.status == .new || isComplete && $0.status.isOpen)
    }
  }
}
