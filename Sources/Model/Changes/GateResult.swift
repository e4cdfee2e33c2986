/// What became of a condition on coverage.
package struct GateResult: Hashable, Sendable, Codable {
  package enum State: String, Codable, Sendable {
    case passed, failed
    /// There is nothing that it could be judged by, and nothing wrong.
    case notJudged = "not-judged"
  }

  /// What a condition was judged against.
  package struct Base: Hashable, Sendable, Codable {
    package var commit: CommitID
    /// The integration of the commit; nil for a parent that was never integrated.
    package var number: Int?

    package init(commit: CommitID, number: Int? = nil) {
      self.commit = commit
      self.number = number
    }
  }

  /// The condition as a person writes it, such as `patch=80`.
  package var rule: String
  package var state: State
  /// A sentence that says why.
  package var sentence: String
  /// The first line that it failed for.
  package var location: SourceLocation?
  /// Nil when there was nothing earlier, or in a document that was written before bases were kept.
  package var base: Base?
  /// The files that the sentence names, as it names them; missing in documents of an older Martlet.
  package var files: [String]?

  package init(
    rule: String, state: State, sentence: String, location: SourceLocation? = nil, base: Base? = nil,
    files: [String]? = nil
  ) {
    self.rule = rule
    self.state = state
    self.sentence = sentence
    self.location = location
    self.base = base
    self.files = files
  }
}

extension GateResult {
  /// The rule and the sentence.
  package var message: String { "\(Self.beginning(of: rule))\(sentence)" }

  /// Whether a message is what some integration said of a rule.
  package static func isMessage(_ message: String, of rule: String) -> Bool {
    message.hasPrefix(beginning(of: rule))
  }

  private static func beginning(of rule: String) -> String { "Gate \(rule): " }

  /// Whether a reason of an integration is the message of a gate.
  static func isMessage(_ reason: String) -> Bool { reason.hasPrefix("Gate ") && reason.contains(": ") }
}

extension CoverageGate {
  /// The forms in which a person may write a condition.
  package static let forms = ["patch-fully-covered", "patch=N", "no-lost-coverage", "ratchet"]

  /// Reads a condition as a person writes it; nil for anything else.
  package init?(rule: String) {
    switch rule {
    case "patch-fully-covered": self = .patchFullyCovered
    case "no-lost-coverage": self = .noLostCoverage
    case "ratchet": self = .ratchet
    default:
      let parts = rule.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] == "patch" else { return nil }
      let digits = parts[1].hasSuffix("%") ? parts[1].dropLast() : parts[1]
      guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
        let share = Double(digits), share <= 100
      else { return nil }
      self = .patch(atLeast: share)
    }
  }

  /// The condition as a person writes it.
  package var rule: String {
    switch self {
    case .patchFullyCovered: "patch-fully-covered"
    case .patch(let share): "patch=\(share == share.rounded() ? "\(Int(share))" : "\(share)")"
    case .noLostCoverage: "no-lost-coverage"
    case .ratchet: "ratchet"
    }
  }
}
