@testable import Model

@testable import Rendering

extension IssueSample {
  /// Returns the sample with an issue that commits fixed, and a comparison that has nothing else.
  static func fixed(_ id: String, by resolution: IssueRecord.Resolution?) -> (report: Report, issue: Model.Issue)? {
    var report = report
    report.integration.histories = [:]
    let number = report.integration.number
    guard let index = report.integration.issueRecords.firstIndex(where: { $0.id == id }) else { return nil }
    var streak = IssueRecord.Streak(opened: number - 2, lastSeen: number - 1, closed: number, age: 1)
    (streak.ending, streak.resolution) = (.fixed, resolution)
    report.integration.issueRecords[index].streaks = [streak]
    let issue = Model.Issue(report.integration.issueRecords[index])
    report.integration.issues.removeAll { $0.id == id }
    report.integration.issues.append(issue)
    var comparison = ComparisonSample.comparison
    comparison.tests = TestChanges()
    comparison.issues = IssueChanges(
      new: [], gone: [IntegrationRecord.FlatIssue(issue)], both: [], notReached: [])
    report.comparison = comparison
    return (report, issue)
  }
}
