package import FoundationEssentials
package import Model

/// A comparison of an integration's findings with the known issues, which are new, still there or gone.
package struct IssueComparison: Sendable {
  /// The largest number of closed issues to remember; those closed the longest ago are forgotten.
  static let mostGone = 1000

  /// The number of the integration whose issues are compared.
  private let number: Int
  private let commit: CommitID
  private let commits: [Commit]
  private let reach: IssueReach
  private let silences: [Silence]
  private let quarantine: [TestID: Silence]
  private let flaky: Set<TestID>
  private let now: Date

  /// Creates a comparison for one integration.
  ///
  /// - Parameters:
  ///   - commits: the commits that the integration covers, newest first; empty if what is gone does not speak for them.
  ///   - quarantine: the silences of whatever a test is red for.
  ///   - flaky: the tests that are known to fail by chance, for whose messages nobody need have done anything.
  ///   - now: the time at which to decide whether a silence has expired.
  package init(
    number: Int, commit: CommitID, commits: [Commit] = [], reach: IssueReach, silences: [Silence] = [],
    quarantine: [TestID: Silence] = [:], flaky: Set<TestID> = [], now: Date
  ) {
    self.number = number
    self.commit = commit
    self.commits = commits
    self.reach = reach
    self.silences = silences
    self.quarantine = quarantine
    self.flaky = flaky
    self.now = now
  }

  /// Returns the silenced findings of known red tests, which determine how results are split into issues.
  package func silencedFindings(in memory: IssueMemory?) -> SilencedFindings {
    SilencedFindings(memory?.records ?? []) { record in
      // An issue that is gone begins a new streak if it comes back.
      let start = record.isOpen ? record.life.streakStart : number
      return silences.first { silence in
        silence.effect(
          onIssue: record.id, found: record.findings ?? [], streakStart: start, commit: commit, at: now) == .holds
      }
    }
  }

  /// Compares an integration's findings with the known issues.
  ///
  /// - Parameters:
  ///   - found: the findings in any order, without ids, which are assigned here.
  ///   - memory: the baseline's memory; nil for the first integration.
  ///   - comparable: the stages in which the baseline would have found what was there, because it was built, or tested,
  ///     alike; nil for none.
  ///   - change: the changes from the baseline's files to those of this integration; nil if unknown.
  package func compare(
    _ found: [Issue], with memory: IssueMemory?,
    comparable: Set<IssueMemory.Stage>? = Set(IssueMemory.Stage.allCases), after change: SourceDifference? = nil
  ) -> FollowedIssues {
    let reachedBefore = comparable.flatMap { stages in memory?.reached.filter(stages.contains) }
    let known = (memory?.records ?? []).map { IssueMatching.Known($0, after: change) }
    let silenced = silencedFindings(in: memory)
    let matched = IssueMatching.match(found, with: known, silenced)
    var records = known.map(\.record)
    var names = IssueNames(taken: Set(records.map(\.id)))
    var issues: [Issue] = []
    let isOtherCode = memory?.commit != commit
    for (finding, match) in zip(found, matched) {
      if let match {
        records[match].see(
          finding, in: number, isSilenced: silenced.contains(records[match].id),
          mayHaveNewReason: isOtherCode && !known[match].isInPlace(of: finding)
            && finding.test.map(flaky.contains) != true)
        issues.append(issue(records[match], as: finding))
      } else {
        let record = IssueRecord(
          new: finding, names.name(for: finding), in: number, predates: predates(finding, reachedBefore))
        records.append(record)
        issues.append(issue(record, as: finding))
      }
    }
    let absent = Set(known.indices).subtracting(matched.compactMap { $0 })
    // On the same commit, only chance can have ended an issue.
    let resolution = isOtherCode ? IssueRecord.Resolution(commits) : nil
    let (open, over) = settle(&records, absent.sorted().map { ($0, known[$0].ending) }, resolution)
    let reached = reach.stages.union(reachedBefore ?? [])
    return FollowedIssues(
      issues: issues + open + over,
      memory: IssueMemory(
        number: number, commit: commit, reached: IssueMemory.Stage.allCases.filter(reached.contains),
        records: Self.remembered(records)))
  }

  /// Decides the fate of the issues that were not found.
  ///
  /// - Parameter absent: their indices, each with how it ended if the change of its line shows that.
  private func settle(
    _ records: inout [IssueRecord], _ absent: [(Int, IssueRecord.Ending?)], _ resolution: IssueRecord.Resolution?
  ) -> (open: [Issue], over: [Issue]) {
    var open: [Issue] = []
    var over: [Issue] = []
    for (index, shown) in absent {
      records[index].age += 1
      guard records[index].isOpen else { continue }
      let fate = reach.fate(of: records[index])
      switch fate {
      case .open, .retried, .dropped:
        records[index].grow()
        if fate == .dropped { records[index].drop(in: number) } else if !reach.isVoid { records[index].takeUp() }
        if fate == .retried {
          records[index].fail()
        } else if !reach.isVoid {
          records[index].miss(resolution, in: number, ending: shown)
        }
        if let dropped = records[index].life.droppedIn {
          // It is told once, until it is found again or proved gone.
          if dropped == number { over.append(Issue(records[index])) }
          continue
        }
        var issue = issue(records[index], as: Issue(records[index]))
        issue.isCarriedOver = true
        issue.passedOnRetry = fate == .retried
        open.append(issue)
      case .replaced:
        records[index].close(in: number, by: .failsOtherwise)
      case .resolved(let ending):
        records[index].close(in: number, by: ending == .fixed ? shown ?? ending : ending, with: resolution)
        over.append(Issue(records[index]))
      }
    }
    return (open, over)
  }

  /// Returns an open issue as this integration reports it.
  private func issue(_ record: IssueRecord, as finding: Issue) -> Issue {
    var issue = finding
    issue.id = record.id
    issue.age = record.age
    issue.life = record.life
    issue.status = .unresolved
    let quarantined = issue.kind.isOfRedTest ? issue.test.flatMap { quarantine[$0]?.of(issue) } : nil
    issue.apply(silences + [quarantined].compactMap(\.self), number: number, commit: commit, at: now)
    return issue
  }

  /// Whether a finding may be older than the first integration that could have seen it.
  ///
  /// - Parameter reached: the stages that comparable integrations have reached; nil without any.
  private func predates(_ finding: Issue, _ reached: [IssueMemory.Stage]?) -> Bool {
    guard let reached else { return finding.kind.isOfCode }
    return finding.stage.map { !reached.contains($0) } ?? false
  }

  private static func remembered(_ records: [IssueRecord]) -> [IssueRecord] {
    let gone = records.filter { !$0.isOpen }
    guard gone.count > mostGone else { return records }
    let last = gone.sorted { ($0.streaks.last?.closed ?? 0) > ($1.streaks.last?.closed ?? 0) }.prefix(mostGone)
    let kept = Set(last.map(\.id))
    return records.filter { $0.isOpen || kept.contains($0.id) }
  }
}
