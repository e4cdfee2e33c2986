/// A metric of a test in two integrations.
package struct MeasuredTest: Codable, Sendable, Hashable {
  package var id: TestID
  package var displayName: String?
  /// Nil if it was not measured.
  package var before: MeasuredFigure?
  package var after: MeasuredFigure?
  /// Change by the rule; nil where one side did not measure it.
  package var course: MeasurementChange.Course?

  package init(
    id: TestID, displayName: String?, before: MeasuredFigure?, after: MeasuredFigure?, rule: MeasurementChange.Rule
  ) {
    self.id = id
    self.displayName = displayName
    self.before = before
    self.after = after
    course = change?.course(by: rule)
  }

  /// The name of the test on pages.
  package var title: String { displayName ?? id.name }

  /// Nil if the metric was not measured on one side.
  package var change: MeasurementChange? {
    before.flatMap { before in after.map { MeasurementChange(from: before, to: $0) } }
  }
}
