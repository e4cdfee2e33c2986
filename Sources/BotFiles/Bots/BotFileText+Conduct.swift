import Model

extension BotFileText {
  /// The fields about what is done with a commit.
  static let conduct = [
    Entry(
      "actions",
      """
      What is done: build, test, analyze, archive. Only what is green is archived, built anew for release. If the build
      was an incremental one, it is compared before that with one from scratch, which takes about as long as a clean
      build; 'clean: always' needs no such audit.
      """,
      { "actions: \(list($0.actions.map(\.rawValue)))" }),
    Entry(
      "analyze",
      """
      The command of the action 'analyze'. It prints SARIF, or lines such as file:line:column: warning: text.
      Example: {actions: [build, analyze, test], analyze: swift format lint -r .}
      """),
    Entry("configuration", "debug or release.", { "configuration: \($0.configuration)" }),
    Entry(
      "toolchain",
      """
      The folder of a toolchain, or a name under 'toolchains' in martlet.yml; without it, the swift on PATH.
      Example: toolchain: /usr/local/swift
      """),
    Entry(
      "build-system",
      """
      What SwiftPM builds with: native or swiftbuild. Without it, the toolchain's default, which is swiftbuild from
      Swift 6.4 on. See 'martlet help toolchains'.
      Example: build-system: swiftbuild
      """),
    Entry(
      "sanitize", "A sanitizer to build and test with: address or thread.",
      { "sanitize: \(list($0.sanitize.map(\.rawValue)))" }),
    Entry(
      "destinations",
      """
      Several ways to build and test each commit, in one integration with a page for each. Each entry says what
      differs from this bot: toolchain, configuration, sanitize (or none), build-system, traits, environment,
      arguments. It may also have a name, 'required: false' if its failures only inform, 'gates' for its own coverage,
      or 'when: idle': then only the newest commit of a branch is built, when nothing else waits and without scripts,
      and the report takes the other results from the integration of that commit. The first one leads: coverage,
      trends and test histories are its own. 'coverage' names another one to measure; with 'merged' a line ran if it
      ran in any required destination that is built for every commit. Instead of a list, 'axes' combines all values
      except what 'exclude' names. 'stop-early: true' skips the rest once a required one is red.
      Example: destinations: [{}, {configuration: release}, {sanitize: thread, when: idle}]
      Example: destinations: [{}, {name: nightly, toolchain: /opt/swift-main, required: false}]
      Example: destinations: {axes: {configuration: [debug, release], sanitize: [none, thread]}, stop-early: true}
      Example: destinations: {cells: [{}, {traits: [Logging]}], coverage: merged}
      Example: destinations: [{}, {traits: [Logging], gates: [patch-fully-covered]}]
      """),
    Entry(
      "arguments",
      """
      More arguments for swift build.
      Example: arguments: [-Xswiftc, -DSLOW]
      """, { "arguments: \(list($0.arguments))" }),
    Entry(
      "tests",
      """
      A package without tests is incomplete, unless this is 'none'. A test is stopped after 'timeout', or when nothing
      was printed for 'silence', which is at least as long by default; the others go on. 'step' limits all tests
      together. 'only: affected' leaves out tests that reach nothing that changed since all tests last ran. It knows
      this from coverage's 'map', which it turns on. A new commit then runs new and changed tests, those that were red,
      those that ran a changed function, and those that share a global or static variable with these. Tests whose class
      has a static set-up, or whose arguments or traits run code, always run. All tests run if more than the bodies of
      functions changed, while a gate fails or something failed outside of tests, if scripts run before the build, if a
      dependency lies in a folder outside the repository or the sandbox lets tests read one, in 1 of 10 integrations
      ('every: 10'), once a week, and when somebody asks, as with 'martlet integrate' or 'rerun'. An integration that
      leaves out tests has no coverage and judges no gate. Each report tells how many red tests would have been left
      out when all ran.
      Example: tests: none
      Example: tests: {filter: [GreeterTests], skip: [SlowTests], timeout: 5m}
      Example: tests: {only: affected, every: 10}
      """, { tests($0.tests) }),
    Entry(
      "quarantine",
      """
      Tests that run but whose failures, crashes and hangs do not count, each with a reason and its last day. One that
      ends its process counts all the same. Reports show them, and say when one has passed often enough to count again.
      Example: quarantine: [{test: GreeterTests.slow(), reason: needs a mended clock, until: 2026-12-24}]
      """),
    Entry(
      "coverage",
      """
      'off' measures no coverage. A gate that fails turns the integration red: patch-fully-covered, {patch: 80} (at
      least 80% of the changed lines ran), no-lost-coverage (no unchanged line stopped running, whole or in part),
      ratchet (the share never falls), no-unchecked-changes (no changed function runs unchecked; see 'mutants'). Gates
      compare with the last integration of the branch that has complete coverage, or else with the nearest ancestor's.
      A failed gate keeps comparing with the same integration until it passes or its issue is silenced. If the
      integration to compare with was removed, the gate fails; if its commit is gone, it fails once, then starts over.
      Lines left out by 'exclude' or a comment fail no gate, but are named. Lines on which two integrations of one
      commit differ run by chance, and are neither lost nor gained; 'martlet rerun BOT/N' integrates a commit again.
      With 'map', the report shows which tests ran each line, and uses that to find suspects. Swift Testing's tests then
      run a second time, one by one. What runs once in a process, such as the value of a static constant, is shown for
      the first test, and marked.
      'mutants' finds code that runs but is not checked: it has functions return a constant such as nil or an empty
      list, negates conditions, and names those for which no test fails. 'changed' tries the changed functions and
      conditions, for a minute at most; 'all' also tries every other one that ran, in an integration of its own, when
      nothing else waits and for as long as tests.step. It needs a debug build, the native build system, the sandbox and
      an x86-64 processor, and turns 'map' on.
      Comments leave lines out, too: '// coverage:ignore' its own line, '// coverage:ignore-start' all lines through
      '// coverage:ignore-end' or the end of the file, '// coverage:ignore-file' on a line of its own the whole file.
      To leave out a function, put -start on its first line and -end on its last. A reason may follow after a space.
      The report lists what was left out, and markers without effect.
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
    Entry(
      "sandbox",
      """
      Whether builds and tests run in the sandbox: auto (if the machine can), on (refuse to run without it), off.
      'allow' gives them kernel features that the sandbox withholds: keyrings, vsock, sockets (families other than
      Unix, IP and routes), io_uring (which bypasses the rules for sockets and files), bpf, perf, userfaultfd, setuid
      (setuid, setgid and sticky bits). The report says what is allowed. Anything else fails with EPERM, or
      EAFNOSUPPORT for a socket.
      Example: sandbox: {mode: on, network: true, read: [/usr/share/dict], write: [/var/cache/greeter]}
      Example: sandbox: {allow: [io_uring]}
      """,
      {
        """
        sandbox:
          mode: \($0.sandbox.mode.rawValue)
          network: \($0.sandbox.network)  # whether tests reach the machine's network
          read: \(list($0.sandbox.read))  # more that builds and tests can read
          write: \(list($0.sandbox.write))  # more that builds and tests can write
          allow: \(list($0.sandbox.allow.map(\.rawValue)))  # more of the kernel that builds and tests can use
        """
      }),
    Entry(
      "submodules",
      """
      Submodules are checked out from the repository's own modules folder and work tree. A commit whose .gitmodules
      points to another repository of this machine is refused, unless 'allow' lists that repository or a folder around
      it.
      Example: submodules: {allow: [/srv/git]}
      """,
      {
        """
        submodules:
          allow: \(list($0.submodules.allow))  # repositories of this machine, or folders of them
        """
      }),
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
