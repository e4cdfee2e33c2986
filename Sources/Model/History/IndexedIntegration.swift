/// A finished integration, as far as later ones are compared with it.
package struct IndexedIntegration: Hashable, Sendable {
  package var number: Int
  package var commit: CommitID
  /// Nil for a commit of no branch.
  package var branch: String?
  package var outcome: Outcome
  /// What must be equal for two integrations to be comparable: package folder, configuration, selection of tests. Nil
  /// where nobody knows it, and nothing is compared with it.
  package var scope: String?
  /// Whether uncommitted changes were integrated too.
  package var isDirty: Bool
  /// Whether the commit was an older one of its branch, as its line says.
  package var isBehindBranch = false
  /// The folder of the package in the repository; nil where nobody knows it.
  package var package: String?
  /// The bot's first integration of the same repository; nil if it had no other one before.
  package var repositorySince: Int?

  package init(
    number: Int, commit: CommitID, branch: String? = nil, outcome: Outcome, scope: String?, isDirty: Bool,
    package: String? = nil, repositorySince: Int? = nil
  ) {
    self.number = number
    self.commit = commit
    self.branch = branch
    self.outcome = outcome
    self.scope = scope
    self.isDirty = isDirty
    self.package = package
    self.repositorySince = repositorySince
  }

  /// Whether it may be of a package; one of an unknown package may be.
  package func isOf(package: String?) -> Bool {
    guard let package, let own = self.package else { return true }
    return own == package
  }

  /// Whether something may be compared with it that has the same scope.
  ///
  /// - Parameter scope: nil for something that may be compared whatever its scope is.
  package func isComparable(in scope: String?) -> Bool {
    (scope == nil || self.scope == scope) && !isDirty && outcome.isConclusive
  }
}

/// All that the index keeps of a finished integration.
package struct IndexRow: Hashable, Sendable {
  package var bot: String
  package var integration: IndexedIntegration
  package var line: HistoryLine
  /// How its tests ended; nil where its files are gone.
  package var verdicts: TestVerdicts?

  package init(bot: String, _ integration: IndexedIntegration, _ line: HistoryLine, verdicts: TestVerdicts? = nil) {
    self.bot = bot
    self.integration = integration
    self.line = line
    self.verdicts = verdicts
  }

  /// What the summary document says; this is how every row comes to be.
  package init(of document: IntegrationRecord) {
    self.init(
      bot: document.bot,
      IndexedIntegration(
        number: document.number, commit: document.commit.id, branch: document.branch, outcome: document.outcome,
        scope: document.scope, isDirty: document.workingTree != nil, package: document.package,
        repositorySince: document.repositorySince),
      HistoryLine(of: document), verdicts: TestVerdicts(document))
  }
}
