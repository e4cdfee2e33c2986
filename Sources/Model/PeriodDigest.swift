package import FoundationEssentials

/// What changed in a bot's integrations over a period.
package struct PeriodDigest: Hashable, Sendable {
  /// An issue that appeared or went away.
  package struct Finding: Hashable, Sendable {
    package var kind: Issue.Kind
    /// The name of the test, or the location.
    package var title: String
    /// The integration in which the issue appeared or went away.
    package var number: Int
    /// The branch of that integration; nil for a tag.
    package var branch: String?
    /// The integration in which an issue that appeared within the period went away.
    package var gone: Int?

    package init(kind: Issue.Kind, title: String, number: Int, branch: String?, gone: Int? = nil) {
      self.kind = kind
      self.title = title
      self.number = number
      self.branch = branch
      self.gone = gone
    }
  }

  /// A test and the value that makes it worth mentioning: seconds, or the number of integrations that prove it flaky.
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
  /// The branch that coverage and tests are reported for: the one that decides the state of the bot.
  package var branch: String?
  package var integrations = 0
  package var green = 0
  package var red = 0
  package var canceled = 0
  package var commits = 0
  /// The newest integration of the branch, within or before the period, and its outcome.
  package var newest: Int?
  package var outcome: Outcome?
  /// Whether only gates made that integration red.
  package var isFailedGate = false
  /// The other branches that are red.
  package var redBeside: [RedBranch] = []
  /// The issues that appeared and are still open at the end, oldest first.
  package var opened: [Finding] = []
  package var closed: [Finding] = []
  /// The issues that appeared and went away within the period.
  package var passing: [Finding] = []
  package var open = 0
  package var linesBefore: LineTally?
  package var lines: LineTally?
  /// The integrations that the lines and tests at the end of the period come from; the newest may have had none.
  package var linesNumber: Int?
  package var testsNumber: Int?
  /// Whether `lines` is based on all counters.
  package var linesAreComplete = true
  /// Why it is unknown which lines ran, as sentences; nil if it is known.
  package var noCoverage: String?
  package var testsAdded: [TestID] = []
  package var testsRemoved: [TestID] = []
  package var tests = 0
  /// The slowest tests first, in seconds.
  package var slowest: [NotedTest] = []
  /// The tests that most integrations prove flaky first, with the number of those integrations.
  package var flakiest: [NotedTest] = []

  package init(bot: String, report: Trigger.Mail.Report, start: Date, end: Date) {
    self.bot = bot
    self.report = report
    self.start = start
    self.end = end
  }
}
