/// Something that a package's own `.martlet.yml` hides without anyone else having asked for it.
package struct PackageOmission: Hashable, Sendable, Codable {
  /// What is hidden; other programs can rely on the raw values.
  package enum Code: String, CaseIterable, Sendable, Codable {
    /// No test ran at all, because of the package's actions.
    case testsNotRun = "package-runs-no-tests"
    /// Some tests did not run, because of the package's filter or skips.
    case testsLeftOut = "package-leaves-out-tests"
    /// The analyze action was not carried out.
    case analysisNotRun = "package-runs-no-analysis"
    /// Sources are missing from all coverage figures.
    case coverageLeftOut = "package-leaves-out-coverage"
  }

  package var code: Code
  /// The ids of the tests, or the paths of the files; empty if all are hidden.
  package var names: [String]

  package init(_ code: Code, names: [String] = []) {
    self.code = code
    self.names = names
  }
}
