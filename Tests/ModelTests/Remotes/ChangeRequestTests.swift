import Model
import Testing

@Suite("Names of change requests, and what they may")
struct ChangeRequestTests {
  @Test("Forges keep change requests by their numbers, and nothing else is one")
  func names() {
    for name in ["refs/pull/7/head", "refs/merge-requests/12/head"] {
      #expect(RefName(rawValue: name).isChangeRequest)
      #expect(RefName(rawValue: name).branch == nil)
    }
    for name in [
      "refs/pull/7/merge", "refs/pull//head", "refs/pull/7/8/head", "refs/heads/refs/pull/7/head", "refs/pull/",
      "refs/pull/٧/head", "refs/tags/pull/7/head",
    ] { #expect(!RefName(rawValue: name).isChangeRequest, "\(name)") }
    #expect(RefName.changeRequestPatterns == ["refs/pull/*/head", "refs/merge-requests/*/head"])
  }

  @Test("A bot that integrates one has nothing to keep, to tell, to read or to write")
  func contained() {
    var bot = Bot(name: "greeter", repository: "/srv/Greeter.git")
    bot.triggers = [.webhook(Trigger.Webhook(url: "https://example.org"))]
    (bot.secrets, bot.secretBranches, bot.notes, bot.hookSecret) = (["DEPLOY"], ["**"], true, "HOOK")
    bot.sandbox = SandboxPolicy(mode: .off, network: true, read: ["/srv"], write: ["/srv"], allow: [.bpf])
    bot.submodules.allow = ["/srv/git"]
    bot.status = StatusReporting(token: "FORGE")
    (bot.credentials, bot.dependencyCredentials) = (Credentials(), Credentials())
    bot.tests.retries = 2
    var plain = Bot(name: "greeter", repository: "/srv/Greeter.git")
    plain.sandbox.mode = .on
    plain.tests.retries = 2
    #expect(bot.contained == plain)
    #expect(bot.contained.sendingSecrets.isEmpty)
  }
}
