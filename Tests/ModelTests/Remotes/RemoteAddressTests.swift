import Model
import Testing

@Suite("Addresses of repositories that lie elsewhere")
struct RemoteAddressTests {
  private func refusal(_ text: String) -> RemoteAddress.Refusal? {
    do throws(RemoteAddress.Refusal) {
      _ = try RemoteAddress(text)
      return nil
    } catch {
      return error
    }
  }

  @Test("An address is read by its parts, and kept as it was written")
  func parts() throws {
    let web = try RemoteAddress("https://Forge.example.org:8443/team/Greeter.git")
    #expect((web.scheme, web.user, web.host, web.port) == (.https, nil, "forge.example.org", 8443))
    #expect((web.path, web.name) == ("team/Greeter.git", "Greeter"))
    #expect(web.text == "https://Forge.example.org:8443/team/Greeter.git")
    let shell = try RemoteAddress("ssh://git@[2001:db8::1]:2222/srv/Greeter.git/")
    #expect((shell.scheme, shell.user, shell.host, shell.port) == (.ssh, "git", "2001:db8::1", 2222))
    let short = try RemoteAddress("git@forge.example.org:team/Greeter")
    #expect((short.scheme, short.user, short.host, short.port) == (.ssh, "git", "forge.example.org", nil))
    #expect((short.path, short.name) == ("team/Greeter", "Greeter"))
  }

  @Test(
    "A path of this machine is no address", arguments: ["/srv/a@b:c", "~/git/Greeter", "Greeter.git", "a:b", "./x@y:z"])
  func paths(text: String) {
    #expect(!RemoteAddress.isMeant(by: text))
  }

  @Test("What is no plain address is refused, with what to write instead", arguments: Self.refusals)
  func refused(text: String, words: String) {
    #expect(RemoteAddress.isMeant(by: text))
    #expect(refusal(text)?.words == words)
  }

  private static let form = "an address begins with https:// or ssh://, or is written git@host:path"
  private static let signs =
    "an address holds neither spaces nor control characters, '\\' or letters outside ASCII; write those as %20"
  private static let machine = "the address has no name of a machine, such as example.org"

  private static let refusals: [(String, String)] = [
    ("file:///srv/Greeter", "'file://' names a folder of this machine; write its path"),
    ("git://example.org/a", "'git://' does not prove who answers; use https:// or ssh://"),
    ("ftp://example.org/a", form), ("ext::sh -c id", signs), ("@:", machine),
    ("ext::sh", "'ext::' would have git run a program; use https://, ssh:// or git@host:path"),
    ("fd::7", "'fd::' would have git run a program; use https://, ssh:// or git@host:path"),
    (
      "http://example.org/a",
      "'http://' is not protected on its way; use https://, since http:// is for this machine alone"
    ),
    (
      "https://ada:secret@example.org/a",
      "an address holds no login; write it under 'credentials', such as credentials: {token: FORGE_TOKEN}"
    ),
    (
      "ssh://git:secret@example.org/a",
      "an address holds no login; write it under 'credentials', such as credentials: {token: FORGE_TOKEN}"
    ),
    ("https://example.org/a?token=secret", "the address of a repository holds neither '?' nor '#'"),
    ("ssh://git@-oProxyCommand=id/a", machine),
    ("ssh://-oProxy=id@example.org/a", "the user of an address is a plain name such as git"),
    ("ssh://git@-host/a", "'-host' begins with '-', as an option of a program does"),
    ("git@example.org:-upload", "'-upload' begins with '-', as an option of a program does"),
    ("ssh://-x@example.org/a", "'-x' begins with '-', as an option of a program does"),
    ("https://example.org/a\nb", signs), ("https://exämple.org/a", signs), ("https://example.org\\a/b", signs),
    ("https:///a", machine), ("https://exa*mple.org/a", machine),
    ("https://example.org:0/a", "the port of an address is a number from 1 to 65535"),
    ("https://example.org:/a", "the port of an address is a number from 1 to 65535"),
    ("https://example.org", "the address names a machine and no repository on it"),
    ("https://example.org//", "the address names a machine and no repository on it"),
    ("https://example.org/\(String(repeating: "a", count: 1000))", "an address is at most 1000 bytes long"),
  ]

