package import Git
package import Model
import Scheduling

/// A package that is missing in what a bot would integrate.
package struct PackageAbsence {
  /// A clause.
  package var words: String
  /// Folders that contain a package.
  package var others: [String]

  private static let mostBranches = 20

  /// The clause with the folders that contain a package.
  package var message: String {
    others.isEmpty ? words : "\(words); packages are in \(others.joined(separator: ", "))"
  }

  /// Nil if one of the bot's branches has the package, or no branch has a commit yet.
  package static func of(_ bot: Bot) throws(GitError) -> PackageAbsence? {
    // A remote repository is not examined, because that requires the network.
    guard bot.remote == nil else { return nil }
    let repository = try Repository(at: bot.repository)
    let tips = try repository.tips(withTags: false)
    let decision = CommitDecision(bot)
    let refs = tips.refs.keys.filter { decision.selects($0, head: tips.head) }.sorted()
    var found: PackageAbsence?
    for ref in refs.prefix(mostBranches) {
      guard let commit = tips.refs[ref] else { continue }
      let search = try PackageSearch(bot.package, at: commit, in: repository)
      guard let words = search.absence(at: commit) else { return nil }
      found = found ?? PackageAbsence(words: "\(words) of \(ref)", others: search.others)
    }
    return found
  }
}
