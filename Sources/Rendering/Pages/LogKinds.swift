import Model

/// Classifies the lines of a log; continuation lines belong to their finding.
struct LogKinds {
  private var current = LogBook.Kind.plain
  private var announced: RunAnnouncement?
  /// Whether a failure's value goes on, in which there are line feeds.
  private var isInText = false
  /// Whether a sanitizer's report goes on, between whose lines other threads may print.
  private var isInReport = false
  /// What was said before the current process; nil where nothing was, as before the first run of tests.
  private(set) var announcement: RunAnnouncement?

  mutating func kind(of line: ArraySlice<UInt8>) -> LogBook.Kind {
    if Self.starts(line, "$ ") {
      current = .plain
      isInReport = false
      if Self.end(line) != nil { return .end }
      (announcement, announced) = (announced, Self.announcement(line))
      return .command
    }
    if let head = Self.head(of: line) {
      current = head
      isInText = Self.isCutInText(line)
      isInReport = Self.sanitizer(line) != nil
    } else if isInReport {
      isInReport = !Self.starts(line, "SUMMARY: ")
      return Self.isOfLibrary(line) ? .plain : current
    } else if isInText, !Self.isOfLibrary(line) {
      if Self.hasOddQuotes(line) { isInText = false }
    } else if !Self.goesOn(line) {
      isInText = false
      current = .plain
    }
    return current
  }

  /// Returns the kind of finding that begins on a line, from the compiler, the linker, the package manager or a test
  /// library.
  static func head(of line: ArraySlice<UInt8>) -> LogBook.Kind? {
    let text = line.prefix(4000)
    // Swift Testing's final lines about a test, a suite and the run only sum up earlier issues.
    let isIssue = contains(text.prefix(20), "✘ ") && contains(text, " recorded an issue")
    let isTrap =
      contains(text, "Fatal error") || contains(text, ": Precondition failed") || contains(text, ": Assertion failed")
    if sanitizer(line) != nil { return .error }
    if isIssue || isTrap || contains(text, "error: ") { return goesOn(line) ? nil : .error }
    if contains(text, "warning: ") { return goesOn(line) || isOfBuildSystem(text) ? nil : .warning }
    return nil
  }

  /// Whether it is a warning about the build system rather than the package.
  static func isOfBuildSystem(_ line: ArraySlice<UInt8>) -> Bool {
    let line = line.prefix(4000)
    guard contains(line, "warning: ") else { return false }
    let text = String(decoding: line, as: UTF8.self)
    return BuildSystemRemark.beginnings.contains { text.firstRange(ofASCII: $0) != nil }
  }

  /// Returns the sanitizer whose report begins on a line, such as `ThreadSanitizer`; nil for any other line.
  static func sanitizer(_ line: ArraySlice<UInt8>) -> String? {
    let text = line.prefix(400)
    guard contains(text, "Sanitizer: ") else { return nil }
    return SanitizerReport(headline: String(decoding: text, as: UTF8.self))?.sanitizer
  }

  /// Whether a test's failure begins on a line, and a text that it quotes ends on a later one.
  static func isCutInText(_ line: ArraySlice<UInt8>) -> Bool {
    let text = line.prefix(4000)
    let isFailure = contains(text, " recorded an issue") || contains(text, " : XCTAssert")
    return isFailure && head(of: line) == .error && hasOddQuotes(line)
  }

  private static func hasOddQuotes(_ line: ArraySlice<UInt8>) -> Bool {
    line.count { $0 == UInt8(ascii: "\"") } % 2 == 1
  }

  /// Whether a test library begins to tell something on a line.
  private static func isOfLibrary(_ line: ArraySlice<UInt8>) -> Bool {
    isRoutine(line) || isFailure(line) || isDetail(line)
  }

  /// What a command is: a process of tests, by its library, or what is said before one.
  enum Part {
    case announcement(RunAnnouncement)
    case tests(TestLibrary, inOrder: Bool)
  }

