/// What a badge tells.
package enum BadgeSubject: String, CaseIterable, Sendable {
  case outcome, coverage, tests
}
