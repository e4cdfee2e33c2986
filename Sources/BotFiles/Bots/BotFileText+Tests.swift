import Model

extension BotFileText {
  static func tests(_ tests: TestSettings) -> String {
    """
    tests:
      filter: \(list(tests.filter))  # regular expressions, as for swift test --filter
      skip: \(list(tests.skip))  # regular expressions, as for swift test --skip
      timeout: \(DurationField.write(tests.limits.test))
      silence: \(DurationField.write(tests.limits.silence))
      step: \(DurationField.write(tests.limits.step))
      retries: \(tests.retries)  # how often a red test is run again; if it passes then, it is flaky
      slow: \(DurationField.write(tests.slow))  # a test that takes longer is slow
      names: \(quoted(tests.names))  # a regular expression that names of tests should match
      isolation: \(tests.isolation)  # whether each test is also run alone
      first: \(tests.first.rawValue)  # with coverage's 'map', suites that reach the change run first; or off
      only: \(tests.only.rawValue)  # or affected: leave out tests that the change does not reach
    """
  }
}
