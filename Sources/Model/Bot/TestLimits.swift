/// How long tests may take before their process is stopped; what was running then is timed out, and the rest runs on.
package struct TestLimits: Hashable, Sendable, Codable {
  /// For one test; where several run at once, the time in which none of them starts or ends.
  package var test: Duration
  /// Without any output; not shorter than for one test by default, since a long test may have nothing to say.
  package var silence: Duration
  /// For all tests of an integration together.
  package var step: Duration

  package init(test: Duration = .seconds(600), silence: Duration = .seconds(600), step: Duration = .seconds(7200)) {
    self.test = test
    self.silence = silence
    self.step = step
  }
}
