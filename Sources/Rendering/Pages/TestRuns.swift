import Model

/// The runs of a test in one integration: a line in its history, or a table where they failed in different ways.
struct TestRuns {
  private let test: TestResult
  private let groups: [Group]

  /// One run, or consecutive ones of a kind that ended alike.
  private struct Group {
    var name: String
    var runs: [TestAttempt]

    /// The time of the longest.
    var time: Double? { runs.compactMap(\.time).max() }
  }

  init(_ test: TestResult) {
    self.test = test
    var all = test.runs
    // Only of the run that the test is told by it is known how long it waited for others.
    if test.waited > 0, let own = all.firstIndex(where: { $0.duration == test.duration }) {
      all[own].duration = max(test.duration - test.waited, 0)
    }
    let first = all[0]
    var again: [[TestAttempt]] = []
    for run in all.dropFirst(test.serialRun == nil ? 1 : 2) {
      if let last = again.last?.last, last.isToldAs(run) {
        again[again.count - 1].append(run)
      } else {
        again.append([run])
      }
    }
    groups =
      [Group(name: FlakyWords.firstRun, runs: [first])]
      + [test.serialRun].compactMap { $0.map { Group(name: FlakyWords.serialRun, runs: [$0]) } }
      // What passes is run again only alone.
      + again.map { Group(name: FlakyWords.again($0.count, isAlone: first.state == .passed), runs: $0) }
  }

  /// How often it ended as it did, such as `failed in 2 of 2 runs`; nil where its runs ended differently, and for a test
  /// that ended its process, of which that is told with how it did.
  var course: String? { hasWords && isAlike && test.quit == nil ? FlakyWords.attempts(of: test) : nil }

  /// What each run took, such as `first run 6 ms, retry 4 ms`, or how each ended where they differ, such as `first run failed,
  /// 6 ms; retry passed, 4 ms`; nil for a test that ran once.
  var words: String? {
    guard hasWords else { return nil }
    return groups.map {
      FlakyWords.end(
        of: $0.name, isAlike ? nil : $0.runs[0].state, time: $0.time, isLongest: $0.runs.count > 1)
    }.joined(separator: isAlike ? ", " : "; ")
  }

  private var isAlike: Bool { Set(groups.map { $0.runs[0].state }).count == 1 }

  /// Whether there are several, unless they need a table, or all were stopped, of which more is told.
  private var hasWords: Bool {
    let isTold = test.hang != nil && groups.allSatisfy { $0.runs[0].state == test.state }
    return groups.count > 1 && !isTold && !hasTable
  }

  /// Whether an attempt has a message that is told nowhere else.
  private var hasTable: Bool {
    let failed = test.runs.filter { $0.message != nil }
    let (told, messages) = (Set(test.failures.map(\.message)), Set(failed.map(\.message)))
    let others = Set(failed.flatMap { $0.others ?? [] })
    return messages.count > 1 || Set(failed.map(\.more)).count > 1 || !others.isSubset(of: told)
      || Set(test.attempts.map(\.state)).count > 1 && !messages.isSubset(of: told)
  }

  var table: TemplateValue {
    guard hasTable else { return .missing }
    let rows = groups.map { group in
      let (end, time) = (group.runs[0], group.time)
      return TemplateValue.record([
        "name": .text(group.name.capitalizedFirst),
        "glyph": .text(end.state.glyph), "word": .text(end.state.word),
        "duration": .text((group.runs.count > 1 ? "up to " : "") + DurationText.fine(ifKnown: time)),
        "message": .shown(end.message.map(FailureLine.brief(of:)) ?? ""),
        "others": .list((end.others ?? []).map { .shown(FailureLine.brief(of: $0)) }),
        "more": .optional(end.more.map { "and \(CountText.plain($0)) more" }),
      ])
    }
    return .record(["rows": .list(rows)])
  }
}

extension TestAttempt {
  /// Whether another run ended alike, whatever time it took.
  fileprivate func isToldAs(_ other: TestAttempt) -> Bool {
    (state, message, others, more) == (other.state, other.message, other.others, other.more)
  }
}
