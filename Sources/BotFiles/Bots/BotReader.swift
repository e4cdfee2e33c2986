import Model

/// A reader of the fields that a bot file and the `defaults` of `martlet.yml` share.
struct BotReader {
  let surroundings: Surroundings

  /// Applies the fields to a bot. Lists replace whole lists; mappings are merged field by field.
  func read(_ fields: Fields, into bot: inout Bot) {
    fields.take("fetch", into: &bot.fetch) { $0.fetchPolicy() }
    fields.take("credentials", into: &bot.credentials) { $0.credentials(in: surroundings) }
    fields.take("dependency-credentials", into: &bot.dependencyCredentials) {
      $0.dependencyCredentials(in: surroundings)
    }
    fields.take("status", into: &bot.status) { $0.statusReporting() }
    fields.take("package", into: &bot.package) { $0.innerPath("Packages/Core") }
    fields.take("branches", into: &bot.branches) { $0.list("[main, \"release/*\"]") { $0.branchGlob("release/*") } }
    fields.take("trust", into: &bot.trust) { $0.choice() }
    fields.take("tags", into: &bot.tags) { $0.list("[\"v*\"]") { $0.branchGlob("v*") } }
    fields.update("schedule", &bot.schedule) { $0.schedule($1) }
    fields.take("commits", into: &bot.commits) { $0.choice() }
    fields.take("cancel-superseded", into: &bot.cancelSuperseded) { $0.flag() }
    fields.take("paths", into: &bot.paths) { $0.list("[\"packages/App/**\"]") { $0.pathGlob("packages/App/**") } }
    fields.update("ignore", &bot.ignore) { $0.ignore($1) }
    fields.take("clean", into: &bot.clean) { $0.choice() }
    readActions(fields, into: &bot)
    fields.take("configuration", into: &bot.configuration) { $0.choice(among: ["debug", "release"]) }
    fields.take("toolchain", into: &bot.toolchain) { $0.toolchain(in: surroundings) }
    fields.take("build-system", into: &bot.buildSystem) { $0.choice() }
    fields.take("sanitize", into: &bot.sanitize) { $0.sanitizers() }
    let destinations = fields.take("destinations", into: &bot.destinations) { $0.destinations(in: surroundings) }
    fields.take("arguments", into: &bot.arguments) {
      $0.list("[-Xswiftc, -DSLOW]", allowsRepetition: true) { $0.buildArgument() }
    }
    let tests = fields.update("tests", &bot.tests) { $0.testSettings($1) }
    fields.take("quarantine", into: &bot.quarantine) { $0.quarantine() }
    readCoverage(fields, beside: destinations, into: &bot)
    checkOnly(fields, tests, bot)
    fields.update("practice", &bot.practice) { $0.practice($1) }
    fields.update("sandbox", &bot.sandbox) { $0.sandboxPolicy($1, in: surroundings) }
    fields.update("submodules", &bot.submodules) { $0.submodules($1, in: surroundings) }
    readSecrets(fields, into: &bot)
    fields.take("triggers", into: &bot.triggers) { $0.triggers(in: surroundings) }
    fields.take("notes", into: &bot.notes) { $0.flag() }
    fields.update("keep", &bot.keep) { $0.keep($1) }
    fields.take("visibility", into: &bot.visibility) { $0.choice() }
    fields.take("where", into: &bot.labels) { $0.list("[arm64]") { $0.machineLabel() } }
    fields.take("hook-secret", into: &bot.hookSecret) { $0.variableName() }
    fields.finish(Self.advice)
  }

  /// Returns advice about keys that people expect at the top level.
  static func advice(_ key: String) -> String? {
    if key == "<<" { return "mappings are not merged; what all bots begin with goes under 'defaults' in martlet.yml" }
    return innerKeys.first { $0.value.contains(key) }.map { "it belongs under '\($0.key)'" }
  }

  /// Keys that stand under another one, and under no second.
  static let innerKeys = [
    "tests": [
      "filter", "skip", "timeout", "silence", "step", "retries", "slow", "names", "isolation", "first", "only",
    ],
    "coverage": ["exclude", "incidental", "map", "mutants", "blame", "gates"], "practice": ["off"],
    "schedule": ["on", "every", "time-zone", "cron", "also-when-toolchain-changes"],
    "sandbox": ["network", "read", "write", "mode"],
    "triggers": ["before", "after", "mail", "webhook", "when"],
    "status": ["forge", "context"],
    "credentials": ["token", "user", "ssh-key", "ssh-agent", "known-hosts"],
  ]

