package import Model

extension IssueRecord {
  init(new finding: Issue, _ id: String, in number: Int, predates: Bool) {
    self.init(
      id: id, kind: finding.kind, message: finding.message, location: finding.location, test: finding.test,
      predates: predates, streaks: [Streak(opened: number, lastSeen: number)])
    displayName = finding.displayName
    findings = finding.findings.nonEmpty
    end = finding.end
    step = finding.step
    subject = finding.subject
  }

  /// Continues the open streak with a new finding, or begins another.
  ///
  /// - Parameters:
  ///   - isSilenced: whether the issue is silenced, in which case the findings that the silence was made for are kept.
  ///   - mayHaveNewReason: whether other messages than before would not just be other values in the same expectation.
  mutating func see(_ finding: Issue, in number: Int, isSilenced: Bool, mayHaveNewReason: Bool = false) {
    age += 1
    if let gate = finding.failedGate { see(gate, in: number) }
    if isOpen, !isSilenced { noteReasons(of: finding, in: number, mayBeNew: mayHaveNewReason) }
    (message, end) = (finding.message, finding.end)
    (location, seenAt) = (finding.location, finding.location)
    displayName = finding.displayName
    step = finding.step
    subject = finding.subject
    if !isSilenced || findings == nil { findings = finding.findings.nonEmpty }
    if isOpen {
      changeStreak {
        $0.age += 1
        $0.lastSeen = number
        ($0.unchecked, $0.droppedIn) = (nil, nil)
      }
    } else {
      streaks.append(Streak(opened: number, lastSeen: number))
      forgetSuspects()
    }
  }

  /// Ends the open streak of a gate that begins anew, as after somebody took its failure as it is, and forgets who is
  /// suspected where others may be to blame for what it fails for now.
  private mutating func see(_ gate: GateResult, in number: Int) {
    guard isOpen, let before = failedGate else { return }
    if let base = before.base, gate.base != base {
      close(in: number)
    } else if !Set((before.lines ?? []).map(\.file)).isSubset(of: (gate.lines ?? []).map(\.file))
      || CoverageGate(rule: gate.rule)?.isOfPatch == true
    {
      forgetSuspects()
    }
  }

  /// The largest number of reasons to tell apart; a test that fails with more has no reason that means anything.
  private static let mostReasons = 20

  /// Notes what a red test fails with, and whether none of it was seen before in the streak.
  private mutating func noteReasons(of finding: Issue, in number: Int, mayBeNew: Bool) {
    let known = streaks.last?.reasons ?? findings ?? []
    guard kind.isOfRedTest, !known.isEmpty, known.count < Self.mostReasons,
      !(known + finding.findings).contains(TestResult.unknownFindings)
    else { return }
    let new = finding.findings.filter { !known.contains($0) }
    guard !new.isEmpty, let last = streaks.indices.last else { return }
    streaks[last].reasons = Array((known + new).prefix(Self.mostReasons))
    if mayBeNew, new.count == finding.findings.count { beginReason(in: number) }
  }

  /// Notes that the issue's test fails for a new reason, for which nobody is suspected yet.
  mutating func beginReason(in number: Int) {
    guard isOpen, !streaks.isEmpty else { return }
    changeStreak { $0.reasonSince = number }
    forgetSuspects()
  }

  /// Takes over who is suspected of an older issue at the same place, and what they changed.
  mutating func inheritSuspects(of elder: IssueRecord) {
    (suspects, suspectedHunk) = (elder.suspects, elder.suspectedHunk)
    changeStreak { $0.elderBegan = elder.life.began }
  }

  /// Forgets who is suspected, and what they changed.
  mutating func forgetSuspects() {
    (suspects, suspectedHunk) = (nil, nil)
    changeStreak { $0.elderBegan = nil }
  }

  /// Changes the open streak; does nothing where there is none.
  private mutating func changeStreak(_ change: (inout Streak) -> Void) {
    guard isOpen, let last = streaks.indices.last else { return }
    change(&streaks[last])
  }

