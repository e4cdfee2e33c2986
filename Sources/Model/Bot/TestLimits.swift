/// How long tests may take before their process is stopped; the tests then running have timed out, and the rest
/// continue.
package struct TestLimits: Hashable, Sendable, Codable {
  /// For one test; if several run at once, the time during which none of them starts or ends.
  package var test: Duration
  /// Without any output; by default no shorter than for one test, since a long test may print nothing.
  package var silence: Duration
  /// For all tests of an integration together.
  package var step: Duration

  package init(test: Duration = .seconds(600), silence: Duration = .seconds(600), step: Duration = .seconds(7200)) {
    self.test = test
    self.silence = silence
    self.step = step
  }

  /// Lets a test print nothing for as long as it may take.
  package mutating func allowSilence() { silence = max(silence, test) }
}
