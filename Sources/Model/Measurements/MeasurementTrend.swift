/// What one metric of a test came to in the last integrations of a branch.
package struct MeasurementTrend: Hashable, Sendable {
  /// One integration.
  package struct Point: Hashable, Sendable {
    package var number: Int
    package var commit: CommitID
    package var branch: String?
    /// Nil where nothing is known to have been measured, and then `gap` says why.
    package var figure: MeasuredFigure?
    package var gap: Gap?
    /// What else differs from the last integration before that measured: the names of toolchain, settings and system.
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
    /// It did not come to the tests, or not to their end.
    case outcome(Outcome)
    /// The test ended so, and measured nothing.
    case test(TestState)
    case notListed
    /// Nothing is kept of it any more.
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

  /// The integrations that measured it, newest first.
  package var known: [Point] { points.filter { $0.figure != nil } }

  /// The change at a point against the last figure before it; nil without one.
  package func change(at point: Point) -> (change: MeasurementChange, since: Point)? {
    guard let figure = point.figure, let before = points.first(where: { $0.number < point.number && $0.figure != nil }),
      let old = before.figure
    else { return nil }
    return (MeasurementChange(from: old, to: figure), before)
  }

  /// The change of the newest figure.
  package var newest: (change: MeasurementChange, since: Point)? { points.first.flatMap(change) }
}
