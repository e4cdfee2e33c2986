package import FoundationEssentials

/// One finding, followed across integrations.
package struct Issue: Hashable, Sendable, Codable {
  /// What found it.
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case error
    case warning
    case linkerError = "linker-error"
    case analyzerWarning = "analyzer-warning"
    case testFailure = "test-failure"
    case crash
    case timeOut = "time-out"
    case sanitizer
    case gate
    case triggerError = "trigger-error"
    case serviceError = "service-error"
    case serviceWarning = "service-warning"

    /// Whether it is a red test itself; warnings, findings of sanitizers and the like may name a test as well.
    package var isOfRedTest: Bool { [.testFailure, .crash, .timeOut].contains(self) }

    /// Whether an issue of the kind may be kept from counting; without a build there is nothing else to count, and a
    /// trigger can be taken out of the bot's file.
    package var canBeSilenced: Bool { ![.error, .linkerError, .triggerError].contains(self) }
  }

  /// Where it stands against the integrations before.
  package enum Status: String, Codable, CaseIterable, Sendable {
    case new, unresolved, resolved, silenced

    /// Whether the issue is there and counts.
    package var isOpen: Bool { self == .new || self == .unresolved }
  }

  /// A short name, the same for the same finding in every integration.
  package var id: String
  package var kind: Kind
  package var status: Status
  package var message: String
  package var location: SourceLocation?
  /// Integrations since it was first seen, this one not counted.
  package var age: Int
  package var test: TestID?
  /// What a red test failed on, as fingerprints of its messages; empty for other kinds, and where it is not known.
  package var findings: [String] = []
  /// The step that found an error or a warning of a build; nil for other kinds, and where it is not known.
  package var step: Step?
  /// Whether this integration did not come to it, so that it is open from before and may be gone.
  package var isCarriedOver = false
  /// What it is about where Martlet itself found it; nil for what other programs found.
  package var subject: IssueSubject?
  /// Who probably caused it, the most likely first; told only while it is new.
  package var suspects: [Suspect] = []
  /// Its streaks in few words; nil where it has not been compared.
  package var life: IssueLife?
  /// Reason, while it is silenced.
  package var silence: Silence?
  /// A silence whose end has come, while the issue is still there.
  package var endedSilence: Silence?
  /// The destinations that have it, or had it where it is resolved; empty where that is all.
  package var destinations: [String] = []

  package init(
    id: String, kind: Kind, status: Status = .new, message: String, location: SourceLocation? = nil, age: Int = 0,
    test: TestID? = nil
  ) {
    self.id = id
    self.kind = kind
    self.status = status
    self.message = message
    self.location = location
    self.age = age
    self.test = test
  }
}

extension Integration {
  /// The issues that this very integration found; silenced ones are among them, those that are carried over are not.
  package var findings: [Issue] { issues.filter { $0.status != .resolved && !$0.isCarriedOver } }
}

extension IntegrationRecord {
  /// The issues that this very integration found; silenced ones are among them, those that are carried over are not.
  package var findings: [FlatIssue] { issues.filter { $0.status != .resolved && $0.carriedOver != true } }
}

extension Issue {
  /// The integrations in which it was last seen and in which it came back; nil for one that has never been gone, and for
  /// one that has been back for longer.
  package var comeback: (lastSeen: Int, back: Int)? {
    guard status == .new, let life, let lastSeen = life.cameBackFrom else { return nil }
    return (lastSeen, life.streakStart)
  }

  /// Its status as people are told it: what came back is not new to them.
  package var toldStatus: String { comeback == nil ? status.rawValue : "came back" }
}

extension Issue {
  /// Gives the issue the status that it has after what people have said about it.
  ///
  /// Of several silences the first that holds counts; where none holds, the last that has ended is told. A resolved issue
  /// and one that has not been followed stay as they are.
  ///
  /// - Parameters:
  ///   - number: the integration that the issue is told by.
  ///   - commit: its commit.
  ///   - now: the moment at which silences may have come to their ends.
  package mutating func apply(_ silences: [Silence], number: Int, commit: CommitID, at now: Date) {
    guard let life, status != .resolved else { return }
    status = life.streakStart == number && !life.predates ? .new : .unresolved
    silence = nil
    endedSilence = nil
    guard kind.canBeSilenced else { return }
    for one in silences {
      switch one.effect(onIssue: id, found: findings, streakStart: life.streakStart, commit: commit, at: now) {
      case .holds:
        status = .silenced
        silence = one
        endedSilence = nil
        return
      case .expired: endedSilence = one
      case .none: break
      }
    }
  }
}

extension Issue {
  /// Those for whom most speaks, several where as much speaks for each; they are told of the issue.
  package var leadingSuspects: [Suspect] {
    suspects.filter { $0.confidence == suspects.first?.confidence }
  }
}
