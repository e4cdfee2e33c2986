import Model
import Testing

@testable import Comparing

@Suite("Issues of tests whose names changed")
struct IssueMemoryTests {
  private static let old = "Tests/OldTests/CodecTests.swift"
  private static let new = "Tests/NewTests/CodecTests.swift"

  /// The move of the file with the tests to another target.
  private let move = SourceDifference([
    FileDifference(status: .renamed, oldPath: old, newPath: new, lines: LineMap(hunks: []))
  ])

  private func result(_ name: String, in file: String, _ state: TestState = .failed) throws -> TestResult {
    let place = SourceLocation(file: file, line: 4)
    let failures = state == .failed ? [TestFailure(location: place, message: "no")] : []
    return TestResult(
      id: try #require(TestID(name)), library: .swiftTesting, state: state, location: place, failures: failures)
  }

  private func integrate(
    _ results: [TestResult], after memory: IssueMemory? = nil, changes: TestListChanges? = nil,
    filteredOut: Set<TestID> = [],
    _ change: SourceDifference? = nil
  ) -> FollowedIssues {
    var memory = memory
    memory?.followTests(to: results, changes: changes, filteredOut: filteredOut, after: change)
    let states = Dictionary(results.map { ($0.id, $0.state) }) { first, _ in first }
    return Finding.comparison(
      IssueFinder.issues(diagnostics: [], tests: results), with: memory,
      reach: IssueReach(built: true, tests: states, listed: true, filteredOut: filteredOut),
      number: (memory?.number ?? 0) + 1, after: change)
  }

  @Test("A failure stays the same issue if the test's file moves to another target")
  func moved() throws {
    let first = integrate([try result("OldTests.Codec/slow()", in: Self.old)])
    let second = integrate([try result("NewTests.Codec/slow()", in: Self.new)], after: first.memory, move)
    #expect(second.issues.map(\.id) == first.issues.map(\.id))
    #expect(second.issues.map(\.status) == [.unresolved])
    #expect(second.issues.first?.life?.streakStart == 1)
    let third = integrate([try result("NewTests.Codec/slow()", in: Self.new, .passed)], after: second.memory)
    #expect(third.issues.map(\.status) == [.resolved])
  }

  @Test("What one that was asked for a check knows of its issues is taken over, where that is newer")
  func takenOver() {
    func memory(_ number: Int, _ lastSeen: Int, closed: Int? = nil) -> IssueMemory {
      IssueMemory(
        number: number, commit: Finding.commit, reached: [],
        records: [Issue.Kind.sanitizer, .error].map { kind in
          IssueRecord(
            id: kind.rawValue, kind: kind, message: "m", location: nil, test: nil,
            streaks: [.init(opened: 2, lastSeen: lastSeen, closed: closed)])
        })
    }
    func lastSeen(_ known: IssueMemory, after other: IssueMemory) -> [Int?] {
      var known = known
      known.takeOver(issuesOf: [.sanitizers], from: other)
      return known.records.map { $0.streaks.last?.closed ?? $0.streaks.last?.lastSeen }
    }
    #expect(lastSeen(memory(3, 2), after: memory(4, 4)) == [4, 2])
    #expect(lastSeen(memory(3, 2), after: memory(4, 2, closed: 4)) == [4, 2])
    #expect(lastSeen(memory(3, 3), after: memory(4, 2)) == [3, 3])
    var nothing = memory(3, 2)
    nothing.records = []
    #expect(lastSeen(nothing, after: memory(4, 4)) == [4])
  }

  @Test("The move is also followed if it came with an integration that did not list the tests")
  func movedBefore() throws {
    let first = integrate([try result("OldTests.Codec/slow()", in: Self.old)])
    let failed = Finding.comparison([], with: first.memory, reach: .void, number: 2, after: move)
    let third = integrate([try result("NewTests.Codec/slow()", in: Self.new)], after: failed.memory)
    #expect(third.issues.map(\.id) == first.issues.map(\.id))
  }

  @Test(
    "Another test is another issue",
    arguments: [
      ("NewTests.Codec/slow()", "Tests/NewTests/Other.swift"), ("NewTests.Other/slow()", new),
      ("NewTests.Codec/fast()", new),
    ])
  func others(name: String, file: String) throws {
    let first = integrate([try result("OldTests.Codec/slow()", in: Self.old)])
    let second = integrate([try result(name, in: file)], after: first.memory, move)
    #expect(second.issues.map(\.status) == [.new, .resolved])
  }

  @Test("A renamed test keeps its issue, whatever it fails with, and mends it where it passes")
  func renamed() throws {
    let old = try result("OldTests.Codec/slow()", in: Self.old)
    let first = integrate([old])
    var new = try result("OldTests.Codec/keepsWithinItsTime()", in: Self.old)
    new.failures[0].message = "never"
    let renaming = TestListChanges(renamed: [.init(from: old.id, to: new.id)])
    let second = integrate([new], after: first.memory, changes: renaming)
    #expect(second.issues.map(\.status) == [.unresolved])
    #expect(second.issues.map(\.id) == first.issues.map(\.id))
    #expect(second.issues.map(\.test) == [new.id])
    #expect(integrate([new], after: first.memory).issues.map(\.status) == [.new, .resolved])
    let passed = try result("OldTests.Codec/keepsWithinItsTime()", in: Self.old, .passed)
    let third = integrate([passed], after: first.memory, changes: renaming)
    #expect(third.issues.map(\.status) == [.resolved])
    #expect(third.issues.map(\.ending) != [.testDeleted])
  }

  @Test("A test that was deleted is still called by the name that its author gave it last")
  func deleted() throws {
    var slow = try result("OldTests.slow()", in: Self.old)
    let nameless = integrate([slow])
    #expect(nameless.issues.map(\.displayName) == [nil])
    slow.displayName = "Keeps within its time"
    let named = integrate([slow], after: nameless.memory)
    let gone = integrate([], after: named.memory)
    #expect(gone.issues.map(\.ending) == [.testDeleted])
    #expect(gone.issues.map(\.displayName) == ["Keeps within its time"])
  }

  @Test("Tests that exchange their names exchange their issues")
  func exchanged() throws {
    let (slow, late) = (try result("OldTests.slow()", in: Self.old), try result("OldTests.late()", in: Self.old))
    let first = integrate([slow])
    let second = integrate([slow, late], after: first.memory)
    let third = integrate(
      [slow, late], after: second.memory,
      changes: TestListChanges(
        renamed: [.init(from: slow.id, to: late.id), .init(from: late.id, to: slow.id)]))
    #expect(third.issues.map(\.status) == [.unresolved, .unresolved])
    func start(_ test: TestResult, in found: FollowedIssues) -> Int? {
      found.issues.first { $0.test == test.id }?.life?.streakStart
    }
    #expect([start(slow, in: second), start(late, in: second)] == [1, 2])
    #expect([start(slow, in: third), start(late, in: third)] == [2, 1])
  }

  @Test("A test that stays keeps its issue beside one of the same name in the same file")
  func stays() throws {
    let first = integrate([try result("OldTests.Codec/slow()", in: Self.old)])
    let both = [
      try result("OldTests.Codec/slow()", in: Self.old), try result("NewTests.Codec/slow()", in: Self.old),
    ]
    let second = integrate(both, after: first.memory)
    #expect(second.issues.map(\.status) == [.unresolved, .new])
  }

  @Test("A place that goes from the name of a test, or comes into it, leaves its issue alone")
  func places() throws {
    let placed = try result("OldTests.Codec/slow()/CodecTests.swift:4:4", in: Self.old)
    let plain = try result("OldTests.Codec/slow()", in: Self.old)
    let other = try result("NewTests.Codec/slow()", in: Self.new)
    let first = integrate([placed])
    let second = integrate([plain, other], after: first.memory)
    #expect(second.issues.map(\.id).first == first.issues.first?.id)
    #expect(second.issues.map(\.status) == [.unresolved, .new])
    let third = integrate([placed], after: second.memory)
    #expect(third.issues.map(\.id).first == first.issues.first?.id)
    let unselected = integrate([], after: first.memory, filteredOut: [plain.id])
    #expect(unselected.issues.map(\.status) == [.unresolved])
  }

  @Test("Which of two overloads had a name without a place is not guessed")
  func overloads() throws {
    let first = integrate([try result("OldTests.Codec/load(_:)", in: Self.old)])
    let both = [4, 9].map { "OldTests.Codec/load(_:)/CodecTests.swift:\($0):4" }
    let second = integrate(try both.map { try result($0, in: Self.old) }, after: first.memory)
    #expect(second.issues.map(\.status) == [.new, .new, .resolved])
  }

  @Test("The issue of an overload that was deleted is not that of the overload that has its name by now")
  func deletedOverload() throws {
    func overload(_ line: Int, _ state: TestState) throws -> TestResult {
      try result("OldTests.Codec/load(_:)/CodecTests.swift:\(line):4", in: Self.old, state)
    }
    let tests = [try overload(4, .failed), try overload(9, .passed), try overload(14, .passed)]
    let first = integrate(tests)
    let changes = TestListChanges(
      deleted: [tests[0].id],
      renamed: [.init(from: tests[1].id, to: tests[0].id), .init(from: tests[2].id, to: tests[1].id)])
    let second = integrate(Array(tests[0...1]), after: first.memory, changes: changes)
    #expect(second.issues.map(\.status) == [.new, .resolved])
    #expect(second.issues.map(\.ending) == [nil, .testDeleted])
    #expect(second.issues.first?.id != first.issues.first?.id)
  }

  @Test("A test that was deleted is not the one of its name that stays, though that has no place in its name by now")
  func deletedNamesake() throws {
    let gone = try result("OldTests.Codec/slow()/A.swift:4:4", in: "Tests/OldTests/A.swift")
    let kept = try result("OldTests.Codec/slow()/CodecTests.swift:4:4", in: Self.old, .passed)
    let plain = try result("OldTests.Codec/slow()", in: Self.old, .passed)
    let first = integrate([gone, kept])
    let changes = TestListChanges(deleted: [gone.id], renamed: [.init(from: kept.id, to: plain.id)])
    let second = integrate([plain], after: first.memory, changes: changes)
    #expect(second.issues.map(\.ending) == [.testDeleted])
  }
}
