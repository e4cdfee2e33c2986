import Model

/// The beats of a branch's recent integrations, oldest first: a letter for each, with an explanation.
struct RhythmStrip {
  /// The maximum number of integrations.
  static let length = 40

  private static let withFlaky = "with a flaky test"

  private let bot: BotHistory
  private let place: String
  /// Oldest first.
  private let beats: [Beat]

  /// A step of the branch; without a rhythm if it is incomplete, is compared with one that is, or changed no source, and
  /// if only chance changed its colour.
  private struct Beat {
    let entry: HistoryLine
    let rhythm: Rhythm?
    /// What chance has to do with it, in words; nil for nothing.
    let chance: String?

    var letter: String { rhythm?.letter ?? (entry.outcome == .incomplete ? "?" : "·") }

    var words: String { [rhythm?.words ?? entry.lowercasedOutcome, chance].compactMap(\.self).joined(separator: "; ") }

    /// What the letter stands for, which is not the same for all integrations without a rhythm.
    var legend: String { rhythm?.words ?? (entry.outcome == .incomplete ? words : "none of these") }

    var tone: String {
      guard let rhythm else { return "is-\(entry.outcome.style)" }
      return entry.isOnlyFlaky ? "is-warning" : rhythm.tone
    }

    /// Whether a test passed on retry; that is no matter of the letter, so that it has a sign of its own.
    var isFlaky: Bool { entry.hasFlaky }
  }

  /// - Parameters:
  ///   - newestFirst: the integrations of one branch of the bot.
  ///   - place: a suffix that names the branch; empty for a bot with one branch.
  init(_ newestFirst: [HistoryLine], of bot: BotHistory, place: String) {
    self.bot = bot
    self.place = place
    beats = Array(Self.beats(of: newestFirst.reversed(), flaky: bot.flakyTests).suffix(Self.length))
  }

  /// Returns the beats from the first one with a rhythm, omitting repetitions for the same commit, which are compared with
  /// the same baseline without any work in between.
  private static func beats(of oldestFirst: [HistoryLine], flaky tests: [FlakyTest]) -> ArraySlice<Beat> {
    let red = tests.flatMap { $0.history.moments.filter(\.verdict.state.isRed).map(\.number) }
    let flaky = Dictionary(grouping: red) { $0 }.mapValues(\.count)
    // What is red for a flaky test may be so by chance, also before anybody knew.
    let byChance = Set(oldestFirst.filter { $0.isRed(onlyFor: flaky[$0.number] ?? 0) }.map(\.number))
    var told: Set<CommitID> = []
    var newest: CommitID?
    return oldestFirst.compactMap { entry in
      // A branch may return to an old commit; a rerun of one does not count as such.
      let isAgain = newest == entry.commit || entry.cause == .rerun
      if entry.cause != .rerun { newest = entry.commit }
      if entry.rhythm == nil {
        guard entry.outcome.isConclusive || entry.outcome == .incomplete, !isAgain else { return nil }
      } else if !told.insert(entry.commit).inserted, isAgain {
        return nil
      }
      let passesAgain = entry.rhythm?.isOfMending == true && entry.baseline.map(byChance.contains) == true
      let isChance = passesAgain || entry.rhythm?.isOfBreaking == true && byChance.contains(entry.number)
      let chance: String? =
        if entry.hasFlaky {
          withFlaky
        } else if flaky[entry.number] != nil {
          // It may have failed in every run here.
          "with a red test known to be flaky"
        } else {
          passesAgain ? "after a red test known to be flaky" : nil
        }
      return Beat(entry: entry, rhythm: isChance ? nil : entry.rhythm, chance: chance)
    }.drop { $0.rhythm == nil }
  }

  /// Missing with fewer than three complete beats, which are no rhythm.
  var record: TemplateValue {
    guard beats.count(where: { $0.rhythm != nil }) > 2 else { return .missing }
    let present = Rhythm.allCases.filter { rhythm in beats.contains { $0.rhythm == rhythm } }
    let others = beats.filter { $0.rhythm == nil }.grouped(by: \.letter).map { $0[0] }
    return .record([
      "summary": .shown("\(place.isEmpty ? "" : "\(place.dropFirst()), ")oldest first"),
      "beats": .list(
        beats.map { beat in
          .record([
            "letter": .text(beat.letter), "tone": .text(beat.tone), "link": .optional(bot.link(beat.entry.number)),
            "words": .text("\(beat.entry.number): \(beat.words)"), "isFlaky": .flag(beat.isFlaky),
          ])
        }),
      "legend": .list(
        (present.map { ($0.letter, $0.words) } + others.map { ($0.letter, $0.legend) }).map {
          .record(["letter": .text($0.0), "words": .text($0.1)])
        }),
      "flaky": .optional(beats.contains(where: \.isFlaky) ? Self.withFlaky : nil),
    ])
  }
}

extension HistoryLine {
  /// Whether a test passed on retry.
  fileprivate var hasFlaky: Bool { isOnlyFlaky || tests.flaky > 0 }

  /// Whether it is red for nothing but a number of its tests.
  fileprivate func isRed(onlyFor count: Int) -> Bool {
    outcome == .testFailures && count > 0 && tests.red == count && reasonCodes?.allSatisfy { $0.gate == nil } != false
  }
}

extension Rhythm {
  /// Whether a red test is why it is red, and its baseline is not.
  fileprivate var isOfBreaking: Bool { self == .redFirst || self == .broke }

  /// Whether a red test of its baseline is why that is red, and it is not.
  fileprivate var isOfMending: Bool { self == .madePass || self == .sabotage }

  fileprivate var letter: String {
    switch self {
    case .redFirst: "T"
    case .madePass: "P"
    case .redDeleted: "D"
    case .bornGreen: "N"
    case .refactored: "R"
    case .broke: "B"
    case .stillRed: "–"
    case .sabotage: "S"
    }
  }

  fileprivate var words: String {
    switch self {
    case .redFirst: "red test first"
    case .madePass: "made it pass"
    case .redDeleted: "red test deleted"
    case .bornGreen: "new test, green at once"
    case .refactored: "changed, same tests green"
    case .broke: "broke it"
    case .stillRed: "still red"
    case .sabotage: "reverted, so the test can fail"
    }
  }

  fileprivate var tone: String {
    switch self {
    case .redFirst, .broke, .stillRed: "is-failed"
    case .madePass, .refactored, .sabotage: "is-passed"
    case .redDeleted, .bornGreen: "is-warning"
    }
  }
}
