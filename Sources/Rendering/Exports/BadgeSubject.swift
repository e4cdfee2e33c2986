/// The subject of a badge.
package enum BadgeSubject: String, CaseIterable, Sendable {
  case outcome, coverage, tests
}
