import Model
import Testing

@testable import Comparing

/// Trends for tests: the newest is 8, and each before it one less.
enum Trends {
  /// - Parameter values: newest first; nil where nothing was measured.
  static func trend(_ values: [[Double]?], unit: String = "seconds", differing: [String] = []) -> MeasurementTrend {
    var points = values.enumerated().map { index, values in
      MeasurementTrend.Point(
        number: 8 - index, commit: CommitID(rawValue: "c\(8 - index)"), branch: "main",
        figure: values.flatMap { MeasuredFigure(TestMeasurement(metric: "Time", unit: unit, values: $0)) },
        gap: values == nil ? .notListed : nil)
    }
    if points.last?.figure == nil { points.removeLast() }
    points[0].differing = differing
    return MeasurementTrend(metric: "Time", unit: unit, points: points)
  }
}

@Suite("The trend of what is measured")
struct MeasurementTrendTests {
  private let test = TestID(module: "ShopTests", suite: "Pace", name: "testPace")

  private func verdicts(
    _ number: Int, _ seconds: Double?, state: TestState? = .passed, toolchain: String = "Swift 6.3",
    circumstances: [Circumstance]? = [Circumstance("configuration", "debug")]
  ) -> TestVerdicts {
    var verdicts = TestVerdicts(
      number: number, commit: CommitID(rawValue: "c\(number)"), branch: "main", toolchain: toolchain, verdicts: [:])
    verdicts.verdicts[test] = state.map { .init(state: $0, duration: 1, isFlaky: false) }
    if let seconds {
      verdicts.measured[test] = [
        MeasuredFigure(metric: "Time", unit: "seconds", average: seconds, deviation: 0.05, repetitions: 10)
      ]
    }
    verdicts.circumstances = circumstances
    return verdicts
  }

  private func past(_ verdicts: TestVerdicts, _ outcome: Outcome = .succeeded) -> PastIntegration {
    PastIntegration(number: verdicts.number, commit: verdicts.commit, outcome: outcome, verdicts: verdicts)
  }

  private func gone(_ number: Int, _ outcome: Outcome) -> PastIntegration {
    PastIntegration(number: number, commit: CommitID(rawValue: "c\(number)"), outcome: outcome, verdicts: nil)
  }

  private func trend(_ newest: TestVerdicts, _ past: [PastIntegration]) -> MeasurementTrend? {
    MeasurementTrend.all(of: newest, after: past)[test]?.first
  }

  @Test("An integration without a figure keeps its place and says why; what lies before the first figure is left out")
  func gaps() {
    let trend = trend(
      verdicts(9, 2),
      [
        gone(8, .buildErrors), past(verdicts(7, nil, state: .skipped)), gone(6, .canceled), gone(5, .succeeded),
        past(verdicts(4, nil, state: nil)), past(verdicts(3, 1)), past(verdicts(2, nil)), gone(1, .succeeded),
      ])
    #expect(trend?.points.map(\.number) == [9, 8, 7, 6, 5, 4, 3])
    #expect(
      trend?.points.map(\.gap) == [
        nil, .outcome(.buildErrors), .test(.skipped), .outcome(.canceled), .removed, .notListed, nil,
      ])
    #expect(trend?.points.map(\.figure?.average) == [2, nil, nil, nil, nil, nil, 1])
    #expect(trend?.newest?.since.number == 3)
    #expect(trend?.newest?.change.share == 1)
    #expect(trend?.newest?.change.course() == .higher)
  }

  @Test("What was never measured before is one point without a change")
  func alone() {
    let trend = trend(verdicts(9, 2), [past(verdicts(8, nil)), gone(7, .succeeded)])
    #expect(trend?.points.map(\.number) == [9])
    #expect(trend?.newest == nil)
    #expect(MeasurementTrend.all(of: verdicts(9, nil), after: [past(verdicts(8, 1))]).isEmpty)
  }

  @Test("Another toolchain or setting is marked at the first figure after it, also over a gap")
  func differing() {
    let release = [Circumstance("configuration", "release")]
    let trend = trend(
      verdicts(9, 2, toolchain: "Swift 6.4", circumstances: release),
      [
        past(verdicts(8, nil, circumstances: release)), past(verdicts(7, 1)),
        past(verdicts(6, 1, toolchain: "Swift 6.2", circumstances: nil)), past(verdicts(5, 1, toolchain: "Swift 6.2")),
      ])
    #expect(trend?.points.map(\.differing) == [["toolchain", "configuration"], [], ["toolchain"], [], []])
  }

  @Test("Another unit under the same name is another figure")
  func units() {
    var old = verdicts(8, 1)
    old.measured[test]?[0].unit = "kB"
    #expect(trend(verdicts(9, 2), [past(old)])?.points.count == 1)
  }

  @Test("Two integrations are held against each other metric by metric, the largest rise first")
  func compared() {
    func integration(_ number: Int, _ values: [(String, Double?)]) -> Integration {
      let results = values.map { name, value in
        var result = Documents.test(name, .passed)
        result.measurements = value.map { [TestMeasurement(metric: "Time", unit: "seconds", values: [$0])] } ?? []
        return result
      }
      return Documents.integration(number, tests: results)
    }
    let changes = Documents.comparison(
      integration(1, [("a", 1), ("b", 1), ("c", 1), ("e", nil)]),
      integration(2, [("a", 1.05), ("b", 3), ("d", 1), ("e", 2), ("c", 0.5)])
    ).tests
    #expect(changes.measured.map(\.id.name) == ["b", "a", "c", "d", "e"])
    #expect(changes.measured.map(\.course) == [.higher, .same, .lower, nil, nil])
    #expect(changes.broken.isEmpty)
  }
}
