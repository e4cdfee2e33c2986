import Model

/// The steps of an integration, with their costs and logs.
struct StepsSection: ReportSection {
  let report: ReportContext

  /// Missing if no step ran.
  var record: TemplateValue {
    let steps = integration.steps.busy
    guard !steps.isEmpty || !report.books.isEmpty else { return .missing }
    // A single step is the longest one anyway.
    let longest = steps.count > 1 ? steps.map(\.duration).max() : nil
    let processor = steps.compactMap(\.cpu)
    let memory = steps.compactMap(\.peakMemory).max()
    // With several destinations, the steps are those of one.
    let total = integration.ownDuration
    return .record([
      "destination": destination, "hasRows": .flag(!steps.isEmpty),
      "rows": .list(
        steps.filter { !isAfterTests($0) }.map { record(of: $0, longest: longest) } + undone
          + steps.filter(isAfterTests).map { record(of: $0, longest: longest) }),
      // The log of a step that was interrupted before it was recorded is still available.
      "loose": .list(
        Step.allCases.filter { step in (book(of: step)?.lineCount ?? 0) > 0 && !steps.contains { $0.name == step } }
          .map(log)),
      "since": .optional(hasChanges ? integration.timed.map { "\($0.number)" } : nil),
      "rest": .optional(Self.rest(of: total, beside: steps.map(\.duration)).map { DurationText.fine($0) }),
      "total": .text(DurationText.fine(total)),
      "totalChange": totalChange == nil ? .missing : .record(["delta": totalChange.record]),
      "processor": .text(processor.isEmpty ? "" : DurationText.fine(processor.reduce(0, +))),
      "memory": .text(memory.map(ByteText.short) ?? ""),
    ])
  }

  /// Which of several destinations the steps are of, with links to those of the others; missing for a single one.
  private var destination: TemplateValue {
    guard !integration.cells.isEmpty, let name = integration.destination?.name else { return .missing }
    return .record(["name": .shown(name), "others": .list(Self.others(in: integration))])
  }

  /// Returns links to the steps of the other destinations that have some.
  static func others(in integration: Integration) -> [TemplateValue] {
    integration.cells.filter { !$0.steps.isEmpty }.map { cell in
      .record([
        "name": .shown(cell.destination?.name ?? ""), "link": .text("\(cell.placeOfReport)index.html#logs"),
      ])
    }
  }

  /// Returns how long an integration took beside its steps; nil without steps, and if that is no millisecond.
  ///
  /// It is what is left of the whole milliseconds that its document has, so that every page has the same.
  static func rest(of total: Double, beside steps: [Double]) -> Double? {
    let rest = steps.reduce(total.roundedToMilliseconds) { $0 - $1.roundedToMilliseconds }.roundedToMilliseconds
    return steps.isEmpty || rest <= 0 ? nil : rest
  }

  private func record(of step: StepRecord, longest: Double?) -> TemplateValue {
    .record([
      "glyph": .text(glyph(of: step)),
      "state": .text(isRed(step) ? integration.outcome == .incomplete ? "Incomplete" : "Failed" : "Succeeded"),
      "name": .text(step.name.word),
      "duration": .text(DurationText.fine(step.duration)),
      "seconds": .text("\(step.duration)"), "delta": change(of: step).record,
      "isOtherBuild": .flag(step.name == .building && otherBuild != nil),
      "bar": longest.map { Bar(share: $0 > 0 ? step.duration / $0 : 0).record } ?? .missing,
      "processor": .text(step.cpu.map { DurationText.fine($0) } ?? ""),
      "memory": .text(step.peakMemory.map(ByteText.short) ?? ""),
      "result": .shown(result(of: step)), "resultLink": .optional(step.name == .testing ? firstEnd(of: step) : nil),
      "log": log(of: step.name),
    ])
  }

  /// The rows of what a failed build or before-trigger left undone.
  private var undone: [TemplateValue] {
    let wasDone = integration.baseline?.stepDurations ?? [:]
    let due: [Step] =
      if integration.isUnbuilt {
        [.testing]
      } else if integration.outcome == .triggerError {
        [.building, .analyzing, .testing].filter { $0 == .building || wasDone[$0] != nil }
      } else {
        []
      }
    return due.filter { step in !integration.steps.contains { $0.name == step } }.map { step in
      .record([
        "glyph": .text(TestState.notRun.glyph), "state": .text("Did not run"), "name": .text(step.word),
        "duration": .text(""), "seconds": .text(""), "delta": .missing, "isOtherBuild": .flag(false), "bar": .missing,
        "processor": .text(""), "memory": .text(""), "result": .text("did not run"), "resultLink": .missing,
        "log": .missing,
      ])
    }
  }

  private func isAfterTests(_ step: StepRecord) -> Bool {
    Step.allCases.drop { $0 != .testing }.contains(step.name)
  }

  /// Returns the first of the lines of the log that tell most of the tests that the result of their step is about.
  private func firstEnd(of step: StepRecord) -> String? {
    let results = integration.tests.results
    let state = counts.timedOut > 0 ? TestState.timedOut : .crashed
    let signaled = step.signal == nil ? [] : results.filter { $0.state == state }
    let red = signaled.isEmpty ? results.filter(\.state.isRed) : signaled
    return report.logLines.first(of: red.isEmpty ? results.filter(\.endsBadly) : red)
  }

