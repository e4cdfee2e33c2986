extension IntegrationRecord.FlatIssue {
  /// Returns the issue as a destination has it; nil for one that does not.
  fileprivate func told(for destination: String) -> Self? {
    if let other = elsewhere?.first(where: { $0.destinations?.contains(destination) == true }) { return other }
    return destinations?.contains(destination) == false ? nil : self
  }
}

extension IntegrationRecord {
  /// Returns the result for one destination as an integration of its own, or nil if there is no destination of that
  /// name.
  package func cell(of destination: String) -> IntegrationRecord? {
    cells?.first { $0.destination?.name == destination }
  }

  /// Returns what an integration came to for a destination, which may be the leading one or one of the others; nil if
  /// there is no destination of that name.
  package func result(for destination: String) -> IntegrationRecord? {
    self.destination?.name == destination ? self : cell(of: destination)
  }

  /// The outcome of the one destination whose tests, build and coverage the document tells; that of a whole integration
  /// is the worst of all.
  package var ownOutcome: Outcome { destination?.outcome ?? outcome }

  /// The result for the leading destination, without the others; nil for a bot with only one way to build.
  package var own: IntegrationRecord? {
    guard let destination, let outcome = destination.outcome, destination.leads else { return nil }
    var own = self
    own.cells = nil
    own.duration = steps.duration
    own.outcome = outcome
    // Gates on merged coverage, or on that of another destination, do not belong to this one.
    let hasGates = coverage.destinations == nil
    own.issues = issues.filter { hasGates || $0.kind != .gate }.compactMap { $0.told(for: destination.name) }
    if let codes = reasonCodes, codes.count == reasons.count {
      let isOwn = codes.map {
        ($0.destinations?.contains(destination.name) ?? true) && (hasGates || $0.gate == nil)
      }
      own.reasons = zip(reasons, isOwn).filter(\.1).map(\.0)
      own.reasonCodes = zip(codes, isOwn).filter(\.1).map(\.0)
    }
    return own
  }

  /// The only destination that the document is about; nil for a whole integration, and for a bot with only one way to
  /// build.
  package var cellName: String? { cells == nil ? destination?.name : nil }

  /// Returns the name of the only destination after the first one that is none of the present ones, but is like one of
  /// them: that was its name.
  package func destination(
    besides present: Set<String>, where isAlike: (IntegrationRecord) -> Bool
  ) -> String? {
    let gone = (cells ?? []).filter { cell in
      cell.destination.map { !present.contains($0.name) } == true && isAlike(cell)
    }
    return gone.count == 1 ? gone[0].destination?.name : nil
  }

  /// How each required destination that was built for ended by itself, by its name; a bot with only one way to build has
  /// no name for it.
  package var requiredOutcomes: [String: Outcome] {
    guard destination != nil else { return ["": outcome] }
    let results = ([self] + (cells ?? [])).compactMap(\.destination).filter { $0.required && $0.outcome != nil }
    return results.keyed(by: \.name) { $0.outcome ?? outcome }
  }

  /// The names of the destinations, the leading one first; empty for a bot with only one way to build.
  package var destinationNames: [String] { ([self] + (cells ?? [])).compactMap(\.destination?.name) }
}
