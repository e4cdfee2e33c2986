package import Model

extension Store {
  /// Returns the results of those tests that were ever red or flaky in the newest integrations of a bot, newest first.
  /// Integrations that ran no tests, or were of uncommitted changes, are skipped.
  ///
  /// - Parameter count: The number of integrations to examine.
  package mutating func unsteadyVerdicts(of bot: String, newest count: Int) throws(StoringError) -> [TestVerdicts] {
    let what = "read which tests are flaky"
    var found = try connection.testedIntegrations(
      """
      bot = ? AND is_removed = 0 AND is_dirty = 0
        AND EXISTS (SELECT 1 FROM verdicts WHERE integration = integrations.id)
      ORDER BY number DESC LIMIT ?
      """, [.text(bot), .integer(count)], what)
    let red = TestState.allCases.filter(\.isRed).map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let ids = found.map { "\($0.id)" }.joined(separator: ", ")
    let ends = try connection.rows(
      """
      SELECT integration, tests.name, state, milliseconds, is_flaky FROM verdicts JOIN tests ON tests.id = test
      WHERE integration IN (\(ids)) AND test IN (
        SELECT test FROM verdicts WHERE integration IN (\(ids)) AND (is_flaky <> 0 OR state IN (\(red))))
      """, [], what
    ) { row in
      (
        integration: row.integer(0), test: TestID(row.text(1)), state: TestState(rawValue: row.text(2)),
        duration: row.integer(3), isFlaky: row.integer(4) != 0
      )
    }
    let places = Dictionary(found.indices.map { (found[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    for end in ends {
      guard let place = places[end.integration], let test = end.test, let state = end.state else { continue }
      found[place].verdicts.verdicts[test] = TestVerdicts.Verdict(
        state: state, duration: end.duration, isFlaky: end.isFlaky)
    }
    return found.map(\.verdicts)
  }
}
