package import Model

extension MeasurementTrend {
  /// Returns the trends of everything that an integration measured, by test, in the order of measurement.
  ///
  /// - Parameter past: the earlier integrations to compare with, newest first.
  package static func all(of newest: TestVerdicts, after past: [PastIntegration]) -> [TestID: [MeasurementTrend]] {
    newest.measured.reduce(into: [:]) { trends, entry in
      let (test, figures) = entry
      trends[test] = figures.map { MeasurementTrend(of: $0, in: test, newest: newest, past: past) }
    }
  }

  private init(of figure: MeasuredFigure, in test: TestID, newest: TestVerdicts, past: [PastIntegration]) {
    var points = [Point(number: newest.number, commit: newest.commit, branch: newest.branch, figure: figure)]
    // The integration that each figure came from.
    var sources = [newest]
    var places = [0]
    for one in past {
      let before = one.verdicts?.measured[test]?.first(where: figure.isComparable)
      var point = Point(number: one.number, commit: one.commit, branch: one.verdicts?.branch, figure: before)
      if before == nil { point.gap = Gap(of: test, in: one) }
      if before != nil, let verdicts = one.verdicts {
        sources.append(verdicts)
        places.append(points.count)
      }
      points.append(point)
    }
    for index in sources.indices.dropLast() {
      points[places[index]].differing = sources[index].differing(from: sources[index + 1])
    }
    // Before the first figure there are no gaps to report.
    self.init(metric: figure.metric, unit: figure.unit, points: Array(points.prefix((places.last ?? 0) + 1)))
  }
}

extension MeasurementTrend.Gap {
  fileprivate init(of test: TestID, in past: PastIntegration) {
    if let verdict = past.verdicts?.verdicts[test] {
      self = .test(verdict.state)
    } else if !past.outcome.isConclusive || past.outcome == .buildErrors {
      self = .outcome(past.outcome)
    } else {
      self = past.verdicts == nil ? .removed : .notListed
    }
  }
}

extension TestVerdicts {
  /// Returns the names of everything that differs besides the commit, as far as both record it.
  fileprivate func differing(from other: TestVerdicts) -> [String] {
    let isSameToolchain = toolchain == other.toolchain
    guard let circumstances, let old = other.circumstances else { return isSameToolchain ? [] : ["toolchain"] }
    let changes = CircumstanceChange.changes(from: old, to: circumstances)
    return (isSameToolchain ? [] : ["toolchain"]) + changes.map(\.name)
  }
}
