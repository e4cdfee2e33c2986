import FoundationEssentials
import Model
import Testing

@testable import Integrating

@Suite("What scripts of a bot are told")
struct TriggerEnvironmentTests {
  private static let commit = Commit(
    id: CommitID(rawValue: String(repeating: "a", count: 40)), summary: "Sell", author: "Ada", date: .distantPast)
  private static let places = TriggerEnvironment.Places(
    source: "/w/source", package: "/w/source/pkg", kept: "/k/7", scratch: "/w/build", products: "/w/build/debug",
    buildLog: "/k/7/log/building.log")

  private func integration() -> Integration {
    var integration = Integration(
      bot: "shop", number: 7, repository: "/shop", branch: "main", commit: Self.commit, cause: .commit,
      toolchain: "Swift 6.3", configuration: "debug", sandbox: "off", queuedAt: .distantPast, repeatCommand: "")
    integration.outcome = .testFailures
    integration.diagnostics = [
      Diagnostic(severity: .warning, message: "old"), Diagnostic(severity: .note, message: ""),
    ]
    integration.issues = [
      Model.Issue(id: "e", kind: .error, message: "wrong"),
      Model.Issue(id: "a", kind: .analyzerWarning, message: "odd"),
      Model.Issue(id: "r", kind: .error, status: .resolved, message: "gone"),
    ]
    integration.archive = [
      ArchivedFile(path: "r/x", bytes: 1, sha256: ""), ArchivedFile(path: "shop", bytes: 1, sha256: ""),
    ]
    return integration
  }

  private func variables(_ integration: Integration, isOver: Bool) -> [String: String] {
    TriggerEnvironment.variables(
      TriggerEnvironment.Facts(integration: integration, places: Self.places, isOver: isOver))
  }

  /// The variables of Xcode Server before an integration, but for the short names.
  private static let before = [
    "XCS": "1", "XCS_BOT_NAME": "shop", "XCS_BOT_ID": "shop",
    "XCS_INTEGRATION_ID": "shop/7", "XCS_INTEGRATION_NUMBER": "7",
    "XCS_INTEGRATION_RESULT": "unknown", "XCS_SOURCE_DIR": "/w/source/pkg", "XCS_OUTPUT_DIR": "/k/7",
    "XCS_DERIVED_DATA_DIR": "/w/build", "XCS_PRIMARY_REPO_DIR": "/w/source", "XCS_PRIMARY_REPO_BRANCH": "main",
    "XCS_PRIMARY_REPO_REVISION": String(repeating: "a", count: 40),
  ]

  private func xcs(_ variables: [String: String]) -> [String: String] {
    variables.filter { $0.key.hasPrefix("XCS") && !$0.key.hasSuffix("TINY_ID") }
  }

  @Test("Before the integration its result is unknown, and nothing is counted")
  func before() {
    #expect(xcs(variables(integration(), isOver: false)) == Self.before)
  }

  @Test("After it, counts come with their changes, and what there is of a log and products with its place")
  func after() {
    var integration = integration()
    let first = Self.before.merging([
      "XCS_INTEGRATION_RESULT": "test-failures", "XCS_XCODEBUILD_LOG": "/k/7/log/building.log",
      "XCS_ARCHIVE": "/k/7/archive", "XCS_PRODUCT": "/k/7/archive/shop", "XCS_ERROR_COUNT": "1",
      "XCS_WARNING_COUNT": "1", "XCS_ANALYZER_WARNING_COUNT": "1", "XCS_TESTS_COUNT": "0",
      "XCS_TEST_FAILURE_COUNT": "0",
    ]) { $1 }
    #expect(xcs(variables(integration, isOver: true)) == first)
    var before = TestCounts()
    before.passed = 2
    integration.baseline = Baseline(
      number: 6, commit: Self.commit.id, outcome: .testFailures, tests: before, totals: nil, files: [:],
      duration: 1, warnings: 3, states: [:],
      issues: [Model.Issue(id: "e", kind: .error, message: "wrong"), Model.Issue(id: "r", kind: .error, message: "")])
    let changes = [
      "XCS_ERROR_CHANGE": "-1", "XCS_WARNING_CHANGE": "-2", "XCS_ANALYZER_WARNING_CHANGE": "1",
      "XCS_TESTS_CHANGE": "-2", "XCS_TEST_FAILURE_CHANGE": "0",
    ]
    #expect(xcs(variables(integration, isOver: true)) == first.merging(changes) { $1 })
    // What did not build had no tests and not all warnings to compare with.
    integration.baseline?.outcome = .buildErrors
    let unknown: Set<String> = ["XCS_WARNING_CHANGE", "XCS_TESTS_CHANGE", "XCS_TEST_FAILURE_CHANGE"]
    let known = changes.filter { !unknown.contains($0.key) }
    #expect(xcs(variables(integration, isOver: true)) == first.merging(known) { $1 })
  }

