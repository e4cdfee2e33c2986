/// Somebody who probably caused an issue, with what speaks for it.
package struct Suspect: Hashable, Sendable, Codable {
  /// How much speaks for it, least first.
  package enum Confidence: String, CaseIterable, Sendable, Codable {
    case low, medium, high
  }

  /// As the commit names them.
  package var name: String
  package var email: String
  package var confidence: Confidence
  /// What speaks for it, as a sentence.
  package var reason: String
  /// The commit that speaks for it.
  package var commit: CommitID?

  package init(name: String, email: String, confidence: Confidence, reason: String, commit: CommitID? = nil) {
    self.name = name
    self.email = email
    self.confidence = confidence
    self.reason = reason
    self.commit = commit
  }
}

extension [Suspect] {
  /// Those that are told: nobody is named where little speaks for it, as an older Martlet did.
  package var named: [Suspect] { filter { $0.confidence != .low } }
}
