package import FoundationEssentials

/// What changed in a bot's integrations over a period.
package struct PeriodDigest: Hashable, Sendable {
  /// An issue that came or went.
  package struct Finding: Hashable, Sendable {
    package var kind: Issue.Kind
    /// The test's name, or the place.
    package var title: String
    /// The integration in which it came or went.
    package var number: Int
    /// Where that integration was; nil for a tag.
    package var branch: String?
    /// For one that came and went: the integration in which it went.
    package var gone: Int?

    package init(kind: Issue.Kind, title: String, number: Int, branch: String?, gone: Int? = nil) {
      self.kind = kind
      self.title = title
      self.number = number
      self.branch = branch
      self.gone = gone
    }
  }

  /// A test with what makes it worth a line: seconds, or how many integrations prove it flaky.
  package struct NotedTest: Hashable, Sendable {
    package var id: TestID
    package var value: Double

    package init(id: TestID, value: Double) {
      self.id = id
      self.value = value
    }
  }

  package var bot: String
  /// `daily` or `weekly`.
  package var report: Trigger.Mail.Report
  package var start: Date
  package var end: Date
  /// The branch that coverage and tests are told of: the one that decides how the bot stands.
  package var branch: String?
  package var integrations = 0
  package var green = 0
  package var red = 0
  package var canceled = 0
  package var commits = 0
  /// The newest integration of the branch, of the period or before, and how it ended.
  package var newest: Int?
  package var outcome: Outcome?
  /// Whether nothing but gates made it red.
  package var isFailedGate = false
  /// The branches that are red beside it.
  package var redBeside: [RedBranch] = []
  /// Still open at the end, oldest first.
  package var opened: [Finding] = []
  package var closed: [Finding] = []
  /// Those that came and went within the period.
  package var passing: [Finding] = []
  package var open = 0
  package var linesBefore: LineTally?
  package var lines: LineTally?
  /// The integrations that the lines and the tests at the end of the period are of; the newest may have had none.
  package var linesNumber: Int?
  package var testsNumber: Int?
  /// Whether no counters are missing from `lines`.
  package var linesAreComplete = true
  /// Why nobody knows which lines ran, as sentences; nil where it is known.
  package var noCoverage: String?
  package var testsAdded: [TestID] = []
  package var testsRemoved: [TestID] = []
  package var tests = 0
  /// The slowest first, in seconds.
  package var slowest: [NotedTest] = []
  /// Those that most integrations prove flaky first, with how many do.
  package var flakiest: [NotedTest] = []

  package init(bot: String, report: Trigger.Mail.Report, start: Date, end: Date) {
    self.bot = bot
    self.report = report
    self.start = start
    self.end = end
  }
}
