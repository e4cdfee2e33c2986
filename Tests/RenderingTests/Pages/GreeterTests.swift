@testable import Model

/// The tests of Greeter 42.
enum GreeterTests {
  static let noonFile = "Tests/GreeterTests/GreetingTests.swift"

  static func id(_ module: String, _ suite: String, _ name: String) -> TestID {
    TestID(module: module, suite: suite, name: name)
  }

  static let all: [TestResult] = red + unusual + passing.filter { !redNames.contains($0.id) }

  static let runs = [
    LibraryRun(library: .xctest, source: "observer", sawTerminalRecord: true, exitStatus: 1),
    LibraryRun(library: .swiftTesting, source: "event-stream", sawTerminalRecord: false, signal: 4),
  ]

  private static let redNames = Set((red + unusual).map(\.id))

  static var red: [TestResult] { [noon, firstHour, crashed, hanging] }

  private static var noon: TestResult {
    let message =
      #"XCTAssertEqual failed: ("Good morning, Ada") is not equal to ("Good afternoon, Ada") - noon is no morning"#
    return TestResult(
      id: id("GreeterTests", "GreetingTests", "test_greeting_atNoon_isAfternoon"), library: .xctest, state: .failed,
      duration: 0.003, location: SourceLocation(file: noonFile, line: 18),
      failures: [
        TestFailure(
          location: SourceLocation(file: noonFile, line: 20), message: message,
          parsed: ParsedFailure(
            assertion: "XCTAssertEqual", first: #""Good morning, Ada""#, second: #""Good afternoon, Ada""#,
            relation: "is not equal to", note: "noon is no morning")),
        TestFailure(
          location: SourceLocation(file: "Tests/GreeterTests/Support/Assertions.swift", line: 5),
          message: "XCTAssertEqual failed: (\"Name(3)\") is not equal to (\"Name(3)\") - ",
          parsed: ParsedFailure(
            assertion: "XCTAssertEqual", first: "Name(3)", second: "Name(3)", relation: "is not equal to")),
      ],
      transcript: [
        TranscriptLine(text: "greeting Ada Lovelace at 12"),
        TranscriptLine(
          kind: .failure,
          text: "Tests/GreeterTests/GreetingTests.swift:20: error: test_greeting_atNoon_isAfternoon : \(message)"),
      ])
  }

  private static var firstHour: TestResult {
    let file = "Tests/GreeterTests/PartOfDayTests.swift"
    let failure = TestFailure(
      location: SourceLocation(file: file, line: 21, column: 9),
      message: "Expectation failed: (PartOfDay(hour: hour) → .morning) == (part → .afternoon)",
      parsed: ParsedFailure(
        assertion: "#expect", first: ".morning", second: ".afternoon", relation: "==",
        expression: "PartOfDay(hour: hour) == part"))
    return TestResult(
      id: id("GreeterTests", "PartOfDayTests", "firstHour(hour:part:)"), library: .swiftTesting, state: .failed,
      duration: 0.002, displayName: "The first hour of each part", tags: ["time", "table"],
      location: SourceLocation(file: file, line: 20), failures: [failure],
      arguments: [
        TestArgument(display: "hour → 5, part → .morning", state: .passed),
        TestArgument(display: "hour → 12, part → .afternoon", state: .failed, failures: [failure]),
        TestArgument(display: "hour → 18, part → .evening", state: .passed),
        TestArgument(display: "hour → 22, part → .night", state: .passed),
      ])
  }

  private static var crashed: TestResult {
    TestResult(
      id: id("GreeterTests", "PhrasebookTests", "unknownLanguageHasNone()"), library: .swiftTesting, state: .crashed,
      duration: 0.011, location: SourceLocation(file: "Tests/GreeterTests/PhrasebookTests.swift", line: 26),
      failures: [
        .crash(
          "Fatal error: Index out of range",
          at: SourceLocation(file: "Sources/Greeter/Phrases/Language.swift", line: 14))
      ],
      transcript: [
        TranscriptLine(text: "Swift/ContiguousArrayBuffer.swift:692: Fatal error: Index out of range", isShared: true)
      ],
      crash: GreeterDeaths.crash)
  }

