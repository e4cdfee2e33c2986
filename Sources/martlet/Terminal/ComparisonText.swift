import Model
import Rendering

/// The output of `martlet compare`: the summary first, then differences not caused by the commits, then tests, issues,
/// coverage, commits and counts.
///
/// Any text written by others is made visible, so that it cannot reach the terminal as control characters.
struct ComparisonText {
  /// The most entries of one kind to list before the rest is only counted.
  private static let limit = 40

  let comparison: IntegrationComparison
  let words: ComparisonWords
  let time: LocalTime
  let style: TerminalStyle
  private let page: String?

  init(_ comparison: IntegrationComparison, time: LocalTime, isColoured: Bool, page: String?) {
    self.comparison = comparison
    self.time = time
    self.page = page
    words = ComparisonWords(comparison)
    style = TerminalStyle(isColoured: isColoured)
  }

  var text: String {
    let blocks = [head, circumstances, tests, measured, issues, coverage, commits, counts, report].filter {
      !$0.isEmpty
    }
    return blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private var head: [String] {
    var lines = [style.bold(shown(words.headline))]
    for (side, label) in [(comparison.before, words.before), (comparison.after, words.after)] {
      let colour: TerminalStyle.Colour = side.outcome.isGreen ? .green : .red
      let commit = "\(side.commit.id.short) \(shown(side.commit.summary))"
      lines.append(
        "  \(shown(label))  \(style.coloured(side.outcome.told(isFailedGate: side.isFailedGate), colour)), \(commit)")
    }
    return lines + (words.commitLine.map { ["  \(shown($0))"] } ?? [])
  }

  private var circumstances: [String] {
    let rows = comparison.circumstances.map { change in
      (shown(change.name), "\(shown(change.before ?? "not set")) → \(shown(change.after ?? "not set"))")
    }
    let caution = words.caution.map { [style.coloured(shown($0), .yellow)] } ?? []
    return caution + Self.table(rows)
  }

  private var counts: [String] {
    let rows = words.changedCounts.map { count in
      let numbers = "\(count.before.map(CountText.plain) ?? "–") → \(count.after.map(CountText.plain) ?? "–")"
      let tone = words.tone(of: count)
      let colour: TerminalStyle.Colour? = tone == "worse" ? .red : tone == "better" ? .green : nil
      let change = count.change.map { $0 == 0 ? "" : "  \(style.coloured(CountText.signed($0), colour))" } ?? ""
      return (count.name.label, numbers + change)
    }
    let (before, after) = (comparison.before, comparison.after)
    let duration =
      "\(words.duration(before.duration, of: before)) → \(words.duration(after.duration, of: after))"
    return Self.table(rows + [("Duration", duration)])
  }

  private var tests: [String] {
    if words.hasNoTests { return [] }
    var lines = [style.bold("Tests: \(shown(words.testSummary))")] + comparison.tests.remarks.map { "  \(shown($0))" }
    for group in words.testGroups {
      let listed = group.tests.prefix(group.isBrief ? 1 : Self.limit)
      for test in listed { lines += entry(test, in: group) }
      if group.tests.count > listed.count {
        lines.append("  … and \(group.tests.count - listed.count) more \(group.word)")
      }
    }
    if !(comparison.tests.slower + comparison.tests.faster).isEmpty { lines.append("  \(words.paceRule)") }
    return lines
  }

  private func entry(_ test: TestChange, in group: ComparisonWords.TestGroup) -> [String] {
    let isRed = test.after?.state.isRed == true
    let colour: TerminalStyle.Colour? = isRed ? .red : group.isGain ? .green : nil
    var lines = [
      "  \(style.coloured(group.change(of: test), colour)): \(shown(test.id.description)) (\(ComparisonWords.course(of: test)))"
    ]
    if isRed, let failure = test.failure {
      lines.append("    \(brief(failure.message, failure.file, failure.line))")
    }
    if let issue = words.issue(of: test, in: group), let suspect = issue.suspects.named.first {
      lines.append("    \(shown(suspect.brief(of: issue)))\(words.commit(of: suspect))")
    }
    return lines
  }

  /// Returns the first line of a message, with its place.
  private func brief(_ message: String, _ file: String?, _ line: Int?) -> String {
    let place = SummaryText.place(file, line).map { "\(shown($0)): " } ?? ""
    let first = shown(FailureText.shown(message)).split(separator: "\n").first ?? ""
    return "\(place)\(first)"
  }

  private var report: [String] { page.map { ["Page  \(shown($0))"] } ?? [] }

  func listed<T>(_ entries: [T], _ line: (T) -> String) -> [String] {
    let rest = entries.count - Self.limit
    return entries.prefix(Self.limit).map(line) + (rest > 0 ? ["  … and \(rest) more"] : [])
  }

  func shown(_ text: String) -> String { VisibleText.of(text) }

  static func table(_ rows: [(String, String)]) -> [String] { TextColumns.lines(rows.map { ["  \($0)", $1] }) }
}

extension ComparisonText {
  var issues: [String] {
    let issues = comparison.issues
    let groups = [
      ("new", issues.new.filter { !words.isBack($0) }, TerminalStyle.Colour.red),
      ("came back", issues.new.filter(words.isBack), .red),
      ("resolved", issues.gone + issues.notReachedBefore.filter { $0.status == .resolved }, .green),
      ("not checked", issues.notReached, .yellow), ("in both", issues.both, nil),
      ("open, not reached before", issues.notReachedBefore.filter { $0.status != .resolved }, .yellow),
    ]
    let counts = groups.filter { !$0.1.isEmpty }.map { "\(CountText.plain($0.1.count)) \($0.0)" }
    guard !counts.isEmpty else { return [] }
    // Red tests are already listed with the tests.
    return [style.bold("Issues: \(CountText.list(counts))")]
      + groups.flatMap { word, issues, colour in
        listed(issues.filter { !$0.kind.isOfRedTest }) { issue in
          let silenced = issue.status == .silenced ? ", silenced" : ""
          let message = brief(issue.message, issue.file, issue.line)
          return "  \(style.coloured(word, colour)): \(issue.kind.rawValue)\(silenced): \(message)"
        }
      }
  }

