/// The sources in a program under test that do not count: to be viewed, and in no sum.
package struct UncountedSources: Hashable, Sendable {
  /// Why a source does not count.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case test
    /// Another package of the same repository has it.
    case sibling
    case dependency
    /// The build wrote it.
    case generated
    /// It lies in the repository, and in none of the package's targets nor in another package.
    case unlisted
  }

  /// One of the sources.
  package struct Source: Hashable, Sendable {
    package var kind: Kind
    /// The test target or the package that it belongs to; empty where there is none. A package of the same repository is
    /// named by its folder, relative to the repository; `.` is the repository's own.
    package var group: String
    /// Without functions. The path of a file in the build folder begins with `.build`, wherever that folder is; the path
    /// of one of the repository outside of the package begins with `../`; that of one from elsewhere is absolute.
    package var coverage: FileCoverage

    package init(kind: Kind, group: String, coverage: FileCoverage) {
      self.kind = kind
      self.group = group
      self.coverage = coverage
    }
  }

  /// How many of one kind are not among the sources.
  package struct Left: Hashable, Sendable {
    /// No line of them ran.
    package var neverRan: Int
    /// There was no room for them.
    package var tooMany: Int

    package init(neverRan: Int = 0, tooMany: Int = 0) {
      self.neverRan = neverRan
      self.tooMany = tooMany
    }
  }

  /// In the order of the kinds, then sorted by path.
  package var sources: [Source]
  package var left: [Kind: Left]
  /// Those of the repository that are not among the sources, to tell of what was changed in them; sorted by path.
  package var unshown: [Source] = []

  /// The sources that a commit of the repository can change, apart from tests.
  package var ofRepository: [Source] {
    sources.filter { $0.kind == .sibling || $0.kind == .unlisted } + unshown
  }

  package init(sources: [Source] = [], left: [Kind: Left] = [:]) {
    self.sources = sources
    self.left = left
  }
}
