import Model

/// How long the steps of both integrations took.
extension ComparisonPage {
  /// A step, or all of them.
  private struct StepRow {
    var label: String
    var before: Double?
    var after: Double?
    var isBuild = false
    var isTotal = false
  }

  private var stepRows: [StepRow] {
    let (before, after) = (comparison.before, comparison.after)
    var rows = comparison.steps.map {
      StepRow(label: $0.name.word, before: $0.before, after: $0.after, isBuild: $0.name == .building)
    }
    let rests = (before: rest(of: before) { $0.before }, after: rest(of: after) { $0.after })
    if rests.before != nil || rests.after != nil {
      rows.append(StepRow(label: "Between steps", before: rests.before, after: rests.after))
    }
    let totals = (before: total(of: before) { $0.before }, after: total(of: after) { $0.after })
    rows.append(StepRow(label: "Total", before: totals.before, after: totals.after, isTotal: true))
    return rows
  }

  /// Returns how long one of the two took, of several destinations the one that the steps are those of; nil without any.
  private func total(of side: IntegrationComparison.Side, _ seconds: (StepChange) -> Double?) -> Double? {
    let known = comparison.steps.compactMap(seconds)
    return side.destinations == nil ? side.duration : known.isEmpty ? nil : known.reduce(0, +)
  }

  /// Returns how long one of the two took beside its steps; nil with several destinations, of which the steps are those
  /// of one.
  private func rest(of side: IntegrationComparison.Side, _ seconds: (StepChange) -> Double?) -> Double? {
    side.destinations == nil
      ? StepsSection.rest(of: side.duration, beside: comparison.steps.compactMap(seconds)) : nil
  }

  /// The rows of the table of the steps.
  var steps: TemplateValue {
    .list(
      stepRows.map { row in
        func told(_ seconds: Double?, _ side: IntegrationComparison.Side) -> TemplateValue {
          guard let seconds else { return .text("–") }
          return .text(row.isBuild ? words.duration(seconds, of: side) : DurationText.fine(seconds))
        }
        return .record([
          "label": .text(row.label), "before": told(row.before, comparison.before),
          "after": told(row.after, comparison.after), "delta": change(of: row).record,
          "isTotal": .flag(row.isTotal),
        ])
      })
  }

  /// Whether any of them is compared.
  var stepsHaveChange: Bool { stepRows.contains { change(of: $0) != nil } }

  /// What includes a build is compared only if both builds were of the same kind.
  private func change(of row: StepRow) -> Delta? {
    guard comparison.haveLikeBuilds || !(row.isBuild || row.isTotal) else { return nil }
    return row.before.flatMap { before in row.after.flatMap { Delta(seconds: $0, from: before) } }
  }
}
