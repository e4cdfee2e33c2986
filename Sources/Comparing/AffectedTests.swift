package import Model

/// The tests that probably notice what changed since their lines were mapped.
///
/// They only run before the others, so this is about what is likely: a value that a process makes once is mapped to
/// the test that needed it first, and a new declaration may change which function another file calls.
package enum AffectedTests: Hashable, Sendable {
  case some(Set<TestID>)
  /// What changed may affect any test.
  case any(TestsRunFirst.Obstacle)

  /// What is known of an earlier integration, and what changed since.
  package struct Past: Sendable {
    package var map: TestMap
    /// The file in which each test was declared, relative to the package.
    package var files: [TestID: String]
    /// The tests that were red.
    package var red: Set<TestID>
    /// All files that changed, then and now, relative to the package.
    package var changed: Set<String>
    /// How the mapped files among them changed, without hunks that hold no code.
    package var difference: SourceDifference
    package var toolchainChanged: Bool
    package var dependenciesChanged: Bool

    package init(
      map: TestMap, files: [TestID: String] = [:], red: Set<TestID> = [], changed: Set<String>,
      difference: SourceDifference, toolchainChanged: Bool = false, dependenciesChanged: Bool = false
    ) {
      self.map = map
      self.files = files
      self.red = red
      self.changed = changed
      self.difference = difference
      self.toolchainChanged = toolchainChanged
      self.dependenciesChanged = dependenciesChanged
    }
  }

  /// Finds the affected ones among the listed tests. New tests and those that were red are among them.
  package static func find(among listed: [TestID], since past: Past, in model: PackageModel) -> AffectedTests {
    if past.toolchainChanged { return .any(.toolchain) }
    if past.dependenciesChanged { return .any(.dependencies) }
    if let manifest = past.changed.sorted().first(where: isManifest) { return .any(.file(manifest)) }
    let known = Set(past.map.tests)
    var affected = Set(listed.filter { !known.contains($0) || past.red.contains($0) })
    var numbers: Set<Int> = []
    var guesses: Set<Int> = []
    for path in past.changed.sorted() where !path.hasSuffix(".md") {
      guard let target = model.target(holding: path) else { continue }
      if target.isTest {
        affected.formUnion(tests(in: target, changedBy: path, past, listed))
      } else if past.map.files[path] != nil {
        numbers.formUnion(tests(changedBy: path, past))
      } else if past.difference.file(at: path)?.oldPath.map({ past.map.files[$0] != nil }) == true {
        // A renamed file, which is looked at by its old name.
      } else if isForeign(path) {
        return .any(.file(path))
      } else {
        guesses.formUnion(tests(running: target, past.map))
      }
    }
    affected.formUnion(numbers.map { past.map.tests[$0] })
    // Whoever ran anything of a target with a new file comes first only where nothing better is known.
    if affected.isEmpty { affected.formUnion(guesses.map { past.map.tests[$0] }) }
    return .some(affected.intersection(listed))
  }

  private static func isManifest(_ path: String) -> Bool {
    path == "Package.swift" || path == "Package.resolved" || path.hasPrefix("Package@swift-")
  }

  /// Whether a file is a source in C or its relatives.
  private static func isForeign(_ path: String) -> Bool {
    SourceSuffix.suffix(of: path).map(SourceSuffix.allOfC.contains) == true
  }

  /// Returns the tests that are declared in a file; those of the whole target for a file without tests.
  private static func tests(
    in target: PackageModel.Target, changedBy path: String, _ past: Past, _ listed: [TestID]
  ) -> [TestID] {
    let own = listed.filter { past.files[$0] == path }
    return own.isEmpty ? listed.filter { $0.module == target.module } : own
  }

  /// Returns the tests that ran anything of a target.
  private static func tests(running target: PackageModel.Target, _ map: TestMap) -> Set<Int> {
    map.files.filter { target.holds($0.key) }.reduce(into: []) { $0.formUnion(tests(running: $1.value, map)) }
  }

  private static func tests(running file: TestMap.File, _ map: TestMap) -> Set<Int> {
    file.lines.reduce(into: []) { $0.formUnion(map.sets[$1.set]) }
  }

  /// Returns the tests that ran the changed lines of a file as it was, or the lines around them.
  ///
  /// Where no test did, as for a declaration, those that ran anything in the file stand for them.
  private static func tests(changedBy path: String, _ past: Past) -> Set<Int> {
    guard let file = past.map.files[path] else { return [] }
    guard let change = past.difference.file(from: path), change.obstacle == nil, let lines = change.lines else {
      return tests(running: file, past.map)
    }
    var found: Set<Int> = []
    for hunk in lines.hunks {
      let touched = hunk.old.isEmpty ? hunk.old.lowerBound - 1...hunk.old.lowerBound : ClosedRange(hunk.old)
      let isOnce = file.once.contains { $0.overlaps(touched) }
      let ran = isOnce ? [] : past.map.tests(ofLines: touched, in: file)
      found.formUnion(ran.isEmpty ? tests(running: file, past.map) : ran)
    }
    return found
  }
}

extension TestMap {
  /// Returns the tests that ran any of some lines.
  ///
  /// - Parameters:
  ///   - lines: lines of an earlier commit.
  ///   - change: what changed in their files since.
  package func tests(ofAny lines: [SourceLocation], before change: SourceDifference) -> [TestID] {
    let numbers = lines.flatMap { place -> TestSet in
      guard let file = change.file(from: place.file) else { return tests(ofLine: place.line, in: place.file) }
      guard let path = file.newPath, let line = file.lines?.newLine(of: place.line) else { return [] }
      return tests(ofLine: line, in: path)
    }
    return Set(numbers).sorted().map { tests[$0] }
  }

  /// Returns the tests that ran any of the lines, as numbers.
  func tests(ofLines lines: ClosedRange<Int>, in file: File) -> Set<Int> { tests(ofLines: lines, among: file.lines) }

  /// Returns the tests that ran any of the lines in their own process, as numbers.
  func inProcessTests(ofLines lines: ClosedRange<Int>, in file: File) -> Set<Int> {
    tests(ofLines: lines, among: file.inProcess ?? file.lines)
  }

  private func tests(ofLines lines: ClosedRange<Int>, among ran: [Lines]) -> Set<Int> {
    var found: Set<Int> = []
    var index = ran.partitioningIndex { $0.lines.upperBound >= lines.lowerBound }
    while index < ran.count, ran[index].lines.lowerBound <= lines.upperBound {
      found.formUnion(sets[ran[index].set])
      index += 1
    }
    return found
  }
}

extension PackageModel {
  /// Returns the target in whose folder a file is, the innermost one if they are nested.
  func target(holding path: String) -> Target? {
    targets.filter { $0.holds(path) }.max { $0.path.utf8.count < $1.path.utf8.count }
  }
}

extension PackageModel.Target {
  fileprivate func holds(_ file: String) -> Bool {
    path.isEmpty || path == "." || file.hasPrefix("\(path)/")
  }
}