  /// Returns how a process ended, if that is what a line says.
  static func end(_ line: ArraySlice<UInt8>) -> RunEnd? {
    RunEnd(String(decoding: line.prefix(200), as: UTF8.self)[...])
  }

  /// Returns what a line says of the process that follows, or of a trigger; nil for any other line.
  static func announcement(_ command: ArraySlice<UInt8>) -> RunAnnouncement? {
    RunAnnouncement(String(decoding: command.prefix(4000), as: UTF8.self)[...])
  }

  /// Returns what a command is; nil for any other than a process of tests.
  static func part(of command: ArraySlice<UInt8>) -> Part? {
    if let announcement = Self.announcement(command) { return .announcement(announcement) }
    let text = String(decoding: command.prefix(4000), as: UTF8.self)
    let words = text.split(separator: " ").dropFirst()
    guard words.first?.hasSuffix(".xctest") == true else { return nil }
    return .tests(
      words.contains("swift-testing") ? .swiftTesting : .xctest, inOrder: words.contains("--no-parallel"))
  }

  /// Whether it only says that a test, a suite or a run started, passed, was skipped or had a known issue, or which file
  /// the build is at.
  static func isRoutine(_ line: ArraySlice<UInt8>) -> Bool {
    let text = line.prefix(400).drop { $0 == 0x20 }
    if starts(text, "Test Case '") || starts(text, "Test Suite '") { return !isFailure(text) }
    if starts(text, "[") { return text.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false }
    let mark = text.prefix(20)
    return contains(mark, "✔ ") || contains(mark, "◇ ") || contains(mark, "➜ ") || contains(mark, "━ ")
      || contains(text, " : Test skipped")
  }

  /// Whether it sums up the failures of a test, a suite or a run, or their case.
  static func isFailure(_ line: ArraySlice<UInt8>) -> Bool {
    let text = line.prefix(400)
    if starts(text, "Test Case '") || starts(text, "Test Suite '") { return contains(text, "' failed ") }
    return contains(text.prefix(20), "✘ ")
  }

  /// Whether a run of tests says in it that it passed.
  static func isPassedRun(_ line: ArraySlice<UInt8>) -> Bool {
    let text = line.prefix(400)
    if starts(text, "Test Suite 'All tests'") || starts(text, "Test Suite 'Selected tests'") {
      return contains(text, "' passed ")
    }
    let mark = text.prefix(20)
    return (contains(mark, "✔ ") || contains(mark, "━ ")) && contains(text.prefix(40), "Test run ")
  }

  /// Whether a test library says more in it of what the line before it says.
  static func isDetail(_ line: ArraySlice<UInt8>) -> Bool {
    let text = line.drop { $0 == 0x20 || $0 == 0x09 }
    return starts(text, "↳ ") || starts(text, "Executed ")
  }

  /// Returns the signal that ends the process, where the Swift runtime says so.
  static func signal(_ line: ArraySlice<UInt8>) -> Int32? {
    let mark: StaticString = "*** Signal "
    guard starts(line, mark) else { return nil }
    let digits = line.dropFirst(mark.utf8CodeUnitCount).prefix { (0x30...0x39).contains($0) }
    return Int32(String(decoding: digits, as: UTF8.self))
  }

  /// How a test ended that did not fail.
  enum End {
    case passed, skipped, knownIssue

    /// What XCTest prints behind the name of the test; nil for what it does not tell.
    fileprivate var word: StaticString? {
      switch self {
      case .passed: "' passed "
      case .skipped: "' skipped "
      case .knownIssue: nil
      }
    }

    /// What Swift Testing prints before and behind it.
    fileprivate var marks: (symbol: StaticString, word: StaticString) {
      switch self {
      case .passed: ("✔ ", " passed")
      case .skipped: ("➜ ", " skipped")
      case .knownIssue: ("━ ", " passed")
      }
    }
  }

