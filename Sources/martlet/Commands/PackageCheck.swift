import Git
import Integrating
import Model
import Scheduling

/// Looks whether a bot's package is in what the bot would integrate.
struct PackageCheck {
  /// That there is none.
  struct Absence {
    /// A clause.
    var words: String
    /// Folders that hold a package.
    var others: [String]
  }

  /// Nil where one of the bot's branches has the package, or none has a commit yet.
  let absence: Absence?

  /// How many branches are looked into.
  private static let mostBranches = 20

  init(_ bot: Bot) throws(GitError) {
    // What lies elsewhere is not looked at: that takes the network.
    guard bot.remote == nil else {
      absence = nil
      return
    }
    let repository = try Repository(at: bot.repository)
    let tips = try repository.tips(withTags: false)
    let decision = CommitDecision(bot)
    let refs = tips.refs.keys.filter { decision.selects($0, head: tips.head) }.sorted()
    var found: Absence?
    for ref in refs.prefix(Self.mostBranches) {
      guard let commit = tips.refs[ref] else { continue }
      let search = try PackageSearch(bot.package, at: commit, in: repository)
      guard let words = search.absence(at: commit) else {
        absence = nil
        return
      }
      found = found ?? Absence(words: "\(words) of \(ref)", others: search.others)
    }
    absence = found
  }
}
