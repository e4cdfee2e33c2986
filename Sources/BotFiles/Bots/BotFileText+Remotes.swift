extension BotFileText {
  /// The fields about accessing remote repositories.
  static let remotes = [
    Entry(
      "fetch",
      """
      When a repository that lies elsewhere is fetched: so long after the last time, at least 30s; 'webhook', when a call
      of /hooks/BOT or 'martlet notify' says that it moved; 'manual', when 'martlet integrate' or 'martlet notify' asks.
      After a failure it is tried again, after pauses that grow from a minute to an hour. Without it, 5m.
      Example: fetch: 10m
      Example: fetch: webhook
      """),
    Entry(
      "credentials",
      """
      How Martlet logs in where a repository lies elsewhere. For https, 'token' is the name of a secret, with its value in
      secrets/BOT.env, and 'user' goes with it, x-access-token unless said. For ssh, 'ssh-key' is the path of a private key
      without a passphrase that only you can read, or 'ssh-agent: true' takes the keys of your agent; 'known-hosts' is a
      file with the host's key, as 'ssh-keyscan HOST' prints it: compare that with what the host's owner says.
      Example: credentials: {token: FORGE_TOKEN}
      Example: credentials: {ssh-key: ~/.ssh/martlet, known-hosts: ~/.ssh/known_hosts}
      """),
    Entry(
      "status",
      """
      Has the forge show beside each commit that it waits, is integrated, and what came of it, with a link where martlet.yml
      has an 'address'. 'token' is the name of a secret, with its value in secrets/BOT.env: GitHub's may write commit
      statuses, GitLab's has the scope api, Forgejo's and Gitea's the scope write:repository. 'forge' is github, gitlab,
      forgejo or gitea; github.com, gitlab.com and codeberg.org are known. 'address' is where the forge's API begins,
      if elsewhere than usual; 'context' is what the check is called, martlet/BOT unless said.
      Example: status: {token: FORGE_TOKEN}
      Example: status: {forge: forgejo, token: FORGE_TOKEN, address: "https://git.example.org/api/v1", context: linux}
      """),
  ]
}
