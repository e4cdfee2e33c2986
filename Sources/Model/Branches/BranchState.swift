/// A finished integration, in any representation, reduced to what determines the state of its branch.
package protocol BranchResult: Sendable {
  /// The number within the bot.
  var number: Int { get }
  /// Nil for a commit that is on no branch, such as that of a tag.
  var branch: String? { get }
  /// Nil unless it was integrated because of a tag.
  var tag: String? { get }
  /// Whether it does not tell how its branch stands: a newer commit told that already, or a person had uncommitted
  /// changes, or chose some of the tests for this one time, none of which is red.
  var isOneOff: Bool { get }
  /// Whether it is of a package or a repository that the bot integrated earlier, and so tells nothing of how it stands.
  var isOfOtherPackage: Bool { get }
  /// How the integration ended.
  var outcome: Outcome { get }
}

extension HistoryLine: BranchResult {
  package var isOneOff: Bool {
    behindBranch == true || uncommitted == true || chosenTests == true && !isRedItself
  }

  package var isOfOtherPackage: Bool { ofOtherPackage == true }

  /// Whether the commit itself is red, whatever else was not looked at.
  private var isRedItself: Bool { [.testFailures, .buildErrors].contains(outcome) && !isFailedGate }
}

extension Array where Element: BranchResult {
  /// The integrations that tell how a branch stands, out of all of the branch; the one-offs if there are no others.
  package var telling: [Element] {
    let telling = filter { !$0.isOneOff }
    return telling.isEmpty ? self : telling
  }
}

/// The state of one branch of a bot.
package struct BranchState<Line: BranchResult>: Sendable {
  /// Nil for the commits that are on no branch.
  package let branch: String?
  /// The finished integrations of the branch, newest first.
  package let lines: [Line]
  /// Whether the lines include the oldest integration.
  package let isWhole: Bool
  /// The newest integration with a conclusive result about the code.
  package let result: Line?
  /// The newest integration, if Martlet reached no result in it; canceled ones are ignored.
  package let trouble: Line?
  /// The first of the unbroken run of results that are red or green like the newest, or, if there is trouble, of the
  /// unbroken run without a result. A commit that could not be checked out ends a green run. Nil if the run began before
  /// the lines that were read.
  package let since: Line?
  /// Whether the lines go back to the beginning of the run.
  let isRowComplete: Bool

  init(branch: String?, lines: [Line], isWhole: Bool) {
    (self.branch, self.lines, self.isWhole) = (branch, lines, isWhole)
    result = lines.first { $0.outcome.isConclusive }
    let newest = lines.first { $0.outcome != .canceled }
    trouble = newest?.outcome.isConclusive == false ? newest : nil
    let outcomes = lines.map(\.outcome)
    let isGreen = result?.outcome.isGreen == true
    var (first, hasOther): (Int?, Bool) = (nil, false)
    for (index, outcome) in outcomes.enumerated() where outcome != .canceled {
      hasOther = trouble != nil ? outcome.isConclusive : isGreen ? outcome.endsGreen : outcome.isGreen
      if hasOther { break }
      if trouble != nil || outcome.isConclusive { first = index }
    }
    isRowComplete = isWhole || hasOther
    since = isRowComplete ? first.map { lines[$0] } : nil
  }

  /// The integration to report first: the trouble, or else the newest result.
  package var told: Line? { trouble ?? result }

  /// Whether the newest result is red.
  package var isRed: Bool { result.map { !$0.outcome.isGreen } ?? false }

  /// The newest green integration.
  package var lastGreen: Line? { lines.first(where: \.outcome.isGreen) }

  /// Whether the current red run has been red in the same way since its first result; a failed build counts as the same
  /// kind of red as a failed test.
  package var isRedAlike: Bool {
    guard isRed, let newest = result?.outcome else { return true }
    let alike: [Outcome] = newest == .testFailures ? [.testFailures, .buildErrors] : [newest]
    return results.prefix { !$0.outcome.isGreen }.allSatisfy { alike.contains($0.outcome) }
  }

  /// The number of newest results that are green in a row.
  package var greenStreak: Int { lines.prefix { !$0.outcome.endsGreen }.count(where: \.outcome.isGreen) }

  private var results: [Line] { lines.filter(\.outcome.isConclusive) }
}

extension Outcome {
  /// Whether what was green before is so no longer: the commit is not, or there is nothing to integrate in it.
  fileprivate var endsGreen: Bool { self == .checkoutError || isConclusive && !isGreen }
}

/// A red branch or tag other than the branch that decides the state of its bot.
package struct RedBranch: Hashable, Codable, Sendable {
  package let name: String
  /// The integration since which the branch is red; nil if it is too far back.
  package let since: Int?
  package let isTag: Bool

  package init(name: String, since: Int?, isTag: Bool = false) {
    (self.name, self.since, self.isTag) = (name, since, isTag)
  }
}
