import Model

/// The bot file that shows every field with its default, for help; `BotFileStart` is the one to begin with.
///
/// A line of prose begins with `# `. Any other line that begins with `#` is a setting with its default, and removing
/// the `#` changes nothing. `# Example: ` shows a setting that has no default.
package enum BotFileText {
  /// The keys of a bot file, in the order in which the text shows them.
  package static let keys = ["repository"] + entries.map(\.key)

  private static let entries = remotes + matters + conduct + reach

  /// Returns the text of a bot's file, with the repository as written to it.
  package static func text(repository: String) -> String {
    let bot = Bot(name: "", repository: "")
    let head = """
      # A bot of Martlet: a standing order to integrate the commits of one repository.
      # Lines such as '#notes: false' show the defaults; take the '#' away to change one. A list of one may be written
      # without brackets, such as branches: main.
      # 'martlet check' says whether the file is right.

      # The repository to watch: a local path, bare or not. ~ is your home folder; a relative path begins in the folder
      # of this file. A remote one is named by its address, https://…, ssh://… or git@host:path; Martlet keeps a mirror.
      repository: \(quoted(repository))

      """
    return head + entries.map { "\n" + $0.text(bot) }.joined()
  }

  /// Returns a text as a YAML value: plain where that is safe, otherwise in double quotes.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || 0x30...0x39 ~= $0.value || "/._-~+".unicodeScalars.contains($0))
    }
    let begins = text.first.map { $0 == "/" || $0 == "." || $0.isLetter || text.hasPrefix("~/") } ?? false
    if isPlain, begins, !["null", "true", "false"].contains(text) { return text }
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.properties.generalCategory == .control: "\\x\(hexadecimal(scalar.value))"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return digits.count < 2 ? "0\(digits)" : digits
  }

  /// A field with its explanation.
  struct Entry: Sendable {
    var key: String
    /// The prose, without comment marks.
    var prose: String
    /// The setting without comment marks, in one or more lines; nil if the field has no default.
    var setting: (@Sendable (Bot) -> String)?

    init(_ key: String, _ prose: String, _ setting: (@Sendable (Bot) -> String)? = nil) {
      self.key = key
      self.prose = prose
      self.setting = setting
    }

    func text(_ bot: Bot) -> String {
      prose.split(separator: "\n").map { "# \($0)\n" }.joined()
        + (setting?(bot).split(separator: "\n").map { "#\($0)\n" } ?? []).joined()
    }
  }

  static func list(_ values: [String]) -> String { "[\(values.map(quoted).joined(separator: ", "))]" }
}

extension BotFileText {
  /// The fields about which commits are integrated, and when.
  static let matters = [
    Entry(
      "package", "The folder of the package inside the repository.", { "package: \($0.package)" }),
    Entry(
      "branches",
      """
      Branches to integrate, as globs; without any, the branch that HEAD points to. "refs/pull/*/head" stands for change
      requests of GitHub, Forgejo and Gitea that are opened or pushed to from now on, "refs/merge-requests/*/head" for
      those of GitLab. A commit is integrated on each branch that it comes to, as each has its own history, gates and
      triggers.
      Example: branches: [main, "release/*"]
      Example: branches: [main, "refs/pull/*/head"]
      """, { "branches: \(list($0.branches))" }),
    Entry(
      "trust",
      """
      Which change requests are integrated: 'none'; 'members', the default, those whose commits are on a branch of the
      repository, where only people who may push can put them; 'all', everybody's. They run contained: a workspace and
      caches of their own, always in the sandbox, without triggers, secrets or notes, with the network only for
      resolving.
      Example: {branches: [main, "refs/pull/*/head"], trust: all}
      """),
    Entry(
      "tags",
      """
      Tags to integrate, as globs.
      Example: tags: ["v*"]
      """, { "tags: \(list($0.tags))" }),
    Entry(
      "schedule",
      """
      What starts integrations: commit, periodic or manual. 'periodic' needs 'every': {hour: 15} is every hour at that
      minute; {day: daily, at: "03:00"} or {day: sunday, at: "03:00"}; {cron: "30 4 * * mon-fri"} has minute, hour, day of
      the month, month and weekday. The default time zone is the machine's.
      Example: schedule: {on: periodic, every: {day: sunday, at: "03:00"}, time-zone: Europe/Berlin}
      """,
      {
        """
        schedule:
          on: \($0.schedule.on.rawValue)
          also-when-toolchain-changes: \($0.schedule.alsoWhenToolchainChanges)
        """
      }),
    Entry(
      "commits",
      """
      When several commits wait: integrate the latest, which covers the others, or every one in order unless somebody
      asks for one, which then comes first; a merged branch counts as one.
      """,
      { "commits: \($0.commits.rawValue)" }),
    Entry(
      "cancel-superseded", "Whether a newer commit of a branch cancels the running integration of an older one.",
      { "cancel-superseded: \($0.cancelSuperseded)" }),
    Entry(
      "paths",
      """
      Only commits that touch one of these paths are integrated, as globs from the root of the repository; without
      any, all are. The first commit of a branch is integrated whatever it touches.
      Example: paths: ["packages/App/**", "packages/Shared/**"]
      """, { "paths: \(list($0.paths))" }),
    Entry(
      "ignore",
      """
      Commits to skip: those that touch only these paths, and those whose message contains one of these texts. After a
      force push, the files that differ from the last result count.
      Example: ignore: {paths: ["docs/**"], messages: ["[skip ci]"]}
      """, { "ignore: {paths: \(list($0.ignore.paths)), messages: \(list($0.ignore.messages))}" }),
    Entry(
      "clean",
      """
      How often a build starts from scratch: never, always, daily or weekly. It then also resolves anew the versions
      that the commit does not pin.
      """,
      { "clean: \($0.clean.rawValue)" }),
  ]

