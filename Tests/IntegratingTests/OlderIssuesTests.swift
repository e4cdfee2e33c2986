import Comparing
import FoundationEssentials
import Model
import Rendering
import Testing

@testable import Integrating

/// `Stored/Issues` is what Martlet 0.1.0, which kept no subjects, wrote of a small package: in 2 everything is there and
/// some of it silenced, and 3 does not build.
@Suite("Issues that an older Martlet wrote")
struct OlderIssuesTests {
  private static let stored = Folder("\(#filePath)".split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })
    .folder("Stored").folder("Issues")
  private static let ids = [
    "t-b86b1549", "g-9e1a540e", "g-647e1c98", "s-849652fb", "w-2689bc54", "w-10eaf665", "s-5288c67c",
  ]
  private static let trigger = IssueSubject(.afterTrigger, name: "after-trigger 1")

  private let test = TestID(module: "SmallTests", suite: "SmallTests", name: "second()")

  /// What the package's next integration finds, all of it in other words than before.
  private var found: [Model.Issue] {
    let third = TestID(module: "SmallTests", suite: "SmallTests", name: "third()")
    let failure = TestFailure(location: nil, message: "Expectation failed: (small(2) → 2) == 3")
    let unused =
      "initialization of immutable value 'unused' was never used; consider replacing with assignment to '_' or removing it"
    return IssueFinder.issues(
      diagnostics: [
        Diagnostic(
          severity: .warning, message: unused,
          location: SourceLocation(file: "Sources/Small/Small.swift", line: 2, column: 7))
      ],
      tests: [
        TestResult(id: third, library: .swiftTesting, state: .failed, failures: [failure]),
        TestResult(id: test, library: .swiftTesting, state: .passed),
      ],
      gates: ["patch-fully-covered", "patch=90"].map { .init(.gate($0), "Said anew.") },
      isolation: IsolationReport(ran: 2, differing: [.init(id: test, together: .passed, alone: .failed)]),
      triggerErrors: [.init(Self.trigger, "Said anew.")],
      serviceWarnings: [ServiceWarning.secretWithoutValue("MISSING", bot: "small")].map {
        .init($0.subject, $0.sentence)
      })
  }

  private static func document(of number: Int) throws -> IntegrationRecord {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let bytes = try #require(stored.folder("\(number)").read("integration.json"))
    return try decoder.decode(IntegrationRecord.self, from: Data(bytes))
  }

  private func memory(of number: Int, isWhole: Bool) throws -> IssueMemory {
    let folder = Self.stored.folder("\(number)")
    let document = try Self.document(of: number)
    return isWhole ? IssueMemory(of: document, in: folder) : IssueMemory(of: document)
  }

  private func compare(_ found: [Model.Issue], _ memory: IssueMemory, _ reach: IssueReach) throws
    -> FollowedIssues
  {
    IssueComparison(
      number: memory.number + 1, commit: memory.commit, reach: reach, silences: try Silences(in: Self.stored).all(),
      now: Date(timeIntervalSince1970: 1_795_400_000)
    ).compare(found, with: memory)
  }

  @Test("All of them keep ids, streaks and silences when they are found again", arguments: [true, false])
  func again(isWhole: Bool) throws {
    let memory = try memory(of: 2, isWhole: isWhole)
    let result = try compare(found, memory, .void)
    #expect(result.issues.map(\.id) == Self.ids)
    #expect(
      result.issues.map(\.status) == [.unresolved, .silenced, .silenced] + [
        .unresolved, .unresolved, .silenced, .unresolved,
      ])
    #expect(result.issues.allSatisfy { $0.age == 2 && $0.life?.streak == 1 && $0.life?.firstSeen == 1 })
    let subjects = result.memory.records.map(\.subject)
    #expect(
      subjects == [
        nil, .gate("patch-fully-covered"), .gate("patch=90"), Self.trigger, nil, .orderDependence,
        ServiceWarning.secretWithoutValue("MISSING", bot: "").subject,
      ])
  }

  @Test("What has its subject is known by it from then on, however it is worded")
  func reworded() throws {
    let memory = try compare(found, try memory(of: 2, isWhole: true), .void).memory
    var anew = found
    for index in anew.indices where anew[index].subject != nil { anew[index].message = "Said once more, otherwise." }
    #expect(try compare(anew, memory, .void).issues.map(\.id) == Self.ids)
  }

  @Test("A trigger that was known by its position is known by its name from then on")
  func renamed() throws {
    var memory = try memory(of: 2, isWhole: true)
    let name = "trigger \"curl …\""
    memory.renameTriggers(["after-trigger 1": name])
    let anew = IssueFinder.issues(
      diagnostics: [], tests: [], triggerErrors: [.init(IssueSubject(.afterTrigger, name: name), "Said anew.")])
    #expect(try compare(anew, memory, .void).issues.first?.id == "s-849652fb")
  }

  @Test("What was not come to stays open, and what is proved gone is resolved")
  func fates() throws {
    let memory = try memory(of: 3, isWhole: true)
    var reach = IssueReach(
      built: true, tests: [test: .passed], listed: true, isolated: false, waitingTriggers: .named(["after-trigger 1"]),
      gates: ["patch=90": .failed])
    func open() throws -> [String] { try compare([], memory, reach).issues.filter { !$0.status.isOver }.map(\.id) }
    #expect(try open() == ["g-647e1c98", "s-849652fb", "w-10eaf665"])
    reach.isolated = true
    reach.waitingTriggers = .named(["after-trigger 2"])
    reach.gates = ["patch=90": .passed]
    #expect(try open() == [])
    reach.waitingTriggers = .allAfter
    reach.owedGates = ["patch-fully-covered"]
    #expect(try open() == ["g-9e1a540e", "s-849652fb"])
  }

  @Test("A silenced gate of an older document owes nothing")
  func owed() throws {
    let document = try Self.document(of: 2)
    #expect(document.gates?.count == 2)
    #expect(document.owed == [])
  }

  @Test(
    "What a trigger's sentence names is its subject",
    arguments: [
      ("The after-trigger 'a b.sh' failed with exit status 3.", "after-trigger 'a b.sh'", true),
      ("The after-trigger 12 was stopped.", "after-trigger 12", true),
      ("The before-trigger 'script/x' could not be started: no.", "before-trigger 'script/x'", false),
      ("The mail 2 (daily) was not sent: no.", "mail 2 (daily)", true),
      ("The webhook 1 to example.org:8443 was not called.", "webhook 1 to example.org:8443", true),
    ])
  func triggers(sentence: String, name: String, isAfter: Bool) {
    #expect(
      IssueSubject(older: sentence, of: .triggerError, nil)
        == IssueSubject(isAfter ? .afterTrigger : .beforeTrigger, name: name))
  }
}
