import Model

extension BotFileText {
  /// The fields about who hears of an integration.
  static let audience = [
    Entry(
      "triggers",
      """
      What runs before or after an integration: scripts, mails and webhooks. 'martlet help triggers' explains them.

      A script is a file of the package, a file beside this one ('beside'), or written here ('run'). It may take 10m
      unless 'timeout' says otherwise. 'when' lists success, failure, warnings, analyzer-warnings, test-failures,
      build-errors, all-resolved or always, the default. An after-trigger can write the folders in 'write', and has the
      network unless 'network' is false.

      A mail goes to 'to': addresses, and names from 'people' and 'aliases' in martlet.yml, which also says how mail is
      sent. Its 'report' is new-issues (the default), integration, all-resolved, daily or weekly (Mondays), both at
      08:00 unless 'at' says otherwise. With 'suspects', the probable authors of new issues get a mail of their own, if
      they are in 'people' or 'allowed-domains'.

      A webhook's 'template' is slack, discord or matrix; without it, the webhook gets integration.json. It takes
      'when', too. 'ca' is a file of certificates to trust instead of the machine's.
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
  ]

  /// The fields about repositories on other machines.
  static let remotes = [
    Entry(
      "fetch",
      """
      When a remote repository is fetched: an interval of at least 30s; 'webhook', when /hooks/BOT is called or
      'martlet notify' is run; 'manual', only on 'martlet integrate' or 'martlet notify'. The default is 5m. A failed
      fetch is retried after pauses from a minute to an hour.
      Example: fetch: 10m
      Example: fetch: webhook
      """),
    Entry(
      "hook-secret",
      """
      The name of the secret with which a forge signs its calls of /hooks/BOT; its value is in secrets/BOT.env. Each
      call makes the watcher check the repository at once.
      Example: hook-secret: HOOK_KEY
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
      runs the manifests of all dependencies, give the key no more than read access. Pull requests never get it.
      Example: dependency-credentials: {ssh-key: ~/.ssh/martlet, known-hosts: ~/.ssh/known_hosts}
      """),
    Entry(
      "status",
      """
      Shows the state of each commit on the forge: waiting, running, then the result, with a link if martlet.yml has
      an 'address'. 'token' is the name of a secret, with its value in secrets/BOT.env; GitHub's needs write access to
      commit statuses, GitLab's the scope api, Forgejo's and Gitea's the scope write:repository. 'forge' is github,
      gitlab, forgejo or gitea, and is not needed for github.com, gitlab.com and codeberg.org. 'address' is the forge's
      API, if not at the usual place; 'context' is the name of the check, by default martlet/BOT.
      Example: status: {token: FORGE_TOKEN}
      Example: status: {forge: forgejo, token: FORGE_TOKEN, address: "https://git.example.org/api/v1", context: linux}
      """),
  ]

  /// The fields about what an integration can see and do, who sees it, and for how long.
  static let limits = [
    Entry(
      "sandbox",
      """
      Whether builds and tests run in the sandbox: auto (if the machine can), on (refuse to run without it), off.
      'allow' gives them kernel features that the sandbox withholds: keyrings, vsock, sockets (families other than
      Unix, IP and routes), io_uring (which bypasses the rules for sockets and files), bpf, perf, userfaultfd, setuid
      (setuid, setgid and sticky bits). The report says what is allowed. Anything else fails with EPERM, or
      EAFNOSUPPORT for a socket.
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
    Entry(
      "secrets",
      """
      The names of secrets. Their values are in secrets/BOT.env, one NAME=value per line; only its owner may be able to
      read it (chmod 600). Triggers in this file or beside it see them; scripts of the package only on
      'secret-branches', which are globs.

      Values of 4 bytes or more are masked in logs, pages and mails: plain, base64, hexadecimal and percent-encoded,
      quoted or escaped for shells, JSON, HTML and Swift, and with colour codes or a line break inside; in no other form.
      Example: secrets: [DEPLOY_TOKEN]
               secret-branches: [main]
      """, { "secrets: \(list($0.secrets))" }),
    Entry("secret-branches", "", { "secret-branches: \(list($0.secretBranches))" }),
    Entry(
      "visibility",
      """
      Who sees the bot on a served site: 'public', everyone who reaches the server; 'members', those with a token. See
      'martlet help serve'.
      """, { "visibility: \($0.visibility.rawValue)" }),
    Entry(
      "keep",
      """
      How many integrations are kept, and for how many days. The newest twelve, pinned ones, and of each branch the
      newest one, the last good one, the first bad one after it and those that its gates compare with are always kept.
      """,
      { "keep: {integrations: \($0.keep.integrations), days: \($0.keep.days)}" }),
  ]
}
