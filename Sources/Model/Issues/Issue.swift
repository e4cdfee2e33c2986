package import FoundationEssentials

/// A finding that is followed across integrations.
package struct Issue: Hashable, Sendable, Codable {
  /// The kind of finding.
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case error
    case warning
    case linkerError = "linker-error"
    case analyzerWarning = "analyzer-warning"
    case testFailure = "test-failure"
    case crash
    case timeOut = "time-out"
    /// A test ended its process as if all were well.
    case quit
    case sanitizer
    case gate
    case triggerError = "trigger-error"
    case serviceError = "service-error"
    case serviceWarning = "service-warning"

    /// Whether an issue of this kind is a red test itself; warnings, sanitizer findings and the like may also name a
    /// test.
    package var isOfRedTest: Bool { [.testFailure, .crash, .timeOut].contains(self) }

    /// Whether the issue is about the code, rather than about Martlet or the demands on an integration.
    package var isOfCode: Bool {
      switch self {
      case .error, .warning, .linkerError, .analyzerWarning, .testFailure, .crash, .timeOut, .quit, .sanitizer: true
      case .gate, .triggerError, .serviceError, .serviceWarning: false
      }
    }

    /// Whether the compiler, or another program that reads the source, finds it there.
    package var isOfCompiler: Bool { [.error, .warning, .analyzerWarning].contains(self) }

    /// Whether issues of this kind can be kept from counting.
    ///
    /// Without a build there is nothing else to count, nothing else proves what a test did that quit, and a trigger can
    /// be removed from the bot's file.
    package var canBeSilenced: Bool { ![.error, .linkerError, .quit, .triggerError].contains(self) }
  }

  /// The state relative to earlier integrations.
  package enum Status: String, Codable, CaseIterable, Sendable {
    case new, unresolved, resolved, silenced
    /// Nobody asks any more for what found it, so that nothing proves it gone.
    case dropped = "no-longer-checked"

    /// Whether the issue exists and counts.
    package var isOpen: Bool { self == .new || self == .unresolved }
    /// Whether the issue is gone, or nothing looks for it any more.
    package var isOver: Bool { self == .resolved || self == .dropped }

    /// The status in words.
    package var words: String {
      switch self {
      case .unresolved: "open"
      case .dropped: "no longer checked"
      case .new, .resolved, .silenced: rawValue
      }
    }
  }

  /// A short name that is the same for the same finding in every integration.
  package var id: String
  package var kind: Kind
  package var status: Status
  package var message: String
  package var location: SourceLocation?
  /// The number of integrations since the issue was first seen, excluding this one.
  package var age: Int
  package var test: TestID?
  /// The display name of its test, by which it is called when it is no longer listed; nil for one that has none.
  package var displayName: String?
  /// The fingerprints of the messages that a red test failed with; empty for other kinds, and if unknown.
  package var findings: [String] = []
  /// The gate that failed; nil for other kinds, and for what is only remembered.
  package var failedGate: GateResult?
  /// Why its test crashed or was stopped, without the word for that; nil for other issues, and if unknown.
  package var end: String?
  /// The step that found a build error or warning; nil for other kinds, and if unknown.
  package var step: Step?
  /// Whether the issue is open from before although this integration did not find it, so that it may be gone: it was not
  /// reached, or its test passed on retry.
  package var isCarriedOver = false
  /// Whether it is open from before because its test failed again and passed on retry, which proves nothing.
  package var passedOnRetry = false
  /// The subject of an issue that Martlet itself found; nil for the findings of other programs.
  package var subject: IssueSubject?
  /// The people who probably caused the issue, the most likely first; reported only while it, or its reason, is new.
  package var suspects: [Suspect] = []
  /// A brief summary of the issue's streaks; nil if it has not been compared.
  package var life: IssueLife?
  /// Why it is gone; nil unless it is resolved, and if nothing tells.
  package var ending: IssueRecord.Ending?
  /// Reason, while it is silenced.
  package var silence: Silence?
  /// A silence that has expired while the issue still exists.
  package var endedSilence: Silence?
  /// Whether it, or its reason, is new, but may be chance: its test both failed and passed on the same code before.
  package var isKnownFlaky = false
  /// The destinations that have the issue, or had it if it is resolved; empty if all do. Those of `elsewhere` are apart.
  package var destinations: [String] = []
  /// The issue as other destinations have it, where it began, or has its reason, since another integration; each with the
  /// destinations that have it so. Empty for most.
  package var elsewhere: [Issue] = []

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

