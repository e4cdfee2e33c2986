import FoundationEssentials
import Model
import Notifying
import Rendering
import Storing
import Testing

@testable import Integrating

@Suite("A message that is refused when its integration is finished")
struct LateFailuresTests {
  private let home: Home
  private let scratch: Scratch
  private let now = Date(timeIntervalSince1970: 1_795_000_000)

  init() throws {
    scratch = try Scratch()
    home = Home(scratch.file("home"))
    var integration = Integration(
      bot: "shop", number: 1, repository: "/r", branch: "main",
      commit: Commit(id: CommitID(rawValue: "b"), summary: "", author: "", date: now), cause: .commit, toolchain: "",
      configuration: "", sandbox: "", queuedAt: now, repeatCommand: "")
    integration.outcome = .succeeded
    integration.issueMemory = IssueMemory(number: 1, commit: CommitID(rawValue: "b"), reached: [], records: [])
    let document = try IntegrationRecord(integration).encoded()
    for folder in [home.integration(1, of: "shop"), home.report(1, of: "shop")] {
      try folder.folder("log").create()
      try folder.write(document, to: StoredIntegration.fileName)
    }
    try home.integration(1, of: "shop").write("called\n", to: Step.afterTriggers.logPath)
    try PastIndex(of: home).add(IntegrationRecord(reading: document))
  }

  private func delivery(_ source: Delivery.Source?) -> Delivery {
    Delivery(
      key: ["one"], bot: "shop", place: "example.org",
      way: .webhook(url: "https://example.org", secret: "KEY", event: "integration"), content: [], queuedAt: now,
      source: source)
  }

  private let source = Delivery.Source(number: 1, trigger: "webhook 1 to example.org")

  private func entry(isFinished: Bool) throws {
    try PastIndex(of: home).ask(changes: true) { store throws(StoringError) in
      let assignment = Assignment(
        bot: "shop", ref: RefName(branch: "main"), commit: CommitID(rawValue: "b"), cause: .commit, queuedAt: now)
      let id = try store.apply(Decision(bot: "shop", changes: [.queue(assignment)]))[0]
      _ = try store.start(id, at: now)
      guard isFinished else { return }
      try store.finish(id, IntegrationSummary(outcome: .succeeded, endedAt: now))
    }
  }

  @Test("Is an issue of it in its document, in the copy beside the report, in the index and in what the watcher knows")
  func refused() throws {
    try entry(isFinished: true)
    let late = LateFailures(in: home, secrets: ["shop": ["KEY": "s3cret-word"]])
    #expect(!late.isSending(delivery(source)))
    #expect(try late.add(delivery(source), refused: "404 for s3cret-word", now: now) == 1)
    let sentence = "The webhook 1 to example.org could not be called, and is not tried again: 404 for ••••••."
    for folder in [home.integration(1, of: "shop"), home.report(1, of: "shop")] {
      let document = try StoredIntegration(in: folder).document
      #expect(document.outcome == .warnings && document.reasons == [sentence])
      #expect(document.issues.map(\.message) == [sentence])
    }
    #expect(try PastIndex(of: home).newest(of: "shop").map(\.outcome) == [.warnings])
    let line = try PastIndex(of: home).ask { store throws(StoringError) in try store.integration(1, of: "shop") }
    #expect(line?.summary?.outcome == .warnings && line?.summary?.reason == sentence)
    #expect(
      home.integration(1, of: "shop").read(Step.afterTriggers.logPath).map { String(decoding: $0, as: UTF8.self) }
        == "called\n\(sentence)\n")
  }

  @Test("Is sent and told by the integration itself while that runs")
  func running() throws {
    try entry(isFinished: false)
    let late = LateFailures(in: home, secrets: [:])
    #expect(late.isSending(delivery(source)))
    #expect(!late.isSending(delivery(nil)))
  }

  @Test("Is told by nothing where there is no integration, or none any more")
  func unknown() throws {
    let late = LateFailures(in: home, secrets: [:])
    #expect(try late.add(delivery(nil), refused: "404", now: now) == nil)
    #expect(try late.add(delivery(Delivery.Source(number: 7, trigger: "x")), refused: "404", now: now) == nil)
    #expect(try StoredIntegration(in: home.integration(1, of: "shop")).document.outcome == .succeeded)
  }
}