  /// Adds one integration to the age of the open streak.
  mutating func grow() { changeStreak { $0.age += 1 } }

  /// Remembers that an integration could not show the issue, so that its commits may have ended it.
  ///
  /// - Parameter ending: how they ended it if it turns out to be gone; commits that come later did not.
  mutating func miss(_ commits: Resolution?, in number: Int, ending: Ending?) {
    guard let commits else { return }
    changeStreak { streak in
      guard streak.unchecked?.ending == nil else { return }
      var all = commits.following(streak.unchecked?.commits, in: number)
      all.integrations = all.integrations ?? number...number
      streak.unchecked = Unchecked(all, ending: ending)
    }
  }

  /// Notes that what found the issue is no longer asked for, from the first integration in a row for which that holds.
  mutating func drop(in number: Int) { changeStreak { $0.droppedIn = $0.droppedIn ?? number } }

  /// Notes that what found the issue is asked for again, whether or not it came to look.
  mutating func takeUp() { changeStreak { $0.droppedIn = nil } }

  /// Forgets the commits that could have ended the issue, as its test failed once more behind them, and who is suspected: it
  /// fails by chance, whatever had changed when it began.
  mutating func fail() {
    changeStreak { $0.unchecked = nil }
    forgetSuspects()
  }

  /// Ends the open streak.
  ///
  /// - Parameters:
  ///   - ending: why it ends, as far as the integration tells.
  ///   - resolution: the commits of the integration; none of them fixed a test that passes by chance, and without any of
  ///     them nothing is known to be fixed.
  mutating func close(in number: Int, by ending: Ending? = nil, with resolution: Resolution? = nil) {
    changeStreak { streak in
      let earlier = streak.unchecked?.commits
      let certain = ending?.isByCommits == true ? streak.unchecked?.ending : nil
      let commits = certain == nil ? resolution?.following(earlier, in: number) ?? earlier : earlier
      streak.closed = number
      streak.ending = ending == .fixed && commits == nil ? nil : certain ?? ending
      streak.resolution = ending?.isByCommits == true ? commits : nil
      streak.wentUnchecked = certain == nil ? nil : true
      (streak.unchecked, streak.droppedIn) = (nil, nil)
    }
  }

  /// Remembers of the open streak that the test is red by chance.
  mutating func noteChance() { changeStreak { $0.isByChance = true } }
}

extension IssueRecord.Resolution {
  /// Returns the commits of an integration together with those of earlier ones, which proved nothing; without any, the
  /// commits alone.
  fileprivate func following(_ earlier: Self?, in number: Int) -> Self {
    var all = self
    guard let earlier else { return all }
    all.add(earlier)
    all.integrations = min(earlier.integrations?.lowerBound ?? number, number)...number
    return all
  }
}

extension IssueRecord {
  /// Groups what destinations remember of the same issues, in the order of the destinations; the record by which an
  /// issue is told comes first.
  ///
  /// - Parameter told: the issues as the integration tells them, by id.
  package static func grouped(_ destinations: [[IssueRecord]], telling told: [String: Issue]) -> [[IssueRecord]] {
    destinations.joined().grouped(by: \.id).map { group in
      var records = group
      let telling = records.indices.first { told[records[$0].id]?.isTold(by: records[$0]) == true }
      // What no longer exists anywhere is as the last destination to have it left it.
      let ends = records.map { $0.streaks.last?.closed ?? .max }
      let last = ends.indices.max { ends[$0] < ends[$1] } ?? 0
      records.insert(records.remove(at: telling ?? last), at: 0)
      return records
    }
  }
}

extension Issue {
  /// The stage that must be reached before the issue can be seen; nil if every integration can show it.
  var stage: IssueMemory.Stage? {
    switch kind {
    case .warning: test == nil ? .build : .tests
    case .testFailure, .crash, .timeOut, .quit, .sanitizer: .tests
    case .analyzerWarning: .analysis
    case .error, .linkerError, .gate, .triggerError, .serviceError, .serviceWarning: nil
    }
  }
}
