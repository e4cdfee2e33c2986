import Model

extension Field {
  /// Reads triggers in the order of the file.
  func triggers(in surroundings: Surroundings) -> [Trigger]? {
    list("[{after: script/deploy.sh}]", allowsRepetition: true) { $0.trigger(in: surroundings) }
  }

  private func trigger(in surroundings: Surroundings) -> Trigger? {
    let shapes = "{before: script/prepare.sh}, {after: script/deploy.sh}, {mail: {…}} or {webhook: {…}}"
    guard let fields = fields(expecting: shapes) else { return nil }
    let kinds = ["before", "after", "mail", "webhook"].compactMap { fields.field($0) }
    guard let kind = kinds.first, kinds.count == 1 else {
      if kinds.isEmpty { fields.finish() }
      return refuse(kinds.isEmpty ? "each trigger should be \(shapes)" : "a trigger is one of \(shapes); write two")
    }
    if kind.reportsMissingValue() { return nil }
    switch kind.name {
    case "mail":
      fields.finish { $0 == "when" ? "mail says when with 'report'" : "write it inside of 'mail'" }
      return kind.mail(in: surroundings).map { .mail($0) }
    case "webhook":
      fields.finish { _ in "write it inside of 'webhook'" }
      return kind.webhook().map { .webhook($0) }
    default:
      return script(kind, fields, in: surroundings).map { .script($0) }
    }
  }

  private func script(_ kind: Field, _ fields: Fields, in surroundings: Surroundings) -> Trigger.Script? {
    let source = kind.scriptSource(in: surroundings)
    let moment: Trigger.Script.Moment = kind.name == "before" ? .before : .after
    var script = Trigger.Script(moment: moment, source: source ?? .inline(""))
    let when = fields.take("when", into: &script.when) { $0.conditions() }
    fields.take("timeout", into: &script.timeout) { $0.duration() }
    let write = fields.take("write", into: &script.write) { field in
      field.list("[/srv/greeter]") { $0.path(in: surroundings, "/srv/greeter", mayBeRelative: false) }
    }
    let network = fields.take("network", into: &script.network) { $0.flag() }
    fields.finish()
    if let when, moment == .before {
      return when.refuse("'when' goes with 'after'; before an integration there is no outcome yet")
    }
    if let first = write ?? network, moment == .before {
      return first.refuse("'\(first.name)' goes with 'after'; nothing is deployed before an integration")
    }
    return source == nil ? nil : script
  }

  private func scriptSource(in surroundings: Surroundings) -> Trigger.Script.Source? {
    let shapes = "a script of the package such as script/deploy.sh, {beside: deploy.sh} or {run: \"echo done\"}"
    guard isMapping else { return text(shapes).flatMap { _ in innerPath("script/deploy.sh") }.map { .packageFile($0) } }
    guard let fields = fields(shapes) else { return nil }
    let beside = fields.field("beside")
    let run = fields.field("run")
    fields.finish()
    switch (beside, run) {
    case (let beside?, nil): return beside.path(in: surroundings, "deploy.sh").map { .botFile($0) }
    case (nil, let run?): return run.text("a script such as \"echo done\"", allowsLines: true).map { .inline($0) }
    default: return refuse("'\(name)' should be one of: \(shapes)")
    }
  }

  private func conditions() -> [Trigger.Condition]? {
    list("[success]") { $0.choice(Trigger.Condition.self) }
  }

  private func mail(in surroundings: Surroundings) -> Trigger.Mail? {
    guard let fields = fields("{to: [team@example.org]}") else { return nil }
    var mail = Trigger.Mail(to: [])
    let names = (Array(surroundings.settings.people.keys) + surroundings.settings.aliases.keys).sorted()
    let to = fields.field("to")
    let recipients = to.flatMap { field in
      field.reportsMissingValue() ? nil : field.list("[team@example.org]") { $0.recipient(knownNames: names) }
    }
    mail.to = recipients ?? []
    let suspects = fields.take("suspects", into: &mail.suspects) { $0.flag() }
    fields.take("report", into: &mail.report) { $0.choice() }
    let at = fields.take("at", into: &mail.at) { $0.timeOfDay() }
    fields.take("allowed-domains", into: &mail.allowedDomains) { $0.list("[example.org]") { $0.domain() } }
    fields.finish()
    if mail.to.isEmpty, !mail.suspects, to == nil || recipients != nil {
      return refuse("'mail' needs somebody to write to: to: [team@example.org], or suspects: true")
    }
    if let at, !Trigger.mail(mail).isPeriodic {
      return at.refuse("'at' goes with 'report: daily' and 'report: weekly'; other mails follow an integration")
    }
    if let suspects, mail.suspects, mail.report != .newIssues, mail.report != .integration {
      return suspects.refuse(
        "'suspects' goes with 'report: new-issues' and 'report: integration'; other mails tell of nobody's new issues")
    }
    return to != nil && recipients == nil ? nil : mail
  }

  private func webhook() -> Trigger.Webhook? {
    guard let fields = fields("{url: \"https://example.org/hook\"}") else { return nil }
    let url = fields.field("url")
    var webhook = Trigger.Webhook(url: url?.webAddress() ?? "")
    fields.take("secret", into: &webhook.secret) { $0.variableName() }
    fields.take("template", into: &webhook.template) { $0.templateName() }
    fields.take("when", into: &webhook.when) { $0.conditions() }
    let ca = fields.field("ca")
    webhook.authorities = ca.flatMap { $0.authorities() }
    fields.finish()
    if url == nil { return refuse("'webhook' needs an address: url: \"https://example.org/hook\"") }
    if let ca, webhook.url.hasPrefix("http://") {
      return ca.refuse("'ca' goes with an address that begins with https://; nothing proves who answers at others")
    }
    return webhook.url.isEmpty || (ca != nil && webhook.authorities == nil) ? nil : webhook
  }

  func webAddress() -> String? {
    let expectation = "an address such as https://example.org/hook"
    guard let text = text(expectation) else { return nil }
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return expected(expectation) }
    let rest = text.dropFirst(scheme.count)
    let host = rest.prefix { !"/?#".contains($0) }
    if host.contains("@") {
      let advice = name == "url" ? "; sign with 'secret' instead" : ""
      return refuse("an address in '\(name)' is no place for a password\(advice)")
    }
    let isPlain = text.unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && $0.value < 0x7F }
    return host.isEmpty || !isPlain ? expected(expectation) : text
  }

  private func templateName() -> String? {
    text("the name of a template such as slack") { BotFile.fault(inName: $0) == nil }
  }
}
