import Model

/// The facts about an integration for a bot's scripts: one table, from which the variables and their explanation are
/// made.
///
/// The second name of a variable is that of Xcode Server, so that old scripts keep working: see
/// EnvironmentVariableReference.html in
/// https://developer.apple.com/library/archive/documentation/IDEs/Conceptual/xcode_guide-continuous_integration/
package enum TriggerEnvironment {
  /// The folders that scripts are told about.
  struct Places: Hashable {
    /// The checked-out tree, and the package in it.
    var source: String
    var package: String
    /// The folder of the integration's kept files.
    var kept: String
    /// SwiftPM's scratch folder.
    var scratch: String
    /// The folder of what the build made.
    var products: String
    /// The build's log; nil if the build was not reached.
    var buildLog: String?
  }

  /// The facts from which the values are made.
  struct Facts {
    var integration: Integration
    var places: Places
    /// Whether the integration has been judged.
    var isOver: Bool
  }

  struct Variable {
    /// The name without the prefix `MARTLET_`.
    var name: String
    /// The name in Xcode Server without the prefix `XCS_`; nil if it has no counterpart.
    var other: String?
    /// The meaning, as a phrase.
    var meaning: String
    /// Returns the value; nil if there is nothing to tell, so that the variable is not set.
    var value: @Sendable (Facts) -> String?

    init(
      _ name: String, _ other: String?, _ meaning: String, _ value: @escaping @Sendable (Facts) -> String?
    ) {
      self.name = name
      self.other = other
      self.meaning = meaning
      self.value = value
    }
  }

  /// Returns the variables of a script, under both names.
  static func variables(_ facts: Facts) -> [String: String] {
    var variables = ["MARTLET": "1", "XCS": "1"]
    for variable in table {
      // A value with a zero byte cannot be passed on.
      guard let value = variable.value(facts), !value.utf8.contains(0) else { continue }
      variables["MARTLET_\(variable.name)"] = value
      if let other = variable.other { variables["XCS_\(other)"] = value }
    }
    return variables
  }

  /// The text that `martlet help triggers` prints.
  package static var explanation: String {
    let width = table.map(\.name.count).max() ?? 0
    let rows = table.map { variable in
      let gap = String(repeating: " ", count: width + 2 - variable.name.count)
      return "  MARTLET_\(variable.name)\(gap)\(variable.meaning)"
    }
    let renamed = table.filter { $0.other != nil && $0.other != $0.name }
      .map { "  XCS_\($0.other ?? "") is MARTLET_\($0.name)" }
    let names = table.filter { $0.other == nil }.map { "MARTLET_\($0.name)" }
    let own = stride(from: 0, to: names.count, by: 4).map { start in
      names[start..<min(start + 4, names.count)].joined(separator: ", ")
    }.joined(separator: ",\n    ")
    return """
      === When they run ===

      Before-triggers run after the checkout, in the order of the bot's file. If one fails, the outcome is
      trigger-error.

      After-triggers run when the outcome is known, before the report is written. One that fails is an issue, and makes
      the outcome at least warnings. A canceled integration runs none. With 'when', an after-trigger runs only if one of
      these holds:

        success       the outcome is succeeded, warnings or analyzer-warnings
        failure       the outcome is any other
        all-resolved  the last open build or test issue was resolved
        always        always, as without 'when'

      The names warnings, analyzer-warnings, test-failures and build-errors stand for the outcomes.

      === Scripts ===

      Scripts start in the package's folder, with the interpreter of their first line (#!) or /bin/sh. They run in the
      bot's sandbox, with the network and a temporary home. They can write the checked-out files, and read the
      integration's files. Secrets are variables of the same name. A script fails unless it ends with exit status 0 in
      time. Without a checkout, no script of the package runs.

      To deploy, give an after-trigger the folders that it may write: {after: {beside: deploy.sh}, when: [success],
      write: [/srv/greeter]}. Builds and tests cannot write there. 'network: false' takes the network away. For scripts
      of the package, 'write' holds on 'secret-branches' only, as secrets do.

      If nothing was built or tested, after-triggers see a fresh checkout with the changes of before-triggers; an
      archive is built from it, too. Files written by the build and the tests are not there.

      Git LFS files are checked out as pointers, and the integration says so; a before-trigger can fetch the files. What
      git ignores stays from one integration to the next, except sources in the folders of targets, because SwiftPM
      would compile them: a before-trigger makes those each time.

      \(messages)

      === Variables ===

      MARTLET is 1. Other variables are not set if their value is unknown. Of several destinations, the counts of
      compiler warnings and tests are those of the first one:

      \(rows.joined(separator: "\n"))

      === Scripts of Xcode Server ===

      XCS and the XCS_ variables hold the same values under the same names, except:

      \(renamed.joined(separator: "\n"))
        there is no XCS_ name for \(own)
      """
  }
}

