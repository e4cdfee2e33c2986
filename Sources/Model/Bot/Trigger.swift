/// Something a bot does before or after an integration.
package enum Trigger: Hashable, Sendable, Codable {
  case script(Script)
  case mail(Mail)
  case webhook(Webhook)

  /// The integrations after which a trigger runs; several are joined by "or".
  package enum Condition: String, CaseIterable, Sendable, Codable {
    case success, failure, warnings
    case analyzerWarnings = "analyzer-warnings"
    case testFailures = "test-failures"
    case buildErrors = "build-errors"
    case allResolved = "all-resolved"
    case always
  }

  /// Whether the trigger is due by the clock rather than after an integration.
  package var isPeriodic: Bool {
    if case .mail(let mail) = self { mail.report == .daily || mail.report == .weekly } else { false }
  }

  /// Whether the trigger runs a script.
  package var isScript: Bool {
    if case .script = self { true } else { false }
  }

  package struct Script: Hashable, Sendable, Codable {
    package enum Moment: String, Sendable, Codable {
      case before, after
    }

    package enum Source: Hashable, Sendable, Codable {
      /// A file of the package, by its path within the package.
      case packageFile(String)
      /// A file next to the bot file, by its absolute path.
      case botFile(String)
      /// The script itself, with or without an interpreter line.
      case inline(String)
    }

    package var moment: Moment
    package var source: Source
    /// Empty for always; meaningless before an integration.
    package var when: [Condition]
    package var timeout: Duration
    /// Absolute paths of folders on this machine that the script can write to, in addition to what the sandbox lets
    /// every script write.
    package var write: [String]
    /// Whether the script can reach the machine's network.
    package var network: Bool

    package init(
      moment: Moment, source: Source, when: [Condition] = [], timeout: Duration = .seconds(600), write: [String] = [],
      network: Bool = true
    ) {
      self.moment = moment
      self.source = source
      self.when = when
      self.timeout = timeout
      self.write = write
      self.network = network
    }
  }

  package struct Mail: Hashable, Sendable, Codable {
    package enum Report: String, CaseIterable, Sendable, Codable {
      case newIssues = "new-issues"
      case integration, daily, weekly
      case allResolved = "all-resolved"
    }

    package var to: [String]
    /// Whether the people who probably caused a new issue are informed as well.
    package var suspects: Bool
    package var report: Report
    /// The domains that mail may go to; empty for any.
    package var allowedDomains: [String]
    /// When a daily or weekly mail is sent, in the bot's time zone; nil for the default time.
    package var at: Schedule.TimeOfDay?

    package init(
      to: [String], suspects: Bool = false, report: Report = .newIssues, allowedDomains: [String] = [],
      at: Schedule.TimeOfDay? = nil
    ) {
      self.to = to
      self.suspects = suspects
      self.report = report
      self.allowedDomains = allowedDomains
      self.at = at
    }
  }

  package struct Webhook: Hashable, Sendable, Codable {
    package var url: String
    /// The name of the secret that signs the body.
    package var secret: String?
    /// The template of the body; nil for the summary document itself.
    package var template: String?
    package var when: [Condition]
    /// The absolute path of a PEM file with the certificates used to verify the receiver, instead of the machine's; nil
    /// for the machine's.
    package var authorities: String?

    package init(
      url: String, secret: String? = nil, template: String? = nil, when: [Condition] = [], authorities: String? = nil
    ) {
      self.url = url
      self.secret = secret
      self.template = template
      self.when = when
      self.authorities = authorities
    }
  }
}
