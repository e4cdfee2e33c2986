import Model

/// Coverage in SonarQube's generic format:
/// https://docs.sonarsource.com/sonarqube-server/analyzing-source-code/test-coverage/generic-test-data/
///
/// A partly run line counts as covered; unlike other languages, Swift has no branch counters that could distinguish it.
enum SonarExport {
  static func text(_ coverage: CoverageDocument) -> String {
    var xml = XMLText()
    xml.element("coverage", ["version": "1"]) { xml in
      for file in coverage.files {
        xml.element("file", ["path": file.path]) { xml in
          let conditions = Dictionary(grouping: file.conditions, by: \.line)
          for line in file.lines {
            let branches = conditions[line.line]?.branches
            xml.element(
              "lineToCover",
              [
                "lineNumber": "\(line.line)", "covered": line.count > 0 ? "true" : "false",
                "branchesToCover": branches.map { "\($0.total)" },
                "coveredBranches": branches.map { "\($0.covered)" },
              ])
          }
        }
      }
    }
    return xml.text
  }
}