  var coverage: [String] {
    let coverage = comparison.coverage
    if words.hasNoCoverage { return [] }
    guard let summary = words.coverageSummary else {
      return [style.bold("Coverage: not in both")]
        + [(words.before, coverage.before, coverage.beforeReason), (words.after, coverage.after, coverage.afterReason)]
        .filter { $0.1 == nil }.map { "  \(shown($0.0)) has none: \(shown($0.2 ?? "no reason was recorded"))" }
    }
    var lines = [style.bold("Coverage: \(shown(summary))")]
    lines += listed(coverage.files, line)
    if let reason = coverage.reason { lines.append("  Lines were not compared. \(shown(reason))") }
    return lines + words.leftOut.map { "  \(style.coloured("left out", .yellow)): \(shown($0))" } + categories + places
  }

  private func line(_ file: CoverageSides.File) -> String {
    func words(_ lines: LineTally?) -> String { lines.map { "\($0.uncovered) of \($0.total)" } ?? "not counted" }
    let change = (file.after?.uncovered ?? 0) - (file.before?.uncovered ?? 0)
    let signed = style.coloured(CountText.signed(change), change > 0 ? .red : change < 0 ? .green : nil)
    let old = file.oldPath.map { " (was \(shown($0)))" } ?? ""
    return "  \(signed)  \(shown(file.path))\(old): \(words(file.before)) → \(words(file.after))"
  }

