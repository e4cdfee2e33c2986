import Model
import Testing

@testable import BotFiles

@Suite("Fields of a repository that lies elsewhere")
struct RemoteFieldsTests {
  private func messages(_ text: String) -> [String] { Reading.problems(text + "\n").map(Reading.line) }

  @Test("An address is kept with its login and when it is fetched")
  func web() throws {
    let bot = try Reading.bot(
      "repository: https://example.org/Greeter.git\nfetch: 90s\ncredentials: {token: FORGE, user: ada}\n")
    #expect(bot.remote?.host == "example.org")
    #expect(bot.shownRepository == "https://example.org/Greeter.git")
    #expect(bot.fetchPolicy == .every(.seconds(90)))
    #expect((bot.credentials?.token, bot.credentials?.user) == ("FORGE", "ada"))
  }

  @Test("A key, the host's keys and the words for who decides are read")
  func shell() throws {
    let bot = try Reading.bot(
      "repository: git@example.org:Greeter\nfetch: webhook\ncredentials: {ssh-key: ~/.ssh/ci, known-hosts: hosts}\n")
    #expect(bot.credentials?.sshKey == "/users/ada/.ssh/ci")
    #expect(bot.credentials?.knownHosts == "/etc/martlet/bots/hosts")
    #expect(bot.fetchPolicy == .webhook)
    #expect(try Reading.bot("repository: https://example.org/G\nfetch: manual\n").fetchPolicy == .manual)
    #expect(try Reading.bot("repository: https://example.org/G\n").fetchPolicy == .every(.seconds(300)))
  }

  @Test("Change requests are asked for among the branches, and whose are integrated is said beside them")
  func changeRequests() throws {
    let bot = try Reading.bot("repository: /git/G\nbranches: [main, \"refs/merge-requests/*/head\"]\ntrust: all\n")
    #expect(bot.asksForChangeRequests)
    #expect(bot.trust == .all)
    #expect(try Reading.bot("repository: /git/G\nbranches: \"refs/pull/*/head\"\n").trust == .members)
    #expect(try !Reading.bot("repository: /git/G\nbranches: \"*\"\n").asksForChangeRequests)
  }

