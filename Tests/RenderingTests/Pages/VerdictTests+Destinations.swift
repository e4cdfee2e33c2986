@testable import Model
import Testing

@testable import Rendering

extension VerdictTests {
  /// An integration for several destinations, of which each has these tests red.
  private func destinations(_ red: [String: TestReport], gate: Bool = false) -> String {
    sentence(.testFailures) { whole in
      let cells = red.sorted { $0.key < $1.key }.map { name, tests in
        var (cell, destination) = (whole, Destination())
        destination.name = name
        cell.tests = tests
        cell.destination = DestinationResult(destination, leads: name == "debug", outcome: .testFailures)
        return cell
      }
      whole = cells[0]
      whole.cells = Array(cells.dropFirst())
      if gate {
        whole.gates = [GateResult(rule: "patch=80", state: .failed, sentence: "1 of 2 changed lines never ran.")]
      }
    }
  }

  @Test("Of several destinations only what holds for each is told of each, and gates are told once")
  func ofDestinations() {
    let one = results(.failed)
    #expect(destinations(["debug": one, "release": one]) == "1 test is red, for every destination")
    #expect(
      destinations(["debug": one, "release": one], gate: true)
        == "1 test is red, for every destination; the 80% patch gate failed")
    #expect(
      destinations(["debug": one, "release": results(.failed, .failed)])
        == "debug: 1 test is red; release: 2 tests are red")
  }

  @Test("The row of a destination counts tests, which rows below it name")
  func rowOfDestination() {
    func row(_ outcome: Outcome, _ tests: TestReport) -> String {
      var own = GreeterSample.integration()
      (own.outcome, own.tests, own.baseline) = (outcome, tests, baseline(red: []))
      return DestinationWords.sentence(of: own)
    }
    #expect(row(.testFailures, results(.failed, .passed, .skipped)) == "1 passed, 1 failed, 1 skipped")
    #expect(row(.succeeded, results(.passed)) == "1 passed")
    #expect(row(.testFailures, results(.passed)) == "No test is red, but something failed outside the tests")
    var flaky = results(.passed, .passed)
    flaky.results[0].isFlaky = true
    #expect(row(.warnings, flaky).hasPrefix("1 test is flaky; "))
  }

  @Test("All destinations are those that there are, not those that were built")
  func ofBuiltDestinations() {
    func sentence(_ outcome: Outcome, _ others: [(outcome: Outcome?, isRequired: Bool)]) -> String {
      self.sentence(outcome) { whole in
        whole.tests = results(outcome == .succeeded ? .passed : .failed)
        var first = Destination()
        first.name = "default"
        whole.destination = DestinationResult(first, leads: true, outcome: outcome)
        whole.cells = others.enumerated().map { index, other in
          var (cell, destination) = (whole, Destination())
          (destination.name, destination.isRequired) = ("d\(index)", other.isRequired)
          cell.outcome = other.outcome ?? .canceled
          cell.destination = DestinationResult(destination, leads: false, outcome: other.outcome)
          return cell
        }
      }
    }
    #expect(sentence(.succeeded, [(nil, true)]) == "default: 1 test passed")
    #expect(sentence(.testFailures, [(nil, true)]) == "default: 1 test is red")
    #expect(sentence(.succeeded, [(.testFailures, false)]) == "default: 1 test passed")
    #expect(sentence(.succeeded, [(.succeeded, true), (nil, true)]) == "default and d0: 1 test passed")
    #expect(sentence(.succeeded, [(.succeeded, true)]) == "1 test passed, for all 2 destinations")
  }

  @Test("A test is called fixed only for the destinations that had it red")
  func fixedElsewhere() {
    let text = sentence(.succeeded) { whole in
      whole.tests = results(.passed)
      whole.baseline = baseline(red: [])
      let issue = { (places: [String]) in
        let id = TestID(module: "M", suite: "S", name: "t0")
        var issue = Model.Issue(id: "t", kind: .testFailure, status: .resolved, message: "m", test: id)
        (issue.ending, issue.destinations) = (.fixed, places)
        return issue
      }
      let result = { (name: String) in
        var destination = Destination()
        destination.name = name
        return DestinationResult(destination, leads: name == "debug", outcome: .succeeded)
      }
      var cell = whole
      (cell.destination, cell.issues) = (result("release"), [issue([])])
      (whole.destination, whole.issues, whole.cells) = (result("debug"), [issue(["release"])], [cell])
    }
    #expect(text == "debug: 1 test passed; release: t0 fixed: 1 passed")
  }

  @Test("Where a destination is optional, what holds for all the others holds for the required ones")
  func optionalDestination() {
    let text = sentence(.succeeded) { whole in
      whole.tests = results(.passed)
      let cells = ["debug", "release", "nightly"].map { name in
        var (cell, destination) = (whole, Destination())
        (destination.name, destination.isRequired) = (name, name != "nightly")
        let outcome: Outcome = name == "nightly" ? .testFailures : .succeeded
        cell.destination = DestinationResult(destination, leads: name == "debug", outcome: outcome)
        return cell
      }
      whole = cells[0]
      whole.cells = Array(cells.dropFirst())
    }
    #expect(text == "1 test passed, for all 2 required destinations")
  }

  @Test("A destination builds again only where it did not build itself")
  func buildsAgain() {
    func sentence(before outcome: Outcome) -> String {
      self.sentence(.succeeded) { whole in
        whole.tests = results(.passed)
        var baseline = baseline(red: [])
        (baseline.outcome, baseline.combinedOutcome) = (outcome, .buildErrors)
        whole.baseline = baseline
        var first = Destination()
        first.name = "debug"
        whole.destination = DestinationResult(first, leads: true, outcome: .succeeded)
        var (cell, idle) = (whole, Destination())
        idle.name = "idle"
        (cell.outcome, cell.destination) = (.canceled, DestinationResult(idle, leads: false, outcome: nil))
        whole.cells = [cell]
      }
    }
    #expect(sentence(before: .succeeded) == "debug: 1 test passed")
    #expect(sentence(before: .buildErrors) == "debug: Builds again: 1 passed")
  }
}
