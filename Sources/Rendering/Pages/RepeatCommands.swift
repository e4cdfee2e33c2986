import Model

/// The commands that run one test again.
struct RepeatCommands {
  private let test: TestResult
  private let repeatCommand: String
  private let testCommand: String
  private let commit: CommitID?
  /// The other tests of its target that ended badly there.
  private let redBeside: [TestResult]

  /// - Parameters:
  ///   - repeatCommand: Martlet's command, without a choice of tests.
  ///   - testCommand: SwiftPM's, likewise; nil if it is not known how the tests were built.
  ///   - commit: the one in which the test ended so; nil if files that no commit has were tested with it.
  ///   - results: those of the tests beside it.
  init(
    _ test: TestResult, repeatCommand: String = "", testCommand: String?, commit: CommitID? = nil,
    beside results: [TestResult] = []
  ) {
    redBeside = results.filter { $0.endsBadly && $0.id.module == test.id.module && $0.id != test.id }
    self.test = test
    self.repeatCommand = repeatCommand
    self.testCommand = testCommand ?? "swift test"
    self.commit = commit
  }

  /// - Parameter integration: the one in which the test ended so, or its part for one destination.
  init(_ test: TestResult, of integration: Integration) {
    self.init(
      test, repeatCommand: integration.unfilteredCommand ?? integration.repeatCommand,
      testCommand: integration.testCommand,
      commit: integration.workingTree == nil ? integration.commit.id : nil, beside: integration.tests.results)
  }

  /// Martlet's own command, for the same commit.
  var martlet: String { "\(repeatCommand) \(filter)" }

  var swift: String { "\(testCommand) \(filter)" }

  /// The commands that show again how the test ended. Martlet's runs a flaky test once, which shows nothing of what passes
  /// nearly always; SwiftPM's ends green where a test ends its process with status 0, and never where one hangs.
  var all: [(label: String?, command: String)] {
    if test.isFlaky { return [(nil, untilItFails)] }
    return isShownInCheckout
      ? [(Self.inCheckout, swift), (Self.atCommit, martlet)] : [(Self.atCommit, martlet)]
  }

  private var isShownInCheckout: Bool { test.quit == nil && test.state != .timedOut }

  /// What stands above a command says where it runs: SwiftPM's in a checkout, Martlet's at the commit.
  private static let inCheckout = "Run in a checkout"
  private static let atCommit = "Run at this commit"

  /// Repeats the test in a checkout until it fails, but not forever, of the commit in which it did so by chance: in a later
  /// one it may fail for another reason. One that never failed without the others is run with those of its target that did
  /// not.
  var untilItFails: String {
    let checkout = commit.map { "git switch --detach \($0.short) && " } ?? ""
    let target = Self.quoted("^\(Self.escaped(test.id.module))\\.")
    let skipped = redBeside.map { " --skip \(Self.quoted(Self.pattern(of: $0)))" }
    let all = "\(testCommand) --filter \(target)\(skipped.joined())"
    let rounds = "for run in $(seq \(FlakyWords.mostRounds))"
    return "\(checkout)\(rounds); do \(isAlone ? swift : all) || break; done"
  }

  /// The same with what it does.
  var loop: (words: String, command: String) { (untilItFailsWords, untilItFails) }

  /// What that command does.
  var untilItFailsWords: String {
    isAlone
      ? FlakyWords.untilItFails
      : FlakyWords.untilItFailsBeside(without: redBeside.map { Self.isWholeSuite($0) ? $0.id.suite : $0.id.name })
  }

  private var isAlone: Bool {
    test.attempts.dropFirst().contains(where: \.state.isRed) || redBeside.count > Self.mostFilters
  }

  /// The option that selects the test, or its class if the process ended before that began.
  var filter: String { Self.filter([test]) }

  private static func filter(_ tests: [TestResult]) -> String {
    "--filter \(quoted(tests.map(pattern).joined(separator: "|")))"
  }

  /// Swift Testing's names end with the place of the declaration where they are matched, so the pattern must not end
  /// before it.
  private static func pattern(of test: TestResult) -> String {
    if isWholeSuite(test) {
      return "^\(escaped("\(test.id.module).\(test.id.suite)"))/"
    }
    let name = escaped(test.id.description)
    switch test.library {
    case .xctest: return "^\(name)$"
    case .swiftTesting: return "^\(name)\(test.id.hasPlace ? "$" : "/")"
    }
  }

