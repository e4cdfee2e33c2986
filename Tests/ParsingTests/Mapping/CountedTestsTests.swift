import Model
import Testing

@testable import Parsing

@Suite("What each test counts")
struct CountedTestsTests {
  private let one = TestID(module: "M", suite: "C", name: "one")
  private let two = TestID(module: "M", suite: "C", name: "two")

  /// A record of the observer: its part, and then how far on each word is and by how much it grew.
  private func changes(_ bytes: [UInt8]) throws -> CounterChanges {
    try #require(CounterChanges(ObserverRecord(kind: .counted, bytes: bytes[...])))
  }

  private func counted(_ steps: (inout CountedTests) throws -> Void) rethrows -> [String: [Int: UInt64]] {
    var tests = CountedTests()
    try steps(&tests)
    return Dictionary(
      uniqueKeysWithValues: tests.words.map { test, parts in
        (test.name, parts.values.reduce(into: [:]) { $0.merge($1) { $0 + $1 } })
      })
  }

  @Test("is what changes between its start and its end, and what changes in between is nobody's")
  func between() throws {
    let found = try counted { tests in
      tests.take(try changes([0, 1, 5]))
      tests.note(.started(one))
      tests.take(try changes([0, 2, 7, 3, 1]))
      tests.note(.ended(one, .passed))
      tests.take(try changes([0, 9, 1]))
      tests.note(.started(two))
      tests.take(try changes([0, 2, 1]))
      tests.note(.ended(two, .failed))
    }
    #expect(found == ["one": [2: 7, 5: 1], "two": [2: 1]])
  }

  @Test("is also what a test runs inside of it, and what a second run of it counts")
  func nested() throws {
    let found = try counted { tests in
      tests.note(.started(one))
      tests.note(.started(two))
      tests.take(try changes([0, 4, 1]))
      tests.note(.ended(two, .passed))
      tests.note(.ended(one, .passed))
      tests.note(.started(two))
      tests.take(try changes([0, 4, 2]))
      tests.note(.ended(two, .passed))
    }
    #expect(found == ["one": [4: 1], "two": [4: 3]])
  }

