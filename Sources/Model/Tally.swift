/// The number of items, and how many of them ran.
package struct Tally: Hashable, Sendable, Codable {
  package var total: Int
  package var covered: Int

  package init(total: Int = 0, covered: Int = 0) {
    self.total = total
    self.covered = covered
  }

  package static func + (one: Tally, other: Tally) -> Tally {
    Tally(total: one.total + other.total, covered: one.covered + other.covered)
  }

  /// Returns the signed changes from another tally.
  package static func - (new: Tally, old: Tally) -> Tally {
    Tally(total: new.total - old.total, covered: new.covered - old.covered)
  }

  package var uncovered: Int { total - covered }
}

/// The numbers of lines that hold code, that ran, and that ran only partly.
package struct LineTally: Hashable, Sendable, Codable {
  package var total: Int
  /// The lines that ran, including those that partly ran.
  package var covered: Int
  package var partial: Int

  package init(total: Int = 0, covered: Int = 0, partial: Int = 0) {
    self.total = total
    self.covered = covered
    self.partial = partial
  }

  package static func + (one: LineTally, other: LineTally) -> LineTally {
    LineTally(
      total: one.total + other.total, covered: one.covered + other.covered, partial: one.partial + other.partial)
  }

  /// Returns the signed changes from another tally.
  package static func - (new: LineTally, old: LineTally) -> LineTally {
    LineTally(
      total: new.total - old.total, covered: new.covered - old.covered, partial: new.partial - old.partial)
  }

  package var uncovered: Int { total - covered }

  /// The same, with lines that partly ran as lines that ran.
  package var asTally: Tally { Tally(total: total, covered: covered) }
}
