import Model

/// Lines of a log that follow each other: what passed is folded, run by run, and what is found stays open.
struct LogFold {
  let isFolded: Bool
  let lines: ArraySlice<LogBook.Line>

  /// The number of lines on either side of a finding that stay open, whatever a test or a tool printed there.
  private static let nearby = 3
  /// Fewer lines take hardly more room than a fold, and say more.
  private static let shortest = 4

  /// Returns the lines of a page in their order.
  ///
  /// - Parameter told: the numbers of the lines that something is said beside.
  static func folds(of lines: [LogBook.Line], told: Set<Int>) -> [LogFold] {
    let isFound = lines.map { $0.isFinding || told.contains($0.number) }
    let hasFindings = isFound.contains(true)
    var isQuiet: [Bool] = []
    for run in runs(of: lines) {
      let near = near(isFound[run])
      let isFar = hasFindings || hasPassed(lines[run])
      for index in run {
        let (line, isFirst) = (lines[index], index == run.lowerBound)
        let goesOn = !isFirst && LogKinds.isDetail(line.bytes)
        let passed =
          goesOn ? isQuiet[index - 1] : LogKinds.isRoutine(line.bytes) || isFar && !near[index - run.lowerBound]
        isQuiet.append(
          line.kind == .end
            ? LogKinds.end(line.bytes)?.succeeded == true
            : line.kind == .plain && !isFound[index] && !LogKinds.isFailure(line.bytes) && passed)
      }
    }
    return folds(of: lines, isQuiet)
  }

  private static func folds(of lines: [LogBook.Line], _ isQuiet: [Bool]) -> [LogFold] {
    var folds: [LogFold] = []
    var (open, at) = (0, 0)
    while at < lines.count {
      let end = isQuiet[at...].firstIndex(of: false) ?? lines.count
      if end - at >= shortest {
        if at > open { folds.append(LogFold(isFolded: false, lines: lines[open..<at])) }
        folds.append(LogFold(isFolded: true, lines: lines[at..<end]))
        open = end
      }
      at = max(end, at + 1)
    }
    return open < lines.count ? folds + [LogFold(isFolded: false, lines: lines[open...])] : folds
  }

  /// Returns the lines from each command up to the next one.
  private static func runs(of lines: [LogBook.Line]) -> [Range<Int>] {
    let starts = lines.indices.filter { $0 == 0 || lines[$0].kind == .command }
    return zip(starts, starts.dropFirst() + [lines.count]).map { $0..<$1 }
  }

  /// Returns which lines of a run are near one that is found.
  private static func near(_ isFound: ArraySlice<Bool>) -> [Bool] {
    var near = Array(repeating: false, count: isFound.count)
    for (index, isFound) in isFound.enumerated() where isFound {
      for other in max(0, index - nearby)...min(near.count - 1, index + nearby) { near[other] = true }
    }
    return near
  }

  /// Whether tests ran, and said that nothing failed.
  private static func hasPassed(_ run: ArraySlice<LogBook.Line>) -> Bool {
    guard let command = run.first, command.kind == .command, case .tests = LogKinds.part(of: command.bytes) else {
      return false
    }
    return run.contains { LogKinds.isPassedRun($0.bytes) }
  }

  /// What it holds: how many tests passed, were skipped or had a known issue, or what a compiler was doing that crashed,
  /// otherwise the first and the last line that tell more than that tests started, or how many did.
  ///
  /// - Parameter red: the numbers of the lines that say that a test passed which is red nevertheless.
  func contents(red: Set<Int> = []) -> String {
    let size = CountText.counted(lines.count, "line")
    let ended = lines.count { red.contains($0.number) && LogKinds.isEnd($0.bytes, .passed) }
    let (passed, skipped) = (count(of: .passed) - ended, count(of: .skipped))
    // A test records one before it says that it passed with it, which may be elsewhere, and counts there.
    let known = count(of: .knownIssue)
    var words: [String] = []
    if passed > 0 { words.append("\(CountText.counted(passed, "test")) passed") }
    if skipped > 0 {
      words.append("\(passed > 0 ? CountText.plain(skipped) : CountText.counted(skipped, "test")) skipped")
    }
    if ended > 0 { words.append("\(CountText.counted(ended, "test")) ended") }
    if known > 0 { words.append(CountText.counted(known, "known issue")) }
    if !words.isEmpty { return "\(size): \(words.joined(separator: ", "))" }
    if let crash = LogKinds.crash(in: lines) { return "\(size): stack dump, \(crash.entry.place.short)" }
    let texts = lines.lazy.filter { $0.kind != .end && !LogKinds.isRemark($0.bytes) }.map { Self.brief($0.bytes) }
    guard let first = texts.first(where: { !$0.isEmpty }), let last = texts.last(where: { !$0.isEmpty }) else {
      let started = lines.count { LogKinds.isStartOfTest($0.bytes) }
      return started > 0 ? "\(size): \(CountText.counted(started, "test")) started" : size
    }
    return "\(size): \(first)" + (first == last ? "" : " … \(last)")
  }

  private func count(of end: LogKinds.End) -> Int { lines.count { LogKinds.isEnd($0.bytes, end) } }

  private static let mostCharacters = 60

  private static func brief(_ line: ArraySlice<UInt8>) -> String {
    let text = LogLine.plain(String(decoding: line.prefix(400), as: UTF8.self))
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.count > mostCharacters ? "\(text.prefix(mostCharacters))…" : text
  }
}
