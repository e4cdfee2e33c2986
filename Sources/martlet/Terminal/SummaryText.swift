import Model
import Rendering

/// What `martlet run` prints at the end: the verdict, what is red and where, the figures, and the report.
///
/// Commits and tests are written by others, so that nothing of theirs reaches the terminal as a control character.
struct SummaryText: CustomStringConvertible {
  private let integration: Integration
  private let page: String
  /// How many findings of one kind are listed before the rest is only counted.
  private static let limit = 50

  init(_ integration: Integration, page: String) {
    self.integration = integration
    self.page = page
  }

  var description: String {
    var lines = [headline]
    lines += integration.reasons.map { "  \($0)" }
    if let changes = integration.workingTree {
      lines.append("  With uncommitted changes: \(changes.count) \(changes.count == 1 ? "file" : "files").")
    }
    lines += section(errors) + section(redTests) + section(unsteadyTests)
    lines.append("")
    if integration.tests.counts.listed > 0 { lines.append("Tests     \(testSentence)") }
    lines.append("Coverage  \(coverageSentence)")
    lines += changeLines
    if let settingsLine { lines.append(settingsLine) }
    lines.append("Report    \(page)")
    return VisibleText.of(lines.joined(separator: "\n"))
  }

  private var headline: String {
    "\(integration.bot) \(integration.number): \(integration.outcome.rawValue), \(integration.commit.id.short) \(integration.commit.summary)"
  }

  private func section(_ entries: [[String]]) -> [String] {
    guard !entries.isEmpty else { return [] }
    let rest = entries.count - Self.limit
    return [""] + entries.prefix(Self.limit).flatMap { $0 } + (rest > 0 ? ["… and \(rest) more, in the report"] : [])
  }

  private var errors: [[String]] {
    integration.diagnostics.filter { $0.severity == .error }.map { diagnostic in
      Self.indented("\(diagnostic.location.map { "\($0): " } ?? "")error: \(diagnostic.message)")
    }
  }

  private var redTests: [[String]] {
    integration.tests.results.filter(\.state.isRed).map { result in
      var lines = ["\(result.state.rawValue): \(result.id)"]
      for failure in result.failures {
        let place = failure.location ?? result.location
        lines += Self.indented("  \(place.map { "\($0.file):\($0.line): " } ?? "")\(failure.message)")
      }
      return lines
    }
  }

  /// Flaky tests, and those that end otherwise alone.
  private var unsteadyTests: [[String]] {
    integration.tests.results.filter { $0.isFlaky || $0.alone != nil }.map { result in
      var lines: [String] = []
      if result.isFlaky {
        let attempts = result.attempts.map(\.state.rawValue).joined(separator: ", then ")
        lines.append("flaky: \(result.id): \(attempts)")
        lines += result.attempts.compactMap(\.message).prefix(1).flatMap { Self.indented("  \($0)") }
      }
      if let alone = result.alone {
        lines.append(
          "order-dependent: \(result.id): \(result.state.rawValue) with the others, \(alone.state.rawValue) alone")
        lines += alone.message.map { Self.indented("  \($0)") } ?? []
      }
      return lines
    }
  }

  private var testSentence: String {
    let counts = integration.tests.counts
    let parts = [
      (counts.passed, "passed"), (counts.failed, "failed"), (counts.crashed, "crashed"),
      (counts.timedOut, "timed out"),
      (counts.expectedFailures, counts.expectedFailures == 1 ? "expected failure" : "expected failures"),
      (counts.skipped, "skipped"),
      (counts.canceled, "canceled"), (counts.notRun, "not run"),
    ]
    let sum = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let flaky = counts.flaky > 0 ? "; \(counts.flaky) of the passed flaky" : ""
    return "\(counts.listed) listed: \(sum)\(flaky)"
      + (counts.filteredOut > 0 ? "; \(counts.filteredOut) filtered out" : "")
  }

  private var coverageSentence: String {
    switch integration.coverage {
    case .unavailable(let reason):
      return "not available: \(reason)"
    case .available(let coverage):
      let lines = coverage.totals.lines
      guard lines.total > 0 else { return "no source line holds code" }
      let note = coverage.isComplete ? "" : "; incomplete: \(coverage.reason ?? "a process left no counters")"
      return "\(lines.uncovered) of \(lines.total) lines never ran, \(lines.partial) ran partly\(note)"
    }
  }

  /// Which settings the package chose itself, so that nobody takes its choice for all that there is.
  private var settingsLine: String? {
    let own = integration.settings.filter { [.package, .both].contains($0.source) }.map(\.setting)
    return own.isEmpty ? nil : "Settings  \(own.joined(separator: ", ")) from .martlet.yml"
  }

  /// What changed in the coverage, and what the gates say of it; failed gates are among the reasons.
  private var changeLines: [String] {
    var lines: [String] = []
    if let changes = integration.changes {
      let summary = ChangeSummary(changes)
      lines.append("Patch     \(summary.patch)")
      if let lost = summary.lostSentence { lines.append("Lost      \(lost)") }
    }
    return lines
      + integration.gates.filter { $0.state != .failed }.map { gate in
        "Gate      \(gate.rule) \(gate.state == .passed ? "passed" : "was not judged"): \(gate.sentence)"
      }
  }

  /// A text of several lines; the first stands where it is put.
  private static func indented(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
      index == 0 ? String(line) : "    \(line)"
    }
  }
}
