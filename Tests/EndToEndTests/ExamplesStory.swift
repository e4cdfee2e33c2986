/// The package of worked cases, integrated in rounds of parts that have nothing to do with each other; all rounds share
/// one build, which the commit at the end breaks.
struct ExamplesStory {
  static let told = Result { try ExamplesStory() }

  let scratch: ScratchFolder
  /// In the order in which they were made.
  let rounds: [Integrated]
  /// The integration that ran the tests of a selection, by the words that were given to `--filter`.
  private let parts: [String: Integrated]
  /// The commit that deletes `Cookie`.
  let withoutCookie: Integrated

  /// What runs together reaches different sources, so that each counts alone, and so does what it prints.
  private static let selections = [
    ["CookieFactoryTests"],
    ["AssertYourselfTests.AssertYourselfTests", "OtherTests", "RightTests"],
    ["MaximumTests/test_zero", "LoopTests/test_commaSeparated_from2to4", "PlainTests"],
    ["MaximumTests/test_max_withoutAssertion", "LoopTests", "FailingTests", "ZeroTests"],
    ["MaximumTests/test_max_with[13]", "AreaTests", "WrongTests", "TrailingTests"],
    ["CrashingTests", "maximumOfTwo"],
  ]

  private init() throws {
    scratch = try ScratchFolder("examples")
    let program = Program(scratch: scratch)
    let repository = try GitFolder(ExamplesPackage.bot, in: scratch)
    try repository.commit("Collect the worked cases", ExamplesPackage.files())
    var (rounds, parts): ([Integrated], [String: Integrated]) = ([], [:])
    for selections in Self.selections {
      let filters = selections.flatMap { ["--filter", $0] }
      let round = try program.integrate([repository.path, "--quiet"] + filters, bot: ExamplesPackage.bot)
      rounds.append(round)
      for selection in selections { parts[selection] = round }
    }
    self.rounds = rounds
    self.parts = parts
    try repository.git("rm", "--quiet", "Sources/CookieFactory/Cookie.swift")
    try repository.commit("Delete the cookie")
    withoutCookie = try program.integrate(repository.path, "--quiet", bot: ExamplesPackage.bot)
  }

  /// The integration that ran the tests that a `--filter` selects.
  func part(_ selection: String) throws -> Integrated {
    guard let part = parts[selection] else { throw UnknownPart(selection: selection) }
    return part
  }

  struct UnknownPart: Error {
    var selection: String
  }
}
