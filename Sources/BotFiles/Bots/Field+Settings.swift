import Model

extension Field {
  func schedule(_ base: Schedule) -> Schedule? {
    guard let fields = fields("{on: commit}") else { return nil }
    var schedule = base
    fields.take("on", into: &schedule.on) { $0.choice() }
    let every = fields.take("every", into: &schedule.every) { $0.period() }
    fields.take("time-zone", into: &schedule.timeZone) { $0.timeZone() }
    fields.take("also-when-toolchain-changes", into: &schedule.alsoWhenToolchainChanges) { $0.flag() }
    fields.finish()
    if let every, schedule.on != .periodic {
      return every.refuse("'every' needs 'on: periodic'; this bot integrates on: \(schedule.on.rawValue)")
    }
    if schedule.on == .periodic, schedule.every == nil, every == nil {
      return refuse("'on: periodic' needs 'every', such as every: {day: daily, at: \"03:00\"}")
    }
    if schedule.on != .periodic { schedule.every = nil }
    return schedule
  }

  func ignore(_ base: Bot.Ignore) -> Bot.Ignore? {
    merged(into: base, "{paths: [\"docs/**\"]}") { fields, ignore in
      fields.take("paths", into: &ignore.paths) { $0.list("[\"docs/**\"]") { $0.pathGlob("docs/**") } }
      fields.take("messages", into: &ignore.messages) {
        $0.list("[\"[skip ci]\"]") { $0.text("a text such as \"[skip ci]\"") }
      }
    }
  }

  func keep(_ base: Bot.Keep) -> Bot.Keep? {
    merged(into: base, "{integrations: 50, days: 90}") { fields, keep in
      fields.take("integrations", into: &keep.integrations) { $0.number(in: 1...1_000_000) }
      fields.take("days", into: &keep.days) { $0.number(in: 1...36_500) }
    }
  }

  /// Reads actions in the order in which they are performed; testing implies building.
  func actions() -> [Bot.Action]? {
    guard let chosen = list("[build, test]", { $0.choice(Bot.Action.self) }) else { return nil }
    if chosen.isEmpty { return refuse("'actions' should hold at least one of build, analyze, test, archive") }
    return Bot.Action.allCases.filter { chosen.contains($0) || ($0 == .build && chosen.contains(.test)) }
  }

  func sanitizers() -> [Bot.Sanitizer]? {
    guard let chosen = list("[thread]", { $0.choice(Bot.Sanitizer.self) }) else { return nil }
    return chosen.count < 2 ? chosen : refuse("'address' and 'thread' cannot be built together; write a bot for each")
  }

  /// Reads an additional argument for `swift build`, unless Martlet passes it itself.
  func buildArgument() -> String? {
    guard let text = text("an argument of swift build such as -Xswiftc") else { return nil }
    if !isElement, text.contains(" ") {
      return refuse("'\(text.shortened)' holds a space; write several arguments as [-Xswiftc, -DSLOW]")
    }
    let name = String(text.prefix { $0 != "=" })
    let own = [
      "--build-system": "build-system", "-c": "configuration", "--configuration": "configuration",
      "--sanitize": "sanitize",
      "--package-path": "package", "--enable-code-coverage": "coverage", "--disable-code-coverage": "coverage",
    ]
    if let key = own[name] { return refuse("'\(name)' is what '\(key)' says; write it there") }
    if ["--scratch-path", "--build-path", "--cache-path", "--disable-sandbox"].contains(name) {
      return refuse("'\(name)' is Martlet's to give; leave it out")
    }
    // With one of these, SwiftPM succeeds without building anything, and the products of an earlier build would be
    // tested.
    let answers = [
      "--version", "--help", "-h", "-help", "--help-hidden", "--show-bin-path", "--show-codecov-path",
      "--print-manifest-job-graph", "--print-pif-manifest-graph", "--experimental-dump-help",
      "--generate-completion-script",
    ]
    if answers.contains(name) { return refuse("'\(name)' has swift build build nothing; leave it out") }
    return text
  }

  /// Reads a folder, or a name under `toolchains` in `martlet.yml`.
  func toolchain(in surroundings: Surroundings) -> String? {
    guard let text = text("the folder of a toolchain such as /usr/local/swift") else { return nil }
    if text.hasPrefix("/") || text.hasPrefix("~") { return path(in: surroundings, "/usr/local/swift") }
    let known = surroundings.settings.toolchains
    if let folder = known[text] { return folder }
    let advice = NameAdvice.text(text, among: known.keys.sorted())
    return refuse(
      "'\(text.shortened)' is neither a whole path such as /usr/local/swift nor a name under 'toolchains' in martlet.yml\(advice)"
    )
  }

  /// Reads names and values of variables, adding them to the existing ones.
  func environment(_ base: [String: String]) -> [String: String]? {
    guard let fields = fields("{API_URL: \"http://localhost\"}") else { return nil }
    var environment = base
    for field in fields.all {
      guard VariableName.isValid(field.name) else {
        findings.add(
          at: field.keyStart, "'\(field.name.shortened)' is no name of a variable; use letters, digits and _")
        continue
      }
      if let value = field.text("a text such as \"http://localhost\"", allowsEmpty: true, allowsLines: true) {
        environment[field.name] = value
      }
    }
    return environment
  }

  func sandboxPolicy(_ base: SandboxPolicy, in surroundings: Surroundings) -> SandboxPolicy? {
    merged(into: base, "{mode: auto}") { fields, policy in
      let path = { (field: Field) in field.path(in: surroundings, "/usr/share/dict", mayBeRelative: false) }
      fields.take("mode", into: &policy.mode) { $0.choice() }
      fields.take("network", into: &policy.network) { $0.flag() }
      fields.take("read", into: &policy.read) { $0.list("[/usr/share/dict]", path) }
      fields.take("write", into: &policy.write) { $0.list("[/var/cache/greeter]", path) }
      fields.take("allow", into: &policy.allow) { $0.list("[io_uring]") { $0.choice() } }
    }
  }

  func submodules(_ base: Bot.Submodules, in surroundings: Surroundings) -> Bot.Submodules? {
    merged(into: base, "{allow: [/srv/git]}") { fields, submodules in
      fields.take("allow", into: &submodules.allow) {
        $0.list("[/srv/git]") { $0.path(in: surroundings, "/srv/git", mayBeRelative: false) }
      }
    }
  }
}
