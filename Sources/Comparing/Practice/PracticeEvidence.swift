package import Model

/// What the card of an integration is made of.
package struct PracticeEvidence: Sendable {
  package var tests: TestReport
  package var changes: CoverageChanges?
  /// Whether red tests were tried again.
  package var hasRetries: Bool
  package var settings: PracticeSettings
  /// What `measure` gave in the integrations before, too, by test.
  package var trends: [TestID: [MeasurementTrend]] = [:]
  /// The number of the baseline.
  package var baseline: Int?
  /// What the integration did to the colour of its baseline.
  package var rhythm: Rhythm?
  /// The tests that the baseline does not have.
  package var added: [TestID] = []
  /// How many integrations of the branch are red in a row, this one included.
  package var redStreak = 0
  /// How the tests ended in the integrations before, too.
  package var histories: [TestID: TestHistory] = [:]
  /// How many commits the integration covers.
  package var commitCount = 1

  /// The coverage of the test sources; nil where it says nothing, because it is missing or incomplete, or because only some
  /// tests were asked for.
  package var testSources: [FileCoverage]?

  package init(
    tests: TestReport, changes: CoverageChanges? = nil, hasRetries: Bool = false,
    settings: PracticeSettings = PracticeSettings(), baseline: Int? = nil
  ) {
    self.tests = tests
    self.changes = changes
    self.hasRetries = hasRetries
    self.settings = settings
    self.baseline = baseline
  }
}

extension PracticeCard {
  /// How many entries a hint has at most.
  static let mostEntries = 50

  /// Makes the card; nil when no test is listed.
  package init?(_ evidence: PracticeEvidence) {
    guard !evidence.tests.results.isEmpty else { return nil }
    let off = evidence.settings.off
    let hints = PracticeHint.Name.allCases.filter { !off.contains($0) }.compactMap { evidence.hint($0) }
    self.init(hints: hints, off: off.isEmpty ? nil : off)
  }
}

extension PracticeEvidence {
  fileprivate func hint(_ name: PracticeHint.Name) -> PracticeHint? {
    switch name {
    case .fast: fast
    case .isolated: isolated
    case .repeatable: repeatable
    case .selfValidating: selfValidating
    case .thorough: thorough
    case .rhythm: beat
    case .names: names
    case .templates: templates
    case .sources: sources
    case .totals: totals
    case .measurements: measurements
    }
  }

  static func tests(_ number: Int) -> String { CountText.counted(number, "test") }
}

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
    if lines > 0 { parts.append("\(CountText.counted(lines, "assertion")) in passed tests never ran") }
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
    let less = parts.isEmpty ? "" : " On \(CountText.counted(parts.count, "line")) a part ran before."
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

extension PracticeEvidence {
  /// Only where something was measured.
  var measurements: PracticeHint? {
    let measured = tests.results.flatMap { test in (trends[test.id] ?? []).map { (test, $0) } }
    guard !measured.isEmpty else { return nil }
    let compared = measured.compactMap { $0.1.newest }
    let higher = measured.filter { $0.1.newest?.change.course() == .higher }
    let isMoved = measured.contains { $0.1.points.first?.differing.isEmpty == false }
    let sentences = [
      compared.isEmpty
        ? "\(Self.values(measured.count, "has", "have")) no earlier one to compare with."
        : Self.sentence(higher, of: compared),
      // The toolchain's doing must not look like a commit's.
      isMoved && !compared.isEmpty ? "More than the commits differs since, as the entries say." : nil,
    ]
    // What is slower is what somebody should see, however many are not.
    let others = measured.filter { $0.1.newest?.change.course() != .higher }
    return PracticeHint(
      .measurements, compared.isEmpty ? .unknown : higher.isEmpty ? .good : .attention,
      sentences.compactMap(\.self).joined(separator: " "),
      entries: (higher + others).prefix(PracticeCard.mostEntries).map { test, trend in
        PracticeHint.Entry(test: test.id, location: test.location, words: MeasurementWords.entry(trend))
      })
  }

  private static func sentence(
    _ higher: [(TestResult, MeasurementTrend)],
    of compared: [(change: MeasurementChange, since: MeasurementTrend.Point)]
  ) -> String {
    let numbers = Set(compared.map(\.since.number))
    let than = numbers.count == 1 ? "than in \(numbers.first ?? 0)" : "than when they were last measured"
    guard !higher.isEmpty else {
      let verb = compared.allSatisfy(\.change.after.isTime) ? "slower" : "higher"
      return "\(values(compared.count, "is", "are")) no \(verb) \(than), as far as they vary."
    }
    let word = higher.allSatisfy { $0.1.newest?.change.after.isTime == true } ? "slower" : "higher"
    return
      "\(higher.count) of \(values(compared.count, "is", "are", by: higher.count)) \(word) \(than) by more than they vary."
  }

  private static func values(_ count: Int, _ one: String, _ many: String, by verb: Int? = nil) -> String {
    "\(count) measured \(count == 1 ? "value" : "values") \((verb ?? count) == 1 ? one : many)"
  }
}

