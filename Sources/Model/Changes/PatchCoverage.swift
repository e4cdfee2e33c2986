/// The coverage of the lines that an integration's commits touched.
package struct PatchCoverage: Hashable, Sendable {
  /// What the commit was compared with to find the touched lines.
  package enum Origin: Hashable, Sendable {
    /// The commit of an earlier integration.
    case integration(Int)
    /// The commit's first parent, because no earlier integration is known.
    case parent
    /// Nothing, because the commit has no parent and all of it is new.
    case nothing
  }

  /// One file with touched lines.
  package struct File: Hashable, Sendable {
    package var path: String
    /// The touched lines that hold code, ascending; `ran` excludes those that partly ran.
    package var ran: [Int]
    package var partlyRan: [Int]
    package var neverRan: [Int]
    /// Touched lines that LLVM counts although they hold only comments or blanks, ascending; they are in no other list.
    package var silent: [Int] = []

    package init(path: String, ran: [Int], partlyRan: [Int], neverRan: [Int]) {
      self.path = path
      self.ran = ran
      self.partlyRan = partlyRan
      self.neverRan = neverRan
    }

    /// All touched lines that hold code, unordered.
    package var lines: Set<Int> { Set(ran + partlyRan + neverRan) }

    package var tally: LineTally {
      LineTally(
        total: ran.count + partlyRan.count + neverRan.count, covered: ran.count + partlyRan.count,
        partial: partlyRan.count)
    }
  }

  package var origin: Origin
  /// Files in which a touched line holds code, sorted by path.
  package var files: [File]
  /// Counted files whose touched lines are unknown, sorted by path; they are not part of any sum.
  package var unmapped: [UnmappedFile]
  /// Files with touched lines that are left out on request, and files left out as a whole whose changes cannot be
  /// followed and may include touched lines; sorted. Those lines are in no list or sum.
  package var leftOut: [String] = []
  /// Files of the repository that are not among the package's own sources and whose touched lines hold code, or whose
  /// lines may be touched; sorted by path. Those lines are in no list or sum.
  package var uncounted: [UncountedPatchFile] = []
  /// Whether a touched line of a test holds code, which never counts.
  package var touchesTests = false
  /// The touched lines, with or without code, of the sources of the package and its tests that are not new, ascending, by
  /// path.
  package var newLines: [String: [Int]] = [:]

  package init(origin: Origin, files: [File], unmapped: [UnmappedFile] = []) {
    self.origin = origin
    self.files = files.sorted { $0.path < $1.path }
    self.unmapped = unmapped.sorted { $0.path < $1.path }
  }

  package var tally: LineTally { files.reduce(LineTally()) { $0 + $1.tally } }

  /// Whether touched lines that are in no sum hold code, or may.
  package var hasOtherCode: Bool { !leftOut.isEmpty || !uncounted.isEmpty || touchesTests }

  /// The touched lines that ran at least in part, by path.
  package var touchedLinesThatRan: [String: Set<Int>] {
    Dictionary(files.map { ($0.path, Set($0.ran + $0.partlyRan)) }) { $0.union($1) }
  }

  /// Returns the touched lines that a test ran, by path and line; none where nobody knows what it ran.
  package func lines(ranBy test: TestID, in map: TestMap) -> [SourceLocation] {
    guard let number = map.number(of: test) else { return [] }
    return files.flatMap { file in
      (file.ran + file.partlyRan).sorted().filter { map.tests(ofLine: $0, in: file.path).contains(number) }
        .map { SourceLocation(file: file.path, line: $0) }
    }
  }

  /// The touched lines that never ran, by path and line.
  package var neverRan: [SourceLocation] {
    files.flatMap { file in file.neverRan.map { SourceLocation(file: file.path, line: $0) } }
  }
}