  /// Whether it says how a test ended, rather than one of its cases, its suite or the run.
  static func isEnd(_ line: ArraySlice<UInt8>, _ end: End) -> Bool {
    let text = line.prefix(400)
    if starts(text, "Test Case '") { return end.word.map { contains(text, $0) } == true }
    guard contains(text.prefix(20), end.marks.symbol), contains(text.prefix(30), "Test ") else { return false }
    return !contains(text.prefix(40), "Test run ") && !contains(text.prefix(40), "Test case ")
      && contains(text, end.marks.word)
  }

  /// Returns what a compiler was doing when it crashed: the innermost entry of a stack dump in these lines that has a place.
  static func crash(in lines: some Sequence<LogBook.Line>) -> (number: Int, entry: StackDumpEntry)? {
    crashes(in: lines).last
  }

  /// Returns the entries of stack dumps in these lines that have a place, with the lines that name it.
  static func crashes(in lines: some Sequence<LogBook.Line>) -> [(number: Int, entry: StackDumpEntry)] {
    var found: [(number: Int, entry: StackDumpEntry)] = []
    var last: String?
    for line in lines {
      let isEntry = contains(line.bytes.prefix(20), ".\tWhile ")
      guard isEntry || last != nil else { continue }
      let text = String(decoding: line.bytes.prefix(1000), as: UTF8.self)
      if let entry = isEntry ? StackDumpEntry(text) : last.flatMap({ StackDumpEntry(text, behind: $0) }) {
        found.append((line.number, entry))
      }
      last = isEntry ? text : nil
    }
    return found
  }

  /// Whether a tool says in it that a command ended by a signal.
  static func isSignaled(_ line: ArraySlice<UInt8>) -> Bool {
    contains(line.prefix(4000), FailureEcho.signalMark)
  }

  /// Whether it says only that something started, or more of what another line says.
  static func isRemark(_ line: ArraySlice<UInt8>) -> Bool {
    isBeginning(line) || isDetail(line) || isKnownIssue(line)
  }

  /// Whether it says that a test recorded a known issue.
  private static func isKnownIssue(_ line: ArraySlice<UInt8>) -> Bool {
    contains(line.prefix(20), "━ ") && contains(line.prefix(400), " recorded a known issue")
  }

  /// Whether it says that a test, a case of one, a suite or a run started.
  private static func isBeginning(_ line: ArraySlice<UInt8>) -> Bool {
    if starts(line, "Test Case '") || starts(line, "Test Suite '") {
      return contains(line.prefix(400), "' started at ")
    }
    return contains(line.prefix(20), "◇ ")
  }

  /// Whether it says that a test started, rather than one of its cases, its suite or the run.
  static func isStartOfTest(_ line: ArraySlice<UInt8>) -> Bool {
    guard isBeginning(line), !starts(line, "Test Suite '") else { return false }
    let text = line.prefix(40)
    return starts(line, "Test Case '")
      || contains(text, "◇ Test ") && !contains(text, "◇ Test run ") && !contains(text, "◇ Test case ")
  }

  /// Whether it says which file the build is at, as `[3/11] Compiling A.swift` does.
  static func isProgress(_ line: ArraySlice<UInt8>) -> Bool {
    guard starts(line, "[") else { return false }
    let rest = line.dropFirst().drop { (0x30...0x39).contains($0) }
    guard starts(rest, "/") else { return false }
    return starts(rest.dropFirst().drop { (0x30...0x39).contains($0) }, "] ")
  }

  private static func starts(_ line: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
    word.withUTF8Buffer { line.starts(with: $0) }
  }

  /// The compiler's excerpt of the source, with its line numbers at the left.
  private static func goesOn(_ line: ArraySlice<UInt8>) -> Bool {
    var rest = line.drop { $0 == 0x20 }
    rest = rest.drop { (0x30...0x39).contains($0) }
    rest = rest.drop { $0 == 0x20 }
    return rest.first == UInt8(ascii: "|")
  }

  private static func contains(_ line: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      guard let first = word.first, line.count >= word.count else { return false }
      var at = line.startIndex
      let last = line.endIndex - word.count
      while at <= last {
        if line[at] == first, line[at..<(at + word.count)].elementsEqual(word) { return true }
        at += 1
      }
      return false
    }
  }
}
