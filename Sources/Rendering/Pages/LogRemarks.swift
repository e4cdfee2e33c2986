import Model

/// Something that a page of a log leads to.
struct LogFinding {
  enum Kind: CaseIterable {
    case timedOut, crashed, quit
    /// A test that the process ended before.
    case unbegun
    /// A report of a sanitizer.
    case report
    /// The end of a trigger's script.
    case failedRun
    /// A failure of a test that failed.
    case redTest
    case failure, error, flaky
    /// A failure that only the run that maps tests has, which decides nothing.
    case serial
    case warning

    /// Whether it keeps the integration from being green.
    var decides: Bool {
      switch self {
      case .timedOut, .crashed, .quit, .unbegun, .report, .failedRun, .redTest, .failure, .error: true
      case .flaky, .serial, .warning: false
      }
    }

    /// Whether it is how a test ended, which no line says in these words.
    var isEnd: Bool { [.timedOut, .crashed, .quit, .unbegun, .failedRun].contains(self) }

    var glyph: String {
      switch self {
      case .timedOut: "timed-out"
      case .crashed: "crashed"
      case .quit, .unbegun: TestResult.quitGlyph
      case .report, .failedRun, .redTest, .failure: "failed"
      case .error: "build-errors"
      case .flaky, .serial: "flaky"
      case .warning: "warning"
      }
    }
  }

  var kind: Kind
  /// The line on which it begins.
  var number: Int
  var text: String
  /// Where it happened, unless the text says so.
  var place: SourceLocation?
  /// The test that it is about, where that is known.
  var test: TestID?
  /// The sanitizer that reported it; nil for what no sanitizer did.
  var sanitizer: String?
  /// Whether it is of a silenced test, which does not count.
  var isSilenced = false
  /// In which runs it happened, with the line in each; empty if there was one run.
  var runs: [(run: Run, number: Int)] = []
  /// What was printed last, where no test had begun whose output would have it.
  var lastLine: LogBook.Line?

  enum Run: Hashable {
    case attempt(Int)
    /// Within the first attempt, after a process that several tests may have ended.
    case search
    /// Within the first attempt, after a process that left tests without a result.
    case rest
    /// The run that maps tests to lines.
    case mapping
  }
}

/// What a page of a log leads to, and what the results of the tests add to its lines.
///
/// What is printed does not tell tests of the same name apart; nothing is added to their lines.
struct LogRemarks {
  /// The maximum number of tests that came to no end, of each kind, and of those that ran again.
  private static let most = (unended: 10, again: 100)

  /// What is found, each once, the most serious first.
  private(set) var findings: [LogFinding] = []
  /// What is said beside lines, by their numbers.
  private(set) var notes: [Int: String] = [:]
  /// The line that says that a compiler crashed, and what that was doing, with the line that says so.
  let crashed: (number: Int, entry: StackDumpEntry, entryNumber: Int)?
  /// The numbers of the lines that are marked for tests that were stopped when their time ran out, or ended their process,
  /// and for the ends of scripts.
  private(set) var running: Set<Int> = []
  /// Those of them on which began what ended the process as if all were well.
  private var quitting: Set<Int> = []
  /// The numbers of the lines of failures that decide nothing: their tests passed in the end, or failed only in the run that
  /// maps them.
  private(set) var flaky: Set<Int> = []
  /// The numbers of the lines that say only that a command failed, for an error that another line tells.
  private(set) var consequences: Set<Int> = []
  let silenced: Set<TestID>

