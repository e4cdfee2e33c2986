import FoundationEssentials
import Model

/// An integration with something of everything that mails tell.
enum MessageSample {
  static let commit = Commit(
    id: CommitID(rawValue: "2dbc891" + String(repeating: "0", count: 33)), summary: "Add quiet hours <b>now</b>",
    author: "Mira & Co", email: "mira@example.org", date: Date(timeIntervalSince1970: 1_795_166_000))
  static let noon = TestID(module: "GreeterTests", suite: "GreetingTests", name: "test_greeting_atNoon_isAfternoon")
  static let language = TestID(module: "GreeterTests", suite: "", name: "unknownLanguageHasNone()")

  static func integration(_ outcome: Outcome) -> Integration {
    var integration = Integration(
      bot: "Greeter", number: 42, repository: "/git/Greeter.git", branch: "main", commit: commit, cause: .commit,
      toolchain: "Swift version 6.3.1", configuration: "debug", sandbox: "on",
      queuedAt: Date(timeIntervalSince1970: 1_795_166_100),
      repeatCommand: "martlet run /git/Greeter.git --commit 2dbc891")
    integration.outcome = outcome
    integration.endedAt = Date(timeIntervalSince1970: 1_795_166_525)
    integration.tests = TestReport(results: [
      TestResult(
        id: TestID(module: "GreeterTests", suite: "GreetingTests", name: "test_greeting"), library: .xctest,
        state: .passed)
    ])
    return integration
  }

  /// Everything is resolved.
  static var green: Integration {
    var integration = integration(.succeeded)
    integration.issues = [
      Issue(id: "1", kind: .testFailure, status: .resolved, message: "Expected morning", test: noon),
      Issue(
        id: "2", kind: .warning, status: .resolved, message: "never used",
        location: SourceLocation(file: "Sources/Greeter/Door.swift", line: 23)),
    ]
    return integration
  }

  /// Two new red tests, a new warning, and what was there before.
  static var red: Integration {
    var integration = integration(.testFailures)
    integration.commits = [commit, commit]
    integration.baseline = Baseline(
      number: 41, branch: "main", commit: commit.id, outcome: .succeeded, tests: TestCounts(), totals: nil, files: [:],
      duration: 1,
      warnings: 0, states: [noon: .passed, language: .passed])
    integration.reasons = [.stopped("2 tests failed.")]
    let place = SourceLocation(file: "Tests/GreeterTests/GreetingTests.swift", line: 20)
    let message = "XCTAssertEqual failed: (\"Good morning, Ada\")\nis not equal to\n(\"Good afternoon, Ada\")\u{1B}[31m"
    integration.tests = TestReport(results: [
      TestResult(
        id: noon, library: .xctest, state: .failed, location: place,
        failures: [TestFailure(location: place, message: message)]),
      TestResult(id: language, library: .swiftTesting, state: .crashed),
    ])
    var failure = Issue(id: "1", kind: .testFailure, message: message, location: place, test: noon)
    failure.suspects = [
      Suspect(
        name: "Mira & Co", email: "mira@example.org", confidence: .high,
        reason: "\(commit.id.short) wrote the line that fails.",
        commit: commit.id)
    ]
    integration.issues = [
      Issue(
        id: "3", kind: .warning, message: "initialization of immutable value 'unused' was never used",
        location: SourceLocation(file: "Sources/Greeter/Door.swift", line: 23)),
      failure,
      Issue(
        id: "2", kind: .crash, message: "Index out of range",
        location: SourceLocation(file: "Sources/Greeter/Language.swift", line: 14), test: language),
      Issue(id: "4", kind: .warning, status: .unresolved, message: "old", age: 3),
      Issue(
        id: "5", kind: .error, status: .resolved, message: "cannot find 'x'",
        location: SourceLocation(file: "Sources/Greeter/Door.swift", line: 2)),
    ]
    integration.changes = CoverageChanges(
      comparison: .unknown(reason: "no coverage"),
      patch: .known(
        PatchCoverage(
          origin: .integration(41),
          files: [
            PatchCoverage.File(
              path: "Sources/Greeter/Greeter.swift", ran: [1, 2, 3], partlyRan: [],
              neverRan: [18, 51, 52])
          ])))
    return integration
  }

  /// Of somebody else, integrated together with the other commit.
  static let older = Commit(
    id: CommitID(rawValue: "5fe1586" + String(repeating: "0", count: 33)), summary: "Name the languages",
    author: "Jon", email: "jon@example.org", date: Date(timeIntervalSince1970: 1_795_160_000))

  /// The red one with two commits, and for each new issue the one who probably did it.
  static var suspicious: Integration {
    var integration = red
    integration.commits = [commit, older]
    func suspect(_ commit: Commit, _ confidence: Suspect.Confidence, _ deed: String) -> Suspect {
      Suspect(
        name: commit.author, email: commit.email, confidence: confidence, reason: "\(commit.id.short) \(deed).",
        commit: commit.id, deed: deed)
    }
    let door = suspect(commit, .medium, "changed Sources/Greeter/Door.swift")
    let language = suspect(older, .medium, "changed Sources/Greeter/Language.swift")
    let day = suspect(commit, .high, "changed PartOfDay.swift:8")
    let suspects = ["1": [day, suspect(older, .medium, "is near")], "2": [language], "3": [door]]
    for (index, issue) in integration.issues.enumerated() {
      integration.issues[index].suspects = suspects[issue.id] ?? []
    }
    return integration
  }
}
