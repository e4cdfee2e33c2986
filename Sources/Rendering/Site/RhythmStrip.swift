import Model

/// The beats of a branch's recent integrations, oldest first: a letter for each, with an explanation.
struct RhythmStrip {
  /// The maximum number of integrations.
  static let length = 40

  private let bot: BotHistory
  private let place: String
  /// Oldest first.
  private let entries: [(entry: HistoryLine, rhythm: Rhythm)]

  /// - Parameters:
  ///   - newestFirst: the integrations of one branch of the bot.
  ///   - place: a suffix that names the branch; empty for a bot with one branch.
  init(_ newestFirst: [HistoryLine], of bot: BotHistory, place: String) {
    self.bot = bot
    self.place = place
    entries = Self.steps(newestFirst.reversed()).suffix(Self.length)
  }

  /// Returns the integrations with a beat, omitting repetitions for the same commit, which are compared with the same
  /// baseline without any work in between.
  private static func steps(_ oldestFirst: [HistoryLine]) -> [(entry: HistoryLine, rhythm: Rhythm)] {
    var told: Set<CommitID> = []
    var newest: CommitID?
    return oldestFirst.compactMap { entry in
      // A branch may return to an old commit; a rerun of one does not count as such.
      let isAgain = newest == entry.commit || entry.cause == .rerun
      if entry.cause != .rerun { newest = entry.commit }
      guard let rhythm = entry.rhythm, !(isAgain && told.contains(entry.commit)) else { return nil }
      told.insert(entry.commit)
      return (entry, rhythm)
    }
  }

  /// Missing with fewer than three beats, which are no rhythm.
  var record: TemplateValue {
    guard entries.count > 2 else { return .missing }
    let present = Rhythm.allCases.filter { rhythm in entries.contains { $0.rhythm == rhythm } }
    return .record([
      "summary": .shown("\(place.isEmpty ? "" : "\(place.dropFirst()), ")oldest first"),
      "beats": .list(
        entries.map { entry, rhythm in
          .record([
            "letter": .text(rhythm.letter), "tone": .text(rhythm.tone), "link": .optional(bot.link(entry.number)),
            "words": .text("\(entry.number): \(rhythm.words)"),
          ])
        }),
      "legend": .list(present.map { .record(["letter": .text($0.letter), "words": .text($0.words)]) }),
    ])
  }
}

extension Rhythm {
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
    case .sabotage: "undone, so the test can fail"
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