  /// What ended the process before a class began did so before each of its tests.
  private static func isWholeSuite(_ test: TestResult) -> Bool {
    test.quit?.isByTest == false && !test.id.suite.isEmpty
  }

  private static let mostFilters = 10

  /// Returns the commands that run an integration again, each with what it does if there are several, first the one that
  /// compares it with what it was compared with; with the build of one that does not build, unless that stands below the
  /// errors.
  static func all(of integration: Integration) -> [(label: String?, command: String)] {
    let isBroken = integration.outcome == .buildErrors
    let build = isBroken && !integration.diagnostics.contains { $0.severity == .error } ? integration.buildCommand : nil
    let again = integration.rerunCommand
    // A run from the shell looks for the package by itself, and so may find what the bot did not.
    let shell = integration.outcome == .checkoutError && again != nil ? nil : integration.repeatCommand
    let all = [
      ("Build in a checkout", build), ("As the bot", again), ("From the shell", shell),
    ].compactMap { label, command in command.map { (label: label, command: $0) } }
    return all.map { (label: all.count > 1 ? $0.label : nil, command: $0.command) }
  }

  /// Returns the command that runs an integration's first flaky test until it fails, and what it does; nil if none is flaky.
  ///
  /// - Parameter isNamed: whether that names the test, as beside commands for others.
  static func untilFlakyFails(of integration: Integration, isNamed: Bool = false) -> (words: String, command: String)? {
    integration.tests.results.first(where: \.isFlaky).map { test in
      let loop = RepeatCommands(test, of: integration).loop
      guard isNamed else { return loop }
      return (words: "\(test.title): \(loop.words.lowercasedFirst)", command: loop.command)
    }
  }

  /// Returns the command that shows again how some tests ended, with where it runs: SwiftPM's, unless one ended its process or
  /// never ends; without a choice where there are many, and nil without tests.
  static func again(_ tests: [TestResult], of integration: Integration) -> (label: String, command: String)? {
    let commands = tests.map { RepeatCommands($0, of: integration) }
    guard let first = commands.first else { return nil }
    let isOurs = !commands.allSatisfy(\.isShownInCheckout)
    let start = isOurs ? first.repeatCommand : first.testCommand
    let command = ([start] + (commands.count > mostFilters ? [] : [filter(tests)])).joined(separator: " ")
    return (isOurs ? atCommit : inCheckout, command)
  }

  /// Returns the same for those of the tests that SwiftPM's command shows, or for all if it shows none.
  static func shortest(_ tests: [TestResult], of integration: Integration) -> (label: String, command: String)? {
    let left = Set(left(of: tests, of: integration).map(\.id))
    return again(tests.filter { !left.contains($0.id) }, of: integration)
  }

  /// Returns the command for those of the tests that the shortest one leaves out, saying which they are; nil for none.
  static func rest(_ tests: [TestResult], of integration: Integration) -> (label: String, command: String)? {
    let left = left(of: tests, of: integration)
    let kinds = [
      (left.count { $0.state == .timedOut }, Issue.Kind.timeOut.noun, Issue.Kind.timeOut.plural),
      (left.count { $0.quit != nil }, "test that quit", "tests that quit"),
    ].filter { $0.0 > 0 }.map { count, one, several in count == 1 ? one : several }
    return again(left, of: integration).map { _, command in
      (label: "The \(CountText.list(kinds)), at this commit", command: command)
    }
  }

  /// Returns the tests that SwiftPM's command does not show, if it shows some of them.
  private static func left(of tests: [TestResult], of integration: Integration) -> [TestResult] {
    let left = tests.filter { !RepeatCommands($0, of: integration).isShownInCheckout }
    // Without a choice of tests, none is left out.
    return (1...mostFilters).contains(tests.count - left.count) ? left : []
  }

  /// Returns a regular expression that matches only a text.
  static func escaped(_ text: String) -> String {
    var pattern = ""
    for character in text {
      if #"\^$.|?*+()[]{}"#.contains(character) { pattern.append("\\") }
      pattern.append(character)
    }
    return pattern
  }

  /// Returns a word in single quotes, in which a shell interprets nothing.
  static func quoted(_ word: String) -> String {
    var quoted = "'"
    for character in word {
      if character == "'" { quoted += #"'\''"# } else { quoted.append(character) }
    }
    return quoted + "'"
  }
}
