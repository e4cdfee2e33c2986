import FoundationEssentials
@testable import Model

@testable import Rendering

/// A red integration whose issues have a past, with silences, suspects and a history of its tests.
enum IssueSample {
  static let noon = GreeterTests.all.first { $0.id.name == "test_greeting_atNoon_isAfternoon" }
  static let hang = GreeterTests.all.first { $0.id.name == "answeredBeforeWaiting()" }

  static var report: Report {
    var report = GreeterSample.red
    report.integration.issues = issues
    report.integration.issueRecords = records
    report.integration.histories = TestHistory.all(of: [TestVerdicts(IntegrationRecord(report.integration))] + earlier)
    report.integration.slowMark = 0.001
    report.integration.testChanges = TestListChanges(
      added: [GreeterTests.all[0].id], deleted: [TestID(module: "GreeterTests", suite: "Old", name: "test_<gone>")],
      renamed: [
        .init(from: TestID(module: "GreeterTests", suite: "Old", name: "test_was"), to: GreeterTests.all[1].id)
      ])
    return report
  }

  static let silence = Silence(
    issue: "h-6b30", scope: .streak, reason: "the bell is being mended <soon>", author: "Mira <mira@example.org>",
    since: Date(timeIntervalSince1970: 1_795_000_000), until: Date(timeIntervalSince1970: 1_798_156_800), number: 37,
    message: "no output for 30 s")

  private static var issues: [Issue] {
    GreeterSample.issues.map { issue in
      var issue = issue
      switch issue.id {
      case "t-4c81":
        issue.life = IssueLife(firstSeen: 12, streak: 2, streakStart: 42, cameBackFrom: 30)
        issue.suspects = [
          Suspect(
            name: "Ada", email: "ada@example.org", confidence: .high, reason: "9f1c2ab changed line 20 of the test.",
            commit: CommitID(rawValue: "9f1c2ab0"))
        ]
      case "h-6b30":
        issue.status = .silenced
        issue.life = IssueLife(firstSeen: 37, streakStart: 37, streakAge: 5)
        issue.silence = silence
      case "s-0a11": issue.life = IssueLife(firstSeen: 1, streakStart: 1, streakAge: 40, predates: true)
      case "w-e5f4":
        issue.life = IssueLife(firstSeen: 42, streakStart: 42)
        issue.endedSilence = silence
      default: break
      }
      return issue
    }
  }

  private static var records: [IssueRecord] {
    let open = issues.filter { $0.life != nil }.map { issue in
      var streaks = [
        IssueRecord.Streak(opened: issue.life?.streakStart ?? 42, lastSeen: 42, age: issue.life?.streakAge ?? 0)
      ]
      if issue.life?.cameBackFrom != nil { streaks.insert(.init(opened: 12, lastSeen: 30, closed: 31, age: 17), at: 0) }
      return IssueRecord(
        id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test,
        age: issue.age, streaks: streaks)
    }
    let gone = IssueRecord(
      id: "w-<odd>", kind: .warning, message: "an old <thing>\nof two lines",
      location: SourceLocation(file: "Sources/Gone.swift", line: 1), test: nil, age: 30,
      streaks: [.init(opened: 3, lastSeen: 8, closed: 9, age: 5)])
    return open + [gone]
  }

  private static var earlier: [TestVerdicts] {
    (30...41).reversed().map { number in
      var verdicts = TestVerdicts(IntegrationRecord(GreeterSample.red.integration))
      verdicts.number = number
      verdicts.commit = CommitID(rawValue: "c\(number / 2)")
      for test in verdicts.verdicts.keys {
        let isRed = test == hang?.id || test == noon?.id && number % 4 == 0
        verdicts.verdicts[test] = .init(state: isRed ? .failed : .passed, duration: Double(number * 3), isFlaky: false)
      }
      return verdicts
    }
  }
}
