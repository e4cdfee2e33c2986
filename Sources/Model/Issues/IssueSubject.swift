/// What an issue of Martlet's own is about, where its kind, its test and its place do not say it.
///
/// It decides which issues are the same and which are gone, so that no sentence has to be read for that. What other
/// programs found has none: there the words of the program say what it is.
package struct IssueSubject: Hashable, Sendable, Codable {
  /// What it tells; documents and memories of issues hold these words, so that they never change.
  package struct Code: RawRepresentable, Hashable, Codable, Sendable {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let gate = Code(rawValue: "gate")
    package static let beforeTrigger = Code(rawValue: "before-trigger")
    package static let afterTrigger = Code(rawValue: "after-trigger")
    package static let orderDependence = Code(rawValue: "order-dependence")
  }

  /// Of a warning of the service, that of `ServiceWarning`.
  package var code: Code
  /// What tells it from others of the same code: the rule of a gate, the name of a trigger; nil where nothing has to.
  package var name: String?

  package init(_ code: Code, name: String? = nil) {
    self.code = code
    self.name = name
  }

  package static func gate(_ rule: String) -> IssueSubject { IssueSubject(.gate, name: rule) }

  package static let orderDependence = IssueSubject(.orderDependence)
}

extension Issue {
  /// The rule of the failed gate that it is; nil for others.
  package var gate: String? { subject?.code == .gate ? subject?.name : nil }
}

extension IntegrationDocument.FlatIssue {
  /// What it is about, also in a document of an older Martlet.
  package var knownSubject: IssueSubject? { subject ?? IssueSubject(older: message, of: kind, test) }
}

/// What an older Martlet wrote has only sentences, in exactly these forms; nothing that is written now is read here.
extension IssueSubject {
  /// What an issue is about that was written without its subject.
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

  /// Such as `The after-trigger 'deploy.sh' failed with exit status 3.`, `The mail 2 (daily) …` and
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
  /// Adds what its issues are about, which an older memory does not say.
  package mutating func addSubjects() {
    for index in records.indices where records[index].subject == nil {
      let record = records[index]
      records[index].subject = IssueSubject(older: record.message, of: record.kind, record.test)
    }
  }
}

extension Outcome {
  /// Whether nothing but gates made an integration red that was kept without that: no test is red, and a gate is among
  /// the reasons.
  func wasFailedGate(redTests: Int, reasons: [String]) -> Bool {
    self == .testFailures && redTests == 0 && reasons.contains { $0.hasPrefix("Gate ") && $0.contains(": ") }
  }
}
