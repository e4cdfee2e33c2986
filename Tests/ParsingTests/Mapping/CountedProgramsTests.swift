import Model
import Testing

@testable import Parsing

@Suite("What started programs count")
struct CountedProgramsTests {
  private static let one = TestID(module: "M", suite: "C", name: "one")
  private static let two = TestID(module: "M", suite: "C", name: "two")

  /// The records of a process and of the programs that its tests start.
  private struct Course {
    var tests = CountedTests()
    private var number: UInt64 = 0
    private var programs = 0
    private let profile: [UInt8]

    init() throws {
      profile = try CoverageFixture.bytes("Conditionals.profraw")
    }

    /// What a program inherits that starts now.
    var moment: UInt64 { number }
    var counted: [String] { tests.programs.counts.filter { !$0.value.isEmpty }.map(\.key.name).sorted() }

    private mutating func tell(_ kind: ObserverRecord.Kind, _ bytes: [UInt8] = []) {
      _ = tests.take(ObserverRecord(kind: kind, bytes: bytes[...], number: number))
      number += 1
    }

    mutating func begin(_ test: TestID, isBusy: Bool = false) {
      tell(.programsRun, [isBusy ? 1 : 0])
      tell(.testStarted)
      tests.note(.started(test))
    }

    mutating func end(_ test: TestID) {
      tell(.testFinished)
      tests.note(.ended(test, .passed))
    }

    /// - Parameter moment: when it was started; nil if it does not tell.
    mutating func admit(startedAt moment: UInt64?) -> Int {
      programs += 1
      tests.admitProgram(programs)
      if let moment {
        let digits = String(repeating: "0", count: 18) + (moment < 10 ? "0" : "") + "\(moment)"
        tests.take(ObserverRecord(kind: .startedAt, bytes: Array(digits.utf8)[...]), ofProgram: programs)
      }
      return programs
    }

    /// - Parameter isOver: whether it can count no more.
    mutating func leave(_ program: Int, isOver: Bool = true) { tests.endProgram(program, isOver ? [profile] : nil) }

    mutating func run(startedAt moment: UInt64?) { leave(admit(startedAt: moment)) }
  }

  @Test("goes to the test during which they were started, all that it started, and to none else")
  func own() throws {
    var course = try Course()
    course.begin(Self.one)
    course.run(startedAt: course.moment)
    course.run(startedAt: course.moment)
    course.end(Self.one)
    course.begin(Self.two)
    #expect(course.counted == ["one"] && course.tests.lostPrograms == 0)
    course.run(startedAt: course.moment)
    course.end(Self.two)
    course.tests.finish { nil }
    #expect(course.counted == ["one", "two"] && course.tests.lostPrograms == 0)
    let profile = try RawProfile(CoverageFixture.bytes("Conditionals.profraw"))
    let once = profile.counts(in: try CoverageFixture.bytes("Conditionals.profraw"))
    let counts = course.tests.programs.counts
    #expect(!once.isEmpty && counts[Self.two] == once)
    #expect(counts[Self.one] == once.mapValues { $0.mapValues { $0 * 2 } })
  }

  @Test("goes to the same test when the next one begins before their end is read, but not if they were running then")
  func late() throws {
    for isBusy in [false, true] {
      var course = try Course()
      course.begin(Self.one)
      let program = course.admit(startedAt: course.moment)
      course.end(Self.one)
      course.begin(Self.two, isBusy: isBusy)
      course.leave(program)
      course.end(Self.two)
      course.tests.finish { nil }
      #expect(course.counted == (isBusy ? [] : ["one"]) && course.tests.lostPrograms == (isBusy ? 1 : 0))
    }
  }

  @Test("goes to nobody where another test had begun when they were let in, or when none was running")
  func strange() throws {
    var course = try Course()
    let before = course.moment
    course.begin(Self.one)
    let during = course.moment
    course.end(Self.one)
    let between = course.moment
    course.run(startedAt: between)
    course.begin(Self.two)
    course.run(startedAt: before)
    course.run(startedAt: during)
    course.run(startedAt: between)
    course.run(startedAt: course.moment + 1)
    course.run(startedAt: nil)
    course.tests.finish { nil }
    #expect(course.counted.isEmpty && course.tests.lostPrograms == 6)
  }

  @Test("goes to nobody where they may count on, have not ended, or cannot be read")
  func unknown() throws {
    var course = try Course()
    course.begin(Self.one)
    course.leave(course.admit(startedAt: course.moment), isOver: false)
    _ = course.admit(startedAt: course.moment)
    course.tests.endProgram(course.admit(startedAt: course.moment), [[1, 2, 3]])
    course.end(Self.one)
    course.tests.finish { nil }
    #expect(course.counted.isEmpty && course.tests.lostPrograms == 3)
  }

  @Test("is nothing for a program that counts nothing, whoever started it")
  func uncounted() throws {
    var course = try Course()
    course.tests.endProgram(course.admit(startedAt: nil), [])
    course.tests.finish { nil }
    #expect(course.counted.isEmpty && course.tests.lostPrograms == 0)
  }

  @Test("is in the map beside what the test's own process ran, and told apart from that")
  func map() throws {
    var course = try Course()
    let profile = try CoverageFixture.bytes("Conditionals.profraw")
    let raw = try RawProfile(profile)
    course.begin(Self.one)
    course.run(startedAt: course.moment)
    course.end(Self.one)
    course.begin(Self.two)
    for word in raw.functions[0].words where profile[word * 8] > 0 {
      _ = course.tests.take(.counted(word, by: UInt64(profile[word * 8])))
    }
    course.end(Self.two)
    course.tests.finish { nil }
    var programs = MappedPrograms()
    try programs.add(image: CoverageFixture.bytes("Conditionals-mapping.elf"))
    var mapping = TestMapping(programs)
    try mapping.add(course.tests, parts: [profile])
    let describe = try PackageModel.read(CoverageFixture.bytes("Conditionals-describe.json"))
    let selection = SourceSelection(describe, roots: ["/build/Conditionals"])
    let files = try CoverageFixture.export("Conditionals-mapping").countedFiles(selection)
    let map = mapping.map(of: files, selection)
    #expect(map.idle == [])
    let file = try #require(files.first)
    let mapped = try #require(map.files[file.path])
    for line in file.lines where line.state != .neverRan {
      #expect(map.tests(ofLine: line.line, in: file.path).contains(0), "line \(line.line)")
    }
    #expect(mapped.once.isEmpty)
    let own = try #require(mapped.inProcess)
    #expect(!own.isEmpty && own.allSatisfy { map.sets[$0.set] == [1] })
    let inProcess = mapped.functions.map { map.inProcessTests(ofFunctionAt: $0.start, in: file.path) }
    #expect(inProcess.contains([1]) && inProcess.contains([]) && !inProcess.contains(nil))
  }
}
