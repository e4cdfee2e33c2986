import Model

/// The crash of a test's process: the reason, the calls that led there, and other details of the process.
struct CrashSection: ReportSection {
  /// The maximum number of callers with source; the rest are only in the table of calls.
  private static let mostCallers = 4

  let crash: CrashReport
  let report: ReportContext

  /// Returns the line with the reason and the place.
  func headline(at place: SourceLocation?) -> TemplateValue {
    .record([
      "reason": .shown(FailureLine.firstLine(crash.reason)), "inside": .shown(ifAny: crash.innermost?.call),
      "caller": .shown(ifAny: crash.innermost?.caller), "limit": .missing,
      "place": .place(place),
      "hasSource": .flag(place.flatMap { SourceExcerpt(of: $0, in: sources) } != nil),
    ])
  }

  var record: TemplateValue {
    let facts = facts
    return .record([
      "backtrace": backtrace, "callers": .list(callers), "facts": .list(facts), "hasFacts": .flag(!facts.isEmpty),
    ])
  }

  /// The calls of the thread that crashed; missing where they are not known.
  var backtrace: TemplateValue {
    crash.thread.map { thread in
      StackRows(thread: thread, report: report, root: "../").backtrace(
        "Calls of the thread that crashed", threadWords)
    } ?? .missing
  }

  private var threadWords: String {
    let others = crash.otherThreads > 0 ? "; there were \(CountText.counted(crash.otherThreads, "other thread"))" : ""
    return "innermost call first\(others)"
  }

  /// The sources of the calls that led to the one that crashed.
  private var callers: [TemplateValue] {
    var seen: Set<SourceLocation> = crash.location.map { [SourceLocation(file: $0.file, line: $0.line)] } ?? []
    let places = (crash.thread?.frames ?? []).compactMap { frame -> (StackFrame, SourceLocation)? in
      guard let place = frame.location else { return nil }
      return seen.insert(SourceLocation(file: place.file, line: place.line)).inserted ? (frame, place) : nil
    }
    return places.prefix(Self.mostCallers).compactMap { frame, place in
      guard let excerpt = SourceExcerpt(of: place, in: sources, around: 4) else { return nil }
      return .record([
        "number": .text("\(frame.number)"),
        "function": .shown(frame.function),
        "source": excerpt.record(caption: place.file),
      ])
    }
  }

  /// Whether a place that the process told, with its module for a folder, is that of the crash.
  private func isAtLocation(_ stated: SourceLocation) -> Bool {
    guard let known = crash.location else { return false }
    return known.line == stated.line
      && SourceLocation.fileName(of: known.file) == SourceLocation.fileName(of: stated.file)
  }

  private var facts: [TemplateValue] {
    var facts: [(String, String)] = []
    // Without words of the process, the signal is the reason.
    if let stated = crash.statedPlace {
      if let signal = crash.signal { facts.append(("Ended by", SignalText.of(signal))) }
      if !isAtLocation(stated) { facts.append(("Reported at", stated.description)) }
    }
    if crash.thread == nil {
      facts.append(("Backtrace", "none: the Swift runtime left no report, as after SIGKILL or an exit"))
    }
    if crash.bystanders > 0 {
      let tests = CountText.counted(crash.bystanders, "other test")
      facts.append(("Open tests", "\(tests) ran in the same process; run again, each has a state of its own"))
    }
    if integration.coverage.coverage?.isComplete == false { facts.append(("Counters", "incomplete")) }
    return facts.map { .record(["name": .text($0.0), "value": .shown($0.1)]) }
  }
}
