import Model

extension BotFileText {
  /// The fields about tests, and what is measured of them.
  static let measures = [
    Entry(
      "tests",
      """
      Without any test, the outcome is incomplete, unless this is 'none'. A test is stopped after 'timeout', or after
      'silence' without output (default: 10m, or 'timeout' if that is longer); the others go on. 'step' limits all tests
      together.

      'only: affected' leaves out tests that reach nothing that changed since all tests last ran; for that, it turns on
      coverage's 'map'. These still run: new and changed tests, those that were red, those that ran a changed function,
      those that share a global or static variable with any of these, and those whose class has a static set-up, or
      whose arguments or traits run code. Such an integration has no coverage and judges no gate.

      All tests run in 1 of 10 integrations ('every: 10'), once a week, and when somebody asks ('martlet integrate',
      'rerun'). They also run if more than the bodies of functions changed; while a gate fails or something failed
      outside of tests; if scripts run before the build; and if a dependency is in a folder outside the repository or
      the sandbox lets tests read one. Each such report says how many red tests would have been left out.
      Example: tests: none
      Example: tests: {filter: [GreeterTests], skip: [SlowTests], timeout: 5m}
      Example: tests: {only: affected, every: 10}
      """, { tests($0.tests) }),
    Entry(
      "quarantine",
      """
      Tests that run but whose failures, crashes and hangs do not count, each with a reason and its last day. A test
      that ends its process, as with exit(0), still counts. Reports show the tests in quarantine, and say when one has
      passed often enough to count again.
      Example: quarantine: [{test: GreeterTests.slow(), reason: depends on the time of day, until: 2027-12-24}]
      """),
    Entry(
      "coverage",
      """
      'off' measures no coverage. A gate that fails turns the integration red. 'martlet help coverage' lists the gates,
      what they compare with, and the comments that leave lines out.

      With 'map', the report shows which tests ran each line, and uses that to find suspects. Swift Testing's tests then
      run a second time, one by one. What runs once in a process, such as the value of a static constant, is shown for
      the first test, and marked.

      'mutants' finds code that runs but is not checked: it has functions return a constant such as nil or an empty
      list, negates conditions, and names those for which no test fails. 'changed' tries the changed functions and
      conditions, for a minute at most; 'all' also tries every other one that ran, in an integration of its own, when
      nothing else waits and for as long as tests.step. It needs a debug build, the native build system, the sandbox and
      an x86-64 processor, and turns 'map' on.
      Example: coverage: off
      Example: coverage: {exclude: ["Sources/Generated/**"], gates: [{patch: 80}, no-lost-coverage]}
      """,
      {
        """
        coverage:
          exclude: \(list($0.coverage.exclude))  # files that do not count, as globs from the package's folder
          map: \($0.coverage.map)  # whether the report says which tests ran each line
          mutants: \($0.coverage.mutants.rawValue)  # functions to empty and conditions to negate: off, changed or all
          incidental: \($0.coverage.incidental)  # whether lines that run without any test are told apart
          blame: \($0.coverage.blame)  # whether the pages of sources say who wrote each line, which takes time
          gates: []
        """
      }),
    Entry(
      "practice",
      """
      Hints about how tests are written; they never change an outcome. 'off' shows none; {off: [names]} leaves some
      out: fast (slow tests, by tests.slow), isolated, repeatable, self-validating (tests without an assertion,
      assertions that never ran), thorough (changed lines that never ran), rhythm (red first, then green), names (test
      names against tests.names, and as sentences), templates (tests left over from a template), sources (test files
      of which no line ran), totals (printed totals that disagree), measurements (values of `measure` against earlier
      ones).
      Example: practice: off
      Example: practice: {off: [thorough, measurements]}
      """, { "practice: {off: \(list($0.practice.off.map(\.rawValue)))}" }),
  ]

  private static func tests(_ tests: TestSettings) -> String {
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
