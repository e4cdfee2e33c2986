import Model

/// The red tests of several destinations, on the page of the first one.
extension RedSection {
  /// Returns the table of each destination that has something red: what several have red is in that of the first of them.
  static func tables(on whole: ReportContext) -> TemplateValue {
    var before: [String: TemplateValue] = [:]
    return .list(
      whole.judged.compactMap { report -> TemplateValue? in
        guard case .record(var table) = RedSection(report: report, on: whole).tests else { return nil }
        table["isAsBefore"] = .flag(["label", "hasWho", "hasSince"].allSatisfy { table[$0] == before[$0] })
        before = table
        return .record(table)
      })
  }

  /// The path from the page to the top of the destination's report.
  var root: String { whole.place(of: report) }

  /// What tells the table of another destination from that of the first one.
  var suffix: String { whole === report ? "" : " for \(integration.destination?.name ?? "")" }

  /// Whether the table has a test that ended badly.
  func tells(_ test: TestID) -> Bool { whole.teller(of: test) === report }

  /// Returns the names of the destinations for which a test ended badly; nil if that is so for all.
  func destinations(of test: TestID) -> String? {
    let names = whole.redFor[test] ?? []
    return names.count < whole.integration.all.count ? names.joined(separator: ", ").nonEmpty : nil
  }

  /// Returns the issue of a test that ended badly, as the page tells it for the destination.
  func issue(of test: TestResult) -> Issue? {
    guard let own = report.issues[test.id], whole !== report else { return report.issues[test.id] }
    let told = whole.integration.issues.first { $0.id == own.id }
    return told.map { issue in integration.destination.flatMap { issue.told(for: $0.name) } ?? issue } ?? own
  }
}

extension ReportContext {
  /// It and those of the other destinations that count.
  var judged: [ReportContext] { [self] + cells.filter { $0.integration.destination?.required == true } }

  /// Returns the report here of the destination whose result that of a test is; nil where another integration has it.
  func telling(_ test: TestID) -> ReportContext? {
    let name = judgedTests.destination(of: test)
    return name == integration.destination?.name ? self : cells.first { $0.integration.destination?.name == name }
  }

  /// Returns the report here of the first destination that has an issue; this one where all have it.
  func having(_ issue: Issue) -> ReportContext {
    ([self] + cells).first { $0.integration.destination.map { issue.destinations.contains($0.name) } == true } ?? self
  }

  /// Returns the path from the top of the report to that of a destination in it.
  func place(of part: ReportContext) -> String { part === self ? "" : part.integration.placeOfReport }

  /// Returns how a test fails for a destination, where that tells more than the message: the case, or what a sanitizer found.
  ///
  /// - Parameter destination: nil for the first one.
  func line(of test: TestID, for destination: String?) -> String? {
    let part = destination == nil ? self : ([self] + cells).first { $0.integration.destination?.name == destination }
    guard let result = part?.tests[test], let failure = result.badEnds.first ?? result.firstFailure else { return nil }
    return FailureLine(failure, of: result).found
      ?? result.caseName(with: failure).map { "For \($0): \(FailureLine.brief(of: failure.message))" }
  }

  /// Returns the sources with their pages in the report of a destination, which say how its own tests ended there.
  func sources(for part: ReportContext) -> ShownSources {
    part === self ? sources : sources.linked(to: part.coverage, at: place(of: part))
  }

  /// Returns the destination whose table has a test that ended badly; nil for any other test, and where no report here has
  /// it.
  func teller(of test: TestID) -> ReportContext? {
    let bad = judged.filter { $0.tests[test]?.endsBadly == true }
    let telling = telling(test)
    return bad.first { $0 === telling } ?? bad.first
  }

  /// The ids of the issues in the tables of the other destinations.
  var issuesOfOthers: Set<String> {
    var ids: Set<String> = []
    for cell in judged.dropFirst() {
      let red = RedSection(report: cell, on: self)
      for (test, issue) in cell.issues where red.tells(test) { ids.insert(issue.id) }
      for issue in cell.integration.issues where cell.failedGate(of: issue) != nil { ids.insert(issue.id) }
    }
    return ids
  }
}