extension TriggerEnvironment {
  /// The text about mails and webhooks that `martlet help triggers` prints.
  static let messages = """
    === Mails and webhooks ===

    A mail or webhook is composed at its place among the after-triggers, so it does not tell how later triggers end. It
    is sent when the integration is finished and its report is there.

    A mail has no 'when'. Its 'report' is one of:

      new-issues     when there are new issues, or red tests fail for a new reason (default); findings of a step's
                     first run do not count as new, as they may be older
      integration    after every integration that was not canceled
      all-resolved   when the last open build or test issue was resolved
      daily, weekly  at 08:00 in the bot's time zone, or as in at: "17:30"; weekly on Mondays; only if something
                     was integrated

    Mails go to 'to'. With 'suspects: true', for new-issues and integration, the probable authors of new issues get a
    mail of their own instead: which of their commits, and why.

    martlet.yml says how mail is sent, who is who, and where the site is served:

      mail: {smtp: "smtps://mail.example.org", from: martlet@example.org, user: MAIL_USER, password: MAIL_PASSWORD}
      people: {ada: {mail: ada@example.org, commits-as: [ada@home.example]}}
      aliases: {team: [ada, bob@example.org]}
      address: https://ci.example.org

    The login is in secrets.env beside it. With smtp:// the connection is encrypted if the server supports it, and
    always with a login. 'ca' is a file of certificates for servers that the machine does not trust; webhooks take it,
    too.

    Each mail is also kept as mail/*.eml beside the integration, a suspect's as mail/*-to-ADDRESS.eml, daily and weekly
    ones in the bot's folder 'reports'.

    A webhook is a POST with these headers:

      X-Martlet-Event          integration
      X-Martlet-Signature-256  sha256= and the HMAC-SHA256 of the body in hexadecimal digits, with the secret as its key
      Idempotency-Key          the same whenever the same call is made again

    === Delivery ===

    Messages stay in the home's folder 'outbox' until they are accepted. Each attempt has 30 s. Three are made at once,
    then one after 1, 2, 4 minutes and so on, up to an hour apart, for three days. Permanent refusals (SMTP 5xx except
    logins, a mail program's exit statuses 64, 65 and 67, HTTP 3xx and 4xx except 408, 425 and 429) are not retried.

    A message that is refused or given up on becomes an issue of the integration. If the integration had already ended,
    'issues', 'show' and the lists show that issue; the report itself does not change. For daily and weekly mails, see
    the watcher's log.

    If Martlet is killed while it sends, a message may be sent twice, with the same Message-ID or Idempotency-Key. If it
    is killed before the integration is finished, nothing was sent: the commit is integrated again under a new number,
    and its scripts run again.
    """
}

extension TriggerEnvironment {
  /// Every variable except the one that only says that Martlet is running.
  static let table = identity + places + results

  private static let identity = [
    Variable("BOT_NAME", "BOT_NAME", "the bot") { $0.integration.bot },
    Variable("BOT_ID", "BOT_ID", "the same as MARTLET_BOT_NAME") { $0.integration.bot },
    Variable("BOT_TINY_ID", "BOT_TINY_ID", "7 digits and letters that stand for the bot") { tiny($0.integration.bot) },
    Variable("INTEGRATION_NUMBER", "INTEGRATION_NUMBER", "the number of the integration") {
      "\($0.integration.number)"
    },
    Variable("INTEGRATION_ID", "INTEGRATION_ID", "BOT/NUMBER, as martlet's commands take it") { id($0.integration) },
    Variable("INTEGRATION_TINY_ID", "INTEGRATION_TINY_ID", "7 digits and letters that stand for the integration") {
      tiny(id($0.integration))
    },
    Variable("INTEGRATION_RESULT", "INTEGRATION_RESULT", "the outcome; 'unknown' before the integration") {
      $0.isOver ? $0.integration.outcome.rawValue : "unknown"
    },
    Variable("CAUSE", nil, "commit, schedule, person, toolchain or rerun") { $0.integration.cause.rawValue },
    Variable("TOOLCHAIN", nil, "the version line of the toolchain") { $0.integration.toolchain },
    Variable("COMMIT", "PRIMARY_REPO_REVISION", "the commit's full name") { $0.integration.commit.id.rawValue },
    Variable("BRANCH", "PRIMARY_REPO_BRANCH", "the branch; not set for a tag") { $0.integration.branch },
    Variable("TAG", "PRIMARY_REPO_TAG", "the tag; not set for a branch") { $0.integration.tag },
    Variable("REPOSITORY", nil, "the watched repository; the sandbox may hide it") { $0.integration.repository },
  ]

