import Model

/// A line that XCTest itself writes to its standard output on Linux.
///
/// The forms are those of `PrintObserver`:
/// https://github.com/swiftlang/swift-corelibs-xctest/blob/main/Sources/XCTest/Private/PrintObserver.swift
///
/// Text that a test printed without a newline precedes such a line, so each form is searched for anywhere in the line,
/// and the preceding text is returned as `prefix`.
enum XCTestLine: Equatable {
  case suiteStarted(String)
  case suiteEnded(String)
  /// The totals of a suite; `failures` counts failed assertions, not tests.
  case executed(tests: Int, failures: Int)
  case caseStarted(String)
  case caseEnded(String, TestState, seconds: Double)

  /// The words that end a test case.
  private static let verdicts: [Substring: TestState] = ["passed": .passed, "failed": .failed, "skipped": .skipped]

  /// Recognizes the lines that do not depend on the open test, and the text before them.
  static func parse(_ line: [UInt8]) -> (line: XCTestLine, prefix: [UInt8])? {
    if let totals = executed(line) { return (totals, []) }
    if let (name, rest, start) = quoted("Test Case '", in: line) {
      if isStart(rest) { return (.caseStarted(name), Array(line[..<start])) }
      if let (verdict, seconds) = verdict(rest) {
        return (.caseEnded(name, verdict, seconds: seconds), Array(line[..<start]))
      }
    }
    if let (name, rest, start) = quoted("Test Suite '", in: line) {
      if isStart(rest) { return (.suiteStarted(name), Array(line[..<start])) }
      if rest.hasPrefix(" passed at ") || rest.hasPrefix(" failed at ") {
        return (.suiteEnded(name), Array(line[..<start]))
      }
    }
    return nil
  }

  /// Finds the last `opening`, the name between it and the last quote, and the text after the quote.
  private static func quoted(_ opening: String, in line: [UInt8]) -> (name: String, rest: String, start: Int)? {
    let opening = Array(opening.utf8)
    guard let start = line.lastIndex(of: opening), let end = line.lastIndex(of: 0x27), end >= start + opening.count
    else { return nil }
    let name = line[(start + opening.count)..<end]
    return (String(decoding: name, as: UTF8.self), String(decoding: line[(end + 1)...], as: UTF8.self), start)
  }

  /// Whether a text has the form ` started at 2026-11-20 07:05:39.905`; only the length of the time is checked.
  private static func isStart(_ rest: String) -> Bool {
    rest.hasPrefix(" started at ") && rest.utf8.count == " started at 2026-11-20 07:05:39.905".utf8.count
  }

  /// Parses ` passed (0.018 seconds)`, up to the end of the line.
  private static func verdict(_ rest: String) -> (TestState, Double)? {
    let parts = rest.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, let verdict = verdicts[parts[1]],
      parts[2].first == "(", parts[3] == "seconds)", let seconds = Double(parts[2].dropFirst()), seconds.isDuration
    else { return nil }
    return (verdict, Swift.max(seconds, 0))
  }

  /// Parses a tab and ` Executed 18 tests, with 2 tests skipped and 5 failures (1 unexpected) in 0.31 (0.31) seconds`.
  static func executed(_ line: some Collection<UInt8>) -> XCTestLine? {
    guard line.starts(with: Array("\t Executed ".utf8)) else { return nil }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
    guard words.count >= 6, let tests = Int(words[2]), words[3].hasPrefix("test"), words[4] == "with",
      words.last == "seconds"
    else { return nil }
    var next = 5
    if words.firstIndex(of: "skipped") == 7, Int(words[5]) != nil { next = 9 }
    guard words.count > next + 1, let failures = Int(words[next]), words[next + 1].hasPrefix("failure") else {
      return nil
    }
    return .executed(tests: tests, failures: failures)
  }
}
