import Model
import Notifying
import Testing

@Suite("Who gets a mail")
struct RecipientsTests {
  private let mailing = Mailing(
    server: ServerSettings.MailServer(way: .sendmail(path: "/bin/true"), from: "martlet@example.org"),
    people: [
      "ada": ServerSettings.Person(
        mail: "ada@example.org", commitsAs: ["ada@home.example", "7+ada@users.noreply.github.com"]),
      "bob": ServerSettings.Person(mail: "bob@elsewhere.example"),
    ],
    aliases: ["team": ["ada", "carol@example.org", "all"], "all": ["team", "bob"]])

  private func recipients(_ to: [String], suspects: [String]? = nil, domains: [String] = []) -> Recipients {
    Recipients(
      Trigger.Mail(to: to, suspects: suspects != nil, allowedDomains: domains), suspects: suspects ?? ["x@example.org"],
      mailing: mailing)
  }

  @Test("Aliases and names stand for addresses, each once, also when aliases name each other")
  func names() {
    #expect(
      recipients(["team", "ADA@example.org"]).addresses == [
        "ada@example.org", "carol@example.org", "bob@elsewhere.example",
      ])
  }

  @Test("A suspect gets mail at the address that the settings give for the one in the commit")
  func suspects() {
    #expect(recipients([], suspects: ["Ada@home.example"]).addresses == ["ada@example.org"])
    #expect(recipients([], suspects: ["7+ada@users.noreply.github.com"]).addresses == ["ada@example.org"])
    #expect(recipients([], suspects: ["new@example.org"]).addresses == ["new@example.org"])
    #expect(recipients(["team"]).addresses.contains("x@example.org") == false)
  }

  @Test("Mail does not leave the allowed domains, and says to whom it does not go")
  func domains() {
    let found = recipients(["team"], suspects: ["eve@evil.example"], domains: ["Example.org"])
    #expect(found.addresses == ["ada@example.org", "carol@example.org"])
    #expect(
      found.refusals == [
        "bob@elsewhere.example is not in a domain that 'allowed-domains' names",
        "eve@evil.example is not in a domain that 'allowed-domains' names",
      ])
  }

  @Test(
    "What stands in a commit is no recipient unless it is an address",
    arguments: [
      ("a@b\r\nBcc: eve@example.org", "'a@b\r\nBcc: eve@example.org' is no address"),
      (
        "9+eve@users.noreply.github.com",
        "9+eve@users.noreply.github.com is no mailbox; name the person under 'people' in martlet.yml"
      ),
      ("root@localhost", "root@localhost is no mailbox; name the person under 'people' in martlet.yml"),
      ("<eve@example.org>", "'<eve@example.org>' is no address"), ("", "'' is no address"),
    ])
  func hostile(suspect: String, refusal: String) {
    let found = recipients([], suspects: [suspect])
    #expect(found.addresses.isEmpty)
    #expect(found.refusals == [refusal])
  }
}
