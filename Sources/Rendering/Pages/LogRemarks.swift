import Model

/// Something that a page of a log leads to.
struct LogFinding {
  enum Kind: CaseIterable {
    case timedOut, crashed, failure, error, flaky, warning

    var glyph: String {
      switch self {
      case .timedOut: "timed-out"
      case .crashed: "crashed"
      case .failure: "failed"
      case .error: "build-errors"
      case .flaky: "flaky"
      case .warning: "warning"
      }
    }
  }

  var kind: Kind
  /// The line on which it begins.
  var number: Int
  var text: String
  /// Where it happened in each run: the attempts by their numbers, and one without for the run that maps tests to lines;
  /// empty if there was one run.
  var runs: [(attempt: Int?, number: Int)] = []
}

/// What a page of a log leads to, and what the results of the tests add to its lines.
///
/// What is printed does not tell tests of the same name apart; nothing is added to their lines.
struct LogRemarks {
  /// The maximum number of tests that crashed or took too long, and of those that ran again.
  private static let most = (unended: 10, again: 100)

  /// What is found, each once, the most serious first.
  private(set) var findings: [LogFinding] = []
  /// What is said beside lines, by their numbers.
  private(set) var notes: [Int: String] = [:]
  /// The numbers of the lines on which tests began that were stopped when their time ran out.
  private(set) var running: Set<Int> = []

  init(_ book: LogBook, _ lines: [LogBook.Line], of tests: [TestResult]) {
    let isTesting = book.step == .testing
    let named = Dictionary(grouping: isTesting ? tests : [], by: \.title)
    let alone = isTesting ? tests.filter { named[$0.title]?.count == 1 } : []
    let processes = Self.processes(lines)
    let crashed = alone.filter { $0.state == .crashed }.prefix(Self.most.unended)
    // Whatever ran in a process that crashed did not run out of time there.
    let ended = Set(crashed.flatMap { Self.runs(Self.begun($0, in: processes)).map(\.lines.endIndex) })
    let others = processes.filter { !ended.contains($0.endIndex) }
    for test in alone.filter({ $0.state == .timedOut }).prefix(Self.most.unended) { addHang(of: test, in: others) }
    let deaths = Set(crashed.flatMap { addCrash(of: $0, in: processes) })
    let flaky = noteAttempts(of: alone.filter { $0.attempts.count > 1 }, in: lines)
    var seen: Set<TestID> = []
    for head in LogBook.heads(of: .error, in: lines) where !deaths.contains(head.bytes) {
      let test = flaky[head.number]
      // A test that failed in several ways before it passed is one.
      if let test, !seen.insert(test).inserted { continue }
      let kind: LogFinding.Kind = test != nil ? .flaky : isTesting ? .failure : .error
      findings.append(LogFinding(kind: kind, number: head.number, text: head.text))
    }
    findings += LogBook.heads(of: .warning, in: lines).map {
      LogFinding(kind: .warning, number: $0.number, text: $0.text)
    }
  }

  /// The lines on which findings begin, each with that of the next one: a warning follows a warning, and the rest follows
  /// the rest.
  var next: [Int: Int?] {
    let kinds = Dictionary(grouping: findings) { $0.kind == .warning }
    let pairs = kinds.values.flatMap { findings in
      let numbers = findings.map(\.number).sorted()
      return zip(numbers, numbers.dropFirst().map(Optional.some) + [nil])
    }
    return Dictionary(pairs.map { ($0, $1) }) { $1 }
  }

  /// Adds a test that was stopped, and says on the lines of each attempt where it began and what was printed last.
  private mutating func addHang(of test: TestResult, in processes: [ArraySlice<LogBook.Line>]) {
    let hung = Self.begun(test, in: processes)
    for lines in hung {
      guard let first = lines.first, let last = lines.last(where: { !$0.bytes.isEmpty }) else { continue }
      running.insert(first.number)
      if last.number == first.number {
        notes[first.number] = LogWords.runningAtLastLine
      } else {
        notes[first.number] = LogWords.running
        notes[last.number] = LogWords.lastLine
      }
    }
    addEnd(
      of: test, as: .timedOut,
      at: Self.runs(hung).compactMap { attempt, lines in
        lines.first.map { (attempt: attempt, number: $0.number) }
      })
  }