  private static let places = [
    Variable("CHECKOUT_DIR", "PRIMARY_REPO_DIR", "the checked-out tree") { $0.places.source },
    Variable("SOURCE_DIR", "SOURCE_DIR", "the folder of the package in it") { $0.places.package },
    Variable("OUTPUT_DIR", "OUTPUT_DIR", "what is kept of the integration: log/, coverage/, archive/") {
      $0.places.kept
    },
    Variable("SCRATCH_DIR", "DERIVED_DATA_DIR", "SwiftPM's scratch folder") { $0.places.scratch },
    Variable("BUILD_LOG", "XCODEBUILD_LOG", "the log of the build") { $0.isOver ? $0.places.buildLog : nil },
    Variable("PRODUCTS_DIR", nil, "what the build made") { $0.isOver ? $0.places.products : nil },
    Variable("ARCHIVE", "ARCHIVE", "the folder of the kept products, when the bot archives") {
      $0.isOver && !$0.integration.archive.isEmpty ? "\($0.places.kept)/archive" : nil
    },
    Variable("PRODUCT", "PRODUCT", "the first executable among them, or else the first of all") { facts in
      let products = facts.integration.archive.filter { !$0.path.contains("/") }
      let first = products.first { $0.kind == .executable } ?? products.first
      return facts.isOver ? first.map { "\(facts.places.kept)/archive/\($0.path)" } : nil
    },
    products("EXECUTABLES", "the executables among them, one path per line", .executable),
    products("DYNAMIC_LIBRARIES", "the dynamic libraries (.so), likewise", .dynamicLibrary),
    products("STATIC_LIBRARIES", "the static libraries (.a), likewise", .staticLibrary),
    products("RESOURCES", "the folders of resources, likewise", .resource),
  ]

  /// Returns a variable with the kept products of a kind; for resources, the folders that belong beside their users.
  private static func products(_ name: String, _ meaning: String, _ kind: ArchivedFile.Kind) -> Variable {
    Variable(name, nil, meaning) { facts in
      let names = facts.integration.archive.filter { $0.kind == kind }.compactMap {
        $0.path.split(separator: "/").first
      }
      let once = Set(names).sorted().map { "\(facts.places.kept)/archive/\($0)" }
      return facts.isOver && !once.isEmpty ? once.joined(separator: "\n") : nil
    }
  }

  private static let results =
    count("ERROR", "build errors", of: [.error, .linkerError])
    + count("WARNING", "compiler warnings", { $0.warningCount }, { $0.deltas?.warnings })
    + count("ANALYZER_WARNING", "analyzer warnings", of: [.analyzerWarning])
    + count("TESTS", "listed tests", { $0.tests.counts.listed }, { $0.deltas?.tests?.listed })
    + count(
      "TEST_FAILURE", "tests that failed, crashed or timed out", { $0.tests.counts.red }, { $0.deltas?.tests?.red })

  /// Returns the variables for a count and its change; before the integration, neither is set.
  private static func count(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Integration) -> Int,
    _ change: @escaping @Sendable (Integration) -> Int?
  ) -> [Variable] {
    [
      Variable("\(name)_COUNT", "\(name)_COUNT", "the number of \(meaning)") {
        $0.isOver ? "\(value($0.integration))" : nil
      },
      Variable("\(name)_CHANGE", "\(name)_CHANGE", "the change from the baseline") {
        $0.isOver ? change($0.integration).map { "\($0)" } : nil
      },
    ]
  }

  private static func count(_ name: String, _ meaning: String, of kinds: Set<Issue.Kind>) -> [Variable] {
    let value = { @Sendable (integration: Integration) in integration.findings.count { kinds.contains($0.kind) } }
    return count(name, meaning, value) { integration in
      integration.baseline.map { baseline in
        value(integration) - baseline.issues.count { kinds.contains($0.kind) && !$0.isCarriedOver }
      }
    }
  }

  private static func id(_ integration: Integration) -> String { "\(integration.bot)/\(integration.number)" }

  private static func tiny(_ text: String) -> String { String(FileSystemName.fingerprint64(text).prefix(7)) }
}
