import FoundationEssentials
import Glibc
import Model
import Rendering
import Testing

@testable import Integrating

@Suite("The result of another machine")
struct HandedResultTests {
  private static let id = "0123456789abcdef"
  private let scratch: Scratch
  private let home: Home
  private let order = IntegrationOrder(
    bot: Bot(name: "greeter", repository: "/r"), number: 3, commit: CommitID(rawValue: "a"), branch: "main",
    cause: .commit, queuedAt: Date(timeIntervalSince1970: 0))

  init() throws {
    scratch = try Scratch()
    home = Home(scratch.file("home"))
    try home.prepare()
    // What the logs of the running integration have left.
    try scratch.folder.folder("home/integrations/greeter/3/log").create()
    try scratch.folder.write("part", to: "home/integrations/greeter/3/log/building.log")
  }

  private var result: HandedResult { HandedResult(order, id: Self.id, home: home) }

  private func integration(_ change: (inout Integration) -> Void = { _ in }) -> Integration {
    var integration = Integration(
      bot: "greeter", number: 3, repository: "/r", branch: "main",
      commit: Commit(
        id: CommitID(rawValue: "a"), summary: "Begin", author: "Ada", date: Date(timeIntervalSince1970: 0)),
      cause: .commit, toolchain: "Swift", configuration: "debug", sandbox: "off",
      queuedAt: Date(timeIntervalSince1970: 0), repeatCommand: "martlet run")
    integration.outcome = .buildErrors
    change(&integration)
    return integration
  }

  /// Writes what a machine has made, and lists it.
  private func make(_ integration: Integration) throws -> (manifest: ResultManifest, folder: Folder) {
    let made = scratch.folder.folder("made")
    try made.remove()
    for name in ["kept/log", "report/coverage", "outbox"] { try made.folder(name).create() }
    let document = try IntegrationRecord(integration).encoded()
    try made.write(document, to: "kept/integration.json")
    try made.write("whole", to: "kept/log/building.log")
    try made.write(document, to: "report/integration.json")
    try made.write("page", to: "report/index.html")
    try made.write("source", to: "report/coverage/a.html")
    try made.write("mail", to: "outbox/m1.json")
    let files = try ResultManifest.files(of: ["kept", "report", "outbox"].map { ($0, made.folder($0)) })
    return (ResultManifest(id: Self.id, bot: "greeter", number: 3, files: files), made)
  }

  /// Has the result fetched: what is wanted is copied.
  private func fetch(_ manifest: ResultManifest, from made: Folder) throws -> [String] {
    let (folder, wanted) = try result.prepare(for: manifest)
    var bytes: [UInt8] = []
    for path in wanted { try FileStream.write(path, from: made.file(path)) { bytes += $0 } }
    try FileStream.writeEnd { bytes += $0 }
    try SessionReader(of: bytes).files(into: folder)
    try result.accept(manifest, from: folder)
    return wanted
  }

  private func refusal(of integration: Integration) throws -> String? {
    let (manifest, made) = try make(integration)
    do {
      try result.check(manifest)
      _ = try fetch(manifest, from: made)
      return nil
    } catch let refusal as HandedResult.Refusal {
      return refusal.reason
    }
  }

