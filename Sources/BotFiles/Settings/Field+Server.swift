import Model

extension Field {
  /// Reads a whole percentage that leaves some room.
  func share() -> Int? {
    guard case .scalar(let text, _) = node.content, let number = Int(text.hasSuffix("%") ? text.dropLast() : text[...]),
      (1...99).contains(number)
    else { return expected("a percentage from 1 to 99 such as 75") }
    return number
  }

  func mailServer() -> ServerSettings.MailServer? {
    let example = "{smtp: \"smtps://mail.example.org\", from: martlet@example.org}"
    guard let fields = fields(example) else { return nil }
    let smtp = fields.field("smtp")
    let sendmail = fields.field("sendmail")
    let from = fields.field("from")
    var user: String?
    var password: String?
    fields.take("user", into: &user) { $0.variableName() }
    fields.take("password", into: &password) { $0.variableName() }
    let ca = fields.field("ca")
    let authorities = ca.flatMap { $0.authorities() }
    fields.finish()
    let way =
      smtp.flatMap { $0.smtpAddress() }.map { ServerSettings.MailServer.Way.smtp(url: $0) }
      ?? sendmail.flatMap { $0.wholePath(of: "a program such as /usr/sbin/sendmail") }.map { .sendmail(path: $0) }
    let sender = from?.mailAddress()
    if (smtp == nil) == (sendmail == nil) {
      return refuse("'mail' should have either 'smtp' or 'sendmail', such as \(example)")
    }
    if from == nil { return refuse("'mail' needs 'from', the address that mail comes from, such as \(example)") }
    if (user == nil) != (password == nil) {
      return refuse("'user' and 'password' go together; both are names in secrets.env")
    }
    if let ca, smtp == nil { return ca.refuse("'ca' goes with 'smtp'; a program has settings of its own") }
    guard let way, let sender, ca == nil || authorities != nil else { return nil }
    return ServerSettings.MailServer(
      way: way, from: sender, user: user, password: password, authorities: authorities)
  }

  /// Reads the path of a file of certificates that verify a server's.
  func authorities() -> String? { wholePath(of: "a file such as /etc/ssl/our-ca.pem") }

  /// Reads an absolute path without checking the file.
  private func wholePath(of example: String) -> String? {
    text("the path of \(example)").flatMap { $0.hasPrefix("/") ? $0 : expected("the whole path of \(example)") }
  }

  private func smtpAddress() -> String? {
    let expectation = "an address such as smtps://mail.example.org:465"
    guard let text = text(expectation) else { return nil }
    guard let scheme = ["smtp://", "smtps://"].first(where: text.hasPrefix) else { return expected(expectation) }
    let rest = text.dropFirst(scheme.count)
    if rest.contains("@") {
      return refuse("an address in 'smtp' is no place for a login; write user: and password: with names in secrets.env")
    }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
    let hasPort = parts.count == 2 && Int(parts[1]).map { (1...65535).contains($0) } == true
    guard let host = parts.first, MailAddress.isDomain(String(host)), parts.count == 1 || hasPort else {
      return expected(expectation)
    }
    return text
  }

  func people() -> [String: ServerSettings.Person]? {
    named("{ada: ada@example.org}") { field in
      guard field.isMapping else { return field.mailAddress().map { ServerSettings.Person(mail: $0) } }
      let example = "{mail: ada@example.org, commits-as: [ada@home.example]}"
      guard let fields = field.fields(example) else { return nil }
      let mail = fields.field("mail")
      var person = ServerSettings.Person(mail: mail?.mailAddress() ?? "")
      fields.take("commits-as", into: &person.commitsAs) { $0.list("[ada@home.example]") { $0.mailAddress() } }
      fields.finish()
      if mail == nil { return field.refuse("'\(field.name.shortened)' needs an address, such as \(example)") }
      return person.mail.isEmpty ? nil : person
    }
  }

  func aliases(people: [String: ServerSettings.Person]) -> [String: [String]]? {
    named("{team: [ada, bob@example.org]}") { field in
      if people[field.name] != nil {
        return field.refuse("'\(field.name.shortened)' is a name under 'people' too; call the alias otherwise")
      }
      return field.list("[ada, bob@example.org]") { $0.recipient(knownNames: people.keys.sorted()) }
    }
  }

  func toolchains(in surroundings: Surroundings) -> [String: String]? {
    named("{\"6.2\": /usr/local/swift-6.2}") {
      $0.path(in: surroundings, "/usr/local/swift-6.2", mayBeRelative: false)
    }
  }

  /// Reads a mapping whose keys are names chosen by people; nil if any entry is invalid.
  private func named<Value>(_ example: String, _ read: (Field) -> Value?) -> [String: Value]? {
    guard let fields = fields(example) else { return nil }
    var values: [String: Value] = [:]
    var areRight = true
    for field in fields.all {
      if field.name.isEmpty || field.name.contains(where: { "@/~".contains($0) || $0.isNewline }) {
        findings.add(at: field.keyStart, "'\(field.name.shortened)' is no name; leave out '@', '/' and '~'")
        areRight = false
      }
      if field.reportsMissingValue() {
        areRight = false
      } else if let value = read(field) {
        values[field.name] = value
      } else {
        areRight = false
      }
    }
    return areRight ? values : nil
  }
}
