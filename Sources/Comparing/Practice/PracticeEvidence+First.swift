import Model

/// The five of FIRST.
extension PracticeEvidence {
  private var ran: [TestResult] { tests.results.filter { $0.state != .notRun && $0.state != .skipped } }

  var fast: PracticeHint? {
    guard !ran.isEmpty else { return nil }
    let limit = settings.slow.inSeconds
    let slow = ran.filter { $0.isSlow(beyond: limit) }.sorted { ($1.duration, $0.id) < ($0.duration, $1.id) }
    let total = ran.reduce(0) { $0 + $1.duration }
    let time = DurationText.short(total)
    let sum = ran.count == 1 ? "the only one takes \(time)" : "all \(ran.count) take \(time) one after the other"
    guard !slow.isEmpty else {
      return PracticeHint(.fast, .good, "No test takes longer than \(DurationText.short(limit)); \(sum).")
    }
    let verb = slow.count == 1 ? "takes" : "take"
    return PracticeHint(
      .fast, .attention, "\(Self.tests(slow.count)) \(verb) longer than \(DurationText.short(limit)); \(sum).",
      entries: slow.prefix(PracticeCard.mostEntries).map {
        PracticeHint.Entry(test: $0.id, location: $0.location, words: DurationText.short($0.duration))
      })
  }

  var isolated: PracticeHint? {
    guard let isolation = tests.isolation else {
      return PracticeHint(
        .isolated, .unknown, "No test was run alone: 'isolation' of the bot's tests, or --isolation, does that.")
    }
    let left = isolation.left > 0 ? " \(Self.tests(isolation.left)) could not be tried, since the time was up." : ""
    guard !isolation.differing.isEmpty else {
      return PracticeHint(
        .isolated, isolation.left > 0 ? .unknown : .good,
        "\(Self.tests(isolation.ran)) ran alone and ended as with the others.\(left)")
    }
    let count = isolation.differing.count
    return PracticeHint(
      .isolated, .attention,
      "\(count) of \(Self.tests(isolation.ran)) \(count == 1 ? "ends" : "end") otherwise alone than with the others.\(left)",
      entries: isolation.differing.prefix(PracticeCard.mostEntries).map {
        PracticeHint.Entry(
          test: $0.id, words: "\($0.together.rawValue) with the others, \($0.alone.rawValue) alone")
      })
  }

  var repeatable: PracticeHint? {
    if let flaky { return flaky }
    if let isolation = tests.isolation, isolation.ran > 0, isolation.differing.isEmpty {
      return PracticeHint(.repeatable, .good, "\(Self.tests(isolation.ran)) ran twice and ended alike.")
    }
    let red = tests.counts.red
    return PracticeHint(
      .repeatable, .unknown,
      hasRetries && red > 0
        ? "\(Self.tests(red)) stayed red when tried again; the others ran once."
        : "Each test ran once, which shows no flakiness and rules none out.")
  }

  /// The tests that are flaky in this integration, and those that the last ones together prove flaky.
  private var flaky: PracticeHint? {
    let now = tests.results.filter(\.isFlaky)
    let before = tests.results.filter { !$0.isFlaky && histories[$0.id]?.flakyIn.isEmpty == false }
    guard !now.isEmpty || !before.isEmpty else { return nil }
    var sentences: [String] = []
    if !now.isEmpty { sentences.append("\(Self.tests(now.count)) failed and then passed on the same commit.") }
    if !before.isEmpty {
      sentences.append("\(Self.tests(before.count)) ended in two ways on one commit in the last integrations.")
    }
    let entries = (now + before).prefix(PracticeCard.mostEntries).map { test in
      let numbers = (histories[test.id]?.flakyIn ?? []).prefix(6).reversed().map { "\($0)" }
      return PracticeHint.Entry(
        test: test.id, location: test.location,
        words: test.isFlaky
          ? test.attempts.map(\.state.rawValue).joined(separator: ", then ")
          : "flaky in \(numbers.joined(separator: ", "))")
    }
    return PracticeHint(.repeatable, .attention, sentences.joined(separator: " "), entries: entries)
  }

