import FoundationEssentials
@testable import Model
import Rendering
import Testing

/// `martlet show` and `martlet log` on integrations that are already kept.
@Suite("Looking at what is kept")
struct ShowTests {
  private let scratch: ScratchFolder
  private let program: Program

  /// A home with a finished integration, and one that is still running.
  init() throws {
    scratch = try ScratchFolder("show")
    program = Program(scratch: scratch)
    try scratch.write(Self.document(), to: "home/integrations/Shop/2/integration.json")
    try scratch.write("$ swift-build\nBuilding \u{1B}[31mShop\n", to: "home/integrations/Shop/2/log/building.log")
    try scratch.write("$ xctest\n", to: "home/integrations/Shop/2/log/testing.log")
    try scratch.write("$ swift-build\nBui", to: "home/integrations/Shop/3/log/building.log")
  }

  private static func document(
    number: Int = 2, branch: String = "main", _ outcome: Outcome = .testFailures,
    coverage: CoverageReport = .unavailable(reason: "No tests ran.")
  ) throws -> String {
    let date = Date(timeIntervalSince1970: 1_795_162_325)
    var integration = Integration(
      bot: "Shop", number: number, repository: "/srv/git/Shop.git", branch: branch,
      commit: Commit(id: CommitID(rawValue: "2dbc891"), summary: "Sell \u{7}", author: "mira", date: date),
      cause: .commit, toolchain: "Swift version 6.3.1", configuration: "debug", sandbox: "off", queuedAt: date,
      repeatCommand: "")
    integration.outcome = outcome
    integration.coverage = coverage
    integration.reasons = [.stopped("1 test failed.")]
    let test = TestID(module: "ShopTests", suite: "Till", name: "sum()")
    var flaky = TestResult(
      id: TestID(module: "ShopTests", suite: "Till", name: "open()"), library: .swiftTesting, state: .passed)
    flaky.isFlaky = true
    flaky.attempts = [
      TestAttempt(state: .failed, duration: 1, message: "It is shut."), TestAttempt(state: .passed, duration: 1),
    ]
    let failures = [
      TestFailure(location: SourceLocation(file: "Tests/ShopTests/Till.swift", line: 7), message: "1 is not 2\nat all")
    ]
    integration.tests = TestReport(results: [
      TestResult(id: test, library: .swiftTesting, state: .failed, failures: failures), flaky,
    ])
    integration.tests.isolation = IsolationReport(
      ran: 2, differing: [.init(id: test, together: .failed, alone: .passed)])
    let place = SourceLocation(file: "Sources/Shop/Shop.swift", line: 3, column: 5)
    integration.issues = [
      Issue(id: "e-1", kind: .error, message: "no such thing", location: place),
      Issue(id: "e-2", kind: .error, status: .resolved, message: "an old thing", location: place),
      Issue(id: "w-1", kind: .warning, message: "never used", location: place),
      Issue(id: "w-2", kind: .warning, status: .unresolved, message: "an old warning", location: place),
      Issue(id: "s-1", kind: .serviceWarning, status: .unresolved, message: "The code under test was not contained."),
    ]
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return String(decoding: try encoder.encode(IntegrationRecord(integration)), as: UTF8.self)
  }

