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
      counts.red > 0 || counts.notRun == 0
      ? "\(CountText.plain(counts.red)) red"
      : counts.unseen > 0 ? "\(CountText.plain(counts.unseen)) not run" : "\(CountText.plain(counts.quit)) quit"
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

  /// All that makes an outcome of warnings; missing where that is nothing that can be counted.
  private var warnings: TemplateValue? {
    let kinds = kindsOfWarnings.filter { $0.count > 0 || $0.change ?? 0 != 0 }
    let sum = kinds.reduce(0) { $0 + $1.count }
    if sum == 0, [.warnings, .analyzerWarnings].contains(integration.outcome) { return nil }
    // The compiler's are what a build without others is asked for.
    let known = kinds.isEmpty ? Array(kindsOfWarnings.prefix(1)) : kinds
    let isOfCompiler = kinds.count == 1 && sum == integration.warningCount
    let change = known.contains { $0.change == nil } ? nil : known.reduce(0) { $0 + ($1.change ?? 0) }
    return figure(
      "Warnings", CountText.plain(sum), delta: change.map { Delta(change: $0, .moreIsWorse) },
      link: integration.warningCount > 0 ? "#issues" : nil,
      parts: isOfCompiler
        ? [] : kinds.map { kind in Part(kind.words, kind.change.map { Delta(change: $0, .moreIsWorse) }) })
  }

  /// Each with its change; nil where that is not known. The compiler's come first.
  private var kindsOfWarnings: [(words: String, count: Int, change: Int?)] {
    let found = BaselineFindings(integration)
    func change(_ count: KeyPath<BaselineFindings, Int?>) -> Int? {
      comparable.flatMap { found.change(count, from: $0.findings) }
    }
    let compiler = integration.warningCount
    let triggers = integration.issues.count { $0.kind == .triggerError && $0.status.isOpen }
    let (ofTests, orderDependent) = (found.testWarnings ?? 0, found.orderDependent ?? 0)
    return [
      ("\(CountText.plain(compiler)) of the compiler", compiler, comparable?.builtWarnings.map { compiler - $0 }),
      (
        CountText.counted(counts.flaky, "flaky test"), counts.flaky,
        comparable?.reachedTests.map { counts.flaky - $0.flaky }
      ),
      ("\(CountText.plain(ofTests)) recorded by tests", ofTests, change(\.testWarnings)),
      // Those of an analyzer whose step is not known are shown as well.
      (
        CountText.counted(integration.analysis.count, "analyzer warning"), integration.analysis.count,
        change(\.analyzerWarnings)
      ),
      (CountText.counted(orderDependent, "order-dependent test"), orderDependent, change(\.orderDependent)),
      (CountText.counted(triggers, "failed trigger"), integration.outcome.isGreen ? triggers : 0, nil),
    ]
  }

  private var duration: TemplateValue {
    let longest = integration.steps.max { $0.duration < $1.duration }
    let isWarm = integration.steps.isBuildWarm
    // A build that goes on from an earlier one is no faster than one that does not.
    let like = isWarm == nil ? nil : comparable.flatMap { $0.isWarm == isWarm ? $0 : nil }
    let isOther = isWarm != nil && like == nil && comparable?.isWarm != nil
    let warmth = isOther ? ", \([StepRecord].buildWords(isWarm: isWarm == true))" : ""
    return figure(
      "Duration", DurationText.short(integration.duration),
      delta: like.map { Delta(seconds: integration.duration, from: $0.duration) }, link: nil,
      sub: longest.map { step in
        "\(DurationText.short(step.duration)) of it \(step.name.word.lowercased())"
          + (step.name == .building ? warmth : "")
      })
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