  private static var hanging: TestResult {
    TestResult(
      id: id("DoorbellTests", "DoorbellTests", "answeredBeforeWaiting()"), library: .swiftTesting, state: .timedOut,
      duration: 30.02, location: SourceLocation(file: "Tests/DoorbellTests/DoorbellTests.swift", line: 16),
      failures: [
        .timeOut(
          "no output for 30 s",
          at: SourceLocation(file: "Sources/Greeter/Phrases/Language.swift", line: 10, column: 16))
      ],
      hang: GreeterDeaths.hang)
  }

  /// A flaky test, a known issue, a skipped test and a parameterised one with many cases.
  private static var unusual: [TestResult] {
    [
      TestResult(
        id: id("DoorbellTests", "EchoTests", "echoFadesInTime()"), library: .swiftTesting, state: .passed,
        duration: 0.021, isFlaky: true,
        attempts: [TestAttempt(state: .failed, duration: 0.612), TestAttempt(state: .passed, duration: 0.021)]),
      TestResult(
        id: id("GreeterTests", "PhrasebookTests", "germanNightFallsBackToMorning()"), library: .swiftTesting,
        state: .expectedFailure, duration: 0.002,
        knownIssues: [
          TestFailure(location: nil, message: "German has no phrase for the night, see #17")
        ]),
      TestResult(
        id: id("GreeterTests", "GreetingTests", "test_greeting_inFrench_needsPhrasebook"), library: .xctest,
        state: .skipped, duration: 0.001, skipReason: "no French phrasebook yet"),
      TestResult(
        id: id("GreeterTests", "PartOfDayTests", "everyHour(hour:)"), library: .swiftTesting, state: .passed,
        duration: 0.003, displayName: "Every hour has a part",
        arguments: (0..<24).map { TestArgument(display: "hour → \($0)", state: .passed) }),
    ]
  }

  /// 35 tests that pass; of these the first seven are in DoorbellTests.
  static var passing: [TestResult] {
    let doorbell = [
      "ringsOnce()", "ringsTwice()", "restsAreBeats()", "chimeHasThreeNotes()", "silentAtNight()", "answersAtOnce()",
      "answeredBeforeWaiting()",
    ].map { id("DoorbellTests", "DoorbellTests", $0) }
    let greeting = [
      "test_farewell_plainTone_saysGoodbye", "test_greeting_atMidnight_isNight", "test_greeting_atNine_isMorning",
      "test_greeting_atNoon_isAfternoon", "test_greeting_atSeven_isEvening", "test_greeting_emptyName_isStranger",
      "test_greeting_longName_isShortened", "test_greeting_titleBeforeName", "test_greeting_twoNames_areJoined",
      "test_greeting_warmTone_hasExclamationMark",
    ].map { id("GreeterTests", "GreetingTests", $0) }
    let books = [
      "englishHasAll()", "germanHasMorning()", "linesWithoutColonAreSkipped()", "emptyTextIsEmptyBook()",
      "lastLineWins()", "spacesAreTrimmed()", "unknownLanguageHasNone()", "nearestLanguageWins()",
    ].map { id("GreeterTests", "PhrasebookTests", $0) }
    let parts = [
      "noHourBelowZero()", "noHourAfter23()", "namesAreLowerCase()", "orderIsByHour()", "nightWrapsAround()",
      "firstHour(hour:part:)",
    ].map { id("GreeterTests", "PartOfDayTests", $0) }
    let names = ["trims()", "splits()", "joins()", "initials()"]
      .map { id("GreeterTests", "Names/Parts", $0) }
    return (doorbell + greeting + books + parts + names).enumerated().map { index, id in
      TestResult(
        id: id, library: id.name.hasPrefix("test_") ? .xctest : .swiftTesting, state: .passed,
        duration: Double(index % 9 + 1) / 1000, location: SourceLocation(file: noonFile, line: 10 + index),
        transcript: index % 7 == 3 ? [TranscriptLine(text: "saying hello to \(index)")] : [])
    }
  }
}