  @Test("Products are told by kind, one path in a line; what there is none of is not set")
  func products() {
    var integration = integration()
    #expect(variables(integration, isOver: true)["MARTLET_EXECUTABLES"] == nil)
    func file(_ path: String, _ kind: ArchivedFile.Kind) -> ArchivedFile {
      ArchivedFile(path: path, bytes: 1, sha256: "", kind: kind)
    }
    integration.archive = [
      file("libcake.so", .dynamicLibrary), file("shop", .executable), file("bake shop", .executable),
      file("shop_Shop.resources/a", .resource), file("shop_Shop.resources/b/c", .resource),
    ]
    let told = variables(integration, isOver: true)
    #expect(told["MARTLET_PRODUCT"] == "/k/7/archive/shop", "an executable comes before a library")
    #expect(told["MARTLET_EXECUTABLES"] == "/k/7/archive/bake shop\n/k/7/archive/shop")
    #expect(told["MARTLET_DYNAMIC_LIBRARIES"] == "/k/7/archive/libcake.so")
    #expect(told["MARTLET_STATIC_LIBRARIES"] == nil)
    #expect(told["MARTLET_RESOURCES"] == "/k/7/archive/shop_Shop.resources")
    #expect(variables(integration, isOver: false)["MARTLET_EXECUTABLES"] == nil)
  }

  @Test("Every variable has Martlet's name, and the same value under both")
  func names() {
    let variables = variables(integration(), isOver: true)
    for variable in TriggerEnvironment.table {
      guard let other = variable.other else { continue }
      #expect(variables["MARTLET_\(variable.name)"] == variables["XCS_\(other)"], "\(other)")
    }
    #expect(variables["MARTLET"] == "1")
    #expect(variables["MARTLET_COMMIT"] == Self.commit.id.rawValue)
    #expect(variables["MARTLET_BOT_TINY_ID"]?.count == 7)
    #expect(variables["MARTLET_BOT_TINY_ID"] != variables["MARTLET_INTEGRATION_TINY_ID"])
  }

  @Test("The explanation names every variable, within 120 columns")
  func explanation() {
    let text = TriggerEnvironment.explanation
    for variable in TriggerEnvironment.table { #expect(text.contains("  MARTLET_\(variable.name)  ")) }
    #expect(text.contains("  XCS_XCODEBUILD_LOG is MARTLET_BUILD_LOG\n"))
    #expect(text.split(separator: "\n").filter { $0.count > 120 } == [])
  }

  @Test("A tag is told under both names, and no branch with it")
  func tag() {
    var integration = integration()
    (integration.branch, integration.tag) = (nil, "1.2.0")
    let variables = variables(integration, isOver: false)
    #expect(variables["MARTLET_TAG"] == "1.2.0")
    #expect(variables["XCS_PRIMARY_REPO_TAG"] == "1.2.0")
    #expect(variables["MARTLET_BRANCH"] == nil && variables["XCS_PRIMARY_REPO_BRANCH"] == nil)
  }

  @Test("A branch with a zero byte is not handed over")
  func zero() {
    var integration = integration()
    integration.branch = "ma\0in"
    #expect(variables(integration, isOver: false)["MARTLET_BRANCH"] == nil)
  }
}
