import FoundationEssentials
import Glibc
import Model
import Notifying
import Rendering
import Testing

@testable import Integrating

@Suite("An integration whose process was killed while it published")
struct CompletingTests {
  private let scratch: Scratch
  private let home: Home

  init() throws {
    scratch = try Scratch()
    home = Home(scratch.file("home"))
  }

  private func store() throws -> StoredIntegration {
    var integration = Integration(
      bot: "greeter", number: 3, repository: "/r", packagePath: ".", branch: "main",
      commit: Commit(
        id: CommitID(rawValue: "a"), summary: "Begin", author: "Ada", date: Date(timeIntervalSince1970: 0)),
      cause: .commit,
      toolchain: "Swift", configuration: "debug", sandbox: "off", queuedAt: Date(timeIntervalSince1970: 0),
      repeatCommand: "martlet run")
    integration.outcome = Outcome.buildErrors
    integration.reasons = [.stopped("The build failed.")]
    let bytes = try IntegrationRecord(integration).encoded()
    for folder in ["home/integrations/greeter/3", "home/site/greeter/.3.999999999.new", "home/site/greeter/.3.1.new"] {
      try scratch.folder.folder(folder).create()
    }
    try scratch.folder.write(bytes, to: "home/integrations/greeter/3/integration.json")
    try scratch.folder.write(bytes, to: "home/site/greeter/.3.999999999.new/integration.json")
    try scratch.folder.write("whole", to: "home/site/greeter/.3.999999999.new/index.html")
    try scratch.folder.write("half", to: "home/site/greeter/.3.1.new/index.html")
    return try StoredIntegrations(in: home).integration(3, of: "greeter")
  }

  @Test("Is completed by the next one-shot run, and its report is not taken for rubbish")
  func left() throws {
    _ = try store()
    let site = scratch.folder.folder("home/site/greeter")
    for name in [".4.999999999.new", ".5.999999999.new"] { try site.folder(name).create() }
    try site.folder(".4.999999999.new").write("unfinished", to: "integration.json")
    let left = LeftReports(home: home, bot: "greeter")
    left.removeUseless()
    #expect(site.names() == [".3.1.new", ".3.999999999.new"])
    for _ in 0..<2 {
      try left.complete()
      #expect(scratch.text("home/site/greeter/3/index.html") == "whole")
      #expect(try PastIndex(of: home).integrations(of: "greeter").map(\.number) == [3])
    }
    try site.folder(".3.999999998.new").create()
    try site.folder(".3.999999998.new").write("again", to: "integration.json")
    left.removeUseless()
    #expect(site.names() == [".3.1.new", "3"])
  }

  @Test("Is completed by a process of the same number, as each is in a container of its own")
  func sameNumber() throws {
    _ = try store()
    let site = scratch.folder.folder("home/site/greeter")
    try site.folder(".3.999999999.new").rename(to: site.folder(".3.\(getpid()).new"))
    try LeftReports(home: home, bot: "greeter").complete()
    #expect(scratch.text("home/site/greeter/3/index.html") == "whole")
  }

  @Test("Gets no second row in the index, however old it is")
  func old() throws {
    let stored = try store()
    let index = PastIndex(of: home)
    var document = stored.document
    for number in 3...43 {
      document.number = number
      try index.add(document)
    }
    try StoredIntegrations(in: home).complete(stored)
    #expect(try index.newest(of: "greeter").map(\.number) == (3...43).reversed())
  }

  @Test("Gets the report that lay ready, and its row in the index, once")
  func complete() throws {
    let stored = try store()
    for _ in 0..<2 {
      try StoredIntegrations(in: home).complete(stored)
      #expect(scratch.text("home/site/greeter/3/index.html") == "whole")
      let index = PastIndex(of: home)
      #expect(try index.newest(of: "greeter").map(\.reasons) == [["The build failed."]])
      #expect(try index.integrations(of: "greeter").map(\.outcome) == [Outcome.buildErrors])
    }
  }

  private func hold(_ place: String) throws {
    try HeldMessages(of: "greeter", 3, in: home).put([
      Delivery(
        key: [place], bot: "greeter", place: place, way: .mail(from: "martlet@example.org", to: place), content: [],
        queuedAt: Date(timeIntervalSince1970: 0))
    ])
  }

  @Test("Has its messages sent, once, and nobody hears of it before it is finished")
  func messages() throws {
    for place in ["ada@example.org", "bob@example.org"] { try hold(place) }
    let outbox = Outbox(home.outbox)
    #expect(outbox.names() == [])
    let stored = try store()
    try StoredIntegrations(in: home).complete(stored)
    #expect(outbox.names().count == 2)
    for name in outbox.names() { unlink("\(home.outbox)/\(name).json") }
    try StoredIntegrations(in: home).complete(stored)
    #expect(home.folder.folder("outbox").names() == [])
  }

  @Test("One that was not finished is closed, and what it had to tell is never sent", arguments: [true, false])
  func unsent(keepsLogs: Bool) throws {
    try hold("ada@example.org")
    let place = IntegrationRequest.Place(bot: "greeter", number: 3)
    _ = try home.createIntegration(place, of: "/r", keepsLogs: keepsLogs)
    try StoredIntegrations(in: home).complete(try store())
    #expect(home.folder.folder("outbox").names() == [])
  }

  @Test("A report that tells more takes the place of the first one")
  func again() throws {
    let stored = try store()
    let result = ResultFolder(home: home, bot: "greeter", number: 3, document: stored.bytes)
    for text in ["one", "two"] {
      let aside = try scratch.folder.folder("home/site/greeter/.3.7.new").create()
      try aside.write(text, to: "index.html")
      try result.put(report: aside)
      #expect(scratch.text("home/site/greeter/3/index.html") == text)
      #expect(!aside.exists)
    }
  }
}
