import Comparing
import Model
import Storing

/// The results of the tests in a bot's last integrations.
struct PastVerdicts {
  /// The maximum numbers of integrations in a history, and of tests that are read for it.
  static let mostIntegrations = 50
  static let mostTests = 200_000
  /// The maximum number of integrations that show how much the duration of a test varies.
  static let mostPaces = 20

  let index: PastIndex
  let bot: String

  /// Returns the newest conclusive integrations before a number, newest first; a removed one leaves a gap.
  ///
  /// - Parameter past: the bot's integrations, oldest first.
  func newest(before number: Int, of past: [IndexedIntegration]) throws(IntegratingError) -> [TestVerdicts] {
    let candidates = past.reversed().lazy.filter { $0.number < number && $0.outcome.isConclusive && !$0.isDirty }
    return try read(candidates) { $1.flatMap { $0.verdicts.isEmpty ? nil : $0 } }
  }

  /// Reads the results of integrations until they are enough.
  ///
  /// - Parameter entry: makes what is returned of one; nil to pass it over.
  private func read<Entry>(
    _ candidates: some Sequence<IndexedIntegration>, _ entry: (IndexedIntegration, TestVerdicts?) -> Entry?
  ) throws(IntegratingError) -> [Entry] {
    try index.ask { store throws(StoringError) in
      var (read, tests, names) = ([Entry](), 0, TestNames())
      for integration in candidates {
        guard read.count < Self.mostIntegrations, tests < Self.mostTests else { break }
        let verdicts = try store.verdicts(of: bot, integration.number, &names)
        guard let entry = entry(integration, verdicts) else { continue }
        tests += verdicts?.verdicts.count ?? 0
        read.append(entry)
      }
      return read
    }
  }

  /// Returns the results of the tests that were red or flaky lately, newest first.
  func unsteady() throws(IntegratingError) -> [TestVerdicts] {
    try index.ask { store throws(StoringError) in
      try store.unsteadyVerdicts(of: bot, newest: Self.mostIntegrations)
    }
  }

  /// Returns the integrations that show how long the tests of one usually take: the last ones of its branch and scope
  /// with the same toolchain, newest first; none for a copy from elsewhere.
  ///
  /// - Parameter number: the newer of two integrations being compared, which is to be judged by those before it.
  func paces(
    like document: IntegrationRecord, before number: Int, of past: [IndexedIntegration]
  ) throws(IntegratingError) -> [TestVerdicts] {
    guard let own = past.last(where: { $0.number == document.number && $0.commit == document.commit.id }) else {
      return []
    }
    let alike = past.filter { $0.branch == own.branch && $0.scope == own.scope }
    return Array(
      try newest(before: number, of: alike).filter { $0.toolchain == document.toolchain }.prefix(Self.mostPaces))
  }

  /// Returns the integrations with which a figure of a branch may be compared, newest first: those of the branch, and
  /// the baseline if it is of another one.
  func past(
    before number: Int, on branch: String?, baseline: Int?, of past: [IndexedIntegration]
  ) throws(IntegratingError) -> [PastIntegration] {
    let candidates = past.reversed().lazy.filter {
      $0.number < number && !$0.isDirty && ($0.branch == branch || $0.number == baseline)
    }
    return try read(candidates) { integration, verdicts in
      // Its results may be adopted, and count in the integration that made them.
      if verdicts?.verdicts.isEmpty == true, integration.outcome.saysOfTests { return nil }
      return PastIntegration(
        number: integration.number, commit: integration.commit, outcome: integration.outcome, verdicts: verdicts)
    }
  }
}

extension Outcome {
  /// Whether it is that of an integration in which tests ran.
  fileprivate var saysOfTests: Bool {
    switch self {
    case .succeeded, .warnings, .analyzerWarnings, .testFailures: true
    case .incomplete, .buildErrors, .checkoutError, .triggerError, .canceled, .internalError: false
    }
  }
}
