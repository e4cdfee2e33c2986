import Model

extension Field {
  /// A pattern of branches, tags or paths.
  func glob(_ example: String) -> String? {
    guard let text = text("a pattern such as \(example)") else { return nil }
    if text.utf8.count > 400 { return refuse("a pattern is at most 400 bytes long") }
    if text.contains(where: { $0 == " " || $0 == "\t" }), !name.contains("paths"), name != "exclude" {
      return refuse("'\(text.shortened)' holds a space, which no branch or tag does; write a list with commas")
    }
    return text
  }

  /// A pattern of branches or tags.
  func branchGlob(_ example: String) -> String? {
    guard let text = glob(example) else { return nil }
    for prefix in ["refs/heads/", "refs/tags/"] where text.hasPrefix(prefix) {
      return refuse("write the name without \(prefix): \(text.dropFirst(prefix.count).description.shortened)")
    }
    return text
  }

  /// A pattern of files below a folder.
  func pathGlob(_ example: String) -> String? {
    guard let text = glob(example) else { return nil }
    if text.hasPrefix("/") || text.hasPrefix("./") {
      return refuse("'\(text.shortened)' should begin with the name of a file or folder, such as \(example)")
    }
    return text
  }

  /// A regular expression that Swift can read.
  func regularExpression() -> String? {
    guard let text = text("a regular expression such as GreeterTests", allowsEmpty: false) else { return nil }
    // Swift's parser follows brackets by recursion, and a stack has an end.
    guard text.count <= 2000, text.utf8.count(where: { $0 == 0x5B }) <= 100 else {
      return refuse("the regular expression is longer than 2000 characters, or has more than 100 brackets")
    }
    do {
      _ = try Regex(text)
      return text
    } catch {
      return refuse("'\(text.shortened)' is no regular expression: \("\(error)".shortened)")
    }
  }

  /// The name of a variable or secret.
  func variableName() -> String? {
    let expectation = "a name of letters, digits and _ such as API_URL"
    guard let text = text(expectation) else { return nil }
    return VariableName.isValid(text) ? text : expected(expectation)
  }

  /// An address of electronic mail, or one of the names that stand for some.
  func recipient(knownNames: [String]) -> String? {
    guard let text = text("an address such as team@example.org") else { return nil }
    if MailAddress.isValid(text) { return text }
    if text.contains("@") { return expected("an address such as team@example.org") }
    guard knownNames.contains(text) else {
      let advice = knownNames.isEmpty ? "" : NameAdvice.text(text, among: knownNames)
      return refuse(
        "'\(text.shortened)' is neither an address nor a name under 'people' or 'aliases' in martlet.yml\(advice)")
    }
    return text
  }

  func mailAddress() -> String? {
    guard let text = text("an address such as team@example.org") else { return nil }
    return MailAddress.isValid(text) ? text : expected("an address such as team@example.org")
  }

  /// A domain such as `example.org`.
  func domain() -> String? {
    guard let text = text("a domain such as example.org") else { return nil }
    return MailAddress.isDomain(text) ? text : expected("a domain such as example.org, without @")
  }
}

/// Names of environment variables (https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html).
enum VariableName {
  static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39 ~= first), text.utf8.count <= 200 else { return false }
    return text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F }
  }
}
