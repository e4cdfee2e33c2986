import Model
import Rendering

extension SummaryText {
  /// How many warnings are listed before the rest is only counted.
  private static let mostWarnings = 10

  /// What Martlet could not do as it should, and what compiler and analyzer warn of with its place; of a red integration
  /// only what is new, since there is something else to mend first.
  var warnings: [[String]] {
    let wanted = integration.issues.filter { issue in
      switch issue.kind {
      case .warning: issue.test == nil && isToTell(issue)
      case .analyzerWarning: isToTell(issue)
      default: false
      }
    }
    let newFirst = wanted.filter { $0.status == .new } + wanted.filter { $0.status != .new }
    let rest = newFirst.count - Self.mostWarnings
    let lines = (service + newFirst.prefix(Self.mostWarnings)).map { issue in
      Self.indented("\(Self.place(issue.file, issue.line).map { "\($0): " } ?? "")warning: \(issue.message)")
    }
    return lines + (rest > 0 ? [["… and \(CountText.counted(rest, "more warning")), in the report"]] : [])
  }

  private func isToTell(_ issue: IntegrationDocument.FlatIssue) -> Bool {
    integration.outcome.isGreen ? issue.status.isOpen : issue.status == .new
  }

  /// Those of Martlet itself; one from before stands only where the integration came far enough to find it again.
  private var service: [IntegrationDocument.FlatIssue] {
    let isComplete = integration.tests.counts.listed > 0
    return integration.issues.filter {
      $0.kind == .serviceWarning && ($0.status == .new || isComplete && $0.status.isOpen)
    }
  }
}
