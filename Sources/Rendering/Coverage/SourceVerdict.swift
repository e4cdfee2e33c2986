import Model

/// What the tests say of one source, as its page says it first.
struct SourceVerdict {
  /// A test as it is named in a sentence, with its page if it has one.
  struct Named: Hashable {
    var title: String
    var page: String?
  }

  /// The number of failures recorded in it, without those of flaky tests and known issues.
  private(set) var failures = 0
  /// The tests that ended in it without a result, by how: they crashed or were stopped.
  private(set) var ended: [TestState: Set<TestID>] = [:]
  /// The tests that ended their process in it.
  private(set) var quit: Set<TestID> = []
  /// The tests before which the process ended.
  private(set) var unbegun: Set<TestID> = []
  /// The tests that failed in it, or are declared in it, and passed in a later attempt.
  private(set) var flaky: Set<TestID> = []
  private(set) var knownIssues = 0
  /// How the tests ended that are declared in it.
  private(set) var states: [TestState] = []
  /// How many of these ended their process.
  private(set) var declaredQuits = 0
  /// The tests that say something about a line, by its number.
  private(set) var names: [Int: [Named]] = [:]
  /// What the messages at a line mean, by its number.
  private(set) var kinds: [Int: Set<FailureNotes.Kind>] = [:]

  /// Whether there is anything to say.
  var isEmpty: Bool {
    worst == nil && quit.isEmpty && unbegun.isEmpty && flaky.isEmpty && knownIssues == 0 && states.isEmpty
  }

  mutating func declare(_ test: TestResult) {
    states.append(test.state)
    if test.quit?.isByTest == true { declaredQuits += 1 }
    if test.isFlaky { flaky.insert(test.id) }
  }

  /// - Parameter kept: the other tests that did not begin if what is said is why its test did not.
  mutating func count(
    _ kind: FailureNotes.Kind, _ failure: TestFailure, of test: TestResult, keeping kept: [TestID] = [], at line: Int,
    page: String?
  ) {
    switch kind {
    case .failed where failure.end != nil: ended[test.state, default: []].insert(test.id)
    case .failed where test.quit?.isByTest == false: unbegun.formUnion([test.id] + kept)
    case .failed where test.quit != nil: quit.insert(test.id)
    case .failed: failures += 1
    case .flaky: flaky.insert(test.id)
    case .known: knownIssues += 1
    }
    kinds[line, default: []].insert(kind)
    // Where the process ended before a test, nothing of the test stands there.
    let call = test.quit.flatMap { $0.isByTest ? nil : $0.call }
    let named = Named(title: call ?? test.quotedTitle, page: page)
    if names[line]?.contains(named) != true { names[line, default: []].append(named) }
  }

  /// The worst end of a test in it; nil if none failed there.
  private var worst: TestState? { (ended.keys + (failures > 0 ? [.failed] : [])).min { $0.rank < $1.rank } }

  /// The name of the glyph in the sprite: that of the worst.
  var glyph: String {
    if let worst { return worst.glyph }
    // One that was not meant to run says nothing of those that passed.
    let telling = states.contains(.passed) ? states.filter { $0 != .skipped } : states
    let worst = telling.min { $0.rank < $1.rank } ?? (knownIssues > 0 ? .expectedFailure : .passed)
    return flaky.isEmpty || worst.isRed || worst == .notRun ? worst.glyph : FailureNotes.Kind.flaky.glyph
  }
}
