import Model

extension IntegrationRecord {
  /// The document with what its gates say told by paths from the repository's root instead of the package's folder.
  var tellingGatesFromRepository: IntegrationRecord {
    guard package != ".", !package.isEmpty, let gates else { return self }
    var told = self
    var messages: [String: String] = [:]
    for (index, gate) in gates.enumerated() {
      told.gates?[index].sentence = gate.sentence(naming: repositoryPath)
      messages[gate.rule] = told.gates?[index].message
    }
    // What a gate says is a reason of the outcome and the message of an issue, too.
    told.reasons = zip(reasons, knownReasonCodes).map { reason, code in code?.gate.flatMap { messages[$0] } ?? reason }
    for index in issues.indices {
      guard let subject = issues[index].knownSubject, subject.code == .gate else { continue }
      told.issues[index].message = subject.name.flatMap { messages[$0] } ?? issues[index].message
    }
    return told
  }
}

extension GateResult {
  /// The sentence with other names for the files that it names.
  fileprivate func sentence(naming name: (String) -> String) -> String {
    let files = (files ?? []).sorted { $0.utf8.count > $1.utf8.count }
    var text = ""
    var rest = sentence[...]
    while !rest.isEmpty {
      // A name begins after a space, and one that goes on is another one.
      let file = text.isEmpty || text.hasSuffix(" ") ? files.first { Self.begins(rest, with: $0) } : nil
      if let file {
        text += name(file)
        rest = rest.dropFirst(file.count)
      } else {
        text.append(rest.removeFirst())
      }
    }
    return text
  }

  private static func begins(_ text: Substring, with file: String) -> Bool {
    guard text.hasPrefix(file) else { return false }
    let next = text.dropFirst(file.count)
    return next.isEmpty || [":", ",", ";", " ", "."].contains { next.hasPrefix($0) }
  }
}
