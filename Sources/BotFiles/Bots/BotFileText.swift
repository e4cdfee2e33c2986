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
  /// The fields about repositories on other machines.
  static let remotes = [
    Entry(
      "fetch",
      """
      When a remote repository is fetched: as often as this, at least 30s apart; 'webhook', when /hooks/BOT is called
      or 'martlet notify' is run; 'manual', only on 'martlet integrate' or 'martlet notify'. The default is 5m. A failed
      fetch is retried after pauses from a minute to an hour.
      Example: fetch: 10m
      Example: fetch: webhook
      """),
    Entry(
      "credentials",
      """
      How Martlet logs in to a remote repository. For https, 'token' is the name of a secret, with its value in
      secrets/BOT.env, and 'user' the name that goes with it, by default x-access-token. For ssh, 'ssh-key' is the
      path of a private key without a passphrase that only you can read, or 'ssh-agent: true' uses your agent;
      'known-hosts' is a file with the host's key, as 'ssh-keyscan HOST' prints it: compare it with the host's
      published key.
      Example: credentials: {token: FORGE_TOKEN}
      Example: credentials: {ssh-key: ~/.ssh/martlet, known-hosts: ~/.ssh/known_hosts}
      """),
    Entry(
      "dependency-credentials",
      """
      A login for dependencies that are fetched over ssh, with 'ssh-key' or 'ssh-agent', and 'known-hosts', as in
      'credentials'. Only the step that resolves dependencies can use it, and it never sees the key itself. As that step
      runs the manifests of all dependencies, give the key no more than read access. Change requests never get it.
      Example: dependency-credentials: {ssh-key: ~/.ssh/martlet, known-hosts: ~/.ssh/known_hosts}
      """),
    Entry(
      "status",
      """
      Shows the state of each commit on the forge: waiting, running, then the result, with a link if martlet.yml has
      an 'address'. 'token' is the name of a secret, with its value in secrets/BOT.env; GitHub's needs write access to
      commit statuses, GitLab's the scope api, Forgejo's and Gitea's the scope write:repository. 'forge' is github,
      gitlab, forgejo or gitea; github.com, gitlab.com and codeberg.org need none. 'address' is the forge's API, if
      not at the usual place; 'context' is the name of the check, by default martlet/BOT.
      Example: status: {token: FORGE_TOKEN}
      Example: status: {forge: forgejo, token: FORGE_TOKEN, address: "https://git.example.org/api/v1", context: linux}
      """),
  ]

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
      When several commits wait: 'latest' integrates the newest, which covers the others; 'every' integrates each in
      order, a merged branch as one. A commit that somebody asks for comes first.
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
      watches. A bot with 'notes', 'dependency-credentials', 'submodules: allow' or a trigger with 'write' always runs
      on 'local', as does one of a shallow clone.
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
