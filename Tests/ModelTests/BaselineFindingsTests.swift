import FoundationEssentials
import Model
import Testing

@Suite("What an integration found, against what its baseline found")
struct BaselineFindingsTests {
  private func integration(_ change: (inout Integration) -> Void = { _ in }) -> Integration {
    let date = Date(timeIntervalSince1970: 1_795_161_600)
    var integration = Integration(
      bot: "Greeter", number: 41, repository: "/r", branch: "main",
      commit: Commit(id: CommitID(rawValue: "a"), summary: "Begin", author: "Ada", date: date), cause: .commit,
      toolchain: "Swift", configuration: "debug", sandbox: "off", queuedAt: date, repeatCommand: "")
    integration.outcome = .warnings
    var test = TestResult(
      id: TestID(module: "M", suite: "S", name: "t"), library: .xctest, state: .passed, duration: 0.3)
    test.warnings = [TestFailure(location: nil, message: "careless")]
    integration.tests = TestReport(results: [test])
    integration.tests.isolation = IsolationReport(
      ran: 1, differing: [.init(id: test.id, together: .passed, alone: .failed)])
    integration.steps = [StepRecord(name: .analyzing, duration: 1)]
    integration.analysis = [Diagnostic(severity: .warning, message: "long", location: nil)]
    change(&integration)
    return integration
  }

  /// The changes of an integration that has twice of everything.
  private func deltas(from baseline: Integration) throws -> IntegrationRecord.Deltas {
    let now = integration {
      $0.tests.results[0].warnings.append(TestFailure(location: nil, message: "more"))
      $0.analysis.append($0.analysis[0])
      $0.diagnostics = [Diagnostic(severity: .warning, message: "unused", location: nil)]
      let id = TestID(module: "M", suite: "S", name: "u")
      $0.tests.isolation?.differing.append(.init(id: id, together: .passed, alone: .failed))
      $0.tests.neverRun = [
        NeverRunMethod(target: "M", name: "S/test", cause: .isPrivate, location: SourceLocation(file: "a", line: 1))
      ]
      $0.baseline = Baseline(IntegrationRecord(baseline))
    }
    return try #require(IntegrationRecord(now).deltas)
  }

  @Test("Each count carries its change")
  func all() throws {
    let deltas = try deltas(from: integration())
    #expect([deltas.testWarnings, deltas.analyzerWarnings, deltas.orderDependent, deltas.neverRun] == [1, 1, 1, 1])
    #expect(deltas.slow == 0)
    #expect(deltas.warnings == 1)
    #expect(deltas.hints == nil)
    #expect(deltas.tests?["listed"] == 0)
  }

  @Test("A destination has a folder of its own in the baseline if it did not lead there, and its result was its own")
  func cell() {
    func cell(leads: Bool, adoptedFrom: Int? = nil) -> String? {
      var destination = Destination()
      destination.name = "release"
      let whole = integration {
        $0.destination = DestinationResult(destination, leads: leads, outcome: .succeeded)
        $0.destination?.adoptedFrom = adoptedFrom
      }
      return Baseline(IntegrationRecord(whole)).cell
    }
    #expect(cell(leads: false) == "release")
    #expect(cell(leads: true) == nil && cell(leads: false, adoptedFrom: 40) == nil)
  }

  @Test("What a test only waited makes it slow on neither side")
  func waited() throws {
    #expect(try deltas(from: integration { $0.tests.results[0].waited = 0.25 }).slow == 1)
    let now = integration {
      $0.tests.results[0].waited = 0.25
      $0.baseline = Baseline(IntegrationRecord(integration()))
    }
    #expect(IntegrationRecord(now).deltas?.slow == -1)
  }

  @Test("A test that XCTest itself may have kept is slow on neither side")
  func kept() throws {
    func change(_ before: Double, _ after: Double) -> Int? {
      let earlier = integration { $0.tests.results[0].duration = before }
      let now = integration {
        $0.tests.results[0].duration = after
        $0.baseline = Baseline(IntegrationRecord(earlier))
      }
      return IntegrationRecord(now).deltas?.slow
    }
    #expect(change(0.0002, 0.101) == 0 && change(0.101, 0.0002) == 0)
    #expect(change(0.0002, 0.22) == 1 && change(0.22, 0.0002) == -1)
    #expect(change(0.101, 0.102) == 0, "It is slow in both.")
  }

