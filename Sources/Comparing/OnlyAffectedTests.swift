package import Model

/// Which tests a bot with `tests: {only: affected}` runs.
///
/// Unlike the order of tests, this must not err: what is not known to be reached only by some tests has all of them run.
package struct OnlyAffectedTests: Hashable, Sendable {
  /// Seconds after which everything runs again.
  package static let longest = 7.0 * 24 * 60 * 60

  /// What is known of the last integration that ran everything, and what changed since.
  package struct Evidence: Sendable {
    package var past: AffectedTests.Past
    /// How the text of each Swift source changed that was there then and is now.
    package var edits: [String: SourceEdit]
    /// The line in which each test was declared then.
    package var lines: [TestID: Int]
    /// Tests that run whatever changed: they did not pass when they ran last, or do something that the map cannot tell.
    package var always: Set<TestID>
    /// A condition other than the commit that changed.
    package var circumstance: String?
    /// The number of integrations since, and the seconds.
    package var count: Int
    package var age: Double

    package init(
      past: AffectedTests.Past, edits: [String: SourceEdit], lines: [TestID: Int] = [:], always: Set<TestID> = [],
      circumstance: String? = nil, count: Int = 0, age: Double = 0
    ) {
      self.past = past
      self.edits = edits
      self.lines = lines
      self.always = always
      self.circumstance = circumstance
      self.count = count
      self.age = age
    }
  }

  /// The tests without a reason to run.
  package var leftOut: Set<TestID> = []
  /// Why they run nevertheless; nil if they do not.
  package var everything: OnlyAffected.Everything?

  /// Decides which of the listed tests run.
  ///
  /// - Parameters:
  ///   - evidence: nil if nothing is known.
  ///   - cause: why there is an integration; what a person asks for runs everything.
  ///   - every: each integration of so many runs everything.
  package init(
    among listed: [TestID], since evidence: Evidence?, in model: PackageModel, cause: Cause, every: Int
  ) {
    guard let evidence else {
      everything = .unknown
      return
    }
    let choice = Choice(listed: listed, evidence: evidence, model: model)
    do throws(Reason) {
      leftOut = Set(listed).subtracting(try choice.tests())
      everything = Self.turn(leftOut, of: listed, evidence, cause, every)
    } catch {
      everything = error.everything
    }
  }

  /// Why everything runs although it is known what is affected.
  private static func turn(
    _ leftOut: Set<TestID>, of listed: [TestID], _ evidence: Evidence, _ cause: Cause, _ every: Int
  ) -> OnlyAffected.Everything? {
    if leftOut.isEmpty { return .all }
    if leftOut.count == Set(listed).count { return .nothing }
    if cause != .commit, cause != .schedule { return .asked }
    if evidence.count + 1 >= every { return .turn(every: every) }
    return evidence.age > longest ? .age : nil
  }
}

/// Why no choice is possible.
private struct Reason: Error {
  var everything: OnlyAffected.Everything

  init(_ everything: OnlyAffected.Everything) { self.everything = everything }
}

/// The tests that may notice what changed.
private struct Choice {
  let listed: [TestID]
  let evidence: OnlyAffectedTests.Evidence
  let model: PackageModel

  private var past: AffectedTests.Past { evidence.past }
  private var map: TestMap { past.map }

  /// Returns the tests that reach what changed, and those that always run.
  func tests() throws(Reason) -> Set<TestID> {
    if past.toolchainChanged { throw Reason(.toolchain) }
    if let name = evidence.circumstance { throw Reason(.circumstance(name)) }
    if past.dependenciesChanged { throw Reason(.dependencies) }
    if !map.gaps.isEmpty { throw Reason(.incompleteMap) }
    let known = Set(map.tests)
    var found = Set(listed.filter { !known.contains($0) || past.red.contains($0) || evidence.always.contains($0) })
    found.formUnion(map.idle)
    for path in past.changed.sorted() { found.formUnion(try tests(changedBy: path)) }
    return found.intersection(listed)
  }

  private func tests(changedBy path: String) throws(Reason) -> Set<TestID> {
    guard let target = model.target(holding: path), ["library", "executable", "test"].contains(target.type),
      path.hasSuffix(".swift"), target.sourcePaths.contains(path), let edit = evidence.edits[path]
    else { throw Reason(.file(path)) }
    switch edit {
    case .declarations(let line):
      guard target.isTest else { throw Reason(.declarations(SourceLocation(file: path, line: line))) }
      return tests(of: target)
    case .bodies(let functions):
      var found: Set<TestID> = []
      for function in functions {
        found.formUnion(
          target.isTest ? tests(at: function, in: path, of: target) : try tests(running: function, in: path))
      }
      return found
    }
  }

  private func tests(of target: PackageModel.Target) -> Set<TestID> {
    Set(listed.filter { $0.module == target.module })
  }

  /// Returns the test that a function is, with those of the same name that may inherit it; all of the target's if it is
  /// none.
  private func tests(
    at function: SourceEdit.Function, in path: String, of target: PackageModel.Target
  ) -> Set<TestID> {
    let all = tests(of: target)
    let own = all.filter { test in
      past.files[test] == path && evidence.lines[test].map(function.head.contains) == true
    }
    let names = Set(own.map(\.name))
    return own.isEmpty ? all : all.filter { names.contains($0.name) }
  }

  /// Returns the tests that ran a function, or anything that is inside it.
  private func tests(running function: SourceEdit.Function, in path: String) throws(Reason) -> Set<TestID> {
    let place = SourceLocation(file: path, line: function.body.lowerBound)
    guard let file = map.files[path] else { throw Reason(.unreached(place)) }
    if file.once.contains(where: { $0.overlaps(function.body) }) { throw Reason(.shared(place)) }
    let ran = map.tests(ofLines: function.body, in: file)
    var functions = file.functions.filter { function.body.contains($0.start.line) }
    if functions.isEmpty, !ran.isEmpty, let around = file.functions.last(where: { $0.start.line < place.line }) {
      // The map knows an accessor as a part of what begins before it.
      functions = [around]
    }
    let numbers = functions.reduce(into: ran) { $0.formUnion(map.sets[$1.set]) }
    guard !functions.isEmpty, !numbers.isEmpty else { throw Reason(.unreached(place)) }
    let tests = Set(numbers.map { map.tests[$0] })
    // What no two tests of a process ran may have made a value for all tests that came later.
    if numbers.isSubset(of: map.firstOnes) || Self.areApart(tests) { throw Reason(.shared(place)) }
    return tests
  }

  /// Whether no two of the tests ran in the same process.
  private static func areApart(_ tests: Set<TestID>) -> Bool {
    let processes = tests.map { "\($0.module) \($0.withoutPlace.name.hasSuffix(")"))" }
    return Set(processes).count == processes.count
  }
}

extension TestMap {
  /// The tests that ran what runs once in a process, as numbers.
  fileprivate var firstOnes: Set<Int> {
    files.values.reduce(into: []) { found, file in
      for lines in file.once { found.formUnion(tests(ofLines: lines, in: file)) }
    }
  }
}