  private var hasChanges: Bool { totalChange != nil || integration.steps.busy.contains { change(of: $0) != nil } }

  /// How much longer all took than in the baseline; nil with several destinations, of which the steps are those of one.
  private var totalChange: Delta? {
    guard integration.cells.isEmpty else { return nil }
    return integration.builtAlike.flatMap { Delta(seconds: integration.duration, from: $0.duration) }
  }

  /// Returns how much longer a step took than in the baseline.
  private func change(of step: StepRecord) -> Delta? {
    let baseline = step.name == .building ? integration.builtAlike : integration.timed
    return baseline?.stepDurations[step.name].flatMap { Delta(seconds: step.duration, from: $0) }
  }

  /// The kind of the baseline's build, if it is another one, which is why the two are not compared.
  private var otherBuild: String? {
    guard let baseline = integration.timed, let isWarm = baseline.isWarm, integration.steps.isBuildWarm == !isWarm
    else { return nil }
    return "\([StepRecord].buildWords(isWarm: isWarm)) in \(baseline.number)"
  }

  private func book(of step: Step) -> LogBook? { report.books.first { $0.step == step } }

  private func log(of step: Step) -> TemplateValue {
    guard let book = book(of: step), book.lineCount > 0 else { return .missing }
    return .record([
      "link": .text(ReportPaths.log(step)), "name": .text(LogPage.heading(of: step)),
      "lines": .text(CountText.counted(book.lineCount, "line")),
      // Errors in the log of the tests are those of tests, which the page counts.
      "found": .text(step == .testing ? "" : book.found),
      "foundLink": .optional(book.firstFinding.map { "\(ReportPaths.log(step, page: $0.page))#L\($0.line)" }),
    ])
  }

  private func glyph(of step: StepRecord) -> String {
    guard isRed(step) else { return "passed" }
    return integration.outcome == .incomplete ? integration.outcome.glyph : "failed"
  }

  private func isRed(_ step: StepRecord) -> Bool {
    if failuresSilenced(in: step) != nil { return false }
    return switch (integration.outcome, step.name) {
    case (.testFailures, .testing): step.hasFailed || counts.red > 0
    case (.incomplete, .testing): true
    case (.checkoutError, .checkout), (.triggerError, .beforeTriggers): true
    default: step.hasFailed
    }
  }

  /// Returns how the step's process ended; if that does not show the problem, as when a later process continued the
  /// tests, returns the problem itself.
  private func result(of step: StepRecord) -> String {
    if isRed(step), !step.hasFailed {
      if integration.outcome == .incomplete { return "incomplete" }
      if step.name != .testing { return "failed" }
    }
    // Their process was ended by Martlet, which the signal does not tell.
    let isByMartlet = step.name == .testing && step.signal != nil && counts.timedOut > 0
    if isByMartlet, counts.red == counts.timedOut {
      return StepWords.timedOut(integration.tests.results.filter { $0.state == .timedOut })
    }
    if let silenced = failuresSilenced(in: step) { return "\(Self.end(of: step)): \(silenced)" }
    if !isByMartlet, step.signal != nil { return Self.end(of: step) }
    // What it is linked with, and why the process failed.
    let red = integration.countingRedTests.count
    if step.name == .testing, red > 0 { return CountText.counted(red, "red test") }
    if step.hasFailed { return Self.end(of: step) }
    return cleanWords(of: step) ?? (step.name == .building && hasChanges ? otherBuild : nil) ?? ""
  }

  /// Returns how the process of a failed step ended.
  private static func end(of step: StepRecord) -> String {
    step.signal.map { "ended by \(SignalText.of($0))" } ?? "exit status \(step.exitStatus ?? 0)"
  }

  /// Returns how many failures made the process of the tests fail, if none of them counts; nil otherwise.
  private func failuresSilenced(in step: StepRecord) -> String? {
    let isOver = integration.own.outcome.isGreen || integration.onlyGatesFailed
    guard step.name == .testing, step.hasFailed, isOver, counts.red > 0, integration.countingRedTests.isEmpty else {
      return nil
    }
    return CountText.counted(counts.red, "silenced failure")
  }

  /// Returns that a build was a clean one, with what is known of why; nil for any other step, and where the baseline shows
  /// that clean builds are nothing new.
  private func cleanWords(of step: StepRecord) -> String? {
    guard step.name == .building, step.warm == false, let baseline = integration.baseline, baseline.isWarm != false
    else { return nil }
    let (mark, before) = (integration.toolchainMark, baseline.toolchainMark)
    let reason: String? =
      if let before, before.machine != mark.machine {
        "on another machine"
      } else if before?.differs(from: mark) == true {
        "with another toolchain"
      } else if let branch = integration.branch, let other = baseline.branch, branch != other {
        "\(baseline.number) was on \(other)"
      } else {
        nil
      }
    return [[StepRecord].buildWords(isWarm: false), reason].compactMap(\.self).joined(separator: ", ")
  }
}
