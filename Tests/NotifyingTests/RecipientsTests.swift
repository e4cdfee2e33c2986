import Model
import Testing

@testable import Notifying

@Suite("Who gets a mail")
struct RecipientsTests {
  private let mailAccount = MailAccount(
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
      mailAccount: mailAccount)
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
    func told(_ emails: [String]) -> [Recipients.Suspected] { recipients([], suspects: emails).suspects }
    let ada = "ada@example.org"
    #expect(told(["Ada@home.example"]) == [.init(address: ada, commitsAs: ["Ada@home.example"])])
    #expect(told(["7+ada@users.noreply.github.com"]).map(\.address) == [ada])
    #expect(told(["ada@home.example", "x@a.org", ada]).map(\.commitsAs) == [["ada@home.example", ada]])
    let unasked = recipients(["team"])
    #expect(unasked.suspects.isEmpty && !unasked.addresses.contains("x@example.org"))
  }

  @Test("A suspect whom nobody named gets no mail, unless the domain is allowed: anybody may have committed")
  func strangers() {
    let found = recipients([], suspects: ["new@example.org", "eve@elsewhere.example"])
    #expect(found.suspects.isEmpty)
    #expect(
      found.refusals.first
        == "new@example.org is not known to Martlet; name the person under 'people' in martlet.yml, or the domain in 'allowed-domains'"
    )
    let allowed = recipients([], suspects: ["new@example.org"], domains: ["example.org"])
    #expect(allowed.suspects == [.init(address: "new@example.org", commitsAs: ["new@example.org"])])
  }

  @Test("A suspect who is on the list gets the mail of their own and not the one for all")
  func suspectsOnTheList() {
    let found = recipients(["team", "X@example.org"], suspects: ["ADA@home.example", "bob@elsewhere.example"])
    #expect(found.suspects.map(\.address) == ["ada@example.org", "bob@elsewhere.example"])
    #expect(found.addresses == ["carol@example.org", "X@example.org"])
    let all = recipients(["ada"], suspects: ["ada@example.org"])
    #expect(all.addresses.isEmpty && all.suspects.count == 1)
  }

  @Test("Mail does not leave the allowed domains, and says to whom it does not go")
  func domains() {
    let found = recipients(["team"], suspects: ["eve@evil.example", "dan@example.org"], domains: ["Example.org"])
    #expect(found.addresses == ["ada@example.org", "carol@example.org"])
    #expect(found.suspects.map(\.address) == ["dan@example.org"])
    #expect(
      found.refusals == [
        "eve@evil.example is not in a domain that 'allowed-domains' names",
        "bob@elsewhere.example is not in a domain that 'allowed-domains' names",
      ])
  }

  @Test(
    "What stands in a commit is no recipient unless it is an address",
    arguments: [
      ("a@b\r\nBcc: eve@example.org", "'a@b\r\nBcc: eve@example.org' is no address"),
      (
        "9+eve@users.noreply.github.com",
        "9+eve@users.noreply.github.com is not a mailbox; name the person under 'people' in martlet.yml"
      ),
      ("root@localhost", "root@localhost is not a mailbox; name the person under 'people' in martlet.yml"),
      ("<eve@example.org>", "'<eve@example.org>' is no address"), ("", "'' is no address"),
    ])
  func hostile(suspect: String, refusal: String) {
    let found = recipients([], suspects: [suspect])
    #expect(found.addresses.isEmpty && found.suspects.isEmpty)
    #expect(found.refusals == [refusal])
  }
}
