/// How an integration ended for one destination.
///
/// An integration represents the leading destination, and has one like it, a cell, for each of the others.
package struct DestinationResult: Hashable, Sendable, Codable {
  package var name: String
  /// Whether the report is about this destination: coverage, trends and test histories are its own.
  package var leads: Bool
  /// Whether a failure for this destination fails the integration.
  package var required: Bool
  /// How the integration ended for this destination alone; nil if nothing was built for it.
  package var outcome: Outcome?
  /// Of one that came to no result now: the integration in which it last did, or `neverBuilt`; nil where it did, and in
  /// documents of an older Martlet.
  package var lastBuilt: Int?
  /// The earlier integration of the same commit whose result this is; nil for a result of its own.
  package var adoptedFrom: Int?

  /// The number of no integration.
  package static let neverBuilt = 0

  package init(_ destination: Destination, leads: Bool, outcome: Outcome?) {
    name = destination.name
    self.leads = leads
    required = destination.isRequired
    self.outcome = outcome
  }
}

/// A test that ended differently for different destinations.
package struct DifferingTest: Hashable, Sendable {
  package var test: TestID
  /// The states by the name of the destination, without destinations that did not reach the test.
  package var states: [String: TestState]
}

extension Integration {
  /// Whether this is part of another integration, for a destination other than the leading one.
  package var isCell: Bool { destination.map { !$0.leads } ?? false }

  /// The outcome of the one destination whose tests, build and coverage these are.
  package var ownOutcome: Outcome { destination?.outcome ?? outcome }

  /// The integration itself and its cells, in the bot's order.
  package var all: [Integration] { [self] + cells }

  /// The tests that ended differently for different destinations, those that are red somewhere first.
  package var differingTests: [DifferingTest] {
    var states: [TestID: [String: TestState]] = [:]
    for cell in all {
      guard let name = cell.destination?.name else { continue }
      for result in cell.tests.results { states[result.id, default: [:]][name] = result.state }
    }
    return states.filter { Set($0.value.values).count > 1 }.map { DifferingTest(test: $0.key, states: $0.value) }
      .sorted { one, other in
        let isRed = (one.states.values.contains(where: \.isRed), other.states.values.contains(where: \.isRed))
        return isRed.0 != isRed.1 ? isRed.0 : one.test < other.test
      }
  }
}
