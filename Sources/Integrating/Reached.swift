import Model

/// How far an integration came for one destination, with everything that was made until then.
enum Reached {
  /// Nothing is built for the destination now.
  case nothing
  /// The results are those of an earlier integration of the same commit.
  case adopted(IntegrationRecord)
  /// Its sources lie ready.
  case sources
  case resolution(Resolution)
  case build(Built)
  case analysis(Analyzed)
  case tests(Tested)
  case coverage(Measured)
  case comparison(Compared)

  /// What was compiled from what was fetched.
  struct Built {
    var resolution: Resolution
    var build: Build
  }

  /// Made only of what was built with products, which can be tested.
  struct Analyzed {
    var built: Built
    /// Nil if no analysis was requested.
    var analysis: Analysis?
  }

  struct Tested {
    var analyzed: Analyzed
    /// Nil if tests were requested, but the package's own settings leave them out.
    var run: TestRun?
    /// What the tests wrote beside the sources.
    var written: WrittenFiles?
  }

  struct Measured {
    var tested: Tested
    var measurement: Measurement
  }

  struct Compared {
    var measured: Measured
    var judged: JudgedCoverage
  }

  var compared: Compared? { if case .comparison(let compared) = self { compared } else { nil } }
  var measured: Measured? { if case .coverage(let measured) = self { measured } else { compared?.measured } }
  var tested: Tested? { if case .tests(let tested) = self { tested } else { measured?.tested } }
  var analyzed: Analyzed? { if case .analysis(let analyzed) = self { analyzed } else { tested?.analyzed } }
  var built: Built? { if case .build(let built) = self { built } else { analyzed?.built } }
  var resolution: Resolution? { if case .resolution(let resolution) = self { resolution } else { built?.resolution } }

  var adopted: IntegrationRecord? { if case .adopted(let earlier) = self { earlier } else { nil } }
  var build: Build? { built?.build }
  var tests: TestRun? { tested?.run }
}

/// The coverage that a destination or a whole integration is judged by, beside an earlier one.
struct JudgedCoverage {
  var measurement: Measurement
  var comparison: CoverageJudgement
  /// Who wrote each line of the counted sources, by path.
  var origins: [String: [LineOrigin]] = [:]

  /// Adds what became of functions without their bodies.
  mutating func take(_ mutants: Answer<MutationReport>) {
    measurement.report.take(mutants)
    comparison.take(mutants)
  }
}