  @Test("A forge that everybody knows is told at its own API, another one where its kind has it")
  func status() throws {
    func place(_ text: String) throws -> String? {
      let bot = try Reading.bot(text)
      return bot.statusPlace.map {
        "\($0.forge) \($0.address(of: CommitID(rawValue: "c0ffee"))) \($0.context) \($0.token)"
      }
    }
    #expect(
      try place("repository: https://github.com/ada/Greeter.git\nstatus: {token: FORGE}\n")
        == "github https://api.github.com/repos/ada/Greeter/statuses/c0ffee martlet/greeter FORGE")
    #expect(
      try place(
        "repository: git@gitlab.com:team/apps/Greeter.git\ncredentials: {ssh-agent: true, known-hosts: /h}\n"
          + "status: {token: FORGE, context: linux}\n")
        == "gitlab https://gitlab.com/api/v4/projects/team%2Fapps%2FGreeter/statuses/c0ffee linux FORGE")
    #expect(
      try place("repository: https://example.org:8443/git/ada/Greeter\nstatus: {forge: gitea, token: FORGE}\n")
        == "forgejo https://example.org:8443/git/api/v1/repos/ada/Greeter/statuses/c0ffee martlet/greeter FORGE")
    #expect(
      try place(
        "repository: https://example.org/ada/Greeter\n"
          + "status: {forge: github, token: FORGE, address: \"https://example.org/api/v3/\"}\n")
        == "github https://example.org/api/v3/repos/ada/Greeter/statuses/c0ffee martlet/greeter FORGE")
    #expect(try place("repository: https://github.com/ada/Greeter\n") == nil)
  }

  @Test("What does not go together is refused", arguments: Self.refusals)
  func refused(text: String, message: String) {
    #expect(messages(text) == [message])
  }

  private static let web = "repository: https://example.org/G\n"
  private static let shell = "repository: ssh://git@example.org/G\n"
  private static let refusals: [(String, String)] = [
    (web + "fetch: 29s", "2:8: 'fetch' should be at least 30s, not '29s'"),
    (web + "fetch: soon", "2:8: 'fetch' should be a duration such as 5m, or one of webhook, manual, not 'soon'"),
    (web + "fetch: 5", "2:8: 'fetch' needs a unit: write 5s for seconds, or a duration such as 10m or 2h"),
    (
      web + "credentials: {password: x}",
      "2:15: unknown key 'password' in 'credentials'; known are token, user, ssh-key, ssh-agent, known-hosts"
    ),
    (
      web + "credentials: {ssh-key: /k}",
      "2:1: 'ssh-key', 'ssh-agent' and 'known-hosts' are for an address with ssh; with https it is 'token'"
    ),
    (web + "credentials: {user: ada}", "2:1: 'user' goes with a 'token'"),
    (
      web + "credentials: {token: T, user: \"a:b\"}",
      "2:31: the name of a user holds neither ':' nor control characters"
    ),
    (
      shell,
      "1:1: an address with ssh needs credentials, such as credentials: {ssh-key: ~/.ssh/martlet, known-hosts: ~/.ssh/known_hosts}"
    ),
    (
      shell + "credentials: {ssh-key: /k}",
      "2:1: an address with ssh needs 'known-hosts', a file with the key by which example.org proves itself"
    ),
    (
      shell + "credentials: {token: T}",
      "2:1: 'token' and 'user' are for an address with https; with ssh it is 'ssh-key' or 'ssh-agent'"
    ),
    (
      shell + "credentials: {ssh-key: /k, ssh-agent: true, known-hosts: /h}",
      "2:1: 'ssh-key' and 'ssh-agent' exclude each other"
    ),
    (
      shell + "credentials: {ssh-key: \"/a%h\", known-hosts: /h}",
      "2:24: ssh gives '%' in a path a meaning of its own; choose a path without it"
    ),
    (
      web + "dependency-credentials: {ssh-key: /k}",
      "2:25: 'dependency-credentials' needs a login and the keys of the hosts, such as {ssh-key: ~/.ssh/martlet, known-hosts: ~/.ssh/known_hosts}"
    ),
    (
      web + "dependency-credentials: {ssh-key: /k, ssh-agent: true, known-hosts: /h}",
      "2:25: 'ssh-key' and 'ssh-agent' exclude each other"
    ),
    (
      web + "dependency-credentials: {ssh-agent: true, known-hosts: /h, token: T}",
      "2:60: 'token' is for https; the login for dependencies is by ssh"
    ),
    (
      "repository: /git/G\nfetch: 5m",
      "2:1: 'fetch' is for a repository that lies elsewhere, and this one is of this machine"
    ),
    (
      "repository: http://example.org/G",
      "1:13: 'http://' is not protected on its way; use https://, since http:// is for this machine alone"
    ),
    (
      web + "status: {token: T}",
      "2:1: nobody knows what kind of forge example.org is; say it with 'forge', one of github, gitlab, forgejo, gitea"
    ),
    (
      web + "status: {forge: gitlab, token: T}",
      "2:1: the address of the repository has no owner and name, as a forge's has"
    ),
    (
      web + "status: {forge: gogs, token: T}",
      "2:17: 'forge' should be one of github, gitlab, forgejo, gitea, not 'gogs'"
    ),
    (
      web + "status: {forge: gitlab}",
      "2:9: 'status' needs the name of the secret that is the forge's token: token: FORGE_TOKEN"
    ),
    (
      web + "status: {forge: gitlab, token: T, address: \"http://example.org/api\"}",
      "2:44: 'address' cannot be where a forge's API begins: 'http://' is not protected on its way; use https://, since http:// is for this machine alone"
    ),
    (
      web + "status: {forge: gitlab, token: T, context: \"\\t\"}",
      "2:44: 'context' has at most 100 letters, and no control characters"
    ),
    (
      "repository: /git/G\nstatus: {token: T}",
      "2:1: 'status' is for a repository that lies elsewhere, and this one is of this machine"
    ),
    (
      web + "branches: main\ntrust: all",
      "3:1: 'trust' is about pull requests, and 'branches' asks for none, such as branches: [main, \"refs/pull/*/head\"]"
    ),
    (
      web + "branches: \"refs/pull/*/head\"\ntrust: everyone",
      "3:8: 'trust' should be one of none, members, all, not 'everyone'"
    ),
    ("token: T\n" + web, "1:1: unknown key 'token'; it belongs under 'credentials'"),
  ]

  @Test("A line with a password in it is not shown again")
  func secret() throws {
    let problem = try #require(Reading.problems("repository: https://ada:hush@example.org/G\n").first)
    #expect(!problem.description.contains("hush"))
    #expect(problem.description.hasPrefix("bots/greeter.yml:1:13: an address holds no login;"))
  }

  @Test("What the defaults say of fetching is for those bots that it fits")
  func defaults() throws {
    var settings = ServerSettings()
    settings.defaults.fetch = .webhook
    settings.defaults.credentials = Credentials()
    settings.defaults.credentials?.token = "FORGE"
    let local = try Reading.bot("repository: /git/G\n", settings: settings)
    #expect((local.fetch, local.credentials) == (nil, nil))
    #expect(try Reading.bot("repository: https://example.org/G\n", settings: settings).credentials?.token == "FORGE")
    let shell = "repository: git@example.org:G\ncredentials: {ssh-agent: true, known-hosts: /h}\n"
    #expect(Reading.problems(shell, settings: settings).isEmpty)
  }
}