  @Test("A refusal tells whether the line may be shown")
  func secrets() {
    #expect(refusal("https://ada:secret@example.org/a")?.isSecret == true)
    #expect(refusal("https://example.org/a?token=secret")?.isSecret == true)
    #expect(refusal("file:///srv/Greeter")?.isSecret == false)
  }

  @Test("This machine is known by its name and its numbers, and another one does not pass for it")
  func loopback() throws {
    for text in ["http://localhost/a", "http://127.0.0.1:80/a", "http://127.9.9.9/a", "http://[::1]:8080/a"] {
      #expect(try RemoteAddress(text).isLoopback)
    }
    for text in ["https://127.example.org/a", "https://128.0.0.1/a", "https://localhost.example.org/a"] {
      #expect(try !RemoteAddress(text).isLoopback)
    }
  }

  @Test("Spellings of one address lead to one repository")
  func same() throws {
    let one = try RemoteAddress("https://example.org/team/Greeter")
    for other in ["https://EXAMPLE.org/team/Greeter.git", "https://example.org:443/team/Greeter/"] {
      #expect(one.isSame(as: try RemoteAddress(other)))
    }
    for other in [
      "https://example.org/team/greeter", "https://example.org:8443/team/Greeter", "ssh://example.org/team/Greeter",
    ] {
      #expect(!one.isSame(as: try RemoteAddress(other)))
    }
    #expect(
      try RemoteAddress("git@example.org:team/Greeter.git").isSame(
        as: RemoteAddress("ssh://ci@example.org/team/Greeter")))
  }
}

@Suite("Mirrors")
struct MirrorNameTests {
  private func bot(_ name: String = "greeter", _ change: (inout Credentials) -> Void = { _ in }) throws -> Bot {
    var bot = Bot(name: name, repository: "")
    bot.remote = try RemoteAddress("https://Example.org/../team/Greeter.git")
    var credentials = Credentials()
    change(&credentials)
    bot.credentials = credentials == Credentials() ? nil : credentials
    return bot
  }

  @Test("The name is readable, leads nowhere else, and is the same for all bots that log in alike")
  func readable() throws {
    let name = try #require(try bot().mirrorName)
    #expect(name.wholeMatch(of: #/example-org-team-Greeter-git-[0-9a-f]{12}/#) != nil)
    #expect(try bot("other").mirrorName == name)
    #expect(Bot(name: "a", repository: "/git/a").mirrorName == nil)
  }

  @Test("Who logs in otherwise has a mirror of their own")
  func logins() throws {
    let names = [
      try bot(), try bot { $0.token = "A" }, try bot("other") { $0.token = "A" }, try bot { $0.token = "B" },
      try bot { ($0.token, $0.user) = ("A", "ada") }, try bot { $0.sshKey = "/k" }, try bot { $0.sshKey = "/l" },
      try bot { $0.sshAgent = true }, try bot { ($0.sshKey, $0.knownHosts) = ("/k", "/h") },
    ].map(\.mirrorName)
    #expect(Set(names).count == names.count)
  }

  @Test("A bot whose repository lies elsewhere opens the mirror and shows the address")
  func placed() throws {
    let bot = try bot()
    let placed = bot.placed(in: "/var/mirrors")
    #expect(placed.repository == "/var/mirrors/\(bot.mirrorName ?? "")")
    #expect(placed.shownRepository == "https://Example.org/../team/Greeter.git")
    #expect(placed.words.first?.words == placed.shownRepository)
    #expect(placed.words.contains(.init("Fetched", "every 5 min")))
    let local = Bot(name: "a", repository: "/git/a")
    #expect(local.placed(in: "/var/mirrors") == local)
  }
}
