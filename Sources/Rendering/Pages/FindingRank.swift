import Model

/// The place of something red among others, the same in headings, tables and lists of bots: red tests and errors come before
/// failed gates, and these before what ended its process; what is new comes first, then what is worse.
struct FindingRank: Comparable {
  private let order: [Int]

  /// - Parameter isNew: whether the reference did not have it, and no earlier integration.
  init(_ test: TestResult, isNew: Bool) {
    order = [test.state.isRed ? 0 : 2, isNew ? 0 : 1, test.state.rank]
  }

  init(_ issue: IntegrationRecord.FlatIssue) {
    let isNew = issue.status == .new && issue.life?.cameBackFrom == nil && issue.knownFlaky != true
    let (group, state): (Int, TestState) =
      switch issue.kind {
      case .gate: (1, .failed)
      case .quit: (2, .notRun)
      case .crash: (0, .crashed)
      case .timeOut: (0, .timedOut)
      default: (0, .failed)
      }
    order = [group, isNew ? 0 : 1, state.rank]
  }

  static func < (one: FindingRank, other: FindingRank) -> Bool { one.order.lexicographicallyPrecedes(other.order) }
}
