/// Which tests ran which lines and functions of the package's own sources.
///
/// Lines that were run by the same tests share a set, so that the map of a large suite stays small.
package struct TestMap: Hashable, Sendable {
  /// Some tests, as numbers in `tests`, ascending.
  package typealias TestSet = [Int]

  /// Lines that follow each other and were run by the same tests.
  package struct Lines: Hashable, Sendable {
    /// From 1, the last one included.
    package var lines: ClosedRange<Int>
    /// An index into `sets`.
    package var set: Int

    package init(lines: ClosedRange<Int>, set: Int) {
      self.lines = lines
      self.set = set
    }
  }

  /// A part of a line, up to the next one or to the end of the line.
  package struct Part: Hashable, Sendable {
    package var start: SourcePosition
    /// An index into `sets`, among which is the empty one.
    package var set: Int

    package init(start: SourcePosition, set: Int) {
      self.start = start
      self.set = set
    }
  }

  /// A function that tests ran, by the place where it begins.
  package struct Function: Hashable, Sendable {
    package var start: SourcePosition
    /// An index into `sets`.
    package var set: Int
    /// The same for those that ran it in their own process, where programs that tests started ran it as well; nil where
    /// only tests' own processes did. In no document.
    package var inProcess: Int?

    package init(start: SourcePosition, set: Int, inProcess: Int? = nil) {
      self.start = start
      self.set = set
      self.inProcess = inProcess
    }
  }

  package struct File: Hashable, Sendable {
    /// Ascending; lines without code, and those that no test ran, are missing.
    package var lines: [Lines]
    /// The parts of those of the lines whose parts were not all run by the same tests, ascending: a part before the first
    /// region of a line belongs to the region around it, even if it is blank. Empty in older documents.
    package var parts: [Part] = []
    /// The lines by those tests that ran them in their own process, where programs that tests started ran some of the file
    /// as well; nil where none did, and in older documents.
    package var inProcess: [Lines]?
    /// Ascending.
    package var functions: [Function]
    /// The lines of values that a process makes once, such as those of globals, ascending: they are run by whichever test
    /// needs them first, and serve all that come after it.
    package var once: [ClosedRange<Int>]
    /// The lines that ran while no test did, such as what instances of XCTest's classes run before the first test starts,
    /// ascending; empty in older documents.
    package var outside: [ClosedRange<Int>] = []

    package init(lines: [Lines], functions: [Function], once: [ClosedRange<Int>] = []) {
      self.lines = lines
      self.functions = functions
      self.once = once
    }

    /// The parts of a line, none if the same tests ran all of it.
    package func parts(ofLine line: Int) -> ArraySlice<Part> {
      parts[parts.partitioningIndex { $0.start.line >= line }...].prefix { $0.start.line == line }
    }

    /// Whether a line belongs to a value that a process makes once.
    package func isOnce(_ line: Int) -> Bool {
      once.firstSorted { $0.upperBound >= line }?.contains(line) == true
    }

    /// Whether a line ran while no test did.
    package func ranOutside(_ line: Int) -> Bool {
      outside.firstSorted { $0.upperBound >= line }?.contains(line) == true
    }
  }

  /// A global or a static property, whose value a process makes when it is first needed.
  package struct Value: Hashable, Sendable {
    package var name: String
    /// The compiler's name of the module that declares it; nil where only the name is known, as of what a pattern such as
    /// `(a, b)` declares, and in older documents.
    package var module: String?
    /// The last word of the name of the type that it is declared in; nil for a global.
    package var owner: String?
    /// The type as `swift-demangle` writes it, with the module before each name.
    package var type: String?
    /// By path, the lines of the functions that ran to make it, ascending; empty where no test needed it.
    package var ran: [String: [ClosedRange<Int>]]

    package init(
      name: String, module: String? = nil, owner: String? = nil, type: String? = nil,
      ran: [String: [ClosedRange<Int>]] = [:]
    ) {
      self.name = name
      self.module = module
      self.owner = owner
      self.type = type
      self.ran = ran
    }
  }

  /// The tests whose lines are known, sorted.
  package var tests: [TestID]
  package var sets: [TestSet]
  /// By path, relative to the package.
  package var files: [String: File]
  /// The values that processes make once; nil if it is not known what ran to make each.
  package var values: [Value]?
  /// Why some tests are missing, as sentences.
  package var gaps: [String]

  package init(
    tests: [TestID], sets: [TestSet], files: [String: File], values: [Value]? = nil, gaps: [String] = []
  ) {
    self.tests = tests
    self.sets = sets
    self.files = files
    self.values = values
    self.gaps = gaps
  }

  /// The tests that ran a line, as numbers; empty also where nothing is known.
  package func tests(ofLine line: Int, in path: String) -> TestSet {
    guard let found = files[path]?.lines.firstSorted(where: { $0.lines.upperBound >= line }), found.lines.contains(line)
    else { return [] }
    return sets[found.set]
  }

  /// The tests that need a function, as numbers; all of them where it makes a value once in a process.
  package func tests(ofFunctionAt start: SourcePosition, in path: String) -> TestSet {
    guard let file = files[path] else { return [] }
    if file.isOnce(start.line) { return Array(tests.indices) }
    return function(at: start, in: path).map { sets[$0.set] } ?? []
  }

  /// The tests that ran a function in their own process, as numbers, where programs that tests started ran it as well; nil
  /// where none did.
  package func inProcessTests(ofFunctionAt start: SourcePosition, in path: String) -> TestSet? {
    guard let own = function(at: start, in: path)?.inProcess else { return nil }
    return files[path]?.isOnce(start.line) == true ? Array(tests.indices) : sets[own]
  }

  private func function(at start: SourcePosition, in path: String) -> Function? {
    files[path]?.functions.firstSorted { $0.start >= start }.flatMap { $0.start == start ? $0 : nil }
  }

  /// The tests that ran nothing of the package's own sources, not even in a program that they started.
  package var idle: [TestID] {
    var busy = [Bool](repeating: false, count: tests.count)
    for set in Set(files.values.flatMap { $0.lines.map(\.set) }) {
      for test in sets[set] { busy[test] = true }
    }
    return zip(tests, busy).filter { !$0.1 }.map(\.0)
  }

  /// The lines that a test ran, by path; lines that follow each other stand together.
  package func lines(of test: TestID) -> [String: [ClosedRange<Int>]] {
    guard let number = number(of: test) else { return [:] }
    let own = Set(sets.indices.filter { sets[$0].contains(number) })
    return files.mapValues { file in
      file.lines.filter { own.contains($0.set) }.reduce(into: []) { found, next in
        if let last = found.last, last.upperBound + 1 == next.lines.lowerBound {
          found[found.count - 1] = last.lowerBound...next.lines.upperBound
        } else {
          found.append(next.lines)
        }
      }
    }.filter { !$0.value.isEmpty }
  }

  /// The number of a test; nil where nobody knows what it ran.
  package func number(of test: TestID) -> Int? {
    let index = tests.partitioningIndex { $0.description >= test.description }
    return index < tests.count && tests[index] == test ? index : nil
  }
}
