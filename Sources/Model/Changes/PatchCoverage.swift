/// The coverage of the lines that an integration's commits touched.
package struct PatchCoverage: Hashable, Sendable {
  /// What the touched lines were told from.
  package enum Origin: Hashable, Sendable {
    /// The commit of an earlier integration.
    case integration(Int)
    /// The commit's first parent, because no earlier integration is known.
    case parent
    /// The commit has no parent, so that all of it is new.
    case nothing
  }

  /// One file with touched lines.
  package struct File: Hashable, Sendable {
    package var path: String
    package var target: String
    /// Touched lines that hold code, ascending; partly ran ones are not among the first.
    package var ran: [Int]
    package var partlyRan: [Int]
    package var neverRan: [Int]
    /// Touched lines that LLVM counts, though only comments or blanks stand on them, ascending; they are in no other list.
    package var silent: [Int] = []

    package init(path: String, target: String, ran: [Int], partlyRan: [Int], neverRan: [Int]) {
      self.path = path
      self.target = target
      self.ran = ran
      self.partlyRan = partlyRan
      self.neverRan = neverRan
    }

    package var tally: LineTally {
      LineTally(
        total: ran.count + partlyRan.count + neverRan.count, covered: ran.count + partlyRan.count,
        partial: partlyRan.count)
    }
  }

  package var origin: Origin
  /// Whether uncommitted changes count as touched, too.
  package var includesWorkingTree: Bool
  /// Files in which a touched line holds code, sorted by path.
  package var files: [File]
  /// Counted files of which nobody can say which lines were touched, sorted by path; they are in no sum.
  package var unmapped: [UnmappedFile]
  /// Files with touched lines that are left out on request, or, of a file that is left out as a whole and that nobody can
  /// follow, with lines that may be touched; sorted. Those lines are in no list and in no sum.
  package var leftOut: [String] = []
  /// Files of the repository with touched lines that hold code, or that may be touched, and that are none of the package's
  /// own sources; sorted by path. Those lines are in no list and in no sum.
  package var uncounted: [UncountedPatchFile] = []

  package init(origin: Origin, includesWorkingTree: Bool = false, files: [File], unmapped: [UnmappedFile] = []) {
    self.origin = origin
    self.includesWorkingTree = includesWorkingTree
    self.files = files.sorted { $0.path < $1.path }
    self.unmapped = unmapped.sorted { $0.path < $1.path }
  }

  package var tally: LineTally { files.reduce(LineTally()) { $0 + $1.tally } }

  /// The touched lines of which at least a part ran, by path.
  package var touchedLinesThatRan: [String: Set<Int>] {
    Dictionary(files.map { ($0.path, Set($0.ran + $0.partlyRan)) }) { $0.union($1) }
  }

  /// The touched lines that never ran, by path and line.
  package var neverRan: [SourceLocation] {
    files.flatMap { file in file.neverRan.map { SourceLocation(file: file.path, line: $0) } }
  }
}