  /// The changes of lines, in genhtml's categories; unchanged lines are left out.
  private var categories: [String] {
    guard let lines = comparison.coverage.lines else { return [] }
    let changed = ChangeCategory.allCases.filter { lines[$0] > 0 && !$0.isSame }
    guard !changed.isEmpty else { return [] }
    let (since, chance) = (comparison.before.number, comparison.coverage.byChance ?? CategoryCounts())
    return ["  Lines by what became of them:"]
      + Self.table(
        changed.map {
          ("  \($0.rawValue)  \(lines[$0])", ChangeWords.meaning(of: $0, since: since, byChance: chance[$0]))
        })
  }

  /// The first places of lost lines, of new lines that never ran, and of lines that run by chance.
  private var places: [String] {
    words.placeGroups.filter { $0.kind != .gained && $0.kind != .gainedParts }.flatMap { group in
      let (places, alike) = group.places.count > Self.mostPlaces ? group.gathered : (group.places, [])
      let told =
        places.prefix(Self.mostPlaces).map { file, place in
          (words: "\(file.path):\(place.range)", function: place.function, count: place.count)
        } + alike.prefix(Self.mostPlaces).map { (words: $0.words, function: $0.function, count: $0.lineCount) }
      let left = group.lineCount - told.reduce(0) { $0 + $1.count }
      let colour: TerminalStyle.Colour? =
        switch group.kind {
        case .lost, .parts, .new: .red
        case .newParts: .yellow
        case .gained, .gainedParts, .lostByChance, .ranByChance: nil
        }
      return told.map { words, function, _ in
        "  \(style.coloured(group.word, colour)): \(shown(words))\(function.map { " (\(shown($0)))" } ?? "")"
      } + (left > 0 ? ["  … and \(CountText.counted(left, "more line")) \(group.word)"] : [])
    }
  }

  private static let mostPlaces = 10

  var commits: [String] {
    let commits = comparison.commits
    var lines: [String] = []
    if let reason = commits.reason { lines.append("  \(shown(reason))") }
    lines += listed(commits.added) { entry($0, sign: "+") } + listed(commits.dropped) { entry($0, sign: "-") }
    return lines.isEmpty ? [] : [style.bold("Commits")] + lines
  }

  private func entry(_ commit: CommitChange, sign: String) -> String {
    let head = "  \(sign) \(commit.id.short) \(shown(commit.author)), \(time.minute(of: commit.date)): "
    let files = commit.files.prefix(12).map { file in
      let counts = file.added.flatMap { added in file.removed.map { " +\(added) -\($0)" } } ?? ""
      let old = file.oldPath.map { " from \(shown($0))" } ?? ""
      let status = file.status == .modified ? "" : " (\(file.status.rawValue)\(old))"
      return "      \(shown(file.path))\(status)\(counts)"
    }
    let left = commit.files.count - files.count + (commit.filesLeft ?? 0)
    return ([head + shown(commit.summary)] + files + (left > 0 ? ["      … and \(left) more"] : []))
      .joined(separator: "\n")
  }
}

extension ComparisonText {
  /// The measurements, listing individually those that changed by more than they vary.
  var measured: [String] {
    guard let summary = words.measuredSummary else { return [] }
    let changed = comparison.tests.measured.filter { $0.course == .higher || $0.course == .lower }
    let rows = listed(changed) { measured in
      guard let change = measured.change, let share = change.share else { return "" }
      let (before, after) = (MeasurementWords.average(change.before), MeasurementWords.average(change.after))
      let word = MeasurementWords.word(change) ?? ""
      return "  \(style.coloured(word, word == "slower" || word == "higher" ? .yellow : nil)): "
        + shown("\(measured.id) (\(change.after.metric) \(before) → \(after), \(MeasurementWords.share(share)))")
    }
    let rule = changed.isEmpty ? [] : ["  \(shown(MeasurementWords.rule(comparison.tests.measurementRule)))"]
    return [style.bold("Measured: \(shown(summary))")] + rows + rule
  }
}
