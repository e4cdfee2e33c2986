/// What became of an issue over the integrations, as an integration's own document and pages tell it.
package struct IssueLife: Hashable, Sendable, Codable {
  /// The number of the integration that first showed it.
  package var firstSeen: Int
  /// How often it has appeared, this time counted: 1 for one that has never been gone.
  package var streak: Int
  /// The number of the integration that this streak began with.
  package var streakStart: Int
  /// Integrations since this streak began, this one not counted.
  package var streakAge: Int
  /// The number of the last integration that showed it before it was gone; nil for one that has never been gone.
  package var cameBackFrom: Int?
  /// Whether it was there when it could first be seen, so that no integration knows how it came.
  package var predates: Bool

  package init(
    firstSeen: Int, streak: Int = 1, streakStart: Int, streakAge: Int = 0, cameBackFrom: Int? = nil,
    predates: Bool = false
  ) {
    self.firstSeen = firstSeen
    self.streak = streak
    self.streakStart = streakStart
    self.streakAge = streakAge
    self.cameBackFrom = cameBackFrom
    self.predates = predates
  }
}