  @Test("Only times of whole integrations whose builds are of one kind are compared on a page")
  func builtAlike() {
    func change(_ before: Bool?, _ after: Bool?, _ outcome: Outcome = .warnings) -> Double? {
      func timed(_ seconds: Double, warm: Bool?) -> Integration {
        integration {
          $0.startedAt = $0.queuedAt
          $0.endedAt = $0.queuedAt.addingTimeInterval(seconds)
          $0.steps.append(StepRecord(name: .building, duration: 1, warm: warm))
        }
      }
      var earlier = timed(4, warm: before)
      earlier.outcome = outcome
      var now = timed(7, warm: after)
      now.baseline = Baseline(IntegrationRecord(earlier))
      #expect(IntegrationRecord(now).deltas?.duration == 3, "The document always tells the difference.")
      return now.builtAlike.map { now.duration - $0.duration }
    }
    #expect(change(true, true) == 3 && change(false, false) == 3)
    #expect(change(false, true) == nil && change(nil, true) == nil && change(nil, nil) == nil)
    #expect(change(true, true, .incomplete) == nil)
  }

  @Test("Hints that the page hides, since the outcome tells them, are counted on neither side")
  func shownHints() {
    let card = PracticeCard(hints: [PracticeHint(.thorough, .attention, ""), PracticeHint(.fast, .attention, "")])
    func change(_ before: Outcome, _ after: Outcome) -> Int? {
      let earlier = integration { ($0.practice, $0.outcome) = (card, before) }
      let now = integration {
        ($0.practice, $0.outcome) = (card, after)
        $0.baseline = Baseline(IntegrationRecord(earlier))
      }
      return IntegrationRecord(now).deltas?.hints
    }
    #expect(change(.testFailures, .testFailures) == 0)
    #expect(change(.testFailures, .succeeded) == 1)
    #expect(change(.succeeded, .succeeded) == 0)
  }

  @Test("Hints to look at have a change where the same hints were switched off")
  func hints() {
    func change(off: PracticeHint.Name?, _ states: PracticeHint.State...) -> Int? {
      func card(_ states: [PracticeHint.State], off: PracticeHint.Name?) -> PracticeCard {
        PracticeCard(hints: states.map { PracticeHint(.fast, $0, "") }, off: off.map { [$0] })
      }
      let before = integration { $0.practice = card(states, off: off) }
      let now = integration {
        $0.practice = card([.attention, .good, .attention], off: .names)
        $0.baseline = Baseline(IntegrationRecord(before))
      }
      return IntegrationRecord(now).deltas?.hints
    }
    #expect(change(off: .names, .attention, .unknown) == 1)
    #expect(change(off: .names) == 2)
    #expect(change(off: nil, .attention) == nil)
  }

  @Test(
    "An integration without a build has no change of tests, one that was stopped among them has",
    arguments: Outcome.allCases)
  func reached(outcome: Outcome) {
    let whole = integration()
    let now = integration {
      $0.outcome = outcome
      if outcome != .canceled { $0.tests = TestReport() }
      $0.steps.append(StepRecord(name: .testing, duration: 1))
      $0.baseline = Baseline(IntegrationRecord(whole))
    }
    let unreached: Set<Outcome> = [.buildErrors, .checkoutError, .triggerError, .internalError]
    #expect((IntegrationRecord(now).deltas?.tests == nil) == unreached.contains(outcome))
  }

  @Test("An integration that was not asked for tests has none fewer")
  func notAsked() {
    let whole = integration()
    let now = integration {
      $0.outcome = .succeeded
      $0.tests = TestReport()
      $0.baseline = Baseline(IntegrationRecord(whole))
    }
    #expect(IntegrationRecord(now).deltas?.tests == nil)
  }

  @Test("Issues that the baseline carried on without finding them are no findings of its")
  func carried() throws {
    let carried = integration {
      $0.issues = [
        Issue(id: "w-1", kind: .warning, status: .unresolved, message: "unused"),
        Issue(id: "a-1", kind: .analyzerWarning, status: .unresolved, message: "long"),
        Issue(id: "w-2", kind: .warning, status: .unresolved, message: "careless", test: $0.tests.results[0].id),
      ]
    }
    let deltas = try deltas(from: carried)
    #expect([deltas.warnings, deltas.analyzerWarnings, deltas.testWarnings] == [1, 1, 1])
  }

  @Test("Slow tests of the baseline are counted by today's mark", arguments: [0.05, 0.2, 0.5])
  func otherMark(mark: Double) throws {
    #expect(try deltas(from: integration { $0.slowMark = mark }).slow == 0)
  }

  @Test("What one of the two did not come to has no change")
  func unknown() throws {
    let unbuilt = integration {
      $0.outcome = .buildErrors
      $0.tests = TestReport()
      $0.steps = []
      $0.analysis = []
    }
    let deltas = try deltas(from: unbuilt)
    #expect(
      [deltas.testWarnings, deltas.analyzerWarnings, deltas.orderDependent, deltas.neverRun, deltas.slow]
        == [nil, nil, nil, nil, nil])
    #expect(deltas.tests == nil)
    #expect(deltas.warnings == nil)
    #expect(deltas.openIssues == 0)
    #expect(Baseline(IntegrationRecord(unbuilt)).reachedTests == nil)
  }
}
