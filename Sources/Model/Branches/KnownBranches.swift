/// The branches of a repository, as far as the state of a bot depends on them.
package struct KnownBranches: Hashable, Sendable {
  /// Those that are there.
  package let existing: Set<String>
  /// Those that the bot asks for, in the order in which it does; empty for a bot without a file, as of `martlet run`.
  package let asked: [String]
  /// The branch that decides how the bot stands; nil where the bot asks for none.
  ///
  /// It is the one that HEAD of a bare repository points to. Elsewhere HEAD is what somebody has checked out.
  let preferred: String?

  /// - Parameter globs: those of the bot's file, none of them for the branch that HEAD points to; nil without a file.
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

  /// The branches whose state has to be known before that of the bot can be told.
  var needed: [String] { asked.isEmpty ? Self.usual.filter(existing.contains) : asked }

  /// What default branches are called where nobody says which it is.
  static let usual = ["main", "master"]
}