  /// Checks what a bot's file says against the whole bot. Defaults are not checked so: what they go with may be said by
  /// each bot.
  func check(_ bot: Bot, _ fields: Fields) {
    checkTrust(of: bot, fields)
    checkAnalysis(of: bot, fields)
  }

  private func checkTrust(of bot: Bot, _ fields: Fields) {
    if let trust = fields.field("trust"), !bot.asksForChangeRequests, !trust.node.isNothing {
      fields.findings.add(
        at: trust.keyStart,
        "'trust' is about pull requests, and 'branches' asks for none, such as branches: [main, \"refs/pull/*/head\"]"
      )
    }
  }

  /// - Parameter destinations: where the destinations are said; nil where that is elsewhere, or nowhere.
  private func readCoverage(_ fields: Fields, beside destinations: Field?, into bot: inout Bot) {
    let coverage = fields.update("coverage", &bot.coverage) { $0.coverageSettings($1) }
    if !bot.coverage.isMeasured, bot.destinations?.all.contains(where: { $0.gates?.isEmpty == false }) == true {
      fields.findings.add(
        at: coverage?.keyStart ?? destinations?.keyStart ?? fields.start,
        "the 'gates' of a destination judge coverage, and 'coverage: off' measures none; leave out one of the two")
    }
    guard bot.destinations?.allowMutants == false, bot.coverage.mutants.needed(by: bot.coverage.gates) != .off else {
      return
    }
    fields.findings.add(
      at: destinations?.keyStart ?? coverage?.keyStart ?? fields.start,
      "functions are tried without their bodies in what the first of 'destinations' builds, so 'mutants' and the gate no-unchecked-changes need its coverage: leave them out, or write coverage: first"
    )
  }

  /// What tests reach is only known where their coverage is measured, and of one build.
  private func checkOnly(_ fields: Fields, _ tests: Field?, _ bot: Bot) {
    guard bot.tests.only == .affected else { return }
    let place = tests?.keyStart ?? fields.start
    if !bot.coverage.isMeasured {
      fields.findings.add(
        at: place,
        "'only: affected' has to know which lines each test runs, and 'coverage: off' measures none; leave out one of the two"
      )
    }
    if bot.destinations != nil {
      fields.findings.add(
        at: place, "'only: affected' is for bots that build in one way, so it goes with no 'destinations'")
    }
  }

  private func readActions(_ fields: Fields, into bot: inout Bot) {
    fields.take("actions", into: &bot.actions) { $0.actions() }
    fields.take("analyze", into: &bot.analyze) {
      $0.text("a command such as swift format lint -r .", allowsLines: true)
    }
  }

  private func checkAnalysis(of bot: Bot, _ fields: Fields) {
    let analyze = fields.field("analyze")
    let asks = bot.actions.contains(.analyze)
    if let analyze, !asks, !analyze.node.isNothing {
      let words = Bot.Action.allCases.filter { bot.actions.contains($0) || $0 == .analyze }.map(\.rawValue)
      fields.findings.add(
        at: analyze.keyStart,
        "'analyze' is a command that would never run; ask for it with actions: [\(words.joined(separator: ", "))]")
    }
    if asks, bot.analyze == nil, analyze == nil {
      fields.findings.add(
        at: fields.field("actions")?.node.start ?? fields.start,
        "the action 'analyze' needs a command, such as analyze: swift format lint -r .")
    }
  }

  private func readSecrets(_ fields: Fields, into bot: inout Bot) {
    fields.update("environment", &bot.environment) { $0.environment($1) }
    let secrets = fields.take("secrets", into: &bot.secrets) { $0.list("[DEPLOY_TOKEN]") { $0.variableName() } }
    fields.take("secret-branches", into: &bot.secretBranches) { $0.list("[main]") { $0.branchGlob("release/*") } }
    if let secrets, let name = bot.secrets.first(where: { bot.environment[$0] != nil }) {
      fields.findings.add(
        at: secrets.keyStart, "'\(name)' is both a secret and a variable of 'environment'; take it out of one")
    }
  }
}