  /// The counters of a process, of three words.
  private func part(_ words: [UInt64]) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(word >> ($0 * 8) & 255) } }
  }

  @Test("is what was not told any more, for the test in which the process died")
  func died() throws {
    func found(_ first: [UInt64]?, _ last: [UInt64]) throws -> [String: [Int: UInt64]] {
      try counted { tests in
        tests.note(.started(one))
        tests.take(try changes([0, 1, 5]))
        tests.note(.ended(one, .passed))
        tests.take(try changes([0, 1, 2]))
        tests.note(.started(two))
        tests.finish { first.map { [(first: part($0), last: part(last))] } }
      }
    }
    #expect(try found([9, 1, 0], [9, 11, 4]) == ["one": [1: 5], "two": [1: 3, 2: 4]])
    // What is told there cannot be so.
    #expect(try found([9, 7, 0], [9, 11, 4]) == ["one": [1: 5], "two": [2: 4]])
    #expect(try found(nil, [9, 11, 4]) == ["one": [1: 5]])
  }

  @Test("Nobody is asked for the counters in the end of a process that no test is open in")
  func ended() throws {
    let found = try counted { tests in
      tests.note(.started(one))
      tests.take(try changes([0, 1, 5]))
      tests.note(.ended(one, .passed))
      tests.finish {
        Issue.record("It asks for the counters.")
        return nil
      }
    }
    #expect(found == ["one": [1: 5]])
  }

  @Test("Numbers of several bytes are read, and a record that is cut off counts for nothing")
  func records() throws {
    #expect(try changes([1, 0x80, 0x01, 0xFF, 0x7F]).changes == [.init(part: 1, word: 128, growth: 16_383)])
    #expect(CounterChanges(ObserverRecord(kind: .counted, bytes: [0, 0x80])) == nil)
    #expect(CounterChanges(ObserverRecord(kind: .events, bytes: [0, 1, 1])) == nil)
  }

  /// The numbers of the functions of which each value, by its address, was seen to run something.
  private func made(_ steps: (inout CountedTests, RawProfile) throws -> Void) throws -> [UInt64: Set<Int>] {
    let profile = try RawProfile(CoverageFixture.bytes("Conditionals.profraw"))
    var tests = CountedTests()
    try steps(&tests, profile)
    let found = tests.functions(in: [profile]).map { maker, identities in
      (maker.address, Set(profile.functions.indices.filter { identities.contains(profile.functions[$0].function) }))
    }
    return Dictionary(uniqueKeysWithValues: found)
  }

  /// That a function ran, by its number among those of a profile.
  private func ran(_ number: Int, in profile: RawProfile) -> ObserverRecord {
    .counted(profile.functions[number].words.lowerBound)
  }

  @Test("is also counted for the value that is made meanwhile, and for every one that waits for that")
  func values() throws {
    let found = try made { tests, profile in
      tests.note(.started(one))
      tests.take(all: [
        ran(0, in: profile), .value(.valueStarted, at: 1), ran(1, in: profile), .value(.valueStarted, at: 2),
        ran(2, in: profile), .value(.valueFinished, at: 2), ran(3, in: profile), .value(.valueFinished, at: 1),
        ran(4, in: profile),
      ])
      tests.note(.ended(one, .passed))
      let counted = tests.words.first?.parts[0] ?? [:]
      #expect(Set(counted.keys) == Set((0...4).map { profile.functions[$0].words.lowerBound }))
    }
    #expect(found == [1: [1, 2, 3], 2: [2]])
  }

  @Test(
    "of values that are made side by side ends with each of them, also where the first to begin is the first to end")
  func threads() throws {
    let found = try made { tests, profile in
      tests.take(all: [
        .value(.valueStarted, at: 1), .value(.valueStarted, at: 2), ran(0, in: profile), .value(.valueFinished, at: 1),
        ran(1, in: profile), .value(.valueFinished, at: 2), ran(2, in: profile),
      ])
      tests.note(.started(one))
    }
    #expect(found == [1: [0], 2: [0, 1]])
  }

  @Test("of values is known where all are followed, and no longer once one was missed, whatever comes first")
  func followed() {
    let (followed, missed) = (
      ObserverRecord(kind: .valuesFollowed, bytes: []), ObserverRecord(kind: .valueMissed, bytes: [])
    )
    func follows(_ records: ObserverRecord...) -> Bool {
      var tests = CountedTests()
      tests.take(all: records)
      return tests.followsValues
    }
    #expect(!follows() && follows(followed))
    #expect(!follows(followed, missed) && !follows(missed, followed))
    var tests = CountedTests()
    let isTaken = tests.take(ObserverRecord(kind: .events, bytes: []))
    #expect(!isTaken)
  }

  @Test(
    "Lines and functions go to the tests that ran them, and apart to what ran before; a line goes by the code that begins or reaches into it"
  )
  func lines() throws {
    let profile = try CoverageFixture.bytes("Conditionals.profraw")
    let raw = try RawProfile(profile)
    // One test runs all that was run, the other the first function alone.
    var tests = CountedTests()
    func count(_ words: [Int]) {
      for word in words where profile[word * 8] > 0 {
        tests.take(all: [.counted(word, by: UInt64(profile[word * 8]))])
      }
    }
    func run(_ test: TestID, _ words: [Int]) throws {
      tests.note(.started(test))
      count(words)
      tests.note(.ended(test, .passed))
    }
    count(raw.functions.flatMap(\.words))
    try run(one, raw.functions.flatMap(\.words))
    try run(two, Array(raw.functions[0].words))
    var programs = MappedPrograms()
    try programs.add(image: CoverageFixture.bytes("Conditionals-mapping.elf"))
    var mapping = TestMapping(programs)
    try mapping.add(tests, parts: [profile])
    let export = try CoverageFixture.export("Conditionals-mapping")
    let describe = try PackageModel.read(CoverageFixture.bytes("Conditionals-describe.json"))
    let selection = SourceSelection(describe, roots: ["/build/Conditionals"])
    let files = export.countedFiles(selection)
    let map = mapping.map(of: files, selection)
    #expect(map.tests == [one, two])
    let path = try #require(files.first?.path)
    let ran = try #require(files.first).lines.filter { $0.state != .neverRan }.map(\.line)
    #expect(!ran.isEmpty)
    for line in ran { #expect(map.tests(ofLine: line, in: path).contains(0), "line \(line)") }
    let known = Set(map.files[path]?.lines.flatMap { Array($0.lines) } ?? [])
    #expect(known.isSubset(of: Set(ran)))
    #expect(Set((map.files[path]?.outside ?? []).joined()) == known)
    // The first case ran, the last did not, but the switch around both did.
    let parts = try #require(map.files[path]).parts(ofLine: 22)
    #expect(parts.map(\.start.column) == [1, 9, 31] && parts.map { map.sets[$0.set] } == [[0], [], [0]])
    #expect(map.files[path]?.parts(ofLine: 20) == [])
    // So they are compressed well.
    #expect(map.sets.count > 1 && zip(map.sets, map.sets.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
  }
}

extension CountedTests {
  /// Takes records of what was counted.
  fileprivate mutating func take(all records: [ObserverRecord]) {
    for record in records {
      let isTaken = take(record)
      #expect(isTaken)
    }
  }
}
