extension HistoryLine {
  /// Tests that ended alike, or the errors of the build.
  package struct Culprits: Hashable, Sendable, Codable {
    /// What they have in common.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
      case error, failed, crashed
      case timedOut = "timed-out"
      case flaky

      /// The reason that they give an integration for its outcome.
      fileprivate var reason: OutcomeReason.Code {
        switch self {
        case .error: OutcomeReason.buildFailed(.package, errors: 0).code
        case .failed, .crashed, .timedOut: OutcomeReason.testsRed(failed: 0, crashed: 0, timedOut: 0).code
        case .flaky: OutcomeReason.testsFlaky([]).code
        }
      }
    }

    package var kind: Kind
    /// The name of the first test, or the message of the first error; what is new comes first.
    package var first: String
    package var count: Int
    /// The destinations that have them; nil for all, and in older lines.
    package var destinations: [String]?
  }

  /// Returns what a reason is about, by name; empty for any other reason, and in older lines.
  package func culprits(of reason: OutcomeReason.Code) -> [Culprits] {
    (culprits ?? []).filter { found in
      guard found.kind.reason.code == reason.code else { return false }
      return found.destinations?.allSatisfy { reason.destinations?.contains($0) == true }
        ?? (reason.destinations == nil)
    }
  }
}

extension IntegrationRecord {
  /// What is red or flaky and counts, kind by kind, for the reasons that only some destinations have in each of these; nil
  /// without any.
  var culprits: [HistoryLine.Culprits]? {
    let placed = (reasonCodes ?? []).flatMap(placedCulprits)
    return (ownCulprits.filter { own in !placed.contains { $0.kind == own.kind } } + placed).nonEmpty
  }

  /// Returns what a reason is about in each destination that it names, what several have alike once.
  private func placedCulprits(of reason: OutcomeReason.Code) -> [HistoryLine.Culprits] {
    let found = (reason.destinations ?? []).flatMap { name -> [(name: String, culprits: HistoryLine.Culprits)] in
      let there = destination?.name == name ? own : cell(of: name)
      return (there?.ownCulprits ?? []).filter { $0.kind.reason.code == reason.code }
        .map { (name: name, culprits: $0) }
    }
    return found.grouped { $0.culprits }.map { alike in
      var culprits = alike[0].culprits
      culprits.destinations = alike.map { $0.name }
      return culprits
    }
  }

  /// The same of its own destination.
  private var ownCulprits: [HistoryLine.Culprits] {
    let open = issues.filter { $0.status.isOpen && $0.carriedOver != true }
    let new = Set(open.filter { $0.status == .new }.compactMap(\.test))
    return HistoryLine.Culprits.Kind.allCases.compactMap { kind -> HistoryLine.Culprits? in
      let errors = kind == .error ? open.filter { $0.kind == .error || $0.kind == .linkerError } : []
      let cases = tests.cases.filter { $0.isCulprit(kind) }
      let error = errors.first { $0.status == .new } ?? errors.first
      let test = cases.first { new.contains($0.id) } ?? cases.first
      guard let name = error?.message ?? test.map({ $0.displayName ?? $0.id.name }) else { return nil }
      return HistoryLine.Culprits(kind: kind, first: String(name.prefix(300)), count: errors.count + cases.count)
    }
  }
}

extension IntegrationRecord.Case {
  fileprivate func isCulprit(_ kind: HistoryLine.Culprits.Kind) -> Bool {
    guard silenced == nil else { return false }
    return switch kind {
    case .error: false
    case .failed: state == .failed
    case .crashed: state == .crashed
    case .timedOut: state == .timedOut
    case .flaky: flaky == true && !state.isRed
    }
  }
}
