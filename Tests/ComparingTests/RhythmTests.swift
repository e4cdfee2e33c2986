import Model
import Testing

@testable import Comparing

@Suite("Red, green, refactor")
struct RhythmTests {
  /// A baseline with tests of these states.
  private static func baseline(_ outcome: Outcome, _ states: [String: TestState]) -> Baseline {
    Baseline(
      number: 4, commit: CommitID(rawValue: String(repeating: "a", count: 40)), outcome: outcome, tests: TestCounts(),
      totals: nil, files: [:], duration: 1, warnings: 0,
      states: Dictionary(uniqueKeysWithValues: states.map { (Finding.test($0.key), $0.value) }), issues: [])
  }

  @Test(
    "The beat is told from the tests before and now",
    arguments: [
      (.succeeded, ["a": .passed], .testFailures, ["a": .passed, "b": .failed], .redFirst),
      (.succeeded, ["a": .passed], .testFailures, ["a": .failed, "b": .failed], .broke),
      (.succeeded, ["a": .passed], .testFailures, ["a": .crashed], .broke),
      (.succeeded, ["a": .passed], .testFailures, ["a": .passed, "b": .timedOut], .broke),
      (.succeeded, ["a": .passed], .testFailures, ["b": .failed, "c": .crashed], .broke),
      (.succeeded, ["a": .passed], .buildErrors, [:], .broke),
      (.testFailures, ["a": .failed], .succeeded, ["a": .passed], .madePass),
      (.buildErrors, [:], .warnings, ["a": .passed], .madePass),
      (.testFailures, ["a": .failed], .testFailures, ["a": .failed], .stillRed),
      (.testFailures, ["a": .failed], .buildErrors, [:], .broke),
      (.buildErrors, [:], .buildErrors, [:], .stillRed),
      (.testFailures, ["a": .failed, "b": .passed], .testFailures, ["a": .failed, "b": .failed], .stillRed),
      (.testFailures, ["a": .failed, "b": .passed], .testFailures, ["a": .passed, "b": .failed], .broke),
      (.buildErrors, ["b": .passed], .testFailures, ["b": .failed], .stillRed),
      (.succeeded, ["a": .passed], .succeeded, ["a": .passed, "b": .passed], .bornGreen),
      (.succeeded, ["a": .passed], .succeeded, ["a": .passed, "b": .skipped], .refactored),
      (.succeeded, ["a": .passed, "b": .passed], .succeeded, ["a": .passed], nil),
      (.succeeded, ["a": .passed], .incomplete, ["a": .notRun], nil),
      (.incomplete, ["a": .notRun], .succeeded, ["a": .passed], nil),
    ] as [(Outcome, [String: TestState], Outcome, [String: TestState], Rhythm?)])
  func beats(
    old: Outcome, oldStates: [String: TestState], new: Outcome, states: [String: TestState], rhythm: Rhythm?
  ) {
    let tests = states.map { Documents.test($0.key, $0.value) }
    let before = Self.baseline(old, oldStates)
    #expect(Rhythm(from: before, to: new, tests, sourcesChanged: true, isUndone: false) == rhythm)
  }

