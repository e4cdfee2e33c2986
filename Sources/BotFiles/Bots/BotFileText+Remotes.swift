extension BotFileText {
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
}