  /// The fields about what is done with a commit.
  static let conduct = [
    Entry(
      "actions", "What is done: build, test, analyze, archive.",
      { "actions: \(list($0.actions.map(\.rawValue)))" }),
    Entry(
      "analyze",
      """
      The command of the action 'analyze'. It prints SARIF, or lines such as file:line:column: warning: text.
      Example: {actions: [build, analyze, test], analyze: swift format lint -r .}
      """),
    Entry("configuration", "debug or release.", { "configuration: \($0.configuration)" }),
    Entry(
      "toolchain",
      """
      The folder of a toolchain, or a name under 'toolchains' in martlet.yml; without it, the swift on PATH.
      Example: toolchain: /usr/local/swift
      """),
    Entry(
      "build-system",
      """
      What SwiftPM builds with: native or swiftbuild. Without it, the toolchain's default, which is swiftbuild from
      Swift 6.4 on. See 'martlet help toolchains'.
      Example: build-system: swiftbuild
      """),
    Entry(
      "sanitize", "A sanitizer to build and test with: address or thread.",
      { "sanitize: \(list($0.sanitize.map(\.rawValue)))" }),
    Entry(
      "destinations",
      """
      Several ways to build and test each commit, in one integration with a page for each. Each entry says what
      differs from this bot: toolchain, configuration, sanitize (or none), build-system, traits, environment,
      arguments. It may also have a name, 'required: false' if its failures only inform, 'gates' for its own coverage,
      or 'when: idle': then only the newest commit of a branch is built, when nothing else waits and without scripts,
      and the report takes the other results from the integration of that commit. The first one leads: coverage,
      trends and test histories are its own. 'coverage' names another one to measure; with 'merged' a line ran if it
      ran in any required destination that is built for every commit. Instead of a list, 'axes' combines all values
      except what 'exclude' names. 'stop-early: true' skips the rest once a required one is red.
      Example: destinations: [{}, {configuration: release}, {sanitize: thread, when: idle}]
      Example: destinations: [{}, {name: nightly, toolchain: /opt/swift-main, required: false}]
      Example: destinations: {axes: {configuration: [debug, release], sanitize: [none, thread]}, stop-early: true}
      Example: destinations: {cells: [{}, {traits: [Logging]}], coverage: merged}
      Example: destinations: [{}, {traits: [Logging], gates: [patch-fully-covered]}]
      """),
    Entry(
      "arguments",
      """
      More arguments for swift build.
      Example: arguments: [-Xswiftc, -DSLOW]
      """, { "arguments: \(list($0.arguments))" }),
    Entry(
      "tests",
      """
      A package without tests is incomplete, unless this is 'none'. A test is stopped after 'timeout', or when nothing
      was printed for 'silence', which is at least as long by default; the others go on. 'step' limits all tests
      together. 'only: affected' leaves out tests that reach nothing that changed since all tests last ran. It knows
      this from coverage's 'map', which it turns on. A new commit then runs new and changed tests, those that were red,
      those that ran a changed function, and those that share a global or static variable with these. Tests whose class
      has a static set-up, or whose arguments or traits run code, always run. All tests run if more than the bodies of
      functions changed, while a gate fails or something failed outside of tests, if scripts run before the build, if a
      dependency lies in a folder outside the repository or the sandbox lets tests read one, in 1 of 10 integrations
      ('every: 10'), once a week, and when somebody asks, as with 'martlet integrate' or 'rerun'. An integration that
      leaves out tests has no coverage and judges no gate. Each report tells how many red tests would have been left
      out when all ran.
      Example: tests: none
      Example: tests: {filter: [GreeterTests], skip: [SlowTests], timeout: 5m}
      Example: tests: {only: affected, every: 10}
      """, { tests($0.tests) }),
    Entry(
      "quarantine",
      """
      Tests that run but whose failures, crashes and hangs do not count, each with a reason and its last day. One that
      ends its process counts all the same. Reports show them, and say when one has passed often enough to count again.
      Example: quarantine: [{test: GreeterTests.slow(), reason: needs a mended clock, until: 2026-12-24}]
      """),
    Entry(
      "coverage",
      """
      'off' measures no coverage. A gate that fails turns the integration red: patch-fully-covered, {patch: 80} (at
      least 80% of the changed lines ran), no-lost-coverage (no unchanged line stopped running, whole or in part),
      ratchet (the share never falls), no-unchecked-changes (no changed function runs unchecked; see 'mutants'). Gates
      compare with the last integration of the branch that has complete coverage, or else with the nearest ancestor's.
      A failed gate keeps comparing with the same integration until it passes or its issue is silenced. If the
      integration to compare with was removed, the gate fails; if its commit is gone, it fails once, then starts over.
      Lines left out by 'exclude' or a comment fail no gate, but are named. Lines on which two integrations of one
      commit differ run by chance, and are neither lost nor gained; 'martlet rerun BOT/N' integrates a commit again.
      With 'map', the report shows which tests ran each line, and uses that to find suspects. Swift Testing's tests then
      run a second time, one by one. What runs once in a process, such as the value of a static constant, is shown for
      the first test, and marked.
      'mutants' finds code that runs but is not checked: it has functions return a constant such as nil or an empty
      list, negates conditions, and names those for which no test fails. 'changed' tries the changed functions and
      conditions, for a minute at most; 'all' also tries every other one that ran, in an integration of its own, when
      nothing else waits and for as long as tests.step. It needs a debug build, the native build system, the sandbox and
      an x86-64 processor, and turns 'map' on.
      Comments leave lines out, too: '// coverage:ignore' its own line, '// coverage:ignore-start' all lines through
      '// coverage:ignore-end' or the end of the file, '// coverage:ignore-file' on a line of its own the whole file.
      To leave out a function, put -start on its first line and -end on its last. A reason may follow after a space.
      The report lists what was left out, and markers without effect.
      Example: coverage: off
      Example: coverage: {exclude: ["Sources/Generated/**"], gates: [{patch: 80}, no-lost-coverage]}
      """,
      {
        """
        coverage:
          exclude: \(list($0.coverage.exclude))  # files that do not count, as globs from the package's folder
          map: \($0.coverage.map)  # whether the report says which tests ran each line
          mutants: \($0.coverage.mutants.rawValue)  # functions and conditions to try without: off, changed or all
          incidental: \($0.coverage.incidental)  # whether lines that run without any test are told apart
          blame: \($0.coverage.blame)  # whether the pages of sources say who wrote each line, which takes time
          gates: []
        """
      }),
    Entry(
      "practice",
      """
      Hints about how tests are written; they never change an outcome. 'off' shows none; {off: [names]} leaves some
      out: fast (slow tests, by tests.slow), isolated, repeatable, self-validating (tests without an assertion,
      assertions that never ran), thorough (changed lines that never ran), rhythm (red first, then green), names (test
      names against tests.names, and as sentences), templates (tests left over from a template), sources (test files
      of which no line ran), totals (printed totals that disagree), measurements (values of `measure` against earlier
      ones).
      Example: practice: off
      Example: practice: {off: [thorough, measurements]}
      """, { "practice: {off: \(list($0.practice.off.map(\.rawValue)))}" }),
    Entry(
      "sandbox",
      """
      Whether builds and tests run in the sandbox: auto (where the machine can), on (or not at all), off. 'allow'
      gives them kernel features that the sandbox withholds: keyrings, vsock, sockets (families other than Unix, IP
      and routes), io_uring (which bypasses the rules for sockets and files), bpf, perf, userfaultfd, setuid (setuid,
      setgid and sticky bits). The report says what is allowed. Anything else fails with EPERM, or EAFNOSUPPORT for a
      socket.
      Example: sandbox: {mode: on, network: true, read: [/usr/share/dict], write: [/var/cache/greeter]}
      Example: sandbox: {allow: [io_uring]}
      """,
      {
        """
        sandbox:
          mode: \($0.sandbox.mode.rawValue)
          network: \($0.sandbox.network)  # whether tests reach the machine's network
          read: \(list($0.sandbox.read))  # more that builds and tests can read
          write: \(list($0.sandbox.write))  # more that builds and tests can write
          allow: \(list($0.sandbox.allow.map(\.rawValue)))  # more of the kernel that builds and tests can use
        """
      }),
    Entry(
      "submodules",
      """
      Submodules are checked out from the repository's own modules folder and work tree. A commit whose .gitmodules
      points to another repository of this machine is refused, unless 'allow' lists that repository or a folder around
      it.
      Example: submodules: {allow: [/srv/git]}
      """,
      {
        """
        submodules:
          allow: \(list($0.submodules.allow))  # repositories of this machine, or folders of them
        """
      }),
  ]