  @Test("Is taken in once: documents, index, pages and messages, and nothing of it is left over")
  func takingIn() throws {
    #expect(try result.finishTakingIn() == nil)
    let (manifest, made) = try make(integration())
    try result.check(manifest)
    _ = try fetch(manifest, from: made)
    for _ in 0..<2 {
      #expect(try result.finishTakingIn()?.outcome == .buildErrors)
      #expect(scratch.text("home/integrations/greeter/3/log/building.log") == "whole")
      #expect(scratch.text("home/site/greeter/3/coverage/a.html") == "source")
      #expect(scratch.text("home/outbox/m1.json") == "mail")
      #expect(try PastIndex(of: home).integrations(of: "greeter").map(\.number) == [3])
      #expect(HandoverFolder.all(in: home).names() == [])
    }
    // A message that was sent meanwhile does not come back.
    unlink(scratch.file("home/outbox/m1.json"))
    _ = try result.finishTakingIn()
    #expect(!scratch.folder.holds("home/outbox/m1.json"))
    var status = stat()
    #expect(stat(scratch.file("home/site/greeter/3/index.html"), &status) == 0 && status.st_mode & 0o777 == 0o644)
    #expect(stat(scratch.file("home/integrations/greeter/3/integration.json"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("Is taken in whole by another process, wherever the first one was killed", arguments: 0..<4)
  func killed(step: Int) throws {
    let (manifest, made) = try make(integration())
    _ = try fetch(manifest, from: made)
    let staged = "home/handed/\(Self.id)/result"
    if step > 0 {
      try scratch.folder.folder("home/integrations/greeter/3").remove()
    }
    if step > 1 {
      try scratch.folder.folder("\(staged)/kept").rename(to: scratch.folder.folder("home/integrations/greeter/3"))
    }
    if step > 2 {
      try scratch.folder.folder("home/site/greeter").create()
      try scratch.folder.folder("\(staged)/report").rename(to: scratch.folder.folder("home/site/greeter/3"))
    }
    #expect(try result.finishTakingIn()?.outcome == .buildErrors)
    #expect(scratch.text("home/integrations/greeter/3/log/building.log") == "whole")
    #expect(scratch.text("home/site/greeter/3/index.html") == "page")
    #expect(scratch.text("home/outbox/m1.json") == "mail")
    #expect(try PastIndex(of: home).integrations(of: "greeter").count == 1)
    #expect(HandoverFolder.all(in: home).names() == [])
  }

  @Test("What was closed here by a process that was killed in the midst of it gets its report")
  func killedClosing() throws {
    let document = try IntegrationRecord(integration()).encoded()
    let aside = try scratch.folder.folder("home/site/greeter/.3.77.new").create()
    try scratch.folder.write(document, to: "home/integrations/greeter/3/integration.json")
    try aside.write(document, to: "integration.json")
    try aside.write("page", to: "index.html")
    #expect(try result.finishTakingIn()?.outcome == .buildErrors)
    #expect(scratch.text("home/site/greeter/3/index.html") == "page")
    #expect(!aside.exists)
  }

  @Test("Shares the pages that the newest report has, too, and fetches the others")
  func sharing() throws {
    for (path, text) in [("index.html", "older"), ("coverage/a.html", "source")] {
      try scratch.folder.folder("home/site/greeter/2/coverage").create()
      try scratch.folder.write(text, to: "home/site/greeter/2/\(path)")
    }
    let (manifest, made) = try make(integration())
    let wanted = try fetch(manifest, from: made)
    #expect(!wanted.contains("report/coverage/a.html") && wanted.contains("report/index.html"))
    _ = try result.finishTakingIn()
    #expect(scratch.text("home/site/greeter/3/coverage/a.html") == "source")
    #expect(scratch.text("home/site/greeter/3/index.html") == "page")
  }

  @Test("Is refused if it is of another integration, commit, branch or cause, or of another attempt")
  func otherOrder() throws {
    let words = "The result is of greeter 3 at a, and ordered was greeter 3 at a."
    #expect(try refusal(of: integration { $0.branch = "topic" }) == words)
    #expect(try refusal(of: integration { $0.tag = "1.0" }) == words)
    #expect(try refusal(of: integration { $0.cause = .person }) == words)
    #expect(try refusal(of: integration { $0.queuedAt = Date(timeIntervalSince1970: 60) }) == words)
    #expect(
      try refusal(of: integration { $0.bot = "other" })
        == "The result is of other 3 at a, and ordered was greeter 3 at a.")
    #expect(
      try refusal(of: integration { $0.commit.id = CommitID(rawValue: "b") })
        == "The result is of greeter 3 at b, and ordered was greeter 3 at a.")
    #expect(try result.finishTakingIn() == nil)
  }

  @Test("Is refused if a file is not what the list says")
  func damaged() throws {
    let (manifest, made) = try make(integration())
    try made.write("whale", to: "kept/log/building.log")
    let refusal = #expect(throws: HandedResult.Refusal.self) { try fetch(manifest, from: made) }
    #expect(refusal?.reason == "The file kept/log/building.log of the result is not what the machine says.")
  }

  @Test("Is refused if its report is that of another result")
  func otherReport() throws {
    let (_, made) = try make(integration())
    let other = IntegrationRecord(integration { $0.outcome = .succeeded })
    try made.write(try other.encoded(), to: "report/integration.json")
    let files = try ResultManifest.files(of: ["kept", "report", "outbox"].map { ($0, made.folder($0)) })
    let manifest = ResultManifest(id: Self.id, bot: "greeter", number: 3, files: files)
    let refusal = #expect(throws: HandedResult.Refusal.self) { try fetch(manifest, from: made) }
    #expect(refusal?.reason == "The report is not that of the result.")
    #expect(try result.finishTakingIn() == nil)
  }

  @Test("Is refused if its list is of something else, or names files elsewhere")
  func list() throws {
    func reason(_ change: (inout ResultManifest) -> Void) throws -> String? {
      var manifest = try make(integration()).manifest
      change(&manifest)
      let refusal = #expect(throws: HandedResult.Refusal.self) { try result.check(manifest) }
      return refusal?.reason
    }
    #expect(try reason { $0.number = 4 } == "The result is that of greeter 4, which was not ordered.")
    #expect(try reason { $0.id = "fedcba9876543210" } == "The result is that of greeter 3, which was not ordered.")
    #expect(
      try reason { $0.files.removeAll { $0.path == "kept/integration.json" } }
        == "The result has no integration.json.")
    for path in ["kept/../../x", "/etc/passwd", "other/x", "kept/log/building.log"] {
      let words = "The result has files with names that lead elsewhere or come twice."
      #expect(try reason { $0.files.append(.init(path: path, bytes: 1, sha256: "")) } == words, "\(path)")
    }
  }

  @Test("Is refused if it contradicts itself, and never green with a test that is red or did not run")
  func contradictions() {
    let one = TestResult(
      id: TestID(module: "A", suite: "B", name: "c()"), library: .xctest, state: .failed)
    var other = one
    (other.id, other.state) = (TestID(module: "A", suite: "B", name: "d()"), .passed)
    func document(_ change: (inout IntegrationRecord) -> Void = { _ in }) -> IntegrationRecord {
      var document = IntegrationRecord(
        integration { integration in
          integration.outcome = .testFailures
          integration.tests.results = [one, other]
        })
      change(&document)
      return document
    }
    #expect(ResultContradiction(document()) == nil)
    #expect(ResultContradiction(document { $0.tests.listed = 3 }) == .counts)
    #expect(ResultContradiction(document { $0.tests.cases.removeLast() }) == .cases)
    #expect(ResultContradiction(document { $0.tests.cases[0].state = .passed }) == .cases)
    #expect(ResultContradiction(document { $0.outcome = .warnings }) == .green)
    #expect(ResultContradiction(document { ($0.outcome, $0.tests.silenced) = (.warnings, 1) }) == .green)
    #expect(ResultContradiction(document { ($0.outcome, $0.tests.cases[0].silenced) = (.warnings, "f-1") }) == nil)
    #expect(
      ResultContradiction(
        document { document in
          (document.outcome, document.tests.cases[0].state) = (.succeeded, .notRun)
          (document.tests.failed, document.tests.notRun) = (0, 1)
        }) == .green)
    #expect(
      ResultContradiction.counts.sentence == "The result contradicts itself: the counts of its tests do not add up.")
  }

  @Test("Is not green with a destination that is required and red, or that says so of red tests")
  func destinations() {
    func document(_ outcome: Outcome, isRequired: Bool = true, _ state: TestState = .passed) -> IntegrationRecord {
      var (first, second) = (Destination(), Destination())
      (first.name, second.name, second.isRequired) = ("debug", "release", isRequired)
      var cell = integration { $0.outcome = outcome }
      cell.destination = DestinationResult(second, leads: false, outcome: outcome)
      cell.tests.results = [
        TestResult(id: TestID(module: "A", suite: "B", name: "c()"), library: .xctest, state: state)
      ]
      return IntegrationRecord(
        integration { integration in
          integration.outcome = .succeeded
          integration.destination = DestinationResult(first, leads: true, outcome: .succeeded)
          integration.cells = [cell]
        })
    }
    #expect(ResultContradiction(document(.succeeded)) == nil)
    #expect(ResultContradiction(document(.succeeded, .failed)) == .green)
    #expect(ResultContradiction(document(.testFailures, .failed)) == .green)
    #expect(ResultContradiction(document(.testFailures, isRequired: false, .failed)) == nil)
  }
}
