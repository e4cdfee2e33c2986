package import Model

extension IntegrationRequest {
  /// What a bot does before and after, with the secrets that scripts may see.
  package struct Scripts: Sendable, Hashable {
    /// In the bot's order.
    package var before: [Trigger.Script] = []
    /// Scripts, mails and webhooks in the bot's order; which of them run depends on the integration.
    package var after: [Trigger] = []
    /// How mail leaves; nil when the server sends none.
    package var mailAccount: MailAccount?
    /// Where the site is served; nil when it is read from the disk.
    package var address: SiteAddress?
    /// Whether results are written as git notes.
    package var notes = false
    /// The values, by name, that sign calls of webhooks; scripts see those of them that the bot's 'secrets' name too.
    package var keys: [String: String] = [:]
    /// Values by name.
    package var secrets: [String: String] = [:]
    /// Whether scripts of the package see the secrets too.
    package var packageSeesSecrets = false
    /// The names of secrets that have no value.
    package var missingSecrets: [String] = []

    package init() {}

    init(_ order: IntegrationOrder) {
      for trigger in order.bot.triggers {
        if case .script(let script) = trigger, script.moment == .before {
          before.append(script)
        } else if !trigger.isPeriodic {
          after.append(trigger)
        }
      }
      mailAccount = order.mailAccount
      address = order.address
      notes = order.bot.notes
      keys = order.secrets.filter { order.bot.webhookSecrets.contains($0.key) }
      // What the bot does not name is nobody's.
      secrets = order.secrets.filter { order.bot.secrets.contains($0.key) }
      packageSeesSecrets =
        order.branch.map { branch in order.bot.secretBranches.contains { Glob($0).matches(branch) } } ?? false
      missingSecrets = order.bot.secrets.filter { order.secrets[$0] == nil }
    }

    /// The folders of this machine that one script can write: like secrets, they are for scripts that people trust.
    func write(for script: Trigger.Script) -> [String] {
      if case .packageFile = script.source, !packageSeesSecrets { return [] }
      return script.write
    }

    /// The secrets that one script sees.
    func secrets(for source: Trigger.Script.Source) -> [String: String] {
      if case .packageFile = source, !packageSeesSecrets { return [:] }
      return secrets
    }
  }
}
