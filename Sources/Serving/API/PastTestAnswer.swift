import FoundationEssentials
import Model
import Rendering
import Storing

/// How a test ended in one integration.
struct PastTestAnswer: Encodable {
  var integration: Int
  var commit: String
  var branch: String?
  var toolchain: String
  var state: TestState
  var milliseconds: Int
  var isFlaky: Bool

  init(_ test: PastTest) {
    (integration, commit, branch, toolchain) = (test.number, test.commit.rawValue, test.branch, test.toolchain)
    (state, milliseconds, isFlaky) = (
      test.verdict.state, Int(test.verdict.duration.rounded()), test.verdict.isFlaky
    )
  }

  static let schema = AnswerSchema.object([
    .init("integration", .integer), .init("commit", .text), .maybe("branch", .text), .init("toolchain", .text),
    .init("state", .named("TestState")), .init("milliseconds", .integer), .init("isFlaky", .flag),
  ])
}

/// The figures of one integration that trends are drawn of.
struct FiguresAnswer: Encodable {
  var number: Int
  var endedAt: Date
  var outcome: Outcome
  var duration: Double
  var listed: Int?
  var red: Int?
  var lines: Int?
  var uncovered: Int?
  var warnings: Int?
  var openIssues: Int

  init(_ line: HistoryLine) {
    (number, endedAt, outcome, duration) = (line.number, line.endedAt, line.outcome, line.duration)
    (listed, red) = (line.knownTests?.listed, line.knownTests?.red)
    (lines, uncovered) = (line.lines?.total, line.lines?.uncovered)
    (warnings, openIssues) = (line.knownWarnings, line.openIssues)
  }

  static let schema = AnswerSchema.object([
    .init("number", .integer), .init("endedAt", .date), .init("outcome", .named("Outcome")),
    .init("duration", .number, "Seconds"),
    .maybe("listed", .integer, "Absent where no tests were counted, as is 'red'"), .maybe("red", .integer),
    .maybe("lines", .integer, "Absent without coverage, as is 'uncovered'"), .maybe("uncovered", .integer),
    .maybe("warnings", .integer, "Absent where not everything was compiled"), .init("openIssues", .integer),
  ])
}

/// What runs and what waits.
struct QueueAnswer: Encodable {
  /// Whether a watcher runs now.
  var isWatching: Bool
  /// When the rest was true; absent where no watcher ever ran.
  var asOf: Date?
  var jobs: Int?
  var running: [Entry]
  var waiting: [Entry]
  /// How many wait, of which `waiting` has only the first of each bot.
  var waitingCount: Int

  /// An integration that runs or waits.
  struct Entry: Encodable {
    var bot: String
    var number: Int?
    var branch: String?
    var commit: String
    var cause: Cause
    var commitCount: Int
    var since: Date
    var step: Step?
    var waitsFor: String?
    /// How far its tests are; nil unless it tests.
    var tests: RunningTests?
    /// What it does now, as pages say it; nil while it waits.
    var words: String?
    /// Where what the step prints is; nil while it waits.
    var log: String?

    init(_ entry: WatchState.Entry, tests: RunningTests?) {
      (bot, number, branch, commit) = (entry.bot, entry.number, entry.branch, entry.commit.rawValue)
      (cause, commitCount, since) = (entry.cause, entry.commitCount, entry.since)
      (step, waitsFor, self.tests) = (entry.step, entry.waitsFor, tests)
      guard let number, let step else { return }
      words = StepWords.sentence(step, tests)
      log = "/log/\(SiteAddress.encoded(bot))/\(number)/\(step.rawValue)"
    }

    static let schema = AnswerSchema.object([
      .init("bot", .text), .maybe("number", .integer, "Absent while it waits"), .maybe("branch", .text),
      .init("commit", .text), .init("cause", .text), .init("commitCount", .integer),
      .init("since", .date, "When it was queued, or started"), .maybe("step", .text, "What it does now"),
      .maybe("waitsFor", .text, "Why it waits"),
      .maybe(
        "tests",
        .object([
          .init("ended", .integer, "How many have ended"), .init("red", .integer, "How many of them are red"),
          .maybe("running", .text, "The one that began last of those that run"),
        ]), "How far its tests are, while it tests"),
      .maybe("words", .text, "What it does now, as pages say it"),
      .maybe("log", .text, "Where what the step prints is"),
    ])
  }

  /// - Parameter isWatching: of a watcher that was killed nothing runs any more, whatever it said last.
  init(_ state: WatchState?, _ progress: WatchProgress?, isWatching: Bool) {
    self.isWatching = isWatching
    asOf = state?.asOf
    jobs = state?.jobs
    running = isWatching ? state?.running.map { Entry($0, tests: progress?.tests(of: $0)) } ?? [] : []
    waiting = state?.waiting.map { Entry($0, tests: nil) } ?? []
    waitingCount = state?.waitingCount ?? 0
  }

  static let schema = AnswerSchema.object([
    .init("isWatching", .flag, "Whether a watcher runs now"),
    .maybe("asOf", .date, "When the watcher said the rest; absent where none ever ran"),
    .maybe("jobs", .integer, "How many integrations may run at once"),
    .init("running", .list(.named("QueueEntry")), "Nothing where no watcher runs"),
    .init("waiting", .list(.named("QueueEntry")), "In the order in which they start, at most 200 of each bot"),
    .init("waitingCount", .integer, "How many wait in all"),
  ])
}

/// A file that is kept of an integration.
struct FileAnswer: Encodable {
  var path: String
  var bytes: Int

  static let schema = AnswerSchema.object([
    .init("path", .text, "What 'path' of the endpoint for one file takes"), .init("bytes", .integer),
  ])
}
