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

extension IntegrationRecord.FlatIssue {
  /// What it is about, also in a document of an older Martlet.
  package var knownSubject: IssueSubject? { subject ?? IssueSubject(older: message, of: kind, test) }
}
