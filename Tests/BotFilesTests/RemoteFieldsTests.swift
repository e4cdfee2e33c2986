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
      "repository: /git/G\nfetch: 5m",
      "2:1: 'fetch' is for a repository that lies elsewhere, and this one is of this machine"
    ),
    (
      "repository: http://example.org/G",
      "1:13: 'http://' is not protected on its way; use https://, since http:// is for this machine alone"
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
