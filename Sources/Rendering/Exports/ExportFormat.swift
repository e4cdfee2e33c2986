/// A file format for integrations that other programs read.
package enum ExportFormat: String, CaseIterable, Sendable {
  case junit, lcov, cobertura, sonar, codecov, sarif, json, csv, markdown, badge, github

  /// The contents and the readers of the format, as a phrase for help.
  package var summary: String {
    switch self {
    case .junit: "tests, for Jenkins, GitLab and most other CI servers (XML)"
    case .lcov: "coverage by lines and functions, for genhtml and editors"
    case .cobertura: "coverage by lines, for GitLab, Jenkins and Azure (XML)"
    case .sonar: "coverage by lines, SonarQube's generic format (XML)"
    case .codecov: "coverage by lines, Codecov's own format (JSON)"
    case .sarif: "errors, warnings and test failures, SARIF 2.1.0 (JSON)"
    case .json: "coverage by lines, Martlet's own document martlet.coverage/1"
    case .csv: "coverage of each file, for spreadsheets"
    case .markdown: "a summary for people, for a pull request or a job's page"
    case .badge: "a small picture for a README (SVG)"
    case .github: "errors, warnings, test failures, changed and lost lines, as GitHub's workflow commands"
    }
  }

  /// Whether the format uses the coverage by lines.
  package var readsLines: Bool { need == .coverageOfLines || self == .markdown }

  /// What the format requires an integration to have.
  enum Need {
    case nothing, coverageOfFiles, coverageOfLines
  }

  var need: Need {
    switch self {
    case .junit, .sarif, .markdown, .badge, .github: .nothing
    case .csv: .coverageOfFiles
    case .lcov, .cobertura, .sonar, .codecov, .json: .coverageOfLines
    }
  }
}

/// The reason why an integration cannot be written in a format.
package struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed, on what, why, and what to do next.
  package var description: String

  init(_ description: String) {
    self.description = description
  }
}