  /// The fields about what an integration can see, and who is notified.
  static let reach = [
    Entry(
      "environment",
      """
      Variables for builds, tests and triggers. Their values are kept with each integration and shown on pages; put
      anything confidential into 'secrets'.
      Example: environment: {API_URL: "http://localhost"}
      """, { _ in "environment: {}" }),
    Entry(
      "secrets",
      """
      The names of secrets; their values are in secrets/NAME.env, where NAME is the bot's. Triggers in this file or
      beside it see them; scripts of the package only on 'secret-branches', which are globs. Values of 4 bytes or more
      are masked in logs, pages and mails: plain, base64, hexadecimal and percent-encoded, quoted or escaped for
      shells, JSON, HTML and Swift, and with colour codes or a line break inside; in no other form.
      Example: {secrets: [DEPLOY_TOKEN], secret-branches: [main]}
      """, { "secrets: \(list($0.secrets))" }),
    Entry("secret-branches", "", { "secret-branches: \(list($0.secretBranches))" }),
    Entry(
      "triggers",
      """
      What runs before or after an integration: a script of the package, one beside this file or written here; a mail;
      a webhook. 'when' lists success, failure, warnings, analyzer-warnings, test-failures, build-errors, all-resolved
      or always, the default. A mail's 'report' is new-issues, integration, all-resolved, daily or weekly (Mondays),
      both at 08:00 unless 'at' says otherwise. 'to' takes addresses and names from 'people' and 'aliases' in
      martlet.yml, which also says how mail is sent. With 'suspects', the probable authors of new issues get a mail of
      their own, if they are in 'people' or 'allowed-domains'. A webhook's 'template' is slack, discord or matrix;
      without it, it gets integration.json. 'ca' is a file of certificates to trust instead of the machine's. A script
      may take 10m unless 'timeout' says otherwise. An after-trigger can write the folders in 'write', and has the
      network unless 'network' is false. See 'martlet help triggers'.
      Example: triggers: [{before: script/prepare.sh, timeout: 5m}]
      Example: triggers: [{after: {beside: deploy.sh}, when: [success], write: [/srv/greeter], network: false}]
      Example: triggers: [{after: {run: "#!/bin/sh\\necho done"}, when: [always]}]
      Example: triggers: [{mail: {to: [team@example.org], suspects: true, allowed-domains: [example.org]}}]
      Example: triggers: [{mail: {to: [team@example.org], report: daily, at: "17:30"}}]
      Example: triggers: [{webhook: {url: "https://example.org/hook", secret: HOOK_KEY, template: slack}}]
      Example: triggers: [{webhook: {url: "https://chat.lan/hook", ca: /etc/ssl/our-ca.pem}}]
      """, { _ in "triggers: []" }),
    Entry(
      "notes", "Whether results are written as git notes into the repository; git log --notes=martlet shows them.",
      { "notes: \($0.notes)" }),
    Entry(
      "keep",
      """
      How many integrations are kept, and for how many days. The newest twelve, pinned ones, and of each branch the
      newest one, the last good one, the first bad one after it and what its gates are judged against are always kept.
      """,
      { "keep: {integrations: \($0.keep.integrations), days: \($0.keep.days)}" }),
    Entry(
      "visibility",
      """
      Who sees the bot on a served site: 'public', everyone who reaches the server; 'members', those with a token. See
      'martlet help serve'.
      """, { "visibility: \($0.visibility.rawValue)" }),
    Entry(
      "where",
      """
      The labels that a machine must have, from martlet.yml. Its name is one of them; 'local' is the machine that
      watches. Bots with 'notes', 'dependency-credentials', 'submodules' to allow, or triggers that 'write' integrate
      only there.
      Example: where: [arm64]
      """),
    Entry(
      "hook-secret",
      """
      The name of the secret with which a forge signs its calls of /hooks/BOT; its value is in secrets/BOT.env. Each
      call makes the watcher check the repository at once.
      Example: hook-secret: HOOK_KEY
      """),
  ]
}
