import Model

/// The logs of Greeter 42.
enum GreeterLogs {
  static var building: Report.Log {
    let text = """
      [0/1] Planning build
      Building for debugging...
      [0/16] Write swift-version-6A52383ED409C6A7.txt
      [2/18] Emitting module Greeter
      [3/18] Compiling Greeter Greeter.swift
      /checkout/Tests/DoorbellTests/DoorbellTests.swift:23:13: warning: initialization of immutable value 'unused' was never used
      21 |     @Test func chimeHasThreeNotes() {
      22 |         let chime = Chime()
      23 |         let unused = chime.notes
         |             `- warning: initialization of immutable value 'unused' was never used
      24 |         #expect(chime.notes.count == 3)
      25 |     }
      [17/18] Linking GreeterPackageTests.xctest
      \u{1B}[1m\u{1B}[32mBuild complete!\u{1B}[0m (9.58s)

      """
    return Report.Log(step: .building, bytes: Array(text.utf8))
  }

  static var testing: Report.Log {
    let text = """
      Test Suite 'GreetingTests' started at 2026-11-20 09:12:15.544
      Test Case 'GreetingTests.test_greeting_atNoon_isAfternoon' started at 2026-11-20 09:12:15.545
      greeting Ada Lovelace at 12
      /checkout/Tests/GreeterTests/GreetingTests.swift:20: error: GreetingTests.test_greeting_atNoon_isAfternoon : XCTAssertEqual failed: ("Good morning, Ada") is not equal to ("Good afternoon, Ada") - noon is no morning
      Test Case 'GreetingTests.test_greeting_atNoon_isAfternoon' failed (0.003 seconds)
      \u{1B}[91m✘ \u{1B}[0mTest "The first hour of each part" recorded an issue with 2 arguments at PartOfDayTests.swift:21:9

      """
    return Report.Log(step: .testing, bytes: Array(text.utf8) + [0xFF, 0x00, 0x41, 0xC3, 0x0A])
  }
}
