import Model
import Rendering

/// What `martlet compare` prints: the sentence first, then what is not the commits' doing, then tests, issues, coverage
/// and commits.
///
/// Everything that others wrote is made visible, so that nothing of theirs reaches the terminal as a control character.
struct ComparisonText {
  /// How many entries of one kind are listed before the rest is only counted.
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
    let blocks = [head, circumstances, counts, tests, measured, issues, coverage, commits, report].filter {
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
    lines.append("  \(shown(words.relation))")
    return lines
  }

  private var circumstances: [String] {
    let rows = comparison.circumstances.map { change in
      (shown(change.name), "\(shown(change.before ?? "not set")) → \(shown(change.after ?? "not set"))")
    }
    let caution = words.caution.map { [style.coloured(shown($0), .yellow)] } ?? []
    return caution + Self.table(rows)
  }

  private var counts: [String] {
    let rows = comparison.counts.filter { !$0.isIdle }.map { count in
      let numbers = "\(count.before.map(CountText.plain) ?? "–") → \(count.after.map(CountText.plain) ?? "–")"
      let colour: TerminalStyle.Colour? = count.tone == "worse" ? .red : count.tone == "better" ? .green : nil
      let change = count.change.map { $0 == 0 ? "" : "  \(style.coloured(CountText.signed($0), colour))" } ?? ""
      return (count.name.label, numbers + change)
    }
    let (before, after) = (comparison.before, comparison.after)
    let duration =
      "\(words.duration(before.duration, of: before)) → \(words.duration(after.duration, of: after))"
    return Self.table(rows + [("Duration", duration)])
  }

  private var tests: [String] {
    var lines = [style.bold("Tests: \(shown(words.testSummary))")] + comparison.tests.remarks.map { "  \(shown($0))" }
    for (word, tests) in words.testGroups {
      for test in tests.prefix(Self.limit) { lines += entry(test, word: word) }
      if tests.count > Self.limit { lines.append("  … and \(tests.count - Self.limit) more \(word)") }
    }
    if !(comparison.tests.slower + comparison.tests.faster).isEmpty { lines.append("  \(words.paceRule)") }
    return lines
  }

  private func entry(_ test: TestChange, word: String) -> [String] {
    let isRed = test.after?.state.isRed == true
    let colour: TerminalStyle.Colour? = isRed ? .red : word == "fixed" ? .green : nil
    var lines = [
      "  \(style.coloured(word, colour)): \(shown(test.id.description)) (\(ComparisonWords.course(of: test)))"
    ]
    if isRed, let failure = test.failure {
      let place = failure.file.flatMap { file in failure.line.map { "\(shown(file)):\($0): " } } ?? ""
      let message = shown(failure.message).split(separator: "\n").first.map(String.init) ?? ""
      lines.append("    \(place)\(message)")
    }
    return lines
  }

  private var report: [String] { page.map { ["Page  \(shown($0))"] } ?? [] }

  func listed<T>(_ entries: [T], _ line: (T) -> String) -> [String] {
    let rest = entries.count - Self.limit
    return entries.prefix(Self.limit).map(line) + (rest > 0 ? ["  … and \(rest) more"] : [])
  }

  func shown(_ text: String) -> String { VisibleText.of(text) }

  /// Two columns, the second where the longest of the first ends.
  static func table(_ rows: [(String, String)]) -> [String] {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0)\(String(repeating: " ", count: width - $0.count))  \($1)" }
  }
}
