package import Model

extension Trigger {
  /// Whether the trigger should run after an integration that has been judged and compared.
  ///
  /// Nobody is notified of a canceled integration, because it says nothing.
  package func isDue(after integration: Integration) -> Bool {
    switch self {
    case .script(let script): script.isDue(after: integration)
    case .mail(let mail): integration.outcome != .canceled && mail.isDue(after: integration)
    case .webhook(let webhook): integration.outcome != .canceled && webhook.isDue(after: integration)
    }
  }
}

extension Trigger.Mail {
  fileprivate func isDue(after integration: Integration) -> Bool {
    switch report {
    case .integration: true
    case .newIssues: integration.hasNews
    case .allResolved: Trigger.Condition.allResolved.holds(for: integration)
    // The watcher sends these on a schedule.
    case .daily, .weekly: false
    }
  }
}

extension Trigger.Webhook {
  fileprivate func isDue(after integration: Integration) -> Bool {
    when.isEmpty || when.contains { $0.holds(for: integration) }
  }
}

extension Integration {
  /// Whether the integration has something new to report: a new issue, one that counts again, a new reason for an old
  /// one, or a red outcome that no open issue accounts for and that the baseline did not have.
  fileprivate var hasNews: Bool {
    if issues.contains(where: { $0.status == .new && $0.kind != .serviceWarning }) { return true }
    if !issuesCountingAgain.isEmpty || !issuesForNewReason.isEmpty { return true }
    guard !outcome.isGreen, baseline?.wholeOutcome != outcome else { return false }
    return !findings.contains { $0.status == .unresolved && accounts(for: $0) }
  }

  /// Whether an issue can be the reason for a red outcome.
  private func accounts(for issue: Issue) -> Bool {
    switch outcome {
    case .buildErrors: [.error, .linkerError].contains(issue.kind)
    case .triggerError: issue.kind == .triggerError
    case .testFailures:
      [.sanitizer, .gate].contains(issue.kind)
        || issue.kind.isOfRedTest
          && all.contains { $0.tests.results.contains { $0.id == issue.test && $0.state.isRed } }
    case .incomplete: issue.kind == .quit
    // Issues do not cause these outcomes.
    case .succeeded, .warnings, .analyzerWarnings, .checkoutError, .canceled, .internalError: false
    }
  }

  /// The e-mail addresses, as in the commits, of the people who probably caused the new issues, and the new reasons of
  /// old ones.
  ///
  /// If there are no suspects, this is the author of all commits, provided that there is only one.
  package var suspectAddresses: [String] {
    let new = issues.filter { $0.status == .new && $0.kind != .serviceWarning } + issuesForNewReason
    let named = new.flatMap { $0.leadingSuspects.map(\.email) }
    var addresses: [String] = []
    for address in named where !address.isEmpty && !addresses.contains(address) { addresses.append(address) }
    guard addresses.isEmpty, new.contains(where: \.suspects.isEmpty) else { return addresses }
    let authors = Set(commits.map { $0.email.lowercased() })
    return authors.count == 1 && authors != [""] ? [commit.email] : []
  }
}