  init(_ book: LogBook, _ lines: [LogBook.Line], of tests: [TestResult], silenced: Set<TestID> = []) {
    self.silenced = silenced
    // Where the log tells how each process ended, the runtime's word for it says nothing more.
    for line in lines.contains(where: { $0.kind == .end }) ? [] : lines where !line.isContinued {
      if let signal = LogKinds.signal(line.bytes) { notes[line.number] = LogWords.ended(by: signal) }
    }
    crashed = Self.crashedCommand(in: lines)
    if let crashed { notes[crashed.number] = LogWords.crash(crashed.entry) }
    let isTesting = book.step == .testing
    let named = Dictionary(grouping: isTesting ? tests : [], by: \.title)
    let alone = isTesting ? tests.filter { named[$0.title]?.count == 1 } : []
    let processes = Self.processes(lines)
    let crashed = alone.filter { $0.state == .crashed }.prefix(Self.most.unended)
    // Whatever ran in a process that crashed did not run out of time there.
    let ended = Set(crashed.flatMap { Self.runs(Self.begun($0, in: processes)).map(\.lines.endIndex) })
    let others = processes.filter { !ended.contains($0.endIndex) }
    let hung = alone.filter { $0.state == .timedOut }.prefix(Self.most.unended)
    for test in hung { addUnended(test, as: .timedOut, in: others) }
    let deaths = Set(crashed.flatMap { addCrash(of: $0, in: processes) })
    for test in alone.filter({ $0.quit != nil }).prefix(Self.most.unended) {
      addUnended(test, as: test.quit?.isByTest == false ? .unbegun : .quit, in: others)
    }
    let retried = alone.filter { $0.attempts.count > 1 }
    let red = alone.filter { $0.attempts.count <= 1 && $0.state == .failed }
    // Only where there are few, the tests are counted rather than their failures.
    let areFew = retried.count + red.count <= Self.most.again
    let again = noteAttempts(of: areFew ? retried + red : retried, in: lines)
    flaky = Set(again.lazy.filter { $0.value.isFlaky }.map(\.key))
    if !isTesting { noteRepeats(of: LogBook.heads(of: .error, in: lines), in: lines) }
    let same = Dictionary(grouping: lines.lazy.filter { $0.kind == .error && $0.isHead }, by: \.bytes)
    var seen: Set<TestID> = []
    let aside = alone.filter { silenced.contains($0.id) }.prefix(Self.most.again).map(Self.failures)
    for head in LogBook.heads(of: .error, in: lines) where !deaths.contains(head.bytes) {
      let test = again[head.number]
      if isTesting, let all = same[head.bytes], all.allSatisfy(Self.isOfMapping) {
        flaky.formUnion(all.map(\.number))
        findings.append(LogFinding(kind: .serial, number: head.number, text: head.text, test: test?.id))
        continue
      }
      if let report = report(on: head, of: alone) {
        findings.append(report)
        continue
      }
      let flaky = test.flatMap { $0.isFlaky ? $0.id : nil }
      // A test that failed in several ways before it passed is one.
      if let flaky, !seen.insert(flaky).inserted { continue }
      let isRed = isTesting && flaky == nil
      let failure: LogFinding.Kind = areFew && test?.state == .failed ? .redTest : .failure
      let kind: LogFinding.Kind = flaky != nil ? .flaky : isTesting ? failure : .error
      let runs = isRed ? Self.runs(saying: same[head.bytes] ?? []) : []
      findings.append(
        LogFinding(
          kind: kind, number: head.number, text: head.text, test: test?.id,
          isSilenced: isRed && aside.contains { head.holds($0) }, runs: runs))
    }
    let warnings = LogBook.heads(of: .warning, in: lines)
    findings += warnings.map { LogFinding(kind: .warning, number: $0.number, text: $0.text) }
    if book.isOfTriggers { addFailedRuns(in: lines) }
    markRest(of: lines)
  }

  /// Adds and marks the ends of the scripts that failed.
  private mutating func addFailedRuns(in lines: [LogBook.Line]) {
    for line in lines {
      guard let end = line.badEnd else { continue }
      running.insert(line.number)
      findings.append(LogFinding(kind: .failedRun, number: line.number, text: LogWords.status(of: end)))
    }
  }

  /// Whether a line is of what makes nothing red.
  func isAmber(_ number: Int) -> Bool { flaky.contains(number) || quitting.contains(number) }

  /// Returns the line that says that a command ended by a signal, and what its stack dump says it was doing; nil unless there
  /// is one such line.
  static func crashedCommand(in lines: [LogBook.Line]) -> (number: Int, entry: StackDumpEntry, entryNumber: Int)? {
    let heads = lines.filter { $0.kind == .error && $0.isHead && LogKinds.isSignaled($0.bytes) }
    guard heads.count == 1, let crash = LogKinds.crash(in: lines) else { return nil }
    return (heads[0].number, crash.entry, crash.number)
  }

  /// Says on an error that is printed again, as by the compiler for another module, where it stands first.
  private mutating func noteRepeats(of errors: [LogBook.Line], in lines: [LogBook.Line]) {
    let first = Dictionary(errors.map { ($0.bytes, $0.number) }) { first, _ in first }
    for line in lines where line.kind == .error && line.isHead {
      if let number = first[line.bytes] {
        if number != line.number { notes[line.number] = LogWords.repeated(from: number) }
      } else {
        consequences.insert(line.number)
      }
    }
  }

  /// Marks what belongs to an error that decides nothing, or follows from another one, as its first line is.
  private mutating func markRest(of lines: [LogBook.Line]) {
    var (isFlaky, isConsequence) = (false, false)
    for line in lines {
      if line.kind != .error || line.isHead {
        (isFlaky, isConsequence) = (flaky.contains(line.number), consequences.contains(line.number))
      }
      if isFlaky { flaky.insert(line.number) }
      if isConsequence { consequences.insert(line.number) }
    }
  }

