import Model

extension TestID {
  /// Whether a `--filter` that names no place selects the test.
  func isSelected(by filter: String) throws -> Bool {
    let expression: Regex<AnyRegexOutput> = try Regex(filter)
    return "\(self)".firstMatch(of: expression) != nil
  }
}

/// What an integration says of the tests that one filter selects, where those of others ran with them.
struct SelectedTests {
  let whole: Integrated
  let cases: [IntegrationRecord.Case]

  init(_ filter: String, of whole: Integrated) throws {
    self.whole = whole
    cases = try whole.document.tests.cases.filter { try $0.id.isSelected(by: filter) }
  }

  var document: IntegrationRecord { whole.document }
  var report: ReportFolder { whole.report }
  var coverage: IntegrationRecord.CoverageSection { whole.coverage }
  /// In the order of the tests.
  var states: [TestState] { cases.map(\.state) }
  /// By the tests' names.
  var named: [String: TestState] {
    Dictionary(cases.map { ("\($0.id)", $0.state) }, uniquingKeysWith: { one, _ in one })
  }

  func count(_ state: TestState) -> Int { states.count { $0 == state } }

  func test(_ name: String) -> IntegrationRecord.Case? { cases.first { $0.id.name == name } }
}

extension Program {
  /// Integrates once for the filters of each company, and gives the integrations by the single filters.
  func integrate(
    _ companies: [[String]], of repository: GitFolder, _ arguments: [String] = [], bot: String
  ) throws -> [String: Integrated] {
    var parts: [String: Integrated] = [:]
    for filters in companies {
      let whole = try integrate(
        [repository.path, "--filter", filters.joined(separator: "|"), "--quiet"] + arguments, bot: bot)
      for filter in filters { parts[filter] = whole }
    }
    return parts
  }
}
