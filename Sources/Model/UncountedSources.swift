/// The sources in a program under test that do not count: to be viewed, and in no sum.
package struct UncountedSources: Hashable, Sendable {
  /// Why a source does not count.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case test
    case dependency
    /// The build wrote it.
    case generated
    /// It lies in the package, and in none of its targets.
    case unlisted
  }

  /// One of the sources.
  package struct Source: Hashable, Sendable {
    package var kind: Kind
    /// The test target or the package that it belongs to; empty where there is none.
    package var group: String
    /// Without functions. The path of a file in the build folder begins with `.build`, wherever that folder is; the path
    /// of one outside of package and build folder is absolute.
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

  package init(sources: [Source] = [], left: [Kind: Left] = [:]) {
    self.sources = sources
    self.left = left
  }
}