  /// Adds a test that crashed, at what each of its attempts printed of it, and returns that.
  private mutating func addCrash(of test: TestResult, in processes: [ArraySlice<LogBook.Line>]) -> [ArraySlice<UInt8>] {
    let ends = Self.runs(Self.begun(test, in: processes)).compactMap { attempt, lines in
      (lines.first { $0.kind == .error && $0.isHead } ?? lines.first).map { (attempt: attempt, line: $0) }
    }
    addEnd(of: test, as: .crashed, at: ends.map { ($0.attempt, $0.line.number) })
    return ends.map(\.line).filter { $0.kind == .error }.map(\.bytes)
  }

  private mutating func addEnd(of test: TestResult, as kind: LogFinding.Kind, at ends: [(attempt: Int?, number: Int)]) {
    guard let first = ends.first else { return }
    findings.append(
      LogFinding(
        kind: kind, number: first.number, text: "\(test.title) \(test.state.past)",
        runs: ends.count > 1 ? ends : []))
  }

  /// Says where tests failed for the first time how all their attempts ended, and returns the lines of those that passed
  /// at last.
  private mutating func noteAttempts(of tests: [TestResult], in lines: [LogBook.Line]) -> [Int: TestID] {
    let again = tests.prefix(Self.most.again).map { (test: $0, marks: Self.failures(of: $0)) }
    var flaky: [Int: TestID] = [:]
    for line in again.isEmpty ? [] : lines where line.kind == .error && line.isHead {
      guard let test = again.first(where: { line.holds($0.marks) })?.test else { continue }
      if line.announcement == nil { notes[line.number] = FlakyWords.attempts(of: test) }
      if test.isFlaky { flaky[line.number] = test.id }
    }
    return flaky
  }

  /// Returns the processes in which a test began and did not end: those of the attempts with their numbers, then the one
  /// that maps tests to lines.
  ///
  /// The test is the cause in the last process of the first attempt: in earlier ones it ran beside another one that ended
  /// them.
  private static func runs(
    _ processes: [ArraySlice<LogBook.Line>]
  ) -> [(attempt: Int?, lines: ArraySlice<LogBook.Line>)] {
    var attempts: [(attempt: Int?, lines: ArraySlice<LogBook.Line>)] = []
    if let first = processes.last(where: { $0.first?.announcement == nil }) { attempts.append((1, first)) }
    var mapping: [(attempt: Int?, lines: ArraySlice<LogBook.Line>)] = []
    for lines in processes {
      switch lines.first?.announcement {
      case nil: break
      case .attempt(let number, _, _): attempts.append((number, lines))
      case .mapping: mapping.append((nil, lines))
      }
    }
    return attempts + mapping
  }

  /// Returns the lines of each process.
  private static func processes(_ lines: [LogBook.Line]) -> [ArraySlice<LogBook.Line>] {
    lines.split { $0.kind == .command }
  }

  /// Returns the lines from each beginning of the test that has no end to the end of its process.
  private static func begun(
    _ test: TestResult, in processes: [ArraySlice<LogBook.Line>]
  ) -> [ArraySlice<LogBook.Line>] {
    let (name, method) = (printed(test), "Test Case '\(test.id.suite).\(test.id.name)'")
    let starts = ["Test \(name) started", "\(method) started"]
    let ends = ["passed", "failed"].flatMap { ["Test \(name) \($0) after", "\(method) \($0)"] }
    return processes.compactMap { lines in
      guard let start = lines.lastIndex(where: { $0.holds(starts) }) else { return nil }
      let rest = lines[start...]
      return rest.contains { $0.holds(ends) } ? nil : rest
    }
  }

  private static func printed(_ test: TestResult) -> String { test.displayName.map { "\"\($0)\"" } ?? test.id.name }

  /// How the libraries begin a line about a failure of the test.
  private static func failures(of test: TestResult) -> [String] {
    ["Test \(printed(test)) recorded an issue", " error: \(test.id.suite).\(test.id.name) : "]
  }
}

extension LogBook.Line {
  fileprivate var text: String { LogLine.plain(String(decoding: bytes.prefix(400), as: UTF8.self)) }

  /// Returns whether the line contains one of the texts.
  fileprivate func holds(_ texts: [String]) -> Bool {
    texts.contains { bytes.firstRange(ofBytes: Array($0.utf8)) != nil }
  }
}
