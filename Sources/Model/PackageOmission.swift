/// Something that a package's own `.martlet.yml` takes out of sight, which nobody else asked for.
package struct PackageOmission: Hashable, Sendable, Codable {
  /// What is out of sight; other programs may go by it.
  package enum Code: String, CaseIterable, Sendable, Codable {
    /// No test ran at all, because of its actions.
    case testsNotRun = "package-runs-no-tests"
    /// Some tests did not run, because of its filter or skips.
    case testsLeftOut = "package-leaves-out-tests"
    /// The analyze action was not carried out.
    case analysisNotRun = "package-runs-no-analysis"
    /// Sources are in no figure of the coverage.
    case coverageLeftOut = "package-leaves-out-coverage"
  }

  package var code: Code
  /// The tests by their ids, or the files by their paths; empty where it is all of them.
  package var names: [String]

  package init(_ code: Code, names: [String] = []) {
    self.code = code
    self.names = names
  }
}