  var selfValidating: PracticeHint? {
    guard let report = tests.assertions else {
      return PracticeHint(.selfValidating, .unknown, "Without counters nothing is known of the assertions.")
    }
    let swiftTesting = tests.results.count { $0.library == .swiftTesting && $0.state == .passed }
    var unknown: [String] = []
    if report.unproved > 0 { unknown.append("\(Self.tests(report.unproved)) may assert elsewhere") }
    if swiftTesting > 0 { unknown.append("#expect has no counters, so \(swiftTesting) of Swift Testing are unknown") }
    let rest = unknown.isEmpty ? "" : " \(unknown.joined(separator: "; "))."
    let entries =
      report.without.map { test in
        PracticeHint.Entry(
          test: test, location: tests.results.first { $0.id == test }?.location, words: "passed without an assertion")
      }
      + report.unreached.map {
        PracticeHint.Entry(test: $0.test, location: $0.location, words: "this assertion never ran")
      }
    guard !entries.isEmpty else {
      let proved = report.proved
      if proved == 0 { return PracticeHint(.selfValidating, .unknown, "No assertion has a counter.\(rest)") }
      return PracticeHint(
        .selfValidating, .good,
        "\(Self.tests(proved)) of XCTest evaluated all \(proved == 1 ? "its" : "their") assertions.\(rest)")
    }
    var parts: [String] = []
    if !report.without.isEmpty {
      parts.append("\(Self.tests(report.without.count)) passed without evaluating an assertion")
    }
    let lines = report.unreached.count
    if lines > 0 { parts.append("\(lines) \(lines == 1 ? "assertion" : "assertions") in passed tests never ran") }
    return PracticeHint(
      .selfValidating, .attention, "\(parts.joined(separator: "; ")).\(rest)",
      entries: Array(entries.prefix(PracticeCard.mostEntries)))
  }

  var thorough: PracticeHint? {
    guard let changes else { return nil }
    guard let patch = changes.patch.value else {
      return PracticeHint(.thorough, .unknown, changes.patch.reason ?? "The changed lines are not known.")
    }
    let tally = patch.tally
    let (lost, parts) = (changes.comparison.value?.lostLines ?? [], changes.comparison.value?.lostParts ?? [])
    let unknown = patch.unmapped.sentences("Which lines changed", first: PracticeCard.mostEntries)
      .map { " \($0)" }.joined()
    let outside = patch.outsideSentences(first: PracticeCard.mostEntries).map { " \($0)" }.joined()
    if tally.uncovered == 0, lost.isEmpty, parts.isEmpty {
      let ran =
        switch tally.total {
        case 0: "No \(unknown.isEmpty ? "" : "other ")changed line \(patch.noCodeWords)."
        case 1: "The changed line ran."
        default: "All \(tally.total) changed lines ran."
        }
      return PracticeHint(.thorough, unknown.isEmpty ? .good : .unknown, ran + unknown + outside)
    }
    let gone =
      lost.isEmpty ? "" : " \(lost.count) unchanged \(lost.count == 1 ? "line" : "lines") ran before and did not now."
    let less = parts.isEmpty ? "" : " On \(parts.count) \(parts.count == 1 ? "line" : "lines") a part ran before."
    let places = [
      (patch.neverRan, "changed, never ran"), (lost, "ran before"), (parts, "a part ran before"),
    ].flatMap { lines, words in
      LinePlaces(lines).places.map { ($0, words) }
    }
    return PracticeHint(
      .thorough, .attention,
      "\(tally.uncovered) of \(tally.total) changed \(tally.total == 1 ? "line" : "lines") never ran.\(gone)\(less)\(unknown)\(outside)",
      entries: places.prefix(PracticeCard.mostEntries).map { place, words in
        let end = place.lines.count > 1 ? "to line \(place.lines.upperBound), " : ""
        return PracticeHint.Entry(
          location: SourceLocation(file: place.path, line: place.lines.lowerBound), words: end + words)
      })
  }
}
