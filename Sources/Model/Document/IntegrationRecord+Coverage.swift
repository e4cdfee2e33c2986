extension IntegrationRecord {
  /// The coverage of the integration; if there is none, figures are missing, never zero.
  package struct CoverageSection: Codable, Sendable, Hashable {
    package var available: Bool
    package var complete: Bool
    package var reason: String?
    /// The reason for the outcome that is why there is no coverage; absent for another one, and in older documents.
    package var reasonCode: OutcomeReason.Code?
    package var lines: LineTally?
    package var regions: Tally?
    package var functions: Tally?
    /// Absent, as in the files, if the compiler counted none.
    package var branches: Tally?
    package var files: [File]?
    package var changes: ChangesSection?
    /// The source that was left out on request; absent if there is none.
    package var excluded: [CoverageExclusion]?
    /// Globs that match no source that would count; absent if there are none.
    package var idleExclusions: [String]?
    /// Markers in counted sources that leave nothing out; absent if there are none.
    package var idleMarkers: [IdleMarker]?
    /// Covered lines that ran only because the test processes started; absent if not requested.
    package var incidental: Incidental?
    /// The number of tests whose lines are known; absent if not requested.
    package var testMap: MappedTests?
    /// The results of testing functions without their bodies; absent if not requested.
    package var mutants: MutantsSection?
    /// The destinations whose coverage was merged, a line counting as run if it ran in any of them, or the single one
    /// that was measured in place of the leading one; absent for the leading one alone.
    package var destinations: [String]?
  }

  /// The number of lines, or why it is unknown.
  package struct Incidental: Codable, Sendable, Hashable {
    package var lines: Int?
    package var reason: String?
  }

  /// The number of tests, or why none is known; their lines are in `test-map.json.gz`.
  package struct MappedTests: Codable, Sendable, Hashable {
    package var tests: Int?
    package var reason: String?
    /// Why some are missing, as sentences; absent if none is.
    package var gaps: [String]?
    /// The tests that ran nothing of the package's own sources; absent if there are none, and in older documents.
    package var idle: [TestID]?
  }

  /// The figures of one counted source file.
  package struct File: Codable, Sendable, Hashable {
    package var path: String
    package var target: String
    package var lines: LineTally
    package var regions: Tally
    package var functions: Tally
    package var branches: Tally?
    /// Covered lines that ran only because the test processes started; absent if there are none.
    package var incidental: Int?
  }
}

extension IntegrationRecord.CoverageSection {
  init(_ report: CoverageReport) {
    switch report {
    case .unavailable(let reason, let code):
      self.init(available: false, complete: false, reason: reason, reasonCode: code)
    case .available(let coverage):
      let totals = coverage.totals
      self.init(
        available: true, complete: coverage.isComplete, reason: coverage.reason, lines: totals.lines,
        regions: totals.regions, functions: totals.functions, branches: totals.branches,
        files: coverage.files.map { file in
          IntegrationRecord.File(
            path: file.path, target: file.target, lines: file.totals.lines, regions: file.totals.regions,
            functions: file.totals.functions, branches: file.totals.branches,
            incidental: file.incidental.nonEmpty?.count)
        }, excluded: coverage.exclusions.nonEmpty,
        idleExclusions: coverage.idleExclusions.nonEmpty,
        idleMarkers: coverage.idleMarkers.nonEmpty,
        incidental: coverage.incidental.map { .init(lines: $0.value, reason: $0.reason) },
        testMap: coverage.testMap.map { map in
          .init(
            tests: map.value?.tests.count, reason: map.reason,
            gaps: map.value.flatMap { $0.gaps.nonEmpty },
            idle: map.value.map(\.idle).flatMap(\.nonEmpty))
        },
        mutants: coverage.mutants.map { .init($0) },
        destinations: coverage.destinations.nonEmpty)
    }
  }

  /// Requested exclusions that may not have the intended effect, each as a sentence without its end; if there are very
  /// many markers, only the first ones.
  package var exclusionRemarks: [String] {
    let most = 5
    let markers =
      (excluded ?? []).compactMap { $0.neverEndedSentence ?? $0.onlyFirstLineSentence }
      + (idleMarkers ?? []).map(\.sentence)
    let more = markers.count - most
    return (idleExclusions ?? []).map(CoverageExclusion.idleSentence) + markers.prefix(most)
      + (more > 0 ? ["so it is with \(more) more \(CountText.agreeing(more, "marker", "markers"))"] : [])
  }

  /// The totals, if there are any.
  package var totals: CoverageTotals? {
    guard available, let lines, let regions, let functions else { return nil }
    return CoverageTotals(lines: lines, regions: regions, functions: functions, branches: branches)
  }
}
