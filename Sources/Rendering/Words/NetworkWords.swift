import Model

/// What is said of tests that failed because the sandbox has no network.
enum NetworkWords {
  /// Nil where none of them failed so, or the sandbox had one.
  static func hint(_ tests: some Sequence<TestResult>, in integration: Integration) -> String? {
    guard integration.lacksNetwork, tests.contains(where: failed) else { return nil }
    return "The sandbox has no network. To give tests one: sandbox: {network: true} in the bot's file, or "
      + "martlet run --sandbox off."
  }

  private static func failed(_ test: TestResult) -> Bool {
    let failures = test.failures + (test.arguments ?? []).flatMap(\.failures)
    return test.state.isRed && failures.contains { NetworkFailure.isTold(in: $0.message) }
  }
}
