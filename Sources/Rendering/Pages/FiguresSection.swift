import Model

/// The figures of an integration, each with its change against the baseline.
struct FiguresSection {
  private let integration: Integration
  private let counts: TestCounts

  init(_ integration: Integration) {
    self.integration = integration
    self.counts = integration.tests.counts
  }

  var record: TemplateValue {
    let figures = [tests, uncovered, functions, warnings, duration].compactMap { $0 }
    return .record(["count": .text("\(figures.count)"), "figures": .list(figures)])
  }

  /// Counts of an integration that stopped early say nothing against those of one that did not.
  private var comparable: Baseline? {
    switch integration.outcome {
    case .succeeded, .warnings, .analyzerWarnings, .testFailures: integration.baseline
    default: nil
    }
  }

  private var tests: TemplateValue {
    guard counts.listed > 0 else {
      return figure("Tests", "none", link: nil, sub: "no test was listed or reached")
    }
    let before = comparable?.reachedTests
    let sums = StateSum.all(of: counts, baseline: before)
      .filter { !["failed", "crashed", "timed out"].contains($0.word) && ($0.count > 0 || $0.word == "passed") }
    var parts = [
      Part("\(CountText.plain(counts.listed)) listed", before.map { Delta(counts.listed, from: $0.listed, .neutral) })
    ]
    parts += sums.map { Part("\(CountText.plain($0.count)) \($0.word)", $0.delta) }
    let worst =
      counts.red == 0 && counts.notRun > 0
      ? "\(CountText.plain(counts.notRun)) not run" : "\(CountText.plain(counts.red)) red"
    return figure(
      "Tests", worst, unit: "of \(CountText.plain(counts.listed))",
      delta: before.map { Delta(counts.red, from: $0.red, .moreIsWorse) }, link: "tests.html", parts: parts)
  }

  private var uncovered: TemplateValue {
    guard let coverage = integration.coverage.coverage else {
      let reason = if case .unavailable(let reason) = integration.coverage { reason } else { "" }
      return figure("Uncovered lines", "not measured", link: nil, sub: reason)
    }
    let lines = coverage.totals.lines
    guard lines.total > 0 else {
      return figure("Uncovered lines", "no lines", link: nil, sub: "No counted file holds code.")
    }
    let before = coverage.isComplete ? comparable?.totals?.lines : nil
    let ran = lines.covered - lines.partial
    let bar = Bar(
      [("red", lines.uncovered), ("amber", lines.partial), ("green", ran)],
      label: "\(lines.uncovered) never ran, \(lines.partial) partly ran, \(ran) ran")
    let parts = [
      Part("\(CountText.plain(lines.covered)) ran", before.map { Delta(lines.covered, from: $0.covered, .neutral) }),
      Part(
        "\(CountText.plain(lines.partial)) of them partly",
        before.map { Delta(lines.partial, from: $0.partial, .moreIsWorse) }),
    ]
    return figure(
      "Uncovered lines", CountText.plain(lines.uncovered), unit: "of \(CountText.plain(lines.total))",
      delta: before.map { Delta(lines.uncovered, from: $0.uncovered, .moreIsWorse) }, link: "coverage.html", bar: bar,
      parts: parts, sub: coverage.isComplete ? nil : "incomplete: \(coverage.reason ?? "a process left no counters")")
  }

  private var functions: TemplateValue? {
    guard let coverage = integration.coverage.coverage, coverage.totals.functions.total > 0 else { return nil }
    let totals = coverage.totals
    let before = coverage.isComplete ? comparable?.totals : nil
    return figure(
      "Functions never called", CountText.plain(totals.functions.uncovered),
      unit: "of \(CountText.plain(totals.functions.total))",
      delta: before.map { Delta(totals.functions.uncovered, from: $0.functions.uncovered, .moreIsWorse) }, link: nil,
      parts: [
        Part(
          "\(CountText.plain(totals.regions.uncovered)) of \(CountText.plain(totals.regions.total)) regions never ran",
          before.map { Delta(totals.regions.uncovered, from: $0.regions.uncovered, .moreIsWorse) })
      ])
  }

  private var warnings: TemplateValue {
    let count = integration.warningCount
    let found = BaselineFindings(integration)
    func change(_ count: KeyPath<BaselineFindings, Int?>) -> Int? {
      comparable.flatMap { found.change(count, from: $0.findings) }
    }
    var parts: [Part] = []
    func add(_ text: String, _ change: Int?) {
      parts.append(Part(text, change.map { Delta(change: $0, .moreIsWorse) }))
    }
    if counts.listed > 0 {
      let before = comparable?.reachedTests?.flaky
      add(CountText.counted(counts.flaky, "flaky test"), before.map { counts.flaky - $0 })
    }
    if let ofTests = found.testWarnings, ofTests > 0 || change(\.testWarnings) ?? 0 != 0 {
      add("\(CountText.plain(ofTests)) more recorded by tests", change(\.testWarnings))
    }
    // Warnings of an analyzer whose step is not known are shown as well.
    let analyzer = integration.analysis.count
    if analyzer > 0 || change(\.analyzerWarnings) ?? 0 != 0 {
      add(CountText.counted(analyzer, "analyzer warning"), change(\.analyzerWarnings))
    }
    if let orderDependent = found.orderDependent {
      add(CountText.counted(orderDependent, "order-dependent test"), change(\.orderDependent))
    }
    return figure(
      "Warnings", CountText.plain(count), delta: comparable?.builtWarnings.map { Delta(count, from: $0, .moreIsWorse) },
      link: count > 0 ? "#issues" : nil, parts: parts)
  }

  private var duration: TemplateValue {
    let longest = integration.steps.max { $0.duration < $1.duration }
    return figure(
      "Duration", DurationText.short(integration.duration),
      delta: comparable.map { Delta(seconds: integration.duration, from: $0.duration) }, link: nil,
      sub: longest.map { "\(DurationText.short($0.duration)) of it \($0.name.word.lowercased())" })
  }

  /// A part of the line below a figure.
  private struct Part {
    let text: String
    let delta: Delta?

    init(_ text: String, _ delta: Delta?) {
      self.text = text
      self.delta = delta
    }

    var record: TemplateValue { .record(["text": .text(text), "delta": delta.record]) }
  }

  private func figure(
    _ label: String, _ value: String, unit: String? = nil, delta: Delta? = nil, link: String?, bar: Bar? = nil,
    parts: [Part] = [], sub: String? = nil
  ) -> TemplateValue {
    .record([
      "label": .text(label), "value": .text(value), "unit": .optional(unit),
      "delta": delta.record, "link": .optional(link), "bar": bar.map(\.record) ?? .missing,
      "parts": .list(parts.map(\.record)), "sub": .shown(ifAny: sub),
    ])
  }
}
