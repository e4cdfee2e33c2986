import Model

/// The steps of an integration with what each cost.
struct StepsSection {
  private let integration: Integration
  private let time: LocalTime

  init(_ integration: Integration, time: LocalTime) {
    self.integration = integration
    self.time = time
  }

  var record: TemplateValue {
    let steps = integration.steps
    let longest = steps.map(\.duration).max() ?? 0
    let processor = steps.compactMap(\.cpu)
    let memory = steps.compactMap(\.peakMemory).max()
    return .record([
      "summary": .text(summary),
      "rows": .list(steps.map { record(of: $0, longest: longest) }),
      "total": .text(DurationText.short(integration.duration)),
      "processor": .text(processor.isEmpty ? "" : DurationText.short(processor.reduce(0, +))),
      "memory": .text(memory.map(ByteText.short) ?? ""),
    ])
  }

  private var summary: String {
    let queued = time.timeOfDay(of: integration.queuedAt)
    let started = time.timeOfDay(of: integration.startedAt)
    let ended = time.timeOfDay(of: integration.endedAt)
    return "queued \(queued), started \(started), ended \(ended), \(time.offset(of: integration.endedAt))"
  }

  private func record(of step: StepRecord, longest: Double) -> TemplateValue {
    .record([
      "glyph": .text(isRed(step) ? "failed" : "passed"),
      "state": .text(isRed(step) ? "Failed" : "Succeeded"),
      "name": .text(step.name.word),
      "duration": .text(DurationText.short(step.duration)),
      "seconds": .text("\(step.duration)"),
      "bar": Bar(share: longest > 0 ? step.duration / longest : 0).record,
      "processor": .text(step.cpu.map(DurationText.short) ?? ""),
      "memory": .text(step.peakMemory.map(ByteText.short) ?? ""),
      "result": .text(result(of: step)),
    ])
  }

  private func isRed(_ step: StepRecord) -> Bool {
    switch (integration.outcome, step.name) {
    case (.testFailures, .testing): step.hasFailed || integration.tests.counts.red > 0
    case (.checkoutError, .checkout), (.triggerError, .beforeTriggers): true
    default: step.hasFailed
    }
  }

  /// How its process ended; where that does not say what was wrong, as with tests that a later process went on behind,
  /// what did go wrong.
  private func result(of step: StepRecord) -> String {
    if isRed(step), !step.hasFailed {
      return step.name == .testing ? CountText.counted(integration.tests.counts.red, "red test") : "failed"
    }
    if let signal = step.signal { return "ended by \(SignalText.of(signal))" }
    return step.exitStatus.map { "exit status \($0)" } ?? ""
  }
}
