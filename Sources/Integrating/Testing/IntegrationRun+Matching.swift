import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Matches a pattern with the names of tests, on a thread of its own, since a package's pattern may take for ever.
  func match(_ pattern: TestPattern, _ names: [[String]]) throws -> [Bool] {
    let found = try Worker.run(atMost: request.resources.matching, cancellation: integrator.cancellation) {
      try pattern.matches(names)
    }
    if let found { return found }
    if integrator.cancellation.isCanceled { throw IntegrationStop.canceled }
    throw IntegrationStop(
      outcome: .incomplete,
      reason:
        "The tests could not be chosen: trying the regular expression '\(pattern.text)' of \(pattern.option.rawValue) on their names took longer than \(request.resources.matching.words). Avoid nested repetitions in it, such as (a+)+."
    )
  }
}
