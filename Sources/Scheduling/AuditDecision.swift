package import FoundationEssentials
package import Model

/// The last time a branch's incremental builds were compared with a build from scratch.
package struct AuditMark: Hashable, Sendable, Codable {
  package var date: Date
  /// The integration whose build was compared.
  package var number: Int

  package init(date: Date, number: Int) {
    self.date = date
    self.number = number
  }
}

/// The next workspace to audit: that of a branch whose last audit was a day ago and that has been built since.
package struct AuditDecision: Hashable, Sendable {
  /// The interval between audits of a branch, in seconds.
  package static let interval: TimeInterval = 86_400

  /// The branch that is due and has waited longest; nil for none.
  package private(set) var due: RefName?
  /// The time at which the next audit is due; nil if none is expected.
  package private(set) var next: Date?

  /// - Parameters:
  ///   - marks: The last audits; branches without one are ignored.
  ///   - built: The newest integration of each branch that was built.
  package init(marks: [RefName: AuditMark], built: [RefName: Int], at now: Date) {
    let open = marks.filter { built[$0.key].map { [mark = $0.value] in $0 > mark.number } ?? false }
    let first = open.min { ($0.value.date, $0.key) < ($1.value.date, $1.key) }
    guard let first else { return }
    let time = first.value.date.addingTimeInterval(Self.interval)
    // A clock that was set back must not delay the audit for years.
    if time <= now || first.value.date > now { due = first.key } else { next = time }
  }
}
