/// The development of one metric of a test over the last integrations of a branch.
package struct MeasurementTrend: Hashable, Sendable {
  /// One integration.
  package struct Point: Hashable, Sendable {
    package var number: Int
    package var commit: CommitID
    package var branch: String?
    /// Nil if no measurement is known; `gap` then says why.
    package var figure: MeasuredFigure?
    package var gap: Gap?
    /// What else differs from the previous integration that measured: the names of toolchain, settings and system.
    package var differing: [String] = []

    package init(number: Int, commit: CommitID, branch: String?, figure: MeasuredFigure? = nil, gap: Gap? = nil) {
      self.number = number
      self.commit = commit
      self.branch = branch
      self.figure = figure
      self.gap = gap
    }
  }

  /// Why an integration has no figure.
  package enum Gap: Hashable, Sendable {
    /// The integration did not reach the tests, or not their end.
    case outcome(Outcome)
    /// The test ended in this state and measured nothing.
    case test(TestState)
    case notListed
    /// Nothing of the integration is kept any longer.
    case removed
  }

  package let metric: String
  package let unit: String
  /// Newest first; the newest has a figure.
  package let points: [Point]

  package init(metric: String, unit: String, points: [Point]) {
    self.metric = metric
    self.unit = unit
    self.points = points
  }

  /// The integrations that measured the metric, newest first.
  package var known: [Point] { points.filter { $0.figure != nil } }

  /// Returns the change from the previous figure to the one at a point, or nil if either is missing.
  package func change(at point: Point) -> (change: MeasurementChange, since: Point)? {
    guard let figure = point.figure, let before = points.first(where: { $0.number < point.number && $0.figure != nil }),
      let old = before.figure
    else { return nil }
    return (MeasurementChange(from: old, to: figure), before)
  }

  /// The change of the newest figure.
  package var newest: (change: MeasurementChange, since: Point)? { points.first.flatMap(change) }

  /// Whether the newest figure is higher than the one before it, considering their variation.
  package var isWorse: Bool { newest?.change.course() == .higher }
}
