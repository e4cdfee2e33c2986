package import Model

extension IntegrationRequest {
  /// The scripts that a bot runs before and after, with the secrets they may see.
  package struct Scripts: Sendable, Hashable {
    /// In the bot's order.
    package var before: [Trigger.Script] = []
    /// In the bot's order; which of them run depends on the integration.
    package var after: [Trigger.Script] = []
    /// Values by name.
    package var secrets: [String: String] = [:]
    /// Whether scripts of the package see the secrets too.
    package var packageSeesSecrets = false
    /// The names of secrets that have no value.
    package var missingSecrets: [String] = []

    package init() {}

    init(_ order: IntegrationOrder) {
      let scripts = order.bot.triggers.compactMap { trigger -> Trigger.Script? in
        if case .script(let script) = trigger { script } else { nil }
      }
      before = scripts.filter { $0.moment == .before }
      after = scripts.filter { $0.moment == .after }
      // What the bot does not name is nobody's.
      secrets = order.secrets.filter { order.bot.secrets.contains($0.key) }
      packageSeesSecrets =
        order.branch.map { branch in order.bot.secretBranches.contains { Glob($0).matches(branch) } } ?? false
      missingSecrets = order.bot.secrets.filter { order.secrets[$0] == nil }
    }

    /// The secrets that one script sees.
    func secrets(for source: Trigger.Script.Source) -> [String: String] {
      if case .packageFile = source, !packageSeesSecrets { return [:] }
      return secrets
    }
  }
}