  /// Returns what a line is marked as.
  func kind(of line: LogBook.Line) -> LogBook.Kind {
    if running.contains(line.number) { return .error }
    return consequences.contains(line.number) ? .plain : line.kind
  }

  /// The lines on which findings begin, in each run in which they happened, each with that of the next one: a warning
  /// follows a warning, and the rest follows the rest. The line below needs no link.
  var next: [Int: Int?] {
    let kinds = Dictionary(grouping: findings) { $0.kind == .warning }
    let pairs = kinds.values.flatMap { findings in
      let numbers = Set(findings.flatMap { [$0.number] + $0.runs.map(\.number) }).sorted()
      let following = numbers.dropFirst().map(Optional.some) + [nil]
      return zip(numbers, following).map { ($0, $1 == $0 + 1 ? nil : $1) }
    }
    return Dictionary(pairs) { $1 }
  }

  /// Adds a test that was stopped or ended its process, and says on the lines of each attempt where it began and what was
  /// printed last.
  private mutating func addUnended(
    _ test: TestResult, as kind: LogFinding.Kind, in processes: [ArraySlice<LogBook.Line>]
  ) {
    let begun = Self.begun(test, in: processes)
    for lines in begun {
      guard let first = lines.first, let last = lines.last(where: { !$0.bytes.isEmpty }) else { continue }
      running.insert(first.number)
      if kind == .quit || kind == .unbegun { quitting.insert(first.number) }
      notes[first.number] = LogWords.running(kind, isLast: last.number == first.number)
      if last.number != first.number { notes[last.number] = LogWords.lastLine(kind) }
    }
    let runs = kind == .unbegun ? begun.compactMap(Self.processBeforeStart) : Self.runs(begun)
    let printed = kind == .unbegun ? begun.first?.dropFirst().last(where: { !$0.bytes.isEmpty }) : nil
    addEnd(
      of: test, as: kind,
      at: runs.compactMap { run, lines in lines.first.map { (run: run, number: $0.number) } }, lastLine: printed)
  }

  /// Adds a test that crashed, at what each of its attempts printed of it, and returns that.
  private mutating func addCrash(of test: TestResult, in processes: [ArraySlice<LogBook.Line>]) -> [ArraySlice<UInt8>] {
    let begun = Self.begun(test, in: processes)
    var ends = Self.runs(begun).compactMap { run, lines in Self.end(of: lines).map { (run: run, line: $0) } }
    // That it ended a process beside other tests is known by what it printed when it ended one alone.
    let before = begun.filter(Self.isFirstAttempt).compactMap(Self.end).first
    if let before, let last = ends.first, last.run == .attempt(1), last.line.kind == .error,
      before.number < last.line.number, before.bytes == last.line.bytes
    {
      ends[0].run = .search
      ends.insert((.attempt(1), before), at: 0)
    }
    for (index, end) in ends.enumerated() { notes[end.line.number] = LogWords.crashed(test, isFirst: index == 0) }
    // Where nothing printed why, the line on which the test began is not that of an error by itself.
    running.formUnion(ends.map(\.line.number))
    addEnd(of: test, as: .crashed, at: ends.map { ($0.run, $0.line.number) })
    return ends.map(\.line).filter { $0.kind == .error }.map(\.bytes)
  }

  /// Returns the line on which a process says why it ends, or on which its last test began.
  private static func end(of lines: ArraySlice<LogBook.Line>) -> LogBook.Line? {
    lines.first { $0.kind == .error && $0.isHead } ?? lines.first
  }

  private mutating func addEnd(
    of test: TestResult, as kind: LogFinding.Kind, at ends: [(run: LogFinding.Run, number: Int)],
    lastLine: LogBook.Line? = nil
  ) {
    guard let first = ends.first else { return }
    findings.append(
      LogFinding(
        kind: kind, number: first.number, text: LogWords.end(of: test),
        place: kind == .unbegun ? nil : test.crash?.location ?? test.quit?.location,
        test: test.id, isSilenced: silenced.contains(test.id), runs: ends.count > 1 ? ends : [], lastLine: lastLine))
  }

  /// Returns the runs of lines that say the same, with the first line in each; empty if there is one run.
  private static func runs(saying lines: [LogBook.Line]) -> [(run: LogFinding.Run, number: Int)] {
    var seen: Set<LogFinding.Run> = []
    let runs = lines.map { (run: run(of: $0), number: $0.number) }.filter { seen.insert($0.run).inserted }
    return runs.count > 1 ? runs : []
  }