/// What FIRST has no letter for.
extension PracticeEvidence {
  /// Only where a pattern is set.
  var names: PracticeHint? {
    guard !settings.names.isEmpty else { return nil }
    guard let pattern = try? Regex(settings.names) else {
      return PracticeHint(.names, .unknown, "'\(settings.names)' is no regular expression.")
    }
    let off = tests.results.filter { test in
      let name = String(test.id.name.prefix { $0 != "(" })
      // A pattern that cannot be tried on a name says nothing against it.
      do { return try !name.contains(pattern: pattern) } catch { return false }
    }
    guard !off.isEmpty else {
      return PracticeHint(.names, .good, "Every name is as the bot's pattern says: \(settings.names)")
    }
    return PracticeHint(
      .names, .attention,
      "\(Self.tests(off.count)) \(off.count == 1 ? "has a name" : "have names") off the bot's pattern: \(settings.names)",
      entries: off.prefix(PracticeCard.mostEntries).map { PracticeHint.Entry(test: $0.id, location: $0.location) })
  }

  /// Only where some are left.
  var templates: PracticeHint? {
    guard let left = tests.assertions?.templates, !left.isEmpty else { return nil }
    return PracticeHint(
      .templates, .attention,
      left.count == 1
        ? "1 test is still what a template made, with nothing in it."
        : "\(left.count) tests are still what a template made, with nothing in them.",
      entries: left.prefix(PracticeCard.mostEntries).map { id in
        PracticeHint.Entry(test: id, location: tests.results.first { $0.id == id }?.location)
      })
  }

  /// Only where they disagree.
  var totals: PracticeHint? {
    let differing = tests.printedTotals.compactMap { total -> String? in
      let seen = tests.results.count { $0.library == total.library && $0.state != .notRun }
      return seen == total.tests
        ? nil : "\(total.library.rawValue) printed that it ran \(Self.tests(total.tests)), and \(seen) were seen"
    }
    guard !differing.isEmpty else { return nil }
    return PracticeHint(.totals, .attention, "\(differing.joined(separator: "; ")).")
  }
}

extension String {
  fileprivate func contains(pattern: Regex<AnyRegexOutput>) throws -> Bool {
    if case .some = try pattern.firstMatch(in: self) { true } else { false }
  }
}

extension PracticeEvidence {
  /// Only where the integration has a baseline to be told from.
  var beat: PracticeHint? {
    guard let rhythm, let baseline else { return nil }
    let several = commitCount > 1 ? " It covers \(commitCount) commits, between which more may have happened." : ""
    switch rhythm {
    case .redFirst:
      return PracticeHint(.rhythm, .good, "A new test is red, and nothing that was green broke: the test came first.")
    case .madePass: return PracticeHint(.rhythm, .good, "What was red in \(baseline) is green.\(several)")
    case .refactored:
      return PracticeHint(.rhythm, .good, "Files changed since \(baseline), and the same tests are green.\(several)")
    case .sabotage:
      return PracticeHint(
        .rhythm, .good, "The files are those of before \(baseline), which was red: the tests can fail.")
    case .bornGreen:
      let born = tests.results.filter { added.contains($0.id) && $0.state == .passed }
      return PracticeHint(
        .rhythm, .unknown,
        "\(Self.tests(born.count)) \(born.count == 1 ? "is" : "are") new and green: no integration saw \(born.count == 1 ? "it" : "them") red.\(several)",
        entries: born.prefix(PracticeCard.mostEntries).map { PracticeHint.Entry(test: $0.id, location: $0.location) })
    case .broke: return PracticeHint(.rhythm, .attention, "What was green in \(baseline) is not any more.\(several)")
    case .stillRed:
      return PracticeHint(
        .rhythm, .attention,
        redStreak > 1 ? "\(redStreak) integrations in a row are red." : "It was red in \(baseline), and still is.")
    }
  }
}

extension PracticeEvidence {
  /// Test sources of which nothing ran, although all tests did: such as a file whose tests a list by hand leaves out.
  ///
  /// A file with a listed test, which may be skipped or disabled, is none.
  var sources: PracticeHint? {
    guard let testSources else { return nil }
    let known = Set(tests.results.compactMap { $0.location?.file })
    let dead = testSources.filter { file in
      file.totals.lines.total > 0 && file.totals.lines.covered == 0 && !known.contains(file.path)
    }
    guard !dead.isEmpty else { return nil }
    let lines = dead.reduce(0) { $0 + $1.totals.lines.total }
    let what =
      dead.count == 1
      ? "Of 1 test source no line ran (\(lines) in all): none of its tests is in the list of tests."
      : "Of \(dead.count) test sources no line ran (\(lines) in all): none of their tests is in the list of tests."
    return PracticeHint(
      .sources, .attention, what,
      entries: dead.prefix(PracticeCard.mostEntries).map { file in
        PracticeHint.Entry(
          location: SourceLocation(file: file.path, line: file.lines.first?.line ?? 1),
          words: file.totals.lines.total == 1 ? "its only line" : "\(file.totals.lines.total) lines")
      })
  }
}
