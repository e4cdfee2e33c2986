/// The subject of one of Martlet's own issues, if its kind, test and location do not determine it.
///
/// It decides which issues are the same and which are gone, so that no sentence has to be parsed for that. Findings of
/// other programs have no subject; the program's words identify them.
package struct IssueSubject: Hashable, Sendable, Codable {
  /// The kind of subject; documents and issue memories contain these values, so they never change.
  package struct Code: RawRepresentable, Hashable, Codable, Sendable {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let gate = Code(rawValue: "gate")
    package static let beforeTrigger = Code(rawValue: "before-trigger")
    package static let afterTrigger = Code(rawValue: "after-trigger")
    package static let orderDependence = Code(rawValue: "order-dependence")
    package static let reportNotMade = Code(rawValue: "report-not-made")
  }

  /// For a service warning, the code of the `ServiceWarning`.
  package var code: Code
  /// What distinguishes the subject from others with the same code: the rule of a gate, the name of a trigger; nil if
  /// nothing is needed.
  package var name: String?

  package init(_ code: Code, name: String? = nil) {
    self.code = code
    self.name = name
  }

  package static func gate(_ rule: String) -> IssueSubject { IssueSubject(.gate, name: rule) }

  package static let orderDependence = IssueSubject(.orderDependence)

  /// Whether it is a trigger, which its name alone distinguishes from the others.
  package var isOfTrigger: Bool { code == .beforeTrigger || code == .afterTrigger }
}

extension Issue {
  /// The rule of the failed gate; nil for other issues.
  package var gate: String? { subject?.code == .gate ? subject?.name : nil }
}

extension Integration {
  /// Why the integration has no report, in sentences; nil if it has one, as far as is known.
  package var reasonForNoReport: String? { findings.first { $0.subject?.code == .reportNotMade }?.message }
}

extension IntegrationRecord.FlatIssue {
  /// The subject of the issue, including in documents of older versions.
  package var knownSubject: IssueSubject? { subject ?? IssueSubject(older: message, of: kind, test) }
}
