import Model

extension IntegrationRecord {
  /// The document with the paths in its gates' sentences relative to the repository's root instead of the package's
  /// folder.
  var tellingGatesFromRepository: IntegrationRecord {
    guard package != ".", !package.isEmpty, let gates else { return self }
    var told = self
    var messages: [String: String] = [:]
    for (index, gate) in gates.enumerated() {
      told.gates?[index].sentence = gate.sentence(naming: repositoryPath)
      messages[gate.rule] = told.gates?[index].message
    }
    // The message of a gate is also a reason for the outcome and the message of an issue.
    told.reasons = zip(reasons, knownReasonCodes).map { reason, code in code?.gate.flatMap { messages[$0] } ?? reason }
    for index in issues.indices {
      guard let subject = issues[index].knownSubject, subject.code == .gate else { continue }
      told.issues[index].message = subject.name.flatMap { messages[$0] } ?? issues[index].message
    }
    return told
  }
}

extension GateResult {
  /// Returns the sentence with the names of its files replaced.
  fileprivate func sentence(naming name: (String) -> String) -> String {
    let files = (files ?? []).sorted { $0.utf8.count > $1.utf8.count }
    var text = ""
    var rest = sentence[...]
    while !rest.isEmpty {
      // A name begins after a space and ends at a separator; otherwise it is part of a longer name.
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
