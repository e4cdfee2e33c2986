/// Older versions wrote only sentences, in exactly these forms; nothing that is written now is parsed here.
extension IssueSubject {
  /// Derives the subject of an issue that was written without one.
  package init?(older message: String, of kind: Issue.Kind, _ test: TestID?) {
    switch kind {
    case .gate:
      guard message.hasPrefix("Gate ") else { return nil }
      self = .gate(String(message.dropFirst("Gate ".count).prefix { $0 != ":" }))
    case .triggerError:
      self.init(olderTrigger: message)
    case .warning where test != nil && message.hasPrefix("The result depends on the other tests: "):
      self = .orderDependence
    default: return nil
    }
  }

  /// Parses sentences such as `The after-trigger 'deploy.sh' failed with exit status 3.`, `The mail 2 (daily) …` and
  /// `The webhook 1 to example.org …`.
  private init?(olderTrigger message: String) {
    let words = message.split(separator: " ", omittingEmptySubsequences: false).dropFirst()
    guard let kind = words.first, let next = words.dropFirst().first else { return nil }
    switch kind {
    case "before-trigger", "after-trigger":
      let rest = message.dropFirst("The \(kind) ".count)
      let isPath = rest.first == "'"
      let end = isPath ? rest.dropFirst().firstIndex(of: "'").map(rest.index(after:)) : rest.firstIndex(of: " ")
      let name = "\(kind) \(rest[..<(end ?? rest.endIndex)])"
      self.init(kind == "after-trigger" ? .afterTrigger : .beforeTrigger, name: name)
    case "mail": self.init(.afterTrigger, name: ([kind, next] + words.dropFirst(2).prefix(1)).joined(separator: " "))
    case "webhook":
      self.init(.afterTrigger, name: ([kind, next] + words.dropFirst(2).prefix(2)).joined(separator: " "))
    default: return nil
    }
  }
}

extension IssueMemory {
  /// Adds the subjects of issues, which older memories lack.
  package mutating func addSubjects() {
    for index in records.indices where records[index].subject == nil {
      let record = records[index]
      records[index].subject = IssueSubject(older: record.message, of: record.kind, record.test)
    }
  }
}

extension IssueMemory {
  /// Gives the issues of triggers the names that these have now, by those that older versions gave them.
  package mutating func renameTriggers(_ names: [String: String]) {
    for index in records.indices where records[index].subject?.isOfTrigger == true {
      guard let old = records[index].subject?.name, let new = names[old] else { continue }
      records[index].subject?.name = new
    }
  }
}

extension IntegrationRecord {
  /// The code of each reason; older documents reveal only which are failed gates, and the others are nil.
  package var knownReasonCodes: [OutcomeReason.Code?] {
    if let reasonCodes, reasonCodes.count == reasons.count { return reasonCodes }
    return reasons.map { IssueSubject(older: $0, of: .gate, nil)?.name.map(OutcomeReason.Code.gateFailed) }
  }
}

extension IntegrationRecord {
  /// Whether nothing was measured for a reason of the outcome; older documents only repeat its sentence.
  package var lacksCoverageByOutcome: Bool {
    coverage.reasonCode != nil || coverage.reason.map(reasons.contains) == true
  }
}

extension Outcome {
  /// Returns whether only gates made an integration red whose document does not record that: no test is red, and a gate
  /// is among the reasons.
  func wasFailedGate(redTests: Int, reasons: [String]) -> Bool {
    self == .testFailures && redTests == 0 && reasons.contains { $0.hasPrefix("Gate ") && $0.contains(": ") }
  }
}
