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
    /// The names in the Swift sources by path: in those of the product as they were then, in those of tests as they are now.
    package var sources: [String: SourceNames]
    /// The line in which each test was declared then.
    package var lines: [TestID: Int]
    /// Tests that run whatever changed, as they did not pass when they ran last.
    package var always: Set<TestID>
    /// A condition other than the commit that changed.
    package var circumstance: String?
    /// The folder of a dependency that is in no repository.
    package var localDependency: String?
    /// The number of integrations since, and the seconds.
    package var count: Int
    package var age: Double

    package init(
      past: AffectedTests.Past, edits: [String: SourceEdit], sources: [String: SourceNames] = [:],
      lines: [TestID: Int] = [:], always: Set<TestID> = [], circumstance: String? = nil, localDependency: String? = nil,
      count: Int = 0, age: Double = 0
    ) {
      self.past = past
      self.edits = edits
      self.sources = sources
      self.lines = lines
      self.always = always
      self.circumstance = circumstance
      self.localDependency = localDependency
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
  ///   - failure: why everything runs whatever changed, such as a failure that only that can tell again.
  package init(
    among listed: [TestID], since evidence: Evidence?, in model: PackageModel, cause: Cause, every: Int,
    after failure: OnlyAffected.Everything? = nil
  ) {
    guard let evidence else {
      everything = failure ?? .unknown
      return
    }
    let choice = Choice(listed: listed, evidence: evidence, model: model)
    do throws(Reason) {
      leftOut = Set(listed).subtracting(try choice.tests())
      everything = leftOut.isEmpty ? .all : failure ?? Self.turn(leftOut, of: listed, evidence, cause, every)
    } catch {
      everything = error.everything
    }
  }

  /// Why everything runs although it is known what is affected.
  private static func turn(
    _ leftOut: Set<TestID>, of listed: [TestID], _ evidence: Evidence, _ cause: Cause, _ every: Int
  ) -> OnlyAffected.Everything? {
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
  /// Whether the product asks in which line something stands; tests do so to say where they failed.
  private var readsLines: Bool {
    evidence.sources.contains { $1.readsLines && model.target(holding: $0)?.isTest != true }
  }

  /// Returns the tests that reach what changed, and those that always run.
  func tests() throws(Reason) -> Set<TestID> {
    if past.toolchainChanged { throw Reason(.toolchain) }
    if let name = evidence.circumstance { throw Reason(.circumstance(name)) }
    if past.dependenciesChanged { throw Reason(.dependencies) }
    if let path = evidence.localDependency { throw Reason(.localDependency(path)) }
    if !map.gaps.isEmpty { throw Reason(.incompleteMap) }
    let known = Set(map.tests)
    var found = Set(listed.filter { !known.contains($0) || past.red.contains($0) || evidence.always.contains($0) })
    found.formUnion(map.idle)
    found.formUnion(listed.filter(mayBeAnother))
    let changes = try past.changed.sorted().map { (path) throws(Reason) in (path, try change(of: path)) }
    let state = SharedState(evidence.sources, listed: listed, past, in: model)
    found.formUnion(state.testsRunOutside(among: listed))
    for (path, change) in changes { found.formUnion(state.tests(noticing: change, in: path)) }
    return found.intersection(listed)
  }

  /// Whether a test had another name then, and another test had its name, because the name holds a line of a source that
  /// changed.
  private func mayBeAnother(_ test: TestID) -> Bool {
    test.hasPlace && past.files[test].map(past.changed.contains) != false
  }

  private func change(of path: String) throws(Reason) -> SharedState.Change {
    guard let target = model.target(holding: path), ["library", "executable", "test"].contains(target.type),
      !target.runsInBuild, path.hasSuffix(".swift"), target.sourcePaths.contains(path), let edit = evidence.edits[path]
    else { throw Reason(.file(path)) }
    switch edit {
    case .declarations(let line):
      guard target.isTest else { throw Reason(.declarations(SourceLocation(file: path, line: line))) }
      return SharedState.Change(tests: tests(of: target), words: Set((evidence.sources[path]?.lines ?? [:]).keys))
    case .bodies(let functions, let moved):
      var found = SharedState.Change()
      for function in functions {
        found.words.formUnion(function.words)
        found.lines.append(function.body)
        found.tests.formUnion(
          target.isTest ? tests(at: function, in: path, of: target) : try tests(running: function, in: path))
        if !target.isTest { found.tests.formUnion(try testsByChance(of: function, in: path)) }
      }
      if readsLines, !target.isTest {
        for function in moved { found.tests.formUnion(tests(thatRan: function.body, in: path)) }
        found.lines += moved.map(\.body)
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
    let found = tests(thatRan: function.body, in: path)
    if found.isEmpty { throw Reason(.unreached(SourceLocation(file: path, line: function.body.lowerBound))) }
    return found
  }

  /// The words of declarations that give nothing a hash; the compiler makes those of enumerations by itself.
  private static let withoutHash: Set<String> = [
    "actor", "class", "extension", "protocol", "struct",
    "Codable", "Comparable", "CustomDebugStringConvertible", "CustomStringConvertible", "Decodable", "Encodable",
    "Equatable", "Error", "Sendable",
  ]

  /// Returns the tests that may run a function in one process and not in another, since a dictionary compares its keys by
  /// it where hashes are alike: those that make such hashes.
  private func testsByChance(of function: SourceEdit.Function, in path: String) throws(Reason) -> Set<TestID> {
    var found: Set<TestID> = []
    for (other, names) in evidence.sources {
      for equality in names.equalities {
        let isCalled = function.name.map(equality.words.contains) == true
        guard isCalled || other == path && equality.body == function.body else { continue }
        guard let tests = testsHashing(equality.type) else {
          throw Reason(.ofKeys(SourceLocation(file: path, line: function.body.lowerBound)))
        }
        found.formUnion(tests)
      }
    }
    return found
  }

  /// Returns the tests that make hashes of a type; nil where that is not known, as of one whose hash the compiler makes.
  private func testsHashing(_ type: String?) -> Set<TestID>? {
    guard let type else { return nil }
    let hashes = evidence.sources.flatMap { path, names in (names.hashes[type] ?? []).map { (path, $0) } }
    let headers = evidence.sources.values.reduce(into: Set<String>()) { $0.formUnion($1.headers[type] ?? []) }
    guard hashes.isEmpty else { return hashes.reduce(into: []) { $0.formUnion(tests(thatRan: $1.1, in: $1.0)) } }
    return headers.subtracting([type]).isSubset(of: Self.withoutHash) ? [] : nil
  }

  /// - Parameter body: the lines of a function.
  private func tests(thatRan body: ClosedRange<Int>, in path: String) -> Set<TestID> {
    guard let file = map.files[path] else { return [] }
    let ran = map.tests(ofLines: body, in: file)
    var functions = file.functions.filter { body.contains($0.start.line) }
    let start = body.lowerBound
    if functions.isEmpty, !ran.isEmpty, let around = file.functions.last(where: { $0.start.line < start }) {
      // The map knows an accessor as a part of what begins before it.
      functions = [around]
    }
    if functions.isEmpty { return [] }
    let numbers = functions.reduce(into: ran) { $0.formUnion(map.sets[$1.set]) }
    return Set(numbers.map { map.tests[$0] })
  }
}
