package import Model

extension SuspectFinder {
  /// The sources of which the test may have run something that changed.
  package struct FilesRan: Hashable, Sendable {
    /// All those of which that is known.
    package var counted: Set<String>
    package var ran: Set<String>
  }
}

extension SuspectFinder.FilesRan {
  /// Takes the files of which a test ran anything, and those whose change may concern every test.
  ///
  /// - Parameters:
  ///   - test: its number in the map.
  ///   - files: the sources that count.
  ///   - difference: how they changed.
  ///   - silent: those of the lines of a file that hold only comments or blanks.
  package init(
    by test: Int, in map: TestMap, of files: [FileCoverage], changed difference: SourceDifference,
    silent: (_ path: String, _ lines: [Int]) -> Set<Int> = { _, _ in [] }
  ) {
    counted = Set(files.map(\.path))
    ran = []
    for file in files {
      let ranAny = map.files[file.path]?.lines.contains { map.sets[$0.set].contains(test) } ?? false
      if ranAny || Self.mayConcernAll(file, difference, map, silent) { ran.insert(file.path) }
    }
  }

  /// Whether more changed of a file than the inside of functions that run for the test that calls them: a declaration,
  /// a value that is made once, or what only one test of a process ran, which may be called by such a value.
  private static func mayConcernAll(
    _ file: FileCoverage, _ difference: SourceDifference, _ map: TestMap, _ silent: (String, [Int]) -> Set<Int>
  ) -> Bool {
    guard difference.obstacle(at: file.path) == nil else { return true }
    guard let change = difference.file(at: file.path) else { return false }
    return change.status == .added
      || (change.lines?.hunks ?? []).contains { hunk in
        let around = file.functions.filter { $0.holds(hunk) }
        guard let inner = around.max(by: { ($0.line, $1.lastLine) < ($1.line, $0.lastLine) }) else {
          return !hunk.old.isEmpty || silent(file.path, Array(hunk.new)).count < hunk.new.count
        }
        let known = map.files[file.path]
        let tests = inner.regions.first.map { map.tests(ofFunctionAt: $0.start, in: file.path) } ?? []
        return around.contains { known?.isOnce($0.line) == true } || map.mayRunOnce(tests)
      }
  }
}

extension FunctionCoverage {
  /// Whether a change lies between the brackets of the function. In the place of its first line, which may have been
  /// another one's, there has to be one line for each.
  fileprivate func holds(_ hunk: LineMap.Hunk) -> Bool {
    guard !hunk.new.isEmpty else { return line < hunk.new.lowerBound && hunk.new.lowerBound <= lastLine }
    guard line <= hunk.new.lowerBound, hunk.new.upperBound - 1 <= lastLine else { return false }
    return line < hunk.new.lowerBound || hunk.old.count == hunk.new.count
  }
}

extension TestMap {
  /// Whether of each library one test ran it, so that it may have run for others: a process runs the tests of one library.
  fileprivate func mayRunOnce(_ set: TestSet) -> Bool {
    let swiftTesting = set.count { tests[$0].isOfSwiftTesting }
    return !set.isEmpty && swiftTesting < 2 && set.count - swiftTesting < 2
  }
}
