import Model

extension IssueRecord {
  /// The record of an issue that was not known.
  init(new finding: Issue, _ id: String, in number: Int, predates: Bool) {
    self.init(
      id: id, kind: finding.kind, message: finding.message, location: finding.location, test: finding.test,
      predates: predates, streaks: [Streak(opened: number, lastSeen: number)])
    findings = finding.findings.isEmpty ? nil : finding.findings
    step = finding.step
    subject = finding.subject
  }

  /// Goes on, or begins again, with what an integration found.
  ///
  /// - Parameter isSilenced: whether a silence is about it, which an older one is with what it is remembered with.
  mutating func see(_ finding: Issue, in number: Int, isSilenced: Bool) {
    age += 1
    message = finding.message
    location = finding.location
    step = finding.step
    subject = finding.subject
    if !isSilenced || findings == nil { findings = finding.findings.isEmpty ? nil : finding.findings }
    if isOpen {
      grow()
      streaks[streaks.count - 1].lastSeen = number
    } else {
      streaks.append(Streak(opened: number, lastSeen: number))
      suspects = nil
    }
  }

  /// Lets the open streak be one integration older.
  mutating func grow() {
    guard isOpen, !streaks.isEmpty else { return }
    streaks[streaks.count - 1].age += 1
  }

  /// Ends the open streak.
  mutating func close(in number: Int) {
    guard isOpen, !streaks.isEmpty else { return }
    streaks[streaks.count - 1].closed = number
  }
}

extension Issue {
  /// What has to be reached before it can be seen; nil for what every integration can show.
  var stage: IssueMemory.Stage? {
    switch kind {
    case .warning: test == nil ? .build : .tests
    case .testFailure, .crash, .timeOut, .sanitizer: .tests
    case .analyzerWarning: .analysis
    case .error, .linkerError, .gate, .triggerError, .serviceError, .serviceWarning: nil
    }
  }
}

extension Issue.Kind {
  /// Whether it tells of the code, not of what an integration is asked to do or of Martlet.
  package var isOfCode: Bool {
    switch self {
    case .error, .warning, .linkerError, .analyzerWarning, .testFailure, .crash, .timeOut, .sanitizer: true
    case .gate, .triggerError, .serviceError, .serviceWarning: false
    }
  }
}
