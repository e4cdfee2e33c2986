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
  }

  /// Returns what a reason is about, by name; empty for any other reason, for one that only some destinations have, and
  /// in older lines.
  package func culprits(of reason: OutcomeReason.Code) -> [Culprits] {
    (culprits ?? []).filter { $0.kind.reason == reason }
  }
}

extension IntegrationRecord {
  /// What is red or flaky and counts, kind by kind; nil without any.
  var culprits: [HistoryLine.Culprits]? {
    let open = issues.filter { $0.status.isOpen && $0.carriedOver != true }
    let new = Set(open.filter { $0.status == .new }.compactMap(\.test))
    let found = HistoryLine.Culprits.Kind.allCases.compactMap { kind -> HistoryLine.Culprits? in
      let errors = kind == .error ? open.filter { $0.kind == .error || $0.kind == .linkerError } : []
      let cases = tests.cases.filter { $0.isCulprit(kind) }
      let error = errors.first { $0.status == .new } ?? errors.first
      let test = cases.first { new.contains($0.id) } ?? cases.first
      guard let name = error?.message ?? test.map({ $0.displayName ?? $0.id.name }) else { return nil }
      return HistoryLine.Culprits(kind: kind, first: String(name.prefix(300)), count: errors.count + cases.count)
    }
    return found.nonEmpty
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