  /// Says where retried tests failed for the first time how all their attempts ended, and returns the tests of these lines.
  private mutating func noteAttempts(of tests: [TestResult], in lines: [LogBook.Line]) -> [Int: TestResult] {
    let again = tests.prefix(Self.most.again).map { (test: $0, marks: Self.failures(of: $0)) }
    var found: [Int: TestResult] = [:]
    for line in again.isEmpty ? [] : lines where line.kind == .error && line.isHead {
      guard let test = again.first(where: { line.holds($0.marks) })?.test else { continue }
      let isFirst = test.attempts.count > 1 && Self.run(of: line) == .attempt(1)
      if isFirst { notes[line.number] = FlakyWords.attempts(of: test) }
      found[line.number] = test
    }
    return found
  }

  /// Returns the processes in which a test began and did not end, with their runs, in the order of the log.
  ///
  /// The test is the cause in the last process of the first attempt: in earlier ones it ran beside another one that ended
  /// them.
  private static func runs(
    _ processes: [ArraySlice<LogBook.Line>]
  ) -> [(run: LogFinding.Run, lines: ArraySlice<LogBook.Line>)] {
    let runs = processes.compactMap { lines in lines.first.map { (run: run(of: $0), lines: lines) } }
    let first = runs.last { $0.run == .attempt(1) }.map { [$0] } ?? []
    return first + runs.filter { $0.run != .attempt(1) }
  }

  /// Returns a process that ended before the tests of a class, which are the cause in none of them.
  private static func processBeforeStart(
    _ lines: ArraySlice<LogBook.Line>
  ) -> (run: LogFinding.Run, lines: ArraySlice<LogBook.Line>)? {
    lines.first.map { first in
      let run: LogFinding.Run =
        switch first.announcement {
        case .search: .search
        case .rest: .rest
        case nil, .attempt, .mapping, .trigger: Self.run(of: first)
        }
      return (run, lines)
    }
  }

  /// Returns the run to which the process of a line belongs.
  private static func run(of line: LogBook.Line) -> LogFinding.Run {
    switch line.announcement {
    case nil, .search, .rest, .trigger: .attempt(1)
    case .attempt(let number, _, _): .attempt(number)
    case .mapping: .mapping
    }
  }

  private static func isOfMapping(_ line: LogBook.Line) -> Bool { run(of: line) == .mapping }

  private static func isFirstAttempt(_ process: ArraySlice<LogBook.Line>) -> Bool {
    process.first.map { run(of: $0) == .attempt(1) } ?? false
  }

  /// Returns the lines of each process.
  private static func processes(_ lines: [LogBook.Line]) -> [ArraySlice<LogBook.Line>] {
    lines.split { $0.kind == .command || $0.kind == .end }
  }

  /// Returns the lines from each beginning of the test that has no end to the end of its process; of one that the process
  /// ended before, from that of its class.
  private static func begun(
    _ test: TestResult, in processes: [ArraySlice<LogBook.Line>]
  ) -> [ArraySlice<LogBook.Line>] {
    let (name, method) = (printed(test), "Test Case '\(test.id.suite).\(test.id.name)'")
    let suite = "Test Suite '\(test.id.suite)'"
    let hasBegun = test.quit?.isByTest != false
    let starts = hasBegun ? ["Test \(name) started", "\(method) started"] : ["\(suite) started"]
    let ends = ["passed", "failed"].flatMap {
      hasBegun ? ["Test \(name) \($0) after", "\(method) \($0)"] : ["\(suite) \($0)"]
    }
    return processes.compactMap { lines in
      guard let start = lines.lastIndex(where: { $0.holds(starts) }) else { return nil }
      let rest = lines[start...]
      return rest.contains { $0.holds(ends) } ? nil : rest
    }
  }

  static func printed(_ test: TestResult) -> String { test.displayName.map { "\"\($0)\"" } ?? test.id.name }

  /// How the libraries begin a line about a failure of the test.
  private static func failures(of test: TestResult) -> [String] {
    ["Test \(printed(test)) recorded an issue", " error: \(test.id.suite).\(test.id.name) : "]
  }
}

extension LogBook.Line {
  /// The beginning of the line, as it is shown elsewhere than in the log; of a long one with the values that differ.
  var text: String {
    let text = String(decoding: bytes.prefix(400), as: UTF8.self)
    let goesOn = bytes.count > 400 || LogKinds.isCutInText(bytes)
    return LogLine.plain(goesOn || text.count <= LogLine.most ? text : FailureLine.shortened(text), goesOn: goesOn)
  }

  /// Returns whether the line contains one of the texts.
  func holds(_ texts: [String]) -> Bool {
    texts.contains { bytes.firstRange(ofBytes: Array($0.utf8)) != nil }
  }
}