extension Issue {
  /// Whether the integration itself found the issue, so that its place is in the files of that integration; otherwise it
  /// is in those of the integration that last saw it.
  package var isFound: Bool { !status.isOver && !isCarriedOver }

  /// Whether it was open before and nothing that would have shown it was reached, so that it may be gone.
  package var isUnchecked: Bool { status == .unresolved && isCarriedOver && !passedOnRetry }
}

extension Sequence where Element == Issue {
  /// Returns the issue of another test that was open before a new one of the same kind, with the same place; nil without one,
  /// and for what does not end where its cause is.
  package func elder(of issue: Issue) -> Issue? {
    guard issue.status == .new, [.crash, .timeOut].contains(issue.kind), let place = issue.location else { return nil }
    return filter { other in
      other.isFound && other.status == .unresolved && other.kind == issue.kind && other.test != issue.test
        && other.location?.file == place.file && other.location?.line == place.line
    }.min { $0.id < $1.id }
  }
}

extension Integration {
  /// The issues that this integration itself found, including silenced ones but not those carried over.
  package var findings: [Issue] { issues.filter(\.isFound) }
}

extension IntegrationRecord {
  /// The issues that this integration itself found, including silenced ones but not those carried over.
  package var findings: [FlatIssue] { issues.filter { !$0.status.isOver && $0.carriedOver != true } }
}

extension Issue {
  /// Returns the issue as a destination has it; nil for one that does not.
  package func told(for destination: String) -> Issue? {
    if let other = elsewhere.first(where: { $0.destinations.contains(destination) }) { return other }
    return destinations.isEmpty || destinations.contains(destination) ? self : nil
  }

  /// Whether it is as a destination remembers it: of the same streak, for the same reason.
  package func isTold(by record: IssueRecord) -> Bool {
    id == record.id && life?.streakStart == record.life.streakStart && life?.reasonSince == record.life.reasonSince
  }
}

extension Issue {
  /// The integrations in which the issue was last seen and in which it came back; nil for one that has never been gone,
  /// and for one that has been back for longer.
  package var comeback: (lastSeen: Int, back: Int)? {
    guard status == .new, let life, let lastSeen = life.cameBackFrom else { return nil }
    return (lastSeen, life.streakStart)
  }

  /// The status as shown to people, to whom an issue that came back is not new, nor is another failure of a flaky test.
  package var toldStatus: String {
    isKnownFlaky ? "known flaky" : comeback == nil ? status.words : "came back"
  }

  /// What the quarantine of the bot's file, or a silence of another bot's issue, does to the issue, or did until it ended;
  /// nil if there is none.
  package var foreignSilence: Silence? {
    [silence, endedSilence].compactMap(\.self).first { $0.isQuarantine || $0.bot != nil }
  }

  /// Takes note of how its test ended before and now.
  package mutating func note(_ history: TestHistory, _ test: TestResult?) {
    isKnownFlaky = status == .new && kind.isOfRedTest && history.suggestsChance(for: test)
  }
}

extension Issue {
  /// Updates the issue's status according to the given silences.
  ///
  /// The first of several silences that holds takes effect; if none holds, the last expired one is reported. An issue
  /// that is over, or has not been followed, does not change.
  ///
  /// - Parameters:
  ///   - number: the integration that reports the issue.
  ///   - now: the moment for deciding which silences have expired.
  package mutating func apply(_ silences: [Silence], number: Int, commit: CommitID, at now: Date) {
    for index in elsewhere.indices { elsewhere[index].apply(silences, number: number, commit: commit, at: now) }
    guard let life, !status.isOver else { return }
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

extension [Issue] {
  /// Returns the red tests whose issues ended in one way.
  package func redTests(ended ending: IssueRecord.Ending) -> [TestID] {
    filter { $0.kind.isOfRedTest && $0.ending == ending }.compactMap(\.test)
  }
}

extension Issue {
  /// The suspects with the strongest evidence, several if it is equal; they are informed of the issue.
  package var leadingSuspects: [Suspect] {
    suspects.filter { $0.confidence == suspects.first?.confidence }
  }
}