  @Test("A red that was undone file by file was a trial whether the test can fail")
  func sabotage() {
    let before = Self.baseline(.testFailures, ["a": .failed])
    let tests = [Documents.test("a", .passed)]
    #expect(Rhythm(from: before, to: .succeeded, tests, sourcesChanged: true, isUndone: true) == .sabotage)
    // What passed only when it was tried again proves nothing, nor does what passed again by chance.
    var flaky = tests[0]
    flaky.isFlaky = true
    #expect(Rhythm(from: before, to: .warnings, [flaky], sourcesChanged: true, isUndone: true) == nil)
    #expect(
      Rhythm(from: before, to: .succeeded, tests, isUnmended: true, sourcesChanged: true, isUndone: true) == nil)
    var evidence = PracticeEvidence(tests: TestReport(results: tests))
    (evidence.baseline, evidence.rhythm) = (4, .sabotage)
    #expect(
      PracticeCard(evidence)?.hints.first { $0.name == .rhythm }?.sentence
        == "The change of integration 4 is undone, and the tests that it turned red pass: they catch it.")
  }

  @Test("A red that was undone proves nothing of tests where none of them was red, or the red one is deleted")
  func undoneWithoutTest() {
    let tests = [Documents.test("b", .passed)]
    func rhythm(_ before: Baseline, deleted: [TestID] = []) -> Rhythm? {
      Rhythm(from: before, to: .succeeded, tests, deleted: deleted, sourcesChanged: true, isUndone: true)
    }
    #expect(rhythm(Self.baseline(.buildErrors, [:])) == .madePass)
    // A gate was.
    #expect(rhythm(Self.baseline(.testFailures, ["b": .passed])) == .madePass)
    let withRed = Self.baseline(.testFailures, ["a": .failed, "b": .passed])
    #expect(rhythm(withRed, deleted: [Finding.test("a")]) == .redDeleted)
  }

  @Test("Where only a gate failed or passed again, new tests that were never red are told")
  func gates() {
    func rhythm(_ old: Outcome, _ new: Outcome, _ names: String...) -> Rhythm? {
      let isBefore = old == .testFailures
      return Rhythm(
        from: Self.baseline(old, ["a": .passed]), to: new, names.map { Documents.test($0, .passed) },
        isGateFailed: !isBefore, onlyGates: (isBefore, !isBefore), sourcesChanged: true, isUndone: false)
    }
    #expect(rhythm(.succeeded, .testFailures, "a", "b") == .bornGreen)
    #expect(rhythm(.testFailures, .succeeded, "a", "b") == .bornGreen)
    #expect(rhythm(.succeeded, .testFailures, "a") == .broke && rhythm(.testFailures, .succeeded, "a") == .madePass)
  }

  @Test("What builds again was mended, also where a test that was red before passed again by chance")
  func buildsAgain() {
    let tests = [Documents.test("a", .passed)]
    func rhythm(_ before: Outcome) -> Rhythm? {
      Rhythm(
        from: Self.baseline(before, [:]), to: .succeeded, tests, isUnmended: true, sourcesChanged: true,
        isUndone: false)
    }
    #expect(rhythm(.buildErrors) == .madePass && rhythm(.testFailures) == nil)
  }

  @Test("Nothing changed is no beat")
  func same() {
    let before = Self.baseline(.succeeded, ["a": .passed])
    let tests = [Documents.test("a", .passed)]
    #expect(Rhythm(from: before, to: .succeeded, tests, sourcesChanged: false, isUndone: false) == nil)
  }

  @Test("What passed again by chance was not made to pass")
  func chance() {
    let before = Self.baseline(.testFailures, ["a": .failed])
    let tests = [Documents.test("a", .passed)]
    #expect(
      Rhythm(from: before, to: .succeeded, tests, isUnmended: true, sourcesChanged: true, isUndone: false) == nil)
  }

  @Test("A commit in which only tests failed that fail by chance broke nothing, unless a gate failed, too")
  func flaky() {
    let before = Self.baseline(.succeeded, ["a": .passed, "b": .passed])
    let tests = [Documents.test("a", .failed), Documents.test("b", .passed)]
    func rhythm(_ flaky: [String], isGateFailed: Bool = false) -> Rhythm? {
      Rhythm(
        from: before, to: .testFailures, tests, flaky: Set(flaky.map(Finding.test)), isGateFailed: isGateFailed,
        sourcesChanged: true, isUndone: false)
    }
    #expect(rhythm(["a"]) == nil && rhythm(["b"]) == .broke && rhythm([]) == .broke)
    #expect(rhythm(["a"], isGateFailed: true) == .broke)
  }

  @Test("A red destination that came or went made nothing pass and broke nothing, unless another is red, too")
  func destinations() {
    let tests = [Documents.test("a", .passed)]
    func rhythm(_ before: [String: Outcome], _ now: [String: Outcome]) -> Rhythm? {
      func whole(_ all: [String: Outcome]) -> Outcome {
        [.buildErrors, .testFailures].first(where: all.values.contains) ?? .succeeded
      }
      return Rhythm(
        from: Self.baseline(whole(before), ["a": .passed]), to: whole(now), tests, outcomes: (before, now),
        sourcesChanged: true, isUndone: false)
    }
    #expect(rhythm(["d": .succeeded, "x": .testFailures], ["d": .succeeded]) == nil)
    #expect(rhythm(["d": .succeeded], ["d": .succeeded, "x": .testFailures]) == nil)
    #expect(rhythm(["d": .testFailures, "x": .testFailures], ["d": .succeeded]) == .madePass)
    #expect(rhythm(["d": .succeeded], ["d": .testFailures, "x": .testFailures]) == .broke)
    #expect(rhythm(["d": .succeeded, "x": .testFailures], ["d": .succeeded, "x": .succeeded]) == .madePass)
    #expect(rhythm(["d": .testFailures], ["d": .succeeded, "y": .succeeded]) == .madePass)
    #expect(rhythm(["d": .testFailures], ["d": .testFailures, "y": .buildErrors]) == .stillRed)
    #expect(rhythm(["d": .testFailures, "y": .succeeded], ["d": .testFailures, "y": .buildErrors]) == .broke)
  }

  @Test("Who deletes a red test did not make it pass")
  func deleted() {
    let before = Self.baseline(.testFailures, ["a": .failed, "b": .passed])
    let (tests, deleted) = ([Documents.test("b", .passed)], [Finding.test("a")])
    #expect(
      Rhythm(from: before, to: .succeeded, tests, deleted: deleted, sourcesChanged: true, isUndone: false)
        == .redDeleted)
    var evidence = PracticeEvidence(tests: TestReport(results: tests))
    (evidence.baseline, evidence.deleted, evidence.rhythm) = (4, deleted, .redDeleted)
    func hint() -> PracticeHint? { PracticeCard(evidence)?.hints.first { $0.name == .rhythm } }
    #expect(hint()?.sentence == "The red test a of 4 was deleted.")
    #expect(hint()?.state == .attention)
    evidence.deleted.append(Finding.test("c"))
    #expect(hint()?.sentence == "Red tests of 4 were deleted: a, c.")
    (evidence.rhythm, evidence.redStreak) = (.stillRed, 2)
    #expect(hint()?.sentence == "2 integrations in a row are red. Deleted: a, c.")
  }

  @Test("Who deletes the red test and adds another one is not still red, unless a red one was kept")
  func replaced() {
    let before = Self.baseline(.testFailures, ["a": .timedOut, "b": .failed])
    func rhythm(_ tests: TestResult...) -> Rhythm? {
      Rhythm(
        from: before, to: .testFailures, tests, deleted: [Finding.test("a")], sourcesChanged: true, isUndone: false)
    }
    #expect(rhythm(Documents.test("b", .passed), Documents.test("c", .crashed)) == .redDeleted)
    #expect(rhythm(Documents.test("b", .failed), Documents.test("c", .crashed)) == .stillRed)
    var evidence = PracticeEvidence(tests: TestReport(results: [Documents.test("c", .crashed)]))
    (evidence.baseline, evidence.deleted, evidence.rhythm) = (4, [Finding.test("a")], .redDeleted)
    evidence.redStreak = 2
    #expect(
      PracticeCard(evidence)?.hints.first { $0.name == .rhythm }?.sentence
        == "The red test a of 4 was deleted. 2 integrations in a row are red.")
  }

  @Test("A new test that failed before it passed was not green at once")
  func flakyAtOnce() {
    let before = Self.baseline(.succeeded, ["a": .passed])
    let flaky = Documents.test("b", .passed, isFlaky: true)
    func rhythm(_ tests: TestResult...) -> Rhythm? {
      Rhythm(
        from: before, to: .warnings, [Documents.test("a", .passed)] + tests, sourcesChanged: true, isUndone: false)
    }
    #expect(rhythm(flaky) == nil)
    #expect(rhythm(flaky, Documents.test("c", .passed)) == .bornGreen)
    var evidence = PracticeEvidence(tests: TestReport(results: [flaky, Documents.test("c", .passed)]))
    (evidence.baseline, evidence.rhythm, evidence.added) = (4, .bornGreen, [flaky.id, Finding.test("c")])
    let hint = PracticeCard(evidence)?.hints.first { $0.name == .rhythm }
    #expect(hint?.entries.compactMap(\.test?.name) == ["c"])
  }

  @Test("What follows a failed build builds; nothing was red in that")
  func unbuilt() {
    var evidence = PracticeEvidence(tests: TestReport(results: [Documents.test("a", .passed)]))
    (evidence.baseline, evidence.rhythm) = (9, .madePass)
    func sentence() -> String? { PracticeCard(evidence)?.hints.first { $0.name == .rhythm }?.sentence }
    evidence.baselineOutcome = .buildErrors
    #expect(sentence() == "9 did not build; this does.")
    evidence.baselineOutcome = .testFailures
    #expect(sentence() == "What was red in 9 is green.")
  }

  @Test("The card tells the beat in a sentence, and names tests that nobody saw red")
  func card() {
    var evidence = PracticeEvidence(
      tests: TestReport(results: [Documents.test("a", .passed), Documents.test("b", .passed)]))
    evidence.baseline = 4
    evidence.rhythm = .bornGreen
    evidence.added = [Finding.test("b")]
    evidence.commitCount = 2
    let hint = PracticeCard(evidence)?.hints.first { $0.name == .rhythm }
    #expect(
      hint?.sentence
        == "1 new test has never been red. It covers 2 commits; the steps between them are not seen."
    )
    #expect(hint?.entries.compactMap(\.test?.name) == ["b"])
    #expect(hint?.state == .unknown)
  }
}