  @Test("show prints the verdict, what is red and where, and the figures", arguments: ["Shop", "Shop/2"])
  func summary(operand: String) throws {
    let run = try program.run("show", operand)
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
    #expect(
      run.output == """
        Shop 2: test-failures, 2dbc891 Sell ⟨U+0007⟩
          1 test failed.

        Sources/Shop/Shop.swift:3:5: error: no such thing

        failed: ShopTests.Till/sum()
          Tests/ShopTests/Till.swift:7: 1 is not 2
            at all

        flaky: ShopTests.Till/open(): failed, then passed
          It is shut.
        order-dependent: ShopTests.Till/sum(): failed with the others, passed alone

        warning: The code under test was not contained.
        Sources/Shop/Shop.swift:3:5: warning: never used

        Tests     2 listed: 1 flaky, 1 failed
        Coverage  not available. No tests ran.
        Branch    main

        """)
  }

  @Test("What kept everything from being done is told once, and not again of the coverage")
  func toldOnce() throws {
    func shown(_ code: OutcomeReason.Code?) throws -> String {
      let coverage = CoverageReport.unavailable(reason: "1 test failed.", code: code)
      try scratch.write(Self.document(coverage: coverage), to: "home/integrations/Shop/2/integration.json")
      return try program.run("show", "Shop").output
    }
    // An older document has no code.
    for code in [OutcomeReason.Code("stopped"), nil] {
      let told = try shown(code)
      #expect(told.ranges(of: "1 test failed.").count == 1)
      #expect(!told.contains("Coverage"))
    }
  }

  @Test("A newest integration of another branch does not hide that the default branch is red")
  func otherBranch() throws {
    try scratch.write(
      Self.document(number: 4, branch: "feature", .succeeded), to: "home/integrations/Shop/4/integration.json")
    for words in [["show", "Shop"], ["show", "Shop", "--json"], ["export", "Shop", "--format", "junit"]] {
      #expect(try program.run(words).errors == "main is red: Shop/2, test-failures.\n", "\(words)")
    }
    for words in [["show", "Shop/4"], ["show", "Shop", "--branch", "feature"]] {
      #expect(try program.run(words).errors.isEmpty, "\(words)")
    }
    #expect(try program.run("show", "Shop", "--branch", "main").output.hasPrefix("Shop 2: test-failures"))
  }

  @Test("show names the report where there is one")
  func report() throws {
    try scratch.write("", to: "home/site/Shop/2/index.html")
    #expect(
      try program.run("show", "Shop").output.hasSuffix("\nReport    \(scratch.file("home"))/site/Shop/2/index.html\n"))
    try scratch.write(Self.document(), to: "copy/integration.json")
    try scratch.write("", to: "copy/index.html")
    #expect(try program.run("show", "copy").output.hasSuffix("\nReport    \(scratch.file("copy"))/index.html\n"))
  }

  @Test("show --json is the document as it is kept")
  func json() throws {
    let kept = try String(
      decoding: Data(contentsOf: URL(filePath: scratch.file("home/integrations/Shop/2/integration.json"))),
      as: UTF8.self)
    #expect(try program.run("show", "Shop/2", "--json").output == kept)
  }

  @Test("log shows what there is so far of an integration that is not finished, and says so")
  func unfinished() throws {
    let remark = "Shop/3 is not finished; --follow prints until it is.\n"
    let list = try program.run("log", "Shop/3")
    #expect(list.status == 0)
    #expect(list.output == "building  17 bytes\n")
    #expect(list.errors == remark)
    let log = try program.run("log", "Shop/3", "building")
    #expect(log.output == "$ swift-build\nBui")
    #expect(log.errors == remark)
  }

  @Test("log lists the logs with their sizes, and prints one as it is")
  func logs() throws {
    #expect(try program.run("log", "Shop").output == "building  33 bytes\ntesting   9 bytes\n")
    #expect(try program.run("log", "Shop/2", "building").output == "$ swift-build\nBuilding \u{1B}[31mShop\n")
    let list = try program.run("log", "Shop/2", "--json").output
    #expect(
      list.contains("\"bytes\" : 9,\n    \"file\" : \"\(scratch.file("home"))/integrations/Shop/2/log/testing.log\""))
    #expect(!list.contains("\"text\""))
    #expect(try program.run("log", "Shop/2", "testing", "--json").output.contains(#""text" : "$ xctest\n""#))
  }

  @Test(
    "A wrong word is refused with what was meant",
    arguments: [
      (["log", "--follow"], "an integration is missing, such as BOT/N. See 'martlet help log'."),
      (["log", "Shop", "bilding"], "unknown step 'bilding'; did you mean 'building'? See 'martlet help log'."),
      (
        ["log", "Shop", "resolving"],
        "Shop/2 has no log of resolving. It has building and testing. See 'martlet help log'."
      ),
      (
        ["log", "Shop/3", "testing"], "Shop/3 has no log of testing yet. It has building. See 'martlet help log'."
      ),
      (["log", "Shop/4"], "Shop has no finished integration '4'. There is Shop/2. See 'martlet help log'."),
      (["show", "Shap"], "unknown bot 'Shap'; did you mean 'Shop'? See 'martlet help show'."),
    ])
  func mistakes(words: [String], message: String) throws {
    let run = try program.run(words)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors == "error: \(message)\n")
  }
}
