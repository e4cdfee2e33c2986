/// The result of a condition on coverage.
package struct GateResult: Hashable, Sendable, Codable {
  package enum State: String, Codable, Sendable {
    case passed, failed
    /// There is nothing to judge the condition by, and nothing is wrong.
    case notJudged = "not-judged"
  }

  /// What a condition was judged against.
  package enum Base: Hashable, Sendable {
    /// A commit and the number of its integration; nil for a parent that was never integrated.
    case commit(CommitID, number: Int?)
    /// No commit at all, so that everything counted as changed.
    case nothing

    package var commit: CommitID? {
      if case .commit(let commit, _) = self { commit } else { nil }
    }

    package var number: Int? {
      if case .commit(_, let number) = self { number } else { nil }
    }
  }

  /// The condition as written by people, such as `patch=80`.
  package var rule: String
  package var state: State
  /// A sentence explaining the state.
  package var sentence: String
  /// The first line that the condition failed for.
  package var location: SourceLocation?
  /// The lines that the condition failed for, up to the number that is kept; missing in documents of older versions.
  package var lines: [SourceLocation]?
  /// How many of the judged lines ran; nil for a condition that judges no share, and if the number is unknown.
  package var share: Tally?
  /// How many of the lines that ran did so only in part; nil for none, and in documents of older versions.
  package var partial: Int?
  /// The share compared against, if it comes from an earlier integration.
  package var shareBefore: Tally?
  private var judgedSince: JudgedCommit?
  /// `nothing` for the base of that name, because older readers require the commit in `base`.
  private var since: String?
  /// The files named in the sentence, spelled as they are there; missing in documents of older versions.
  package var files: [String]?

  private enum CodingKeys: String, CodingKey {
    case rule, state, sentence, location, lines, share, partial, shareBefore, since, files
    case judgedSince = "base"
  }

  private struct JudgedCommit: Hashable, Codable {
    var commit: CommitID
    var number: Int?
  }

  /// Nil if it was unknown, and in documents written before bases were kept.
  package var base: Base? {
    get {
      if let judgedSince { return .commit(judgedSince.commit, number: judgedSince.number) }
      return since == Self.nothing ? .nothing : nil
    }
    set {
      judgedSince = newValue?.commit.map { JudgedCommit(commit: $0, number: newValue?.number) }
      since = newValue == .nothing ? Self.nothing : nil
    }
  }

  private static let nothing = "nothing"

  package init(
    rule: String, state: State, sentence: String, location: SourceLocation? = nil, base: Base? = nil,
    files: [String]? = nil
  ) {
    self.rule = rule
    self.state = state
    self.sentence = sentence
    self.location = location
    self.files = files
    self.base = base
  }
}

extension CoverageGate {
  /// The kinds of conditions, in the form in which people write them; N stands for a percentage.
  package enum Form: String, CaseIterable, Sendable {
    case patchFullyCovered = "patch-fully-covered"
    case patch = "patch=N"
    case noLostCoverage = "no-lost-coverage"
    case ratchet
    case noUncheckedChanges = "no-unchecked-changes"

    /// The condition of this form; nil for the one that needs a percentage.
    package var gate: CoverageGate? {
      switch self {
      case .patchFullyCovered: .patchFullyCovered
      case .patch: nil
      case .noLostCoverage: .noLostCoverage
      case .ratchet: .ratchet
      case .noUncheckedChanges: .noUncheckedChanges
      }
    }
  }

  /// Parses a condition as written by people; nil for anything else.
  package init?(rule: String) {
    if let gate = Form(rawValue: rule)?.gate {
      self = gate
      return
    }
    let parts = rule.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "patch" else { return nil }
    let digits = parts[1].hasSuffix("%") ? parts[1].dropLast() : parts[1]
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
      let share = Double(digits), share <= 100
    else { return nil }
    self = .patch(atLeast: share)
  }

  /// Whether it asks about the lines that commits touched.
  package var isOfPatch: Bool {
    switch self {
    case .patchFullyCovered, .patch, .noUncheckedChanges: true
    case .noLostCoverage, .ratchet: false
    }
  }

  /// The condition as written by people.
  package var rule: String {
    switch self {
    case .patchFullyCovered: Form.patchFullyCovered.rawValue
    case .patch(let share): "patch=\(share == share.rounded() ? "\(Int(share))" : "\(share)")"
    case .noLostCoverage: Form.noLostCoverage.rawValue
    case .ratchet: Form.ratchet.rawValue
    case .noUncheckedChanges: Form.noUncheckedChanges.rawValue
    }
  }
}
