package import FoundationEssentials

/// A finished integration, in whichever form, as far as the state of its branch follows from it.
package protocol BranchResult: Sendable {
  /// The number within the bot.
  var number: Int { get }
  /// Nil for a commit of no branch, such as that of a tag.
  var branch: String? { get }
  /// How it ended.
  var outcome: Outcome { get }
  /// When it ended.
  var endedAt: Date { get }
}

extension HistoryLine: BranchResult {}

/// How one branch of a bot stands.
package struct BranchState<Line: BranchResult>: Sendable {
  /// Nil for the commits of no branch.
  package let branch: String?
  /// Its finished integrations, newest first.
  package let lines: [Line]
  /// Whether nothing older was left unread.
  package let isWhole: Bool

  /// The newest that says something about the code.
  package var result: Line? { lines.first { $0.outcome.isConclusive } }

  /// The newest, when Martlet did not come to a result in it; one that somebody canceled tells nothing.
  package var trouble: Line? {
    guard let newest = lines.first(where: { $0.outcome != .canceled }), !newest.outcome.isConclusive else { return nil }
    return newest
  }

  /// What a reader is told first of: the trouble, or else the newest result.
  package var told: Line? { trouble ?? result }

  /// Whether the newest result is a red one.
  package var isRed: Bool { result.map { !$0.outcome.isGreen } ?? false }

  /// The newest green one.
  package var lastGreen: Line? { lines.first(where: \.outcome.isGreen) }

  /// The first of the unbroken row of results that are red, or green, as the newest is; of the unbroken row without a
  /// result where that is the trouble. Nil where it began before what was read.
  package var since: Line? { isRowComplete ? row.last : nil }

  /// Whether all results of the red row are red in the same way, so that it is so since its first; a build that failed is
  /// red like a test.
  package var isRedAlike: Bool {
    guard isRed, let newest = result?.outcome else { return true }
    let alike: [Outcome] = newest == .testFailures ? [.testFailures, .buildErrors] : [newest]
    return results.prefix { !$0.outcome.isGreen }.allSatisfy { alike.contains($0.outcome) }
  }

  /// How many of the newest results are green in a row.
  package var greenStreak: Int { isRed ? 0 : results.prefix(while: \.outcome.isGreen).count }

  private var results: [Line] { lines.filter(\.outcome.isConclusive) }

  private var row: [Line] {
    guard trouble == nil else { return Array(said.prefix { !$0.outcome.isConclusive }) }
    return results.prefix { $0.outcome.isGreen != isRed }
  }

  /// All that somebody did not cancel.
  private var said: [Line] { lines.filter { $0.outcome != .canceled } }

  /// Whether what was read goes back to where the row began.
  var isRowComplete: Bool { isWhole || row.count < (trouble == nil ? results : said).count }
}

/// A branch that is red beside the one that decides how its bot stands.
package struct RedBranch: Hashable, Sendable {
  package let name: String
  /// The integration since which it is; nil where that lies too far back.
  package let since: Int?

  package init(name: String, since: Int?) {
    self.name = name
    self.since = since
  }
}
