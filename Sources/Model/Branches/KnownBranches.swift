/// The branches of a repository, as far as the state of a bot depends on them.
package struct KnownBranches: Hashable, Sendable {
  /// The branches that exist.
  package let existing: Set<String>
  /// The branches that the bot asks for, in its order; empty for a bot without a file, as in `martlet run`.
  package let asked: [String]
  /// The branch that decides the state of the bot; nil if the bot asks for none.
  ///
  /// In a bare repository, this is the branch that HEAD points to. In others, HEAD is only what happens to be checked
  /// out.
  package let preferred: String?

  /// - Parameter globs: the globs of the bot's file, empty for the branch that HEAD points to; nil without a file.
  package init(_ tips: Tips, asked globs: [String]?) {
    existing = Set(tips.refs.keys.compactMap(\.branch))
    let (head, sorted) = (tips.head?.branch, existing.sorted())
    guard let globs, !globs.isEmpty else {
      asked = sorted.filter { $0 == head && globs != nil }
      preferred = asked.first
      return
    }
    var met: Set<String> = []
    let asked = globs.map { Glob($0) }.flatMap { glob in sorted.filter { glob.matches($0) && met.insert($0).inserted } }
    self.asked = asked
    let usual = (tips.isBare ? [head].compactMap(\.self) : []) + Self.usual
    preferred = usual.first(where: asked.contains) ?? globs.first(where: asked.contains) ?? asked.first
  }

  /// Whether a branch exists; what is on none, such as a tag, stays.
  package func has(_ branch: String?) -> Bool { branch.map(existing.contains) ?? true }

  /// Returns which of some branches decides the state of a bot; nil if none of them does.
  ///
  /// - Parameters:
  ///   - known: the existing branches; nil if unknown.
  ///   - branches: those that were integrated.
  package static func main(of known: KnownBranches?, among branches: [String]) -> String? {
    known?.preferred ?? usual.first(where: branches.contains)
  }

  /// The branches whose state must be known to determine that of the bot.
  var needed: [String] { asked.isEmpty ? Self.usual.filter(existing.contains) : asked }

  /// The usual names of default branches.
  static let usual = ["main", "master"]
}
