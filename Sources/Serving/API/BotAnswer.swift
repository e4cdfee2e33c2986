import FoundationEssentials
import Model

struct BotAnswer: Encodable {
  var name: String
  /// Absent where no watcher knows the bot.
  var repository: String?
  var isWatched: Bool
  /// Absent where no watcher knows the bot.
  var source: CommitSource?
  var problems: [String]
  /// The highest number that one of its integrations has had.
  var lastNumber: Int
  /// The branch that decides how the bot stands.
  var main: BranchAnswer
  /// The other branches that are red.
  var alsoRed: [String]
  /// The newest integrated tag, if it is red.
  var redTag: String?

  init(_ overview: BotOverview) {
    name = overview.name
    repository = overview.bot?.repository
    isWatched = overview.bot != nil
    source = overview.bot?.source
    problems = overview.bot?.allProblems ?? []
    lastNumber = overview.highestNumber
    main = BranchAnswer(overview.states.main, isDefault: true)
    alsoRed = overview.states.redBranches.map(\.name)
    redTag = overview.states.redTag?.name
  }

  static let schema = AnswerSchema.object([
    .init("name", .text), .maybe("repository", .text, "Where it is; absent where no watcher knows the bot"),
    .init("isWatched", .flag, "Whether the watcher of this home knows the bot"),
    .maybe(
      "source", .choice(CommitSource.allCases.map(\.rawValue)),
      "How its commits are seen; absent where no watcher knows the bot"),
    .init("problems", .list(.text), "What is wrong with its file or its repository"),
    .init("lastNumber", .integer, "The highest number that one of its integrations has had, 0 for none"),
    .init("main", .named("Branch")), .init("alsoRed", .list(.text), "The other branches that are red"),
    .maybe("redTag", .text, "The newest tag that was integrated, if it is red"),
  ])
}

/// How one branch of a bot stands.
struct BranchAnswer: Encodable {
  var name: String?
  var isDefault: Bool
  var outcome: Outcome?
  var integration: Int?
  var commit: String?
  var reasons: [String]?
  var endedAt: Date?
  var isRed: Bool
  var sinceIntegration: Int?
  var since: Date?

  init(_ state: BranchState<HistoryLine>, isDefault: Bool) {
    let told = state.told
    name = state.branch
    self.isDefault = isDefault
    outcome = told?.outcome
    integration = told?.number
    commit = told?.commit.rawValue
    reasons = told?.reasons
    endedAt = told?.endedAt
    isRed = state.isRed
    sinceIntegration = state.since?.number
    since = state.since?.endedAt
  }

  static let schema = AnswerSchema.object([
    .maybe("name", .text, "Absent where the bot integrates no branch"),
    .init("isDefault", .flag, "Whether it decides how the bot stands"),
    .maybe("outcome", .named("Outcome")),
    .maybe("integration", .integer, "The newest one with a result, or a newer one in which Martlet came to none"),
    .maybe("commit", .text), .maybe("reasons", .list(.text)), .maybe("endedAt", .date),
    .init("isRed", .flag, "Whether the newest result is a red one"),
    .maybe("sinceIntegration", .integer, "The first integration of the row of equal results"), .maybe("since", .date),
  ])
}

/// A finished integration as lists have it.
struct LineAnswer: Encodable {
  var bot: String
  var number: Int
  var branch: String?
  var tag: String?
  var commit: String
  var subject: String
  var author: String
  var commitCount: Int
  var cause: Cause
  var outcome: Outcome
  var reasons: [String]
  var startedAt: Date
  var endedAt: Date
  var duration: Double
  var toolchain: String
  var tests: CountsAnswer?
  var lines: LineTally?
  var warnings: Int?
  var openIssues: Int
  var newIssues: Int
  var baseline: Int?

  init(_ line: HistoryLine, of bot: String) {
    self.bot = bot
    number = line.number
    (branch, tag, commit) = (line.branch, line.tag, line.commit.rawValue)
    (subject, author, commitCount) = (line.subject, line.author, line.commitCount)
    (cause, outcome, reasons) = (line.cause, line.outcome, line.reasons)
    (startedAt, endedAt, duration) = (line.startedAt, line.endedAt, line.duration)
    toolchain = line.toolchain
    tests = line.knownTests.map { CountsAnswer($0) }
    lines = line.lines
    (warnings, openIssues, newIssues, baseline) = (line.knownWarnings, line.openIssues, line.newIssues, line.baseline)
  }

  static let schema = AnswerSchema.object([
    .init("bot", .text), .init("number", .integer), .maybe("branch", .text), .maybe("tag", .text),
    .init("commit", .text), .init("subject", .text, "The first line of the commit's message"), .init("author", .text),
    .init("commitCount", .integer, "How many commits the integration covers"), .init("cause", .text),
    .init("outcome", .named("Outcome")), .init("reasons", .list(.text)), .init("startedAt", .date),
    .init("endedAt", .date), .init("duration", .number, "Seconds"), .init("toolchain", .text),
    .maybe("tests", .named("TestCounts"), "Absent where none were counted"),
    .maybe("lines", .named("LineCounts"), "Absent without coverage"),
    .maybe("warnings", .integer, "Absent where not everything was compiled"), .init("openIssues", .integer),
    .init("newIssues", .integer),
    .maybe("baseline", .integer, "The number of the integration that it is compared with"),
  ])
}

/// How many tests ended how; `listed` is the sum of the states.
struct CountsAnswer: Encodable {
  var listed: Int, passed: Int, failed: Int, expectedFailures: Int, skipped: Int, crashed: Int
  var timedOut: Int, canceled: Int, notRun: Int, filteredOut: Int, flaky: Int

  init(_ counts: TestCounts) {
    (listed, passed, failed, expectedFailures) = (counts.listed, counts.passed, counts.failed, counts.expectedFailures)
    (skipped, crashed, timedOut) = (counts.skipped, counts.crashed, counts.timedOut)
    (canceled, notRun, filteredOut, flaky) = (counts.canceled, counts.notRun, counts.filteredOut, counts.flaky)
  }

  static let names = [
    "listed", "passed", "failed", "expectedFailures", "skipped", "crashed", "timedOut", "canceled", "notRun",
    "filteredOut", "flaky",
  ]
  static let schema = AnswerSchema.object(names.map { .init($0, .integer) })
}

/// A list of which there may be more.
struct ListAnswer<Element: Encodable>: Encodable {
  /// What the list is called.
  let key: String
  var elements: [Element]
  /// What the next page is asked for with; nil where nothing is left.
  var next: NextPage?

  enum NextPage: Encodable {
    case text(String)
    case number(Int)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      }
    }
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(elements, forKey: Key(key))
    try container.encodeIfPresent(next, forKey: Key("next"))
  }

  /// - Parameter next: what the next page is asked for with.
  static func schema(_ key: String, of element: AnswerSchema, next: AnswerSchema?) -> AnswerSchema {
    .object([.init(key, .list(element))] + (next.map { [.maybe("next", $0, "Asks for the next page")] } ?? []))
  }
}
