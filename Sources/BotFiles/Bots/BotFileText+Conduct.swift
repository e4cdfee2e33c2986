import Model

extension BotFileText {
  /// The fields about what is done with a commit.
  static let conduct = [
    Entry(
      "actions",
      """
      What is done: build, test, analyze, archive. 'archive' makes a release build of a green commit and keeps its
      products. If the commit was built incrementally, that build is first compared with a clean one, which takes about
      as long as a clean build; with 'clean: always' there is nothing to compare.
      """,
      { "actions: \(list($0.actions.map(\.rawValue)))" }),
    Entry(
      "analyze",
      """
      The command of the action 'analyze'. It prints SARIF, or lines such as file:line:column: warning: text.
      Example: actions: [build, analyze, test]
               analyze: swift format lint -r .
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
      Several ways to build and test each commit, in one integration with a page for each. Each entry says what differs
      from this bot: toolchain, configuration, sanitize (or none), build-system, traits, environment, arguments. It may
      also have a name, 'required: false' if its failures are shown but do not count, 'gates' for its own coverage, or
      'when: idle'. Instead of a list, 'axes' combines all values except what 'exclude' names. 'stop-early: true' skips
      the rest once a required one is red. Otherwise two are built at once in the sandbox, with 6 GiB of memory or
      more, unless the package has plugins or they resolve other dependencies; tests run for one after the other.

      'when: idle' builds it only when nothing else waits, only for the newest commit of a branch, and without scripts;
      that report takes the other results from the commit's earlier integration.

      Coverage, trends and test histories are those of the first destination. 'coverage' names another one to measure;
      with 'merged' a line ran if it ran in any required destination that is built for every commit.
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
      "environment",
      """
      Variables for builds, tests and triggers. Their values are kept with each integration and shown on pages; put
      anything confidential into 'secrets'.
      Example: environment: {API_URL: "http://localhost"}
      """, { _ in "environment: {}" }),
    Entry(
      "clean",
      """
      How often a build starts from scratch: never, always, daily or weekly. Such a build also resolves again the
      versions that the commit does not pin.
      """,
      { "clean: \($0.clean.rawValue)" }),
    Entry(
      "where",
      """
      The labels that a machine must have, from martlet.yml. Its name is one of them; 'local' is the machine that
      watches. A bot with 'notes', 'dependency-credentials', 'submodules: allow' or a trigger with 'write' always runs
      on 'local', and so does a bot whose repository is a shallow clone.
      Example: where: [arm64]
      """),
  ]
}
