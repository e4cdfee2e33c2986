/// The package of worked cases, integrated part by part; all parts but the last share one build.
struct ExamplesStory {
  static let told = Result { try ExamplesStory() }

  let scratch: ScratchFolder
  /// One integration for each selection, by the words that were given to `--filter`.
  private let parts: [String: Integrated]
  /// The commit that deletes `Cookie`.
  let withoutCookie: Integrated

  private static let selections = [
    "CookieFactoryTests", "AssertYourselfTests.AssertYourselfTests", "OtherTests", "ZeroTests", "PlainTests",
    "FailingTests", "WrongTests", "RightTests", "TrailingTests", "CrashingTests", "CrashTests",
    "MaximumTests/test_zero", "MaximumTests/test_max_withoutAssertion", "MaximumTests/test_max_with[13]",
    "LoopTests/test_commaSeparated_from2to4", "LoopTests", "AreaTests",
  ]

  private init() throws {
    scratch = try ScratchFolder("examples")
    let program = Program(scratch: scratch)
    let repository = try GitFolder(ExamplesPackage.bot, in: scratch)
    try repository.commit("Collect the worked cases", ExamplesPackage.files())
    var parts: [String: Integrated] = [:]
    for selection in Self.selections {
      parts[selection] = try program.integrate(
        repository.path, "--filter", selection, "--quiet", bot: ExamplesPackage.bot)
    }
    self.parts = parts
    try repository.git("rm", "--quiet", "Sources/CookieFactory/Cookie.swift")
    try repository.commit("Delete the cookie")
    withoutCookie = try program.integrate(repository.path, "--quiet", bot: ExamplesPackage.bot)
  }

  /// The integration of the tests that a `--filter` selects.
  func part(_ selection: String) throws -> Integrated {
    guard let part = parts[selection] else { throw UnknownPart(selection: selection) }
    return part
  }

  struct UnknownPart: Error {
    var selection: String
  }
}
