package import FoundationEssentials
package import Model

/// When what a branch's builds go on from was last held against a build from nothing.
package struct AuditMark: Hashable, Sendable, Codable {
  package var date: Date
  /// The integration whose build it was.
  package var number: Int

  package init(date: Date, number: Int) {
    self.date = date
    self.number = number
  }
}

/// Which workspace is audited next: that of a branch whose last audit is a day old and that was built since.
package struct AuditDecision: Hashable, Sendable {
  /// Seconds between audits of one branch.
  package static let interval: TimeInterval = 86_400

  /// The branch that is due, the one that has waited longest; nil for none.
  package private(set) var due: RefName?
  /// When the next one is due; nil while none will be.
  package private(set) var next: Date?

  /// - Parameters:
  ///   - marks: the last audits; a branch without one is not known yet.
  ///   - built: the newest integration of each branch that has built.
  package init(marks: [RefName: AuditMark], built: [RefName: Int], at now: Date) {
    let open = marks.filter { built[$0.key].map { [mark = $0.value] in $0 > mark.number } ?? false }
    let first = open.min { ($0.value.date, $0.key) < ($1.value.date, $1.key) }
    guard let first else { return }
    let time = first.value.date.addingTimeInterval(Self.interval)
    // A clock that was set back must not put it off for years.
    if time <= now || first.value.date > now { due = first.key } else { next = time }
  }
}
