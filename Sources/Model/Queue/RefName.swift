/// The full name of a branch or a tag: `refs/heads/main`, `refs/tags/1.0`.
package struct RefName: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package init(branch: String) {
    rawValue = Self.branches + branch
  }

  package init(tag: String) {
    rawValue = Self.tags + tag
  }

  private static let branches = "refs/heads/"
  private static let tags = "refs/tags/"

  /// A name that no ref has, under which it is remembered which tags the bot last asked for.
  package static let tagsAsked = RefName(tag: "")

  /// The name of the branch; nil for anything else.
  package var branch: String? { name(after: Self.branches) }

  /// The name of the tag; nil for anything else.
  package var tag: String? { name(after: Self.tags) }

  /// The short name of the branch or tag, for people.
  package var description: String { branch ?? tag ?? rawValue }

  package static func < (one: RefName, other: RefName) -> Bool { one.rawValue < other.rawValue }

  private func name(after prefix: String) -> String? {
    rawValue.hasPrefix(prefix) ? String(rawValue.dropFirst(prefix.count)) : nil
  }
}

extension CommitID {
  /// What is remembered under `RefName.tagsAsked` of a bot for which an earlier Martlet saw no tag: it may have asked
  /// for some or for none. No bot asks for a tag like this, since the name of a tag has no space.
  package static let tagsNotKnown = CommitID(rawValue: "not known")
}

/// The commits that a repository's branches and tags point to at a given moment.
package struct Tips: Hashable, Sendable {
  /// The commit of each ref; for an annotated tag, the commit it refers to.
  package var refs: [RefName: CommitID]
  /// The branch that HEAD points to.
  package var head: RefName?
  /// Whether nothing is checked out in the repository, so that HEAD indicates the default branch rather than the one
  /// being worked on.
  package var isBare: Bool

  package init(refs: [RefName: CommitID], head: RefName? = nil, isBare: Bool = true) {
    self.refs = refs
    self.head = head
    self.isBare = isBare
  }
}
