package import Model

extension Announcement.Matter {
  /// Returns the text that a forge shows beside a commit, in one short line without a full stop.
  ///
  /// - Parameter document: the results of the integration; nil if unknown.
  package func description(document: IntegrationRecord?) -> String {
    switch self {
    case .waiting: "Waiting"
    case .running: "Running"
    case .dropped: "Not integrated"
    case .covered(let commit): "Not integrated on its own: part of \(commit.short)"
    case .finished(let outcome):
      document.map { StatusDescription($0, outcome).line } ?? outcome.word(isFailedGate: false)
    }
  }
}

/// The results of an integration, for a line beside a commit.
private struct StatusDescription {
  /// The document with the figures: if there are several destinations, the first that determined the outcome.
  private let document: IntegrationRecord
  private let outcome: Outcome
  /// The destinations concerned, unless that is all of them.
  private var destinations: String?
  private let patch: String?
  /// How many tests are red, in whatever destination.
  private let red: Int

  /// The number of destinations that are named before they are only counted.
  private static let mostNamed = 3

  init(_ whole: IntegrationRecord, _ outcome: Outcome) {
    self.outcome = outcome
    patch = Self.patch(of: whole)
    red = whole.judgedRed
    let judged = ([whole.own].compactMap(\.self) + (whole.cells ?? [])).filter {
      $0.destination?.outcome != nil && $0.destination?.required == true
    }
    let worst = judged.filter { $0.outcome == outcome }
    document = worst.first ?? whole
    guard !outcome.isGreen, !worst.isEmpty, worst.count < judged.count else { return }
    let names = worst.compactMap(\.destination?.name)
    destinations =
      names.count > Self.mostNamed ? "\(names.count) of \(judged.count) destinations" : CountText.list(names)
  }

  var line: String {
    let parts = ([found] + [patch].compactMap(\.self)).joined(separator: ", ")
    return destinations.map { "\($0): \(parts)" } ?? parts
  }

  private var found: String {
    let counts = document.tests.counts
    switch outcome {
    case .testFailures where document.countingRed > 0: return "\(CountText.plain(red)) red"
    case .testFailures where document.isFailedGate: return outcome.word(isFailedGate: true)
    case .buildErrors:
      let errors = document.issues.count { [.error, .linkerError].contains($0.kind) && $0.status.isOpen }
      return errors > 0 ? CountText.counted(errors, "error") : "Does not build"
    case .incomplete where counts.notRun > 0:
      let all = " of \(CountText.counted(counts.listed, "test"))"
      return CountText.list(TestSum.withoutResult(in: counts, of: all))
    case .succeeded, .warnings, .analyzerWarnings:
      let warnings = (document.warnings ?? 0) + (document.analyzerWarnings ?? 0)
      let all = [
        counts.flaky > 0 ? flaky : nil, document.worse.map(MeasurementWords.worse),
        counts.listed > 0 ? "\(passed)\(CountText.plain(counts.steady)) passed" : "Builds",
        warnings > 0 ? CountText.counted(warnings, "warning") : nil,
      ]
      return all.compactMap(\.self).joined(separator: ", ")
    case .testFailures, .incomplete, .triggerError, .checkoutError, .internalError, .canceled:
      return outcome.word(isFailedGate: false)
    }
  }

  /// How many tests ran, where some were left out.
  private var passed: String {
    document.tests.only.flatMap { $0.isPartial ? "\($0.headline): " : nil } ?? ""
  }

  /// The flaky tests: the name of a single one, which the forge may cut off at the end of the line.
  private var flaky: String {
    let titles = document.tests.cases.filter { $0.flaky == true }.map { $0.displayName ?? $0.id.name }
    guard titles.count == 1 else { return "\(CountText.plain(document.tests.counts.flaky)) flaky" }
    return "1 flaky: \(titles[0])"
  }

  /// Returns the changed lines that never ran, if any; nil for a first commit, which is all new.
  private static func patch(of whole: IntegrationRecord) -> String? {
    guard let section = whole.coverage.changes?.patch, section.since != "nothing", let lines = section.lines,
      lines.uncovered > 0
    else { return nil }
    let changed = CountText.counted(lines.total, "changed line")
    return "\(CountText.plain(lines.uncovered)) of \(changed) never ran"
  }
}
